// device_thread.hpp: a thread that drives one of several devices. It waits for tasks, one at a time.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace mog {

class DeviceThread {
public:
    DeviceThread();
    ~DeviceThread();
    DeviceThread(const DeviceThread &) = delete;
    DeviceThread &operator=(const DeviceThread &) = delete;

    /// Has the task done by the thread. No other is under way.
    void start(std::function<void()> task);
    /// Waits until the task is done. What it threw is thrown here.
    void wait();

private:
    void work();

    std::mutex mutex_;
    std::condition_variable begin_, done_;
    std::function<void()> task_;
    std::exception_ptr thrown_;
    bool busy_ = false, quit_ = false;
    std::thread thread_;  // uses all of the above
};

}  // namespace mog
