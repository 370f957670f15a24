// work.hpp: streams and events: what is to be done one after the other, and what waits for what.
//
// A stream's work is done by a thread of its own, or by whoever waits for it: a thread that would only sleep until another one woke for
// a small kernel does it itself, in a tenth of the time. Waiting for work of a stream that is still running sleeps.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace mog::cuda {

class Stream;
using StreamRef = std::shared_ptr<Stream>;

/// A point in a stream: what was added up to it.
struct Point {
    StreamRef stream;
    std::uint64_t number = 0;
};

/// The stream that is called 0: it waits for all streams that are not `apart`, and they for it.
const StreamRef &legacy_stream();
/// The calling thread's own (cudaStreamPerThread).
const StreamRef &thread_stream();

/// `apart`: neither waits for the legacy stream nor is waited for by it (cudaStreamNonBlocking).
StreamRef new_stream(bool apart, int priority);
bool is_apart(const Stream &stream);
int priority_of(const Stream &stream);

/// Adds work, to be done after all that the stream has and after `others`. It must not throw.
Point add(const StreamRef &stream, std::function<void()> work, std::vector<Point> others = {});
/// The same, and waits for it.
void add_and_wait(const StreamRef &stream, std::function<void()> work);
/// What has been added so far.
Point now(const StreamRef &stream);
bool is_done(const Point &point);
void wait(const Point &point);
void wait_for_all();
/// What is left is done, then the stream ends; its points stay.
void close(const StreamRef &stream);

/// When the work before an event was done.
class Event {
public:
    explicit Event(bool timed) : timed_(timed) {}
    void record(const StreamRef &stream);
    /// Nothing to wait for before it is recorded: a point without a stream.
    Point point() const { return point_; }
    bool timed() const { return timed_; }
    bool recorded() const { return point_.stream != nullptr; }
    /// Once it is done.
    std::chrono::steady_clock::time_point time() const { return *time_; }

private:
    bool timed_;
    Point point_;
    std::shared_ptr<std::chrono::steady_clock::time_point> time_;
};

}  // namespace mog::cuda
