// exported.hpp: functions that programs see.
#pragma once

#include "runtime_cuda/library/errors.hpp"
#include "runtime_cuda/library/work.hpp"

#define MOG_EXPORTED extern "C" __attribute__((visibility("default")))

namespace mog::cuda {

/// A stream by its handle: 0 and 1 the legacy stream, 2 the calling thread's. An empty pointer: there is none of this handle.
StreamRef stream_of(const void *handle);
/// A handle for a stream that was made; it holds the stream until close_handle().
void *handle_of(const StreamRef &stream);
bool close_handle(const void *handle);

/// An event by its handle, or nullptr.
Event *event_of(const void *handle);
void *new_event(bool timed);
bool close_event(const void *handle);

}  // namespace mog::cuda
