// device_thread.cpp: hands tasks over.
#include "runtime_host/devices/group/device_thread.hpp"

#include <pthread.h>

#include <csignal>
#include <utility>

namespace mog {

DeviceThread::DeviceThread() {
    // Signals are for the threads of the program that we are part of.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { work(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

DeviceThread::~DeviceThread() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
    }
    begin_.notify_one();
    thread_.join();
}

void DeviceThread::start(std::function<void()> task) {
    {
        const std::lock_guard lock(mutex_);
        task_ = std::move(task);
        busy_ = true;
    }
    begin_.notify_one();
}

void DeviceThread::wait() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return !busy_; });
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void DeviceThread::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        begin_.wait(lock, [&] { return busy_ || quit_; });
        if (!busy_) return;
        lock.unlock();
        std::exception_ptr thrown;
        try {
            task_();
        } catch (...) {
            thrown = std::current_exception();
        }
        lock.lock();
        thrown_ = thrown;
        busy_ = false;
        done_.notify_one();
    }
}

}  // namespace mog
