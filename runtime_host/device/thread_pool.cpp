// thread_pool.cpp: threads that wait for a round, take chunks from a shared counter, and report back.
#include "runtime_host/device/thread_pool.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace mog {

namespace {

/// Time of a processor, in seconds, that this thread has had.
double thread_seconds() {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

unsigned usable_cores() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
    return std::max(1u, std::thread::hardware_concurrency());
}

ThreadPool::ThreadPool(unsigned threads) {
    if (threads == 0) threads = usable_cores();
    try {
        for (unsigned i = 1; i < threads; i++) workers_.emplace_back([this, i] { work(i); });
    } catch (const std::system_error &) {
        // No thread to be had: the ones there are do it all.
    }
}

ThreadPool::~ThreadPool() {
    {
        std::lock_guard lock(mutex_);
        quit_ = true;
    }
    start_.notify_all();
    for (std::thread &worker : workers_) worker.join();
}

double ThreadPool::take_chunks() {
    const double start = thread_seconds();
    for (;;) {
        std::size_t begin = next_.fetch_add(chunk_, std::memory_order_relaxed);
        if (begin >= count_) return thread_seconds() - start;
        std::size_t end = std::min(begin + chunk_, count_);
        try {
            for (std::size_t i = begin; i < end; i++) (*body_)(i);
        } catch (...) {
            // No thread may end by it, nor for_each() return while others still work: it is thrown again there.
            next_.store(count_, std::memory_order_relaxed);
            std::lock_guard lock(mutex_);
            if (!thrown_) thrown_ = std::current_exception();
        }
    }
}

void ThreadPool::work(unsigned number) {
    std::size_t seen = 0;
    for (;;) {
        bool has_part = false;
        {
            std::unique_lock lock(mutex_);
            start_.wait(lock, [&] { return quit_ || round_ != seen; });
            if (quit_) return;
            seen = round_;
            has_part = number < used_;
        }
        const double seconds = has_part ? take_chunks() : 0;
        std::lock_guard lock(mutex_);
        seconds_ += seconds;
        if (--busy_ == 0) done_.notify_one();
    }
}

double ThreadPool::for_each(std::size_t count, const std::function<void(std::size_t)> &body, std::size_t least_chunk) {
    if (count <= least_chunk || workers_.empty() || used_ == 1) {
        const double start = thread_seconds();
        for (std::size_t i = 0; i < count; i++) body(i);
        return thread_seconds() - start;
    }
    {
        std::lock_guard lock(mutex_);
        body_ = &body;
        count_ = count;
        chunk_ = std::max(least_chunk, std::clamp<std::size_t>(count / (std::size_t{size()} * 16), 1, 64));
        next_.store(0, std::memory_order_relaxed);
        busy_ = static_cast<unsigned>(workers_.size());
        round_++;
        seconds_ = 0;
    }
    start_.notify_all();
    const double seconds = take_chunks();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return busy_ == 0; });
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    return seconds_ + seconds;
}

}  // namespace mog
