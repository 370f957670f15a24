// runtime_streams.cpp: the runtime API: streams and events; graphs, which are refused.
#include <memory>

#include "runtime_cuda/library/exported.hpp"

using namespace mog::cuda;

namespace {

cudaError_t make_stream(cudaStream_t *stream, unsigned flags, int priority) {
    if (!stream || (flags & ~cudaStreamNonBlocking)) return note(cudaErrorInvalidValue);
    *stream = static_cast<cudaStream_t>(handle_of(new_stream(flags & cudaStreamNonBlocking, priority)));
    return note(fault_so_far());
}

cudaError_t refuse_graphs() {
    tell("graphs of CUDA are not there: launch into streams instead");
    return note(cudaErrorNotSupported);
}

}  // namespace

MOG_EXPORTED cudaError_t cudaStreamCreate(cudaStream_t *stream) { return make_stream(stream, 0, 0); }
MOG_EXPORTED cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) { return make_stream(stream, flags, 0); }
MOG_EXPORTED cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
    return make_stream(stream, flags, priority);
}
MOG_EXPORTED cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return note(close_handle(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
MOG_EXPORTED cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    const StreamRef found = stream_of(stream);
    if (!found) return note(cudaErrorInvalidResourceHandle);
    wait(now(found));
    return note(fault_so_far());
}
MOG_EXPORTED cudaError_t cudaStreamQuery(cudaStream_t stream) {
    const StreamRef found = stream_of(stream);
    if (!found) return note(cudaErrorInvalidResourceHandle);
    if (!is_done(now(found))) return cudaErrorNotReady;
    return note(fault_so_far());
}
MOG_EXPORTED cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    const StreamRef found = stream_of(stream);
    const Event *until = event_of(event);
    if (!found || !until) return note(cudaErrorInvalidResourceHandle);
    add(found, [] {}, {until->point()});
    return note(fault_so_far());
}
MOG_EXPORTED cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags) {
    const StreamRef found = stream_of(stream);
    if (!found) return note(cudaErrorInvalidResourceHandle);
    if (!callback || flags) return note(cudaErrorInvalidValue);
    add(found, [=] { callback(stream, fault_so_far(), data); });
    return note(fault_so_far());
}
MOG_EXPORTED cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
    const StreamRef found = stream_of(stream);
    if (!found) return note(cudaErrorInvalidResourceHandle);
    if (!function) return note(cudaErrorInvalidValue);
    add(found, [=] { function(data); });
    return note(fault_so_far());
}
MOG_EXPORTED cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags) {
    const StreamRef found = stream_of(stream);
    if (!found) return note(cudaErrorInvalidResourceHandle);
    if (!flags) return note(cudaErrorInvalidValue);
    *flags = is_apart(*found) ? cudaStreamNonBlocking : cudaStreamDefault;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    const StreamRef found = stream_of(stream);
    if (!found) return note(cudaErrorInvalidResourceHandle);
    if (!priority) return note(cudaErrorInvalidValue);
    *priority = priority_of(*found);
    return cudaSuccess;
}

MOG_EXPORTED cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    if (!event || (flags & ~(cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess))) return note(cudaErrorInvalidValue);
    if (flags & cudaEventInterprocess) return note(cudaErrorNotSupported);
    *event = static_cast<cudaEvent_t>(new_event(!(flags & cudaEventDisableTiming)));
    return note(fault_so_far());
}
MOG_EXPORTED cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, 0); }
MOG_EXPORTED cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return note(close_event(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
MOG_EXPORTED cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    const StreamRef found = stream_of(stream);
    Event *recorded = event_of(event);
    if (!found || !recorded) return note(cudaErrorInvalidResourceHandle);
    recorded->record(found);
    return note(fault_so_far());
}
MOG_EXPORTED cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
    return cudaEventRecord(event, stream);
}
MOG_EXPORTED cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    const Event *until = event_of(event);
    if (!until) return note(cudaErrorInvalidResourceHandle);
    wait(until->point());
    return note(fault_so_far());
}
MOG_EXPORTED cudaError_t cudaEventQuery(cudaEvent_t event) {
    const Event *until = event_of(event);
    if (!until) return note(cudaErrorInvalidResourceHandle);
    if (!is_done(until->point())) return cudaErrorNotReady;
    return note(fault_so_far());
}
MOG_EXPORTED cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    const Event *first = event_of(begin), *last = event_of(end);
    if (!milliseconds) return note(cudaErrorInvalidValue);
    if (!first || !last || !first->timed() || !last->timed() || !first->recorded() || !last->recorded())
        return note(cudaErrorInvalidResourceHandle);
    if (!is_done(first->point()) || !is_done(last->point())) return cudaErrorNotReady;
    *milliseconds = std::chrono::duration<float, std::milli>(last->time() - first->time()).count();
    return note(fault_so_far());
}

MOG_EXPORTED cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) { return refuse_graphs(); }
MOG_EXPORTED cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *) { return refuse_graphs(); }
MOG_EXPORTED cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *status) {
    if (!status) return note(cudaErrorInvalidValue);
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaGraphCreate(cudaGraph_t *, unsigned) { return refuse_graphs(); }
MOG_EXPORTED cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long) { return refuse_graphs(); }
MOG_EXPORTED cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) { return refuse_graphs(); }
