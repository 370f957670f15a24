// work.cpp: the work of streams, under one lock: what is done takes long, what is asked here does not.
#include "runtime_cuda/library/work.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace mog::cuda {

namespace {

struct Task {
    std::function<void()> work;
    std::vector<Point> after;
};

}  // namespace

class Stream {
public:
    Stream(bool apart, int stream_priority) : is_apart(apart), priority(stream_priority) {}
    const bool is_apart;
    const int priority;
    std::deque<Task> tasks;
    std::uint64_t added = 0, done = 0;
    bool busy = false;    // somebody does a task
    bool served = false;  // it has a thread
    bool closed = false;
    std::condition_variable called;  // its thread
};

namespace {

// Never destroyed: threads may work until the process ends.
struct All {
    std::mutex mutex;
    std::condition_variable changed;  // something is done; for whoever waits
    std::vector<std::weak_ptr<Stream>> streams;
};
All &all() {
    static All &kept = *new All;
    return kept;
}

void wait_locked(std::unique_lock<std::mutex> &lock, const Point &point);

/// Does the first task of a stream that has one and is not busy.
void do_one(std::unique_lock<std::mutex> &lock, const StreamRef &stream) {
    Task task = std::move(stream->tasks.front());
    stream->tasks.pop_front();
    stream->busy = true;
    for (const Point &point : task.after) wait_locked(lock, point);
    lock.unlock();
    task.work();
    task.work = nullptr;  // what it held is given back before anybody hears that it is done
    lock.lock();
    stream->busy = false;
    stream->done++;
    all().changed.notify_all();
}

void wait_locked(std::unique_lock<std::mutex> &lock, const Point &point) {
    while (point.stream && point.stream->done < point.number) {
        if (!point.stream->busy && !point.stream->tasks.empty()) do_one(lock, point.stream);
        else all().changed.wait(lock);
    }
}

void serve(const StreamRef &stream) {
    std::unique_lock lock(all().mutex);
    for (;;) {
        if (stream->tasks.empty()) {
            if (stream->closed) return;
            stream->called.wait(lock);
        } else if (stream->busy) {
            all().changed.wait(lock);
        } else {
            do_one(lock, stream);
        }
    }
}

/// What a stream's next task has to wait for in other streams, for the sake of the legacy stream's rules.
void add_legacy_rules(const StreamRef &stream, std::vector<Point> &after) {
    const StreamRef &legacy = legacy_stream();
    if (stream == legacy) {
        for (const std::weak_ptr<Stream> &other : all().streams)
            if (const StreamRef kept = other.lock(); kept && kept != legacy && !kept->is_apart && kept->done < kept->added)
                after.push_back({kept, kept->added});
    } else if (!stream->is_apart && legacy->done < legacy->added) {
        after.push_back({legacy, legacy->added});
    }
}

Point add_locked(const StreamRef &stream, std::function<void()> work, std::vector<Point> after) {
    std::erase_if(after, [](const Point &point) { return !point.stream || point.stream->done >= point.number; });
    add_legacy_rules(stream, after);
    stream->tasks.push_back({std::move(work), std::move(after)});
    return {stream, ++stream->added};
}

}  // namespace

const StreamRef &legacy_stream() {
    static const StreamRef &kept = *new StreamRef(std::make_shared<Stream>(false, 0));
    return kept;
}

const StreamRef &thread_stream() {
    struct Own {
        StreamRef stream = new_stream(false, 0);
        ~Own() { close(stream); }
    };
    thread_local Own own;
    return own.stream;
}

StreamRef new_stream(bool apart, int priority) {
    StreamRef stream = std::make_shared<Stream>(apart, priority);
    const std::lock_guard lock(all().mutex);
    std::erase_if(all().streams, [](const std::weak_ptr<Stream> &other) { return other.expired(); });
    all().streams.push_back(stream);
    return stream;
}

bool is_apart(const Stream &stream) { return stream.is_apart; }
int priority_of(const Stream &stream) { return stream.priority; }

Point add(const StreamRef &stream, std::function<void()> work, std::vector<Point> others) {
    const std::lock_guard lock(all().mutex);
    const Point point = add_locked(stream, std::move(work), std::move(others));
    if (!std::exchange(stream->served, true)) std::thread([stream] { serve(stream); }).detach();
    else stream->called.notify_one();
    return point;
}

void add_and_wait(const StreamRef &stream, std::function<void()> work) {
    std::unique_lock lock(all().mutex);
    wait_locked(lock, add_locked(stream, std::move(work), {}));
}

Point now(const StreamRef &stream) {
    const std::lock_guard lock(all().mutex);
    return {stream, stream->added};
}

bool is_done(const Point &point) {
    const std::lock_guard lock(all().mutex);
    return !point.stream || point.stream->done >= point.number;
}

void wait(const Point &point) {
    std::unique_lock lock(all().mutex);
    wait_locked(lock, point);
}

void wait_for_all() {
    std::unique_lock lock(all().mutex);
    std::vector<Point> points = {{legacy_stream(), legacy_stream()->added}};
    for (const std::weak_ptr<Stream> &other : all().streams)
        if (const StreamRef kept = other.lock()) points.push_back({kept, kept->added});
    for (const Point &point : points) wait_locked(lock, point);
}

void close(const StreamRef &stream) {
    const std::lock_guard lock(all().mutex);
    stream->closed = true;
    stream->called.notify_one();
}

void Event::record(const StreamRef &stream) {
    auto time = std::make_shared<std::chrono::steady_clock::time_point>();
    time_ = time;
    point_ = add(stream, [time] { *time = std::chrono::steady_clock::now(); });
}

}  // namespace mog::cuda
