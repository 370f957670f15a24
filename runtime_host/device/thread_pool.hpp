// thread_pool.hpp: runs a loop over all cores. Iterations are handed out in small chunks, because PEs differ in how
// long they run.
#pragma once

#include <atomic>
#include <climits>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace mog {

class ThreadPool {
public:
    /// `threads` in all, the calling one included; 0: one for each core this process may use.
    explicit ThreadPool(unsigned threads = 0);
    ~ThreadPool();
    ThreadPool(const ThreadPool &) = delete;
    ThreadPool &operator=(const ThreadPool &) = delete;

    /// Calls body(i) for every i < count, in any order and on any thread; returns when all are done: the seconds of
    /// processors that it took. A thread takes `least_chunk` at once, or more. What a body throws is thrown here, once
    /// all threads have stopped; bodies that had not begun are left out then.
    double for_each(std::size_t count, const std::function<void(std::size_t)> &body, std::size_t least_chunk = 1);

    unsigned size() const { return static_cast<unsigned>(workers_.size()) + 1; }
    /// From the next loop on no more than so many of the threads have part in one, and at least one: the other cores are for somebody else.
    void use_at_most(unsigned threads) { used_ = std::max(1u, threads); }

private:
    void work(unsigned number);
    double take_chunks();

    std::vector<std::thread> workers_;
    std::mutex mutex_;
    std::condition_variable start_, done_;
    const std::function<void(std::size_t)> *body_ = nullptr;
    std::size_t count_ = 0, chunk_ = 1, round_ = 0;
    unsigned busy_ = 0;
    double seconds_ = 0;
    std::exception_ptr thrown_;  ///< by a body of this round, the first one
    bool quit_ = false;
    unsigned used_ = UINT_MAX;
    std::atomic<std::size_t> next_{0};
};

/// Cores this process may use.
unsigned usable_cores();

}  // namespace mog
