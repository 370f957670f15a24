// driver_memory.cpp: the driver API: memory, copies, fills.
#include "runtime_cuda/api/driver.hpp"
#include "runtime_cuda/library/copies.hpp"
#include "runtime_cuda/library/memory.hpp"
#include "runtime_cuda/library/textures.hpp"

using namespace mog::cuda;

namespace {

/// A pointer of the runtime's functions, which take the host's kind.
void **as_pointers(CUdeviceptr *pointer) { return reinterpret_cast<void **>(pointer); }

/// Elements of 1, 2 or 4 bytes.
CUresult fill_row(CUdeviceptr to, unsigned value, int element, std::size_t count, CUstream stream, bool waits) {
    MOG_CUDA_READY();
    if (to % static_cast<unsigned>(element)) return CUDA_ERROR_INVALID_VALUE;
    return driver_error(fill_box({pointer_of(to)}, value, element, {count * static_cast<std::size_t>(element)}, stream, waits));
}

/// Where a copy in two dimensions begins.
Place place_of(CUmemorytype type, const void *host, CUdeviceptr device, CUarray array, std::size_t pitch, std::size_t x, std::size_t y) {
    if (type == CU_MEMORYTYPE_ARRAY) return place_in(reinterpret_cast<cudaArray_const_t>(array), x, y);
    char *begin = static_cast<char *>(type == CU_MEMORYTYPE_HOST ? const_cast<void *>(host) : pointer_of(device));
    return {begin + y * pitch + x, pitch};
}
CUresult copy_2d(const CUDA_MEMCPY2D *copied, const CUstream *stream) {
    MOG_CUDA_READY();
    if (!copied) return CUDA_ERROR_INVALID_VALUE;
    const Box box{copied->WidthInBytes, copied->Height};
    const auto is_wrong = [&](CUmemorytype type, CUarray array, std::size_t x, std::size_t y) {
        const auto known = reinterpret_cast<cudaArray_const_t>(array);
        return type == CU_MEMORYTYPE_ARRAY && (!is_array(known) || !holds(known, x, y, 0, box));
    };
    if (is_wrong(copied->srcMemoryType, copied->srcArray, copied->srcXInBytes, copied->srcY) ||
        is_wrong(copied->dstMemoryType, copied->dstArray, copied->dstXInBytes, copied->dstY))
        return CUDA_ERROR_INVALID_VALUE;
    const Place from = place_of(copied->srcMemoryType, copied->srcHost, copied->srcDevice, copied->srcArray, copied->srcPitch,
                                copied->srcXInBytes, copied->srcY);
    const Place to = place_of(copied->dstMemoryType, copied->dstHost, copied->dstDevice, copied->dstArray, copied->dstPitch,
                              copied->dstXInBytes, copied->dstY);
    return driver_error(stream ? copy_box_in_stream(to, from, box, *stream) : copy_box(to, from, box));
}

}  // namespace

MOG_EXPORTED CUresult cuMemGetInfo_v2(std::size_t *free, std::size_t *total) {
    MOG_CUDA_READY();
    return driver_error(cudaMemGetInfo(free, total));
}
MOG_EXPORTED CUresult cuMemAlloc_v2(CUdeviceptr *pointer, std::size_t bytes) {
    MOG_CUDA_READY();
    if (!bytes) return CUDA_ERROR_INVALID_VALUE;
    return driver_error(cudaMalloc(as_pointers(pointer), bytes));
}
MOG_EXPORTED CUresult cuMemAllocPitch_v2(CUdeviceptr *pointer, std::size_t *pitch, std::size_t width, std::size_t height, unsigned) {
    MOG_CUDA_READY();
    return driver_error(cudaMallocPitch(as_pointers(pointer), pitch, width, height));
}
MOG_EXPORTED CUresult cuMemAllocManaged(CUdeviceptr *pointer, std::size_t bytes, unsigned flags) {
    MOG_CUDA_READY();
    return driver_error(cudaMallocManaged(as_pointers(pointer), bytes, flags));
}
MOG_EXPORTED CUresult cuMemAllocAsync(CUdeviceptr *pointer, std::size_t bytes, CUstream stream) {
    MOG_CUDA_READY();
    return driver_error(cudaMallocAsync(as_pointers(pointer), bytes, stream));
}
MOG_EXPORTED CUresult cuMemFree_v2(CUdeviceptr pointer) {
    MOG_CUDA_READY();
    return driver_error(cudaFree(pointer_of(pointer)));
}
MOG_EXPORTED CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
    return driver_error(cudaFreeAsync(pointer_of(pointer), stream));
}
MOG_EXPORTED CUresult cuMemGetAddressRange_v2(CUdeviceptr *begin, std::size_t *bytes, CUdeviceptr pointer) {
    MOG_CUDA_READY();
    const std::optional<Allocation> found = find_allocation(pointer_of(pointer));
    if (!found) return CUDA_ERROR_NOT_FOUND;
    if (begin) *begin = reinterpret_cast<CUdeviceptr>(found->begin);
    if (bytes) *bytes = found->bytes;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuMemAllocHost_v2(void **pointer, std::size_t bytes) {
    MOG_CUDA_READY();
    return driver_error(cudaMallocHost(pointer, bytes));
}
MOG_EXPORTED CUresult cuMemHostAlloc(void **pointer, std::size_t bytes, unsigned flags) {
    MOG_CUDA_READY();
    return driver_error(cudaHostAlloc(pointer, bytes, flags));
}
MOG_EXPORTED CUresult cuMemFreeHost(void *pointer) { return driver_error(cudaFreeHost(pointer)); }
MOG_EXPORTED CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned flags) {
    return driver_error(cudaHostGetDevicePointer(as_pointers(device), host, flags));
}
MOG_EXPORTED CUresult cuMemHostGetFlags(unsigned *flags, void *host) { return driver_error(cudaHostGetFlags(flags, host)); }
MOG_EXPORTED CUresult cuMemHostRegister_v2(void *pointer, std::size_t bytes, unsigned flags) {
    return driver_error(cudaHostRegister(pointer, bytes, flags));
}
MOG_EXPORTED CUresult cuMemHostUnregister(void *pointer) { return driver_error(cudaHostUnregister(pointer)); }

MOG_EXPORTED CUresult cuPointerGetAttribute(void *value, CUpointer_attribute wanted, CUdeviceptr pointer) {
    MOG_CUDA_READY();
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    const std::optional<Allocation> found = find_allocation(pointer_of(pointer));
    if (!found) return CUDA_ERROR_INVALID_VALUE;
    switch (wanted) {
        case CU_POINTER_ATTRIBUTE_CONTEXT: return cuCtxGetCurrent(static_cast<CUcontext *>(value));
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
            *static_cast<unsigned *>(value) =
                found->kind == Kind::host || found->kind == Kind::registered ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
            return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *static_cast<CUdeviceptr *>(value) = pointer; return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_HOST_POINTER:
            if (found->kind == Kind::device) return CUDA_ERROR_INVALID_VALUE;
            *static_cast<CUdeviceptr *>(value) = pointer;
            return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_IS_MANAGED: *static_cast<unsigned *>(value) = found->kind == Kind::managed; return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *static_cast<int *>(value) = 0; return CUDA_SUCCESS;
        default: return CUDA_ERROR_NOT_SUPPORTED;
    }
}

MOG_EXPORTED CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
    MOG_CUDA_READY();
    return driver_error(copy(pointer_of(to), pointer_of(from), bytes));
}
MOG_EXPORTED CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    MOG_CUDA_READY();
    return driver_error(cudaMemcpyAsync(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault, stream));
}
MOG_EXPORTED CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, std::size_t bytes) {
    MOG_CUDA_READY();
    return driver_error(copy(pointer_of(to), from, bytes));
}
MOG_EXPORTED CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, std::size_t bytes) {
    MOG_CUDA_READY();
    return driver_error(copy(to, pointer_of(from), bytes));
}
MOG_EXPORTED CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) { return cuMemcpy(to, from, bytes); }
MOG_EXPORTED CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, std::size_t bytes, CUstream stream) {
    MOG_CUDA_READY();
    return driver_error(copy_in_stream(pointer_of(to), from, bytes, stream, false));
}
MOG_EXPORTED CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    MOG_CUDA_READY();
    return driver_error(copy_in_stream(to, pointer_of(from), bytes, stream, true));
}
MOG_EXPORTED CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
    MOG_CUDA_READY();
    return driver_error(copy_in_stream(pointer_of(to), pointer_of(from), bytes, stream, false));
}
MOG_EXPORTED CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *copied) { return copy_2d(copied, nullptr); }
MOG_EXPORTED CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *copied) { return copy_2d(copied, nullptr); }
MOG_EXPORTED CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copied, CUstream stream) { return copy_2d(copied, &stream); }

MOG_EXPORTED CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, std::size_t count) {
    return fill_row(to, value, 1, count, nullptr, true);
}
MOG_EXPORTED CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, std::size_t count) {
    return fill_row(to, value, 2, count, nullptr, true);
}
MOG_EXPORTED CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, std::size_t count) {
    return fill_row(to, value, 4, count, nullptr, true);
}
MOG_EXPORTED CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t count, CUstream stream) {
    return fill_row(to, value, 1, count, stream, false);
}
MOG_EXPORTED CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, std::size_t count, CUstream stream) {
    return fill_row(to, value, 2, count, stream, false);
}
MOG_EXPORTED CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t count, CUstream stream) {
    return fill_row(to, value, 4, count, stream, false);
}
MOG_EXPORTED CUresult cuMemsetD2D8_v2(CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height) {
    MOG_CUDA_READY();
    return driver_error(fill_box({pointer_of(to), pitch}, value, 1, {width, height}, nullptr, true));
}
