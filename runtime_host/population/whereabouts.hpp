// whereabouts.hpp: what all PEs of a run do now, for people: how many run, wait and have ended, and the calls that they are in.
#pragma once

#include <string>

#include "runtime_host/population/population.hpp"
#include "support/result.hpp"

namespace mog {

/// Between two launches. The first line is a sentence, "5 of 8 PEs run after 3.2 s, 2 wait, 1 has ended"; the tree of calls follows, a
/// newline at each end. `not_begun`: runs of a sweep that have not. Nothing is changed by it. Error: the device's.
Result<std::string> whereabouts(Device &device, const Image &image, Population &population, double seconds, std::uint32_t not_begun);

}  // namespace mog
