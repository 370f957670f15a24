// runtime_textures.cpp: the runtime API: arrays, copies to and from them, textures and surfaces.
#include "runtime_cuda/library/exported.hpp"
#include "runtime_cuda/library/textures.hpp"

using namespace mog::cuda;

namespace {

/// A copy of rows between an array and memory; `stream`: nullptr where it is done when the call returns.
cudaError_t copy_rows(cudaArray_const_t array, std::size_t x, std::size_t y, void *memory, std::size_t pitch, const Box &box, bool to_array,
                      const cudaStream_t *stream) {
    if (!is_array(array)) return note(cudaErrorInvalidResourceHandle);
    if (!holds(array, x, y, 0, box)) return note(cudaErrorInvalidValue);
    const Place in_array = place_in(array, x, y), in_memory{memory, pitch};
    const Place &to = to_array ? in_array : in_memory, &from = to_array ? in_memory : in_array;
    return stream ? copy_box_in_stream(to, from, box, *stream) : copy_box(to, from, box);
}

/// What lies in an array behind a place, row by row, is copied as one: in the first row what is left of it, rows, the last one's beginning.
cudaError_t copy_bytes(cudaArray_const_t array, std::size_t x, std::size_t y, void *memory, std::size_t bytes, bool to_array) {
    if (!is_array(array)) return note(cudaErrorInvalidResourceHandle);
    const mog::ptx::Texels &texels = array->texels;
    const std::size_t begin = y * texels.row_bytes + x, size = texels.row_bytes * texels.height;
    if (begin > size || bytes > size - begin) return note(cudaErrorInvalidValue);
    void *const in_array = texels.begin + begin;
    return to_array ? copy(in_array, memory, bytes) : copy(memory, in_array, bytes);
}

}  // namespace

MOG_EXPORTED cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

MOG_EXPORTED cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, std::size_t width, std::size_t height,
                                         unsigned flags) {
    return note(make_array(array, format, {width, height, 0}, flags));
}
MOG_EXPORTED cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent, unsigned flags) {
    return note(make_array(array, format, extent, flags));
}
MOG_EXPORTED cudaError_t cudaFreeArray(cudaArray_t array) {
    if (!array) return cudaSuccess;
    wait_for_all();
    return note(drop_array(array) ? fault_so_far() : cudaErrorInvalidResourceHandle);
}
MOG_EXPORTED cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags, cudaArray_t array) {
    if (!is_array(array)) return note(cudaErrorInvalidResourceHandle);
    if (format) *format = array->format;
    if (extent) *extent = array->extent;
    if (flags) *flags = array->flags;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array) {
    if (!format) return note(cudaErrorInvalidValue);
    return cudaArrayGetInfo(format, nullptr, nullptr, const_cast<cudaArray_t>(array));
}
MOG_EXPORTED cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *, const cudaChannelFormatDesc *, cudaExtent, unsigned, unsigned) {
    tell("arrays with levels (mipmaps) are not there: make one of each level");
    return note(cudaErrorNotSupported);
}

MOG_EXPORTED cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void *from, std::size_t pitch,
                                             std::size_t width, std::size_t height, cudaMemcpyKind) {
    return copy_rows(to, x, y, const_cast<void *>(from), pitch, {width, height}, true, nullptr);
}
MOG_EXPORTED cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void *from, std::size_t pitch,
                                                  std::size_t width, std::size_t height, cudaMemcpyKind, cudaStream_t stream) {
    return copy_rows(to, x, y, const_cast<void *>(from), pitch, {width, height}, true, &stream);
}
MOG_EXPORTED cudaError_t cudaMemcpy2DFromArray(void *to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y,
                                               std::size_t width, std::size_t height, cudaMemcpyKind) {
    return copy_rows(from, x, y, to, pitch, {width, height}, false, nullptr);
}
MOG_EXPORTED cudaError_t cudaMemcpy2DFromArrayAsync(void *to, std::size_t pitch, cudaArray_const_t from, std::size_t x, std::size_t y,
                                                    std::size_t width, std::size_t height, cudaMemcpyKind, cudaStream_t stream) {
    return copy_rows(from, x, y, to, pitch, {width, height}, false, &stream);
}
MOG_EXPORTED cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from,
                                                  std::size_t from_x, std::size_t from_y, std::size_t width, std::size_t height,
                                                  cudaMemcpyKind) {
    if (!is_array(from)) return note(cudaErrorInvalidResourceHandle);
    if (!holds(from, from_x, from_y, 0, {width, height})) return note(cudaErrorInvalidValue);
    const Place place = place_in(from, from_x, from_y);
    return copy_rows(to, to_x, to_y, place.begin, place.pitch, {width, height}, true, nullptr);
}
MOG_EXPORTED cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void *from, std::size_t bytes,
                                           cudaMemcpyKind) {
    return copy_bytes(to, x, y, const_cast<void *>(from), bytes, true);
}
MOG_EXPORTED cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, std::size_t x, std::size_t y, std::size_t bytes,
                                             cudaMemcpyKind) {
    return copy_bytes(from, x, y, to, bytes, false);
}

MOG_EXPORTED cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const cudaResourceDesc *resource, const cudaTextureDesc *how,
                                                 const cudaResourceViewDesc *view) {
    if (view) {
        tell("views of textures in other formats are not there");
        return note(cudaErrorNotSupported);
    }
    return note(make_texture(texture, resource, how));
}
MOG_EXPORTED cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    wait_for_all();
    return note(drop_texture(texture, false) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
MOG_EXPORTED cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t texture) {
    const cudaResourceDesc *const found = resource_of(texture);
    if (!resource || !found) return note(cudaErrorInvalidValue);
    *resource = *found;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *how, cudaTextureObject_t texture) {
    const cudaTextureDesc *const found = description_of(texture);
    if (!how || !found) return note(cudaErrorInvalidValue);
    *how = *found;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const cudaResourceDesc *resource) {
    return note(make_surface(surface, resource));
}
MOG_EXPORTED cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    wait_for_all();
    return note(drop_texture(surface, true) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
MOG_EXPORTED cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource, cudaSurfaceObject_t surface) {
    return cudaGetTextureObjectResourceDesc(resource, surface);
}
