// parallel.hpp: a loop over all cores for work in large pieces.
#pragma once

#include <cstddef>
#include <functional>

namespace mog {

/// Calls body(i) for every i < count, in any order, on at most `threads` threads (0: one for each core this process may
/// use); returns when all are done. What a body throws is thrown here, once all threads have stopped.
void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)> &body);

}  // namespace mog
