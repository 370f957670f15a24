// parallel.hpp: a loop over all cores for work in large pieces; and locks that are held for less time than it takes to sleep and be woken.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>

namespace mog {

/// Calls body(i) for every i < count, in any order, on at most `threads` threads (0: one for each core this process may
/// use); returns when all are done. What a body throws is thrown here, once all threads have stopped.
void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)> &body);

/// To be called while waiting for another processor.
inline void relax_processor() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/// Tries for a while before it sleeps.
inline std::unique_lock<std::mutex> lock_spinning(std::mutex &mutex) {
    constexpr int patience = 100;
    std::unique_lock lock(mutex, std::try_to_lock);
    for (int i = 0; i < patience && !lock; ++i) {
        relax_processor();
        (void)lock.try_lock();
    }
    if (!lock) lock.lock();
    return lock;
}

}  // namespace mog
