// runtime_memory.cpp: the runtime API: memory, copies, fills.
#include <cstring>

#include "runtime_cuda/library/copies.hpp"
#include "runtime_cuda/library/exported.hpp"
#include "runtime_cuda/library/memory.hpp"
#include "runtime_cuda/library/textures.hpp"

using namespace mog::cuda;

namespace {

cudaError_t make(void **pointer, std::size_t bytes, Kind kind, unsigned flags = 0) {
    if (!pointer) return note(cudaErrorInvalidValue);
    if (const cudaError_t error = fault_so_far(); error != cudaSuccess) return note(error);
    const std::optional<void *> made = allocate(bytes, kind, flags);
    if (!made) return note(cudaErrorMemoryAllocation);
    *pointer = *made;
    return cudaSuccess;
}

/// What cudaFree does: it waits for all that may use the memory.
cudaError_t give_back(void *pointer, bool device) {
    if (pointer) wait_for_all();
    if (!release(pointer, device)) return note(cudaErrorInvalidValue);
    return note(fault_so_far());
}

constexpr std::size_t row_alignment = 512;
std::size_t pitch_for(std::size_t width) { return (width + row_alignment - 1) / row_alignment * row_alignment; }

/// Of a copy in three dimensions: where it begins in a pitched memory.
Place place_of(const cudaPitchedPtr &pointer, const cudaPos &at) {
    return {static_cast<char *>(pointer.ptr) + at.z * pointer.pitch * pointer.ysize + at.y * pointer.pitch + at.x, pointer.pitch,
            pointer.pitch * pointer.ysize};
}

cudaError_t copy_3d(const cudaMemcpy3DParms *parms, const cudaStream_t *stream) {
    if (!parms) return note(cudaErrorInvalidValue);
    // Where an array takes part, widths and its places in rows are counted in its elements.
    const cudaArray_const_t arrays[] = {parms->srcArray, parms->dstArray};
    std::size_t element = 1;
    for (const cudaArray_const_t array : arrays) {
        if (!array) continue;
        if (!is_array(array)) return note(cudaErrorInvalidResourceHandle);
        element = array->texels.texel_bytes();
    }
    const Box box{parms->extent.width * element, parms->extent.height, parms->extent.depth};
    const auto place = [&](cudaArray_const_t array, const cudaPitchedPtr &pointer, const cudaPos &at) {
        return array ? place_in(array, at.x * array->texels.texel_bytes(), at.y, at.z) : place_of(pointer, at);
    };
    const auto is_outside = [&](cudaArray_const_t array, const cudaPos &at) {
        return array && !holds(array, at.x * array->texels.texel_bytes(), at.y, at.z, box);
    };
    if (is_outside(parms->srcArray, parms->srcPos) || is_outside(parms->dstArray, parms->dstPos)) return note(cudaErrorInvalidValue);
    const Place to = place(parms->dstArray, parms->dstPtr, parms->dstPos), from = place(parms->srcArray, parms->srcPtr, parms->srcPos);
    return stream ? copy_box_in_stream(to, from, box, *stream) : copy_box(to, from, box);
}

}  // namespace

MOG_EXPORTED cudaError_t cudaMalloc(void **pointer, std::size_t bytes) { return make(pointer, bytes, Kind::device); }
MOG_EXPORTED cudaError_t cudaFree(void *pointer) { return give_back(pointer, true); }
MOG_EXPORTED cudaError_t cudaMallocHost(void **pointer, std::size_t bytes) { return make(pointer, bytes, Kind::host); }
MOG_EXPORTED cudaError_t cudaFreeHost(void *pointer) { return give_back(pointer, false); }
MOG_EXPORTED cudaError_t cudaHostAlloc(void **pointer, std::size_t bytes, unsigned flags) {
    return make(pointer, bytes, Kind::host, flags);
}
MOG_EXPORTED cudaError_t cudaMallocManaged(void **pointer, std::size_t bytes, unsigned flags) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return note(cudaErrorInvalidValue);
    if (bytes == 0) return note(cudaErrorInvalidValue);
    return make(pointer, bytes, Kind::managed, flags);
}
MOG_EXPORTED cudaError_t cudaMallocAsync(void **pointer, std::size_t bytes, cudaStream_t stream) {
    if (!stream_of(stream)) return note(cudaErrorInvalidResourceHandle);
    return make(pointer, bytes, Kind::device);
}
MOG_EXPORTED cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
    const StreamRef found = stream_of(stream);
    if (!found) return note(cudaErrorInvalidResourceHandle);
    const std::optional<Allocation> allocation = find_allocation(pointer);
    if (!allocation || allocation->begin != pointer || allocation->kind != Kind::device) return note(cudaErrorInvalidValue);
    add(found, [pointer] { release(pointer, true); });
    return note(fault_so_far());
}
MOG_EXPORTED cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
    if (!device || flags) return note(cudaErrorInvalidValue);
    if (!stays(host)) return note(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
    const std::optional<Allocation> allocation = find_allocation(host);
    if (!flags || !allocation || allocation->kind == Kind::device) return note(cudaErrorInvalidValue);
    *flags = allocation->flags | cudaHostAllocMapped;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaHostRegister(void *pointer, std::size_t bytes, unsigned flags) {
    if (!pointer || !bytes) return note(cudaErrorInvalidValue);
    return note(register_memory(pointer, bytes, flags) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered);
}
MOG_EXPORTED cudaError_t cudaHostUnregister(void *pointer) {
    wait_for_all();
    return note(unregister_memory(pointer) ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}
MOG_EXPORTED cudaError_t cudaMallocPitch(void **pointer, std::size_t *pitch, std::size_t width, std::size_t height) {
    if (!pitch) return note(cudaErrorInvalidValue);
    *pitch = pitch_for(width);
    return make(pointer, *pitch * height, Kind::device);
}
MOG_EXPORTED cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent) {
    if (!pointer) return note(cudaErrorInvalidValue);
    *pointer = {nullptr, pitch_for(extent.width), extent.width, extent.height};
    return make(&pointer->ptr, pointer->pitch * extent.height * extent.depth, Kind::device);
}
MOG_EXPORTED cudaError_t cudaMemGetInfo(std::size_t *free, std::size_t *total) {
    if (!free || !total) return note(cudaErrorInvalidValue);
    *free = memory_left();
    *total = memory_in_all();
    return note(fault_so_far());
}
MOG_EXPORTED cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
    if (!attributes) return note(cudaErrorInvalidValue);
    void *address = const_cast<void *>(pointer);
    const std::optional<Allocation> allocation = find_allocation(pointer);
    if (!allocation) *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, address};
    else if (allocation->kind == Kind::device) *attributes = {cudaMemoryTypeDevice, 0, address, nullptr};
    else *attributes = {allocation->kind == Kind::managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost, 0, address, address};
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaMemPrefetchAsync(const void *pointer, std::size_t, int device, cudaStream_t stream) {
    if (!stream_of(stream)) return note(cudaErrorInvalidResourceHandle);
    if (device != 0 && device != cudaCpuDeviceId) return note(cudaErrorInvalidDevice);
    const std::optional<Allocation> allocation = find_allocation(pointer);
    return note(allocation && allocation->kind == Kind::managed ? fault_so_far() : cudaErrorInvalidValue);
}
MOG_EXPORTED cudaError_t cudaMemAdvise(const void *pointer, std::size_t, cudaMemoryAdvise, int) {
    const std::optional<Allocation> allocation = find_allocation(pointer);
    return note(allocation && allocation->kind == Kind::managed ? fault_so_far() : cudaErrorInvalidValue);
}
MOG_EXPORTED cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *, std::size_t, unsigned) {
    return note(stream_of(stream) ? fault_so_far() : cudaErrorInvalidResourceHandle);
}

MOG_EXPORTED cudaError_t cudaMemcpy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return note(cudaErrorInvalidMemcpyDirection);
    return copy(to, from, bytes);
}
MOG_EXPORTED cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return note(cudaErrorInvalidMemcpyDirection);
    return copy_in_stream(to, from, bytes, stream, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost || !stays(to));
}
MOG_EXPORTED cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, std::size_t bytes) { return copy(to, from, bytes); }
MOG_EXPORTED cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, std::size_t bytes, cudaStream_t stream) {
    return copy_in_stream(to, from, bytes, stream, false);
}
MOG_EXPORTED cudaError_t cudaMemcpy2D(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch, std::size_t width,
                                      std::size_t height, cudaMemcpyKind) {
    return copy_box({to, to_pitch}, {const_cast<void *>(from), from_pitch}, {width, height});
}
MOG_EXPORTED cudaError_t cudaMemcpy2DAsync(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch, std::size_t width,
                                           std::size_t height, cudaMemcpyKind, cudaStream_t stream) {
    return copy_box_in_stream({to, to_pitch}, {const_cast<void *>(from), from_pitch}, {width, height}, stream);
}
MOG_EXPORTED cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parms) { return copy_3d(parms, nullptr); }
MOG_EXPORTED cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *parms, cudaStream_t stream) { return copy_3d(parms, &stream); }
MOG_EXPORTED cudaError_t cudaMemset(void *to, int value, std::size_t bytes) {
    return fill_box({to}, static_cast<unsigned char>(value), 1, {bytes}, nullptr, true);
}
MOG_EXPORTED cudaError_t cudaMemsetAsync(void *to, int value, std::size_t bytes, cudaStream_t stream) {
    return fill_box({to}, static_cast<unsigned char>(value), 1, {bytes}, stream, false);
}
MOG_EXPORTED cudaError_t cudaMemset2D(void *to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return fill_box({to, pitch}, static_cast<unsigned char>(value), 1, {width, height}, nullptr, true);
}
MOG_EXPORTED cudaError_t cudaMemset2DAsync(void *to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                                           cudaStream_t stream) {
    return fill_box({to, pitch}, static_cast<unsigned char>(value), 1, {width, height}, stream, false);
}
MOG_EXPORTED cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    return fill_box({to.ptr, to.pitch, to.pitch * to.ysize}, static_cast<unsigned char>(value), 1,
                    {extent.width, extent.height, extent.depth}, nullptr, true);
}
