// driver_arrays.cpp: the driver API: arrays, copies to and from them, textures and surfaces. They are the runtime's.
#include <cstring>
#include <optional>

#include "runtime_cuda/api/driver.hpp"
#include "runtime_cuda/library/textures.hpp"

using namespace mog::cuda;

namespace {

cudaArray_t array_of(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }

std::optional<cudaChannelFormatDesc> format_of(CUarray_format format, unsigned channels) {
    int bits = 0;
    cudaChannelFormatKind kind = cudaChannelFormatKindNone;
    switch (format) {
        case CU_AD_FORMAT_UNSIGNED_INT8: bits = 8, kind = cudaChannelFormatKindUnsigned; break;
        case CU_AD_FORMAT_UNSIGNED_INT16: bits = 16, kind = cudaChannelFormatKindUnsigned; break;
        case CU_AD_FORMAT_UNSIGNED_INT32: bits = 32, kind = cudaChannelFormatKindUnsigned; break;
        case CU_AD_FORMAT_SIGNED_INT8: bits = 8, kind = cudaChannelFormatKindSigned; break;
        case CU_AD_FORMAT_SIGNED_INT16: bits = 16, kind = cudaChannelFormatKindSigned; break;
        case CU_AD_FORMAT_SIGNED_INT32: bits = 32, kind = cudaChannelFormatKindSigned; break;
        case CU_AD_FORMAT_HALF: bits = 16, kind = cudaChannelFormatKindFloat; break;
        case CU_AD_FORMAT_FLOAT: bits = 32, kind = cudaChannelFormatKindFloat; break;
        default: return {};
    }
    if (channels != 1 && channels != 2 && channels != 4) return {};
    return cudaChannelFormatDesc{bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind};
}
CUarray_format format_of(const cudaChannelFormatDesc &format) {
    if (format.f == cudaChannelFormatKindFloat) return format.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
    const int first = format.f == cudaChannelFormatKindSigned ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8;
    return static_cast<CUarray_format>(first + (format.x == 8 ? 0 : format.x == 16 ? 1 : 2));
}

CUresult make(CUarray *array, CUarray_format format, unsigned channels, const cudaExtent &extent, unsigned flags) {
    MOG_CUDA_READY();
    const auto found = format_of(format, channels);
    if (!array || !found) return CUDA_ERROR_INVALID_VALUE;
    return driver_error(make_array(reinterpret_cast<cudaArray_t *>(array), &*found, extent, flags));
}

/// Bytes in the rows of an array, or in memory.
CUresult copy_row(CUarray array, std::size_t at, void *memory, std::size_t bytes, bool to_array) {
    MOG_CUDA_READY();
    return driver_error(to_array ? cudaMemcpyToArray(array_of(array), at, 0, memory, bytes, cudaMemcpyDefault)
                                 : cudaMemcpyFromArray(memory, array_of(array), at, 0, bytes, cudaMemcpyDefault));
}

std::optional<cudaResourceDesc> resource_from(const CUDA_RESOURCE_DESC &given) {
    cudaResourceDesc resource{};
    resource.resType = static_cast<cudaResourceType>(given.resType);
    switch (given.resType) {
        case CU_RESOURCE_TYPE_ARRAY: resource.res.array.array = array_of(given.res.array.hArray); return resource;
        case CU_RESOURCE_TYPE_LINEAR: {
            const auto format = format_of(given.res.linear.format, given.res.linear.numChannels);
            if (!format) return {};
            resource.res.linear = {pointer_of(given.res.linear.devPtr), *format, given.res.linear.sizeInBytes};
            return resource;
        }
        case CU_RESOURCE_TYPE_PITCH2D: {
            const auto &from = given.res.pitch2D;
            const auto format = format_of(from.format, from.numChannels);
            if (!format) return {};
            resource.res.pitch2D = {pointer_of(from.devPtr), *format, from.width, from.height, from.pitchInBytes};
            return resource;
        }
        default: return resource;  // refused with a sentence
    }
}

}  // namespace

MOG_EXPORTED CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *wanted) {
    if (!wanted) return CUDA_ERROR_INVALID_VALUE;
    return make(array, wanted->Format, wanted->NumChannels, {wanted->Width, wanted->Height, 0}, 0);
}
MOG_EXPORTED CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *wanted) {
    if (!wanted) return CUDA_ERROR_INVALID_VALUE;
    return make(array, wanted->Format, wanted->NumChannels, {wanted->Width, wanted->Height, wanted->Depth}, wanted->Flags);
}
MOG_EXPORTED CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *described, CUarray array) {
    MOG_CUDA_READY();
    if (!described) return CUDA_ERROR_INVALID_VALUE;
    if (!is_array(array_of(array))) return CUDA_ERROR_INVALID_HANDLE;
    const cudaArray &is = *array_of(array);
    *described = {is.extent.width, is.extent.height, is.extent.depth, format_of(is.format), is.texels.channels, is.flags};
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *described, CUarray array) {
    CUDA_ARRAY3D_DESCRIPTOR all;
    if (!described) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult result = cuArray3DGetDescriptor_v2(&all, array); result != CUDA_SUCCESS) return result;
    *described = {all.Width, all.Height, all.Format, all.NumChannels};
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuArrayDestroy(CUarray array) {
    MOG_CUDA_READY();
    return array ? driver_error(cudaFreeArray(array_of(array))) : CUDA_ERROR_INVALID_HANDLE;
}

MOG_EXPORTED CUresult cuMemcpyHtoA_v2(CUarray to, std::size_t at, const void *from, std::size_t bytes) {
    return copy_row(to, at, const_cast<void *>(from), bytes, true);
}
MOG_EXPORTED CUresult cuMemcpyAtoH_v2(void *to, CUarray from, std::size_t at, std::size_t bytes) {
    return copy_row(from, at, to, bytes, false);
}
MOG_EXPORTED CUresult cuMemcpyDtoA_v2(CUarray to, std::size_t at, CUdeviceptr from, std::size_t bytes) {
    return copy_row(to, at, pointer_of(from), bytes, true);
}
MOG_EXPORTED CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, std::size_t at, std::size_t bytes) {
    return copy_row(from, at, pointer_of(to), bytes, false);
}

MOG_EXPORTED CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *how,
                                        const CUDA_RESOURCE_VIEW_DESC *view) {
    MOG_CUDA_READY();
    if (!resource || !how) return CUDA_ERROR_INVALID_VALUE;
    const auto from = resource_from(*resource);
    if (!from) return CUDA_ERROR_INVALID_VALUE;
    if (view) {
        tell("views of textures in other formats are not there");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    cudaTextureDesc made{};
    for (std::size_t dimension = 0; dimension < 3; ++dimension)
        made.addressMode[dimension] = static_cast<cudaTextureAddressMode>(how->addressMode[dimension]);
    made.filterMode = static_cast<cudaTextureFilterMode>(how->filterMode);
    made.normalizedCoords = (how->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    made.sRGB = (how->flags & CU_TRSF_SRGB) != 0;
    std::memcpy(made.borderColor, how->borderColor, sizeof made.borderColor);
    // The driver reads integers of 8 and 16 bits as numbers unless it is told not to.
    const cudaChannelFormatDesc *format = nullptr;
    if (from->resType == cudaResourceTypeArray && is_array(from->res.array.array)) format = &from->res.array.array->format;
    if (from->resType == cudaResourceTypeLinear) format = &from->res.linear.desc;
    if (from->resType == cudaResourceTypePitch2D) format = &from->res.pitch2D.desc;
    const bool is_narrow = format && format->f != cudaChannelFormatKindFloat && format->x < 32;
    made.readMode = is_narrow && !(how->flags & CU_TRSF_READ_AS_INTEGER) ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    return driver_error(make_texture(texture, &*from, &made));
}
MOG_EXPORTED CUresult cuTexObjectDestroy(CUtexObject texture) {
    MOG_CUDA_READY();
    return driver_error(cudaDestroyTextureObject(texture));
}
MOG_EXPORTED CUresult cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource) {
    MOG_CUDA_READY();
    if (!resource) return CUDA_ERROR_INVALID_VALUE;
    const auto from = resource_from(*resource);
    return from ? driver_error(make_surface(surface, &*from)) : CUDA_ERROR_INVALID_VALUE;
}
MOG_EXPORTED CUresult cuSurfObjectDestroy(CUsurfObject surface) {
    MOG_CUDA_READY();
    return driver_error(cudaDestroySurfaceObject(surface));
}
