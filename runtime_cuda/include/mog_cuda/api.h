/* api.h: forms of the runtime API (cuda_runtime_api.h, before this) for C++: pointers of any type, kernels and variables by themselves. */
#pragma once

template <typename Type>
inline cudaError_t cudaMalloc(Type **pointer, size_t bytes) {
    return cudaMalloc((void **)pointer, bytes);
}
template <typename Type>
inline cudaError_t cudaMallocHost(Type **pointer, size_t bytes, unsigned flags = 0) {
    return cudaHostAlloc((void **)pointer, bytes, flags);
}
template <typename Type>
inline cudaError_t cudaHostAlloc(Type **pointer, size_t bytes, unsigned flags) {
    return cudaHostAlloc((void **)pointer, bytes, flags);
}
template <typename Type>
inline cudaError_t cudaMallocManaged(Type **pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
    return cudaMallocManaged((void **)pointer, bytes, flags);
}
template <typename Type>
inline cudaError_t cudaMallocAsync(Type **pointer, size_t bytes, cudaStream_t stream) {
    return cudaMallocAsync((void **)pointer, bytes, stream);
}
template <typename Type>
inline cudaError_t cudaMallocPitch(Type **pointer, size_t *pitch, size_t width, size_t height) {
    return cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <typename Type>
inline cudaError_t cudaHostGetDevicePointer(Type **device, void *host, unsigned flags) {
    return cudaHostGetDevicePointer((void **)device, host, flags);
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags) { return cudaEventCreateWithFlags(event, flags); }

template <typename Type>
inline cudaError_t cudaMemcpyToSymbol(const Type &symbol, const void *from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <typename Type>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const Type &symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <typename Type>
inline cudaError_t cudaMemcpyToSymbolAsync(const Type &symbol, const void *from, size_t bytes, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <typename Type>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const Type &symbol, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <typename Type>
inline cudaError_t cudaGetSymbolAddress(void **pointer, const Type &symbol) {
    return cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <typename Type>
inline cudaError_t cudaGetSymbolSize(size_t *bytes, const Type &symbol) {
    return cudaGetSymbolSize(bytes, (const void *)&symbol);
}

template <typename Kernel>
inline cudaError_t cudaLaunchKernel(Kernel *kernel, dim3 grid, dim3 block, void **arguments, size_t sharedBytes = 0,
                                    cudaStream_t stream = 0) {
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, sharedBytes, stream);
}
template <typename Kernel>
inline cudaError_t cudaLaunchCooperativeKernel(Kernel *kernel, dim3 grid, dim3 block, void **arguments, size_t sharedBytes = 0,
                                               cudaStream_t stream = 0) {
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, sharedBytes, stream);
}
template <typename... Expected, typename... Given>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Expected...), Given &&...given) {
    // Arguments become what the kernel takes, as in a call.
    return [&](Expected... arguments) {
        void *places[] = {(void *)&arguments..., nullptr};
        return cudaLaunchKernelExC(config, (const void *)kernel, places);
    }(given...);
}
template <typename Kernel>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, Kernel *kernel) {
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <typename Kernel>
inline cudaError_t cudaFuncSetAttribute(Kernel *kernel, cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <typename Kernel>
inline cudaError_t cudaFuncSetCacheConfig(Kernel *kernel, cudaFuncCache config) {
    return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <typename Kernel>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel kernel, int threads, size_t sharedBytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads, sharedBytes);
}
/* The largest block: there is nothing here that larger blocks would take from each other. */
template <typename Bytes, typename Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, Kernel kernel, Bytes bytes, int limit = 0) {
    cudaFuncAttributes attributes;
    cudaError_t error = cudaFuncGetAttributes(&attributes, (const void *)kernel);
    if (error != cudaSuccess) return error;
    int device, processors, blocks = 0;
    if ((error = cudaGetDevice(&device)) != cudaSuccess) return error;
    if ((error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device)) != cudaSuccess) return error;
    *block = limit > 0 && limit < attributes.maxThreadsPerBlock ? limit : attributes.maxThreadsPerBlock;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel, *block, bytes(*block));
    *grid = processors * blocks;
    return error;
}
template <typename Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, Kernel kernel, size_t sharedBytes = 0, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, kernel, [sharedBytes](int) { return sharedBytes; }, limit);
}
