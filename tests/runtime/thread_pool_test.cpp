// thread_pool_test.cpp: who has part in a loop.
#include <doctest/doctest.h>

#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "runtime_host/device/thread_pool.hpp"

using namespace mog;

namespace {

/// Threads that had part in a loop in which each waits for `may` to come, and then a while for one more.
std::size_t threads_of_a_loop(ThreadPool &pool, std::size_t may) {
    using namespace std::chrono_literals;
    std::mutex mutex;
    std::set<std::thread::id> threads;
    const auto begin = std::chrono::steady_clock::now();
    std::size_t done = 0;
    pool.for_each(200, [&](std::size_t) {
        std::unique_lock lock(mutex);
        threads.insert(std::this_thread::get_id());
        ++done;
        while (threads.size() <= may && std::chrono::steady_clock::now() < begin + (threads.size() < may ? 60'000ms : 200ms)) {
            lock.unlock();
            std::this_thread::yield();
            lock.lock();
        }
    });
    CHECK(done == 200);
    return threads.size();
}

}  // namespace

TEST_CASE("thread pool: all threads have part in a loop, or as many as may") {
    ThreadPool pool(4);
    REQUIRE(pool.size() == 4);
    CHECK(threads_of_a_loop(pool, 4) == 4);
    pool.use_at_most(2);
    CHECK(pool.size() == 4);
    CHECK(threads_of_a_loop(pool, 2) == 2);
    pool.use_at_most(0);
    CHECK(threads_of_a_loop(pool, 1) == 1);
    pool.use_at_most(9);
    CHECK(threads_of_a_loop(pool, 4) == 4);
}
