// parallel.cpp: threads that live for one loop.
#include "support/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace mog {
namespace {

unsigned cores() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
    return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)> &body) {
    if (threads == 0) threads = cores();
    threads = static_cast<unsigned>(std::min<std::size_t>(threads, count));
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr thrown;
    const auto work = [&] {
        try {
            for (std::size_t i; (i = next.fetch_add(1)) < count;) body(i);
        } catch (...) {
            next.store(count);
            const std::lock_guard lock(mutex);
            if (!thrown) thrown = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) {
        try {
            others.emplace_back(work);
        } catch (const std::system_error &) {
            break;  // no thread to be had: the ones there are do it all
        }
    }
    work();
    for (std::thread &thread : others) thread.join();
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace mog
