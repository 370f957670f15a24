// handles.cpp: handles of streams and events. They are looked up, so that a wrong one is an error and not the end.
#include <map>
#include <memory>
#include <mutex>

#include "runtime_cuda/library/exported.hpp"

namespace mog::cuda {

namespace {

struct Handles {
    std::mutex mutex;
    std::map<const void *, StreamRef> streams;
    std::map<const void *, std::unique_ptr<Event>> events;
};
Handles &handles() {
    static Handles &kept = *new Handles;
    return kept;
}

}  // namespace

StreamRef stream_of(const void *handle) {
    if (handle == nullptr || handle == reinterpret_cast<void *>(1)) return legacy_stream();
    if (handle == reinterpret_cast<void *>(2)) return thread_stream();
    const std::lock_guard lock(handles().mutex);
    const auto found = handles().streams.find(handle);
    return found == handles().streams.end() ? StreamRef() : found->second;
}

void *handle_of(const StreamRef &stream) {
    const std::lock_guard lock(handles().mutex);
    handles().streams[stream.get()] = stream;
    return stream.get();
}

bool close_handle(const void *handle) {
    const std::lock_guard lock(handles().mutex);
    const auto found = handles().streams.find(handle);
    if (found == handles().streams.end()) return false;
    close(found->second);
    handles().streams.erase(found);
    return true;
}

Event *event_of(const void *handle) {
    const std::lock_guard lock(handles().mutex);
    const auto found = handles().events.find(handle);
    return found == handles().events.end() ? nullptr : found->second.get();
}

void *new_event(bool timed) {
    auto event = std::make_unique<Event>(timed);
    void *handle = event.get();
    const std::lock_guard lock(handles().mutex);
    handles().events[handle] = std::move(event);
    return handle;
}

bool close_event(const void *handle) {
    const std::lock_guard lock(handles().mutex);
    return handles().events.erase(handle) > 0;
}

}  // namespace mog::cuda
