// threads.cc: threads of the C++ library, and what they wait for each other by.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <future>
#include <iostream>
#include <latch>
#include <mutex>
#include <queue>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Told {
    std::string name;
    ~Told() { count++; }
    static inline std::atomic<int> count = 0;
};
thread_local Told own{"nobody"};

struct Once {
    Once() { made++; }
    static inline std::atomic<int> made = 0;
};
Once &once() {
    static Once instance;
    return instance;
}

void count() {
    std::mutex mutex;
    std::atomic<int> atomic = 0;
    std::atomic<long long> wide = 0;
    std::atomic_flag flag = ATOMIC_FLAG_INIT;
    long plain = 0, flagged = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; i++)
        threads.emplace_back([&, i] {
            own.name = std::to_string(i);
            once();
            for (int k = 0; k < 200; k++) {
                const std::lock_guard lock(mutex);
                plain += i;
                atomic.fetch_add(1, std::memory_order_relaxed);
                wide += 1LL << 33;
            }
            for (int k = 0; k < 50; k++) {
                while (flag.test_and_set(std::memory_order_acquire)) flag.wait(true);
                flagged++;
                flag.clear(std::memory_order_release);
                flag.notify_one();
            }
        });
    for (std::thread &thread : threads) thread.join();
    std::cout << plain << ' ' << atomic << ' ' << (wide >> 33) << ' ' << flagged << ' ' << Once::made << ' ' << Told::count << ' ' << own.name << '\n';
}

void produce_and_consume() {
    std::mutex mutex;
    std::condition_variable filled, emptied;
    std::queue<int> queue;
    bool done = false;
    long sum = 0;
    std::thread consumer([&] {
        std::unique_lock lock(mutex);
        while (true) {
            filled.wait(lock, [&] { return done || !queue.empty(); });
            if (queue.empty()) return;
            sum += queue.front();
            queue.pop();
            emptied.notify_one();
        }
    });
    for (int i = 1; i <= 100; i++) {
        std::unique_lock lock(mutex);
        emptied.wait(lock, [&] { return queue.size() < 4; });
        queue.push(i);
        filled.notify_one();
    }
    {
        const std::lock_guard lock(mutex);
        done = true;
    }
    filled.notify_all();
    consumer.join();
    std::unique_lock lock(mutex);
    const auto status = filled.wait_for(lock, std::chrono::milliseconds(2));
    std::cout << sum << ' ' << (status == std::cv_status::timeout) << '\n';
}

void futures() {
    auto square = std::async(std::launch::async, [](int x) { return x * x; }, 7);
    auto later = std::async(std::launch::deferred, [] { return std::string("deferred"); });
    auto fails = std::async(std::launch::async, []() -> int { throw std::runtime_error("from another thread"); });
    std::packaged_task<int(int)> task([](int x) { return x + 1; });
    auto packaged = task.get_future();
    std::thread(std::move(task), 41).join();
    std::cout << square.get() << ' ' << later.get() << ' ' << packaged.get() << ' ';
    try {
        fails.get();
    } catch (const std::runtime_error &error) {
        std::cout << error.what() << ' ';
    }
    std::promise<int> promise;
    std::shared_future<int> shared = promise.get_future().share();
    std::vector<std::jthread> waiting;
    std::atomic<int> got = 0;
    for (int i = 0; i < 3; i++) waiting.emplace_back([shared, &got] { got += shared.get(); });
    promise.set_value(5);
    waiting.clear();
    try {
        promise.set_value(6);
    } catch (const std::future_error &error) {
        std::cout << got << ' ' << (error.code() == std::future_errc::promise_already_satisfied) << '\n';
    }
}

void others() {
    std::latch latch(3);
    int phases = 0;
    std::barrier barrier(3, [&phases]() noexcept { phases++; });
    std::counting_semaphore<10> semaphore(0);
    std::shared_mutex shared;
    std::recursive_mutex recursive;
    std::timed_mutex timed;
    std::once_flag flag;
    int called = 0, value = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 3; i++)
            threads.emplace_back([&, i] {
                latch.arrive_and_wait();
                std::call_once(flag, [&] { called++; });
                for (int k = 0; k < 4; k++) barrier.arrive_and_wait();
                if (i == 0) {
                    const std::unique_lock lock(shared);
                    value = 9;
                }
                const std::scoped_lock both(recursive, timed);
                const std::lock_guard again(recursive);
                semaphore.release();
            });
        for (int i = 0; i < 3; i++) semaphore.acquire();
    }
    const std::shared_lock lock(shared);
    std::cout << phases << ' ' << called << ' ' << value << ' ' << semaphore.try_acquire() << '\n';
    std::atomic<int> turns = 0;
    std::jthread stopped([&](std::stop_token token) {
        while (!token.stop_requested()) {
            turns++;
            turns.notify_one();
            std::this_thread::yield();
        }
    });
    turns.wait(0);
    while (turns < 3) std::this_thread::sleep_for(std::chrono::microseconds(10));
    stopped.request_stop();
    stopped.join();
    std::jthread word([](std::stop_token token) {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any any;
        any.wait(lock, token, [] { return false; });
    });
    std::cout << (std::thread::hardware_concurrency() > 0) << (std::this_thread::get_id() == std::thread::id()) << '\n';
}

}  // namespace

int main() {
    own.name = "main";
    count();
    produce_and_consume();
    futures();
    others();
}
