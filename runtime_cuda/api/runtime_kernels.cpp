// runtime_kernels.cpp: the runtime API: registration, launches, attributes of kernels, their variables.
#include <algorithm>
#include <cstring>

#include "runtime_cuda/library/copies.hpp"
#include "runtime_cuda/library/device.hpp"
#include "runtime_cuda/library/exported.hpp"
#include "runtime_cuda/library/modules.hpp"

using namespace mog::cuda;

namespace {

// What clang's programs hand over for each source (clang/lib/CodeGen/CGCUDANV.cpp in LLVM's sources).
struct ImageWrapper {
    int magic, version;
    const void *image, *unused;
};

/// Of <<<...>>>, between the two calls that clang makes of it.
struct Configuration {
    dim3 grid, block;
    std::size_t shared_bytes;
    cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;

mog::ptx::Dim3 shape_of(dim3 size) { return {size.x, size.y, size.z}; }

cudaError_t launch(const void *function, dim3 grid, dim3 block, void **arguments, std::size_t shared_bytes, cudaStream_t stream,
                   bool cooperative) {
    if (const cudaError_t before = fault_so_far(); before != cudaSuccess) return note(before);
    cudaError_t error;
    const Kernel *kernel = find_kernel(function, error);
    if (!kernel) return note(error);
    const Launch wanted{shape_of(grid), shape_of(block), shared_bytes, cooperative};
    if ((error = check_launch(*kernel, wanted)) != cudaSuccess) return note(error);
    const StreamRef found = stream_of(stream);
    if (!found) return note(cudaErrorInvalidResourceHandle);
    add_launch(*kernel, wanted, gather_parameters(*kernel->info, arguments), found);
    return cudaSuccess;
}

/// Where a copy to or from a variable begins.
cudaError_t place_in_variable(const void *symbol, std::size_t bytes, std::size_t offset, char *&place) {
    Variable variable;
    cudaError_t error;
    if (!find_variable(symbol, variable, error)) return error;
    if (offset > variable.bytes || bytes > variable.bytes - offset) return cudaErrorInvalidValue;
    place = static_cast<char *>(variable.address) + offset;
    return cudaSuccess;
}

}  // namespace

MOG_EXPORTED void **__cudaRegisterFatBinary(void *wrapper) {
    return reinterpret_cast<void **>(register_image(static_cast<const ImageWrapper *>(wrapper)->image));
}
MOG_EXPORTED void __cudaRegisterFatBinaryEnd(void **module) { register_end(reinterpret_cast<ModuleOfProgram *>(module)); }
MOG_EXPORTED void __cudaUnregisterFatBinary(void **module) { unregister(reinterpret_cast<ModuleOfProgram *>(module)); }
MOG_EXPORTED int __cudaRegisterFunction(void **module, const char *function, char *, const char *name, int, void *, void *, void *, void *,
                                        int *) {
    register_kernel(reinterpret_cast<ModuleOfProgram *>(module), function, name);
    return 0;
}
MOG_EXPORTED void __cudaRegisterVar(void **module, char *variable, char *, const char *name, int, std::size_t bytes, int constant, int) {
    register_variable(reinterpret_cast<ModuleOfProgram *>(module), variable, name, bytes, constant != 0);
}
MOG_EXPORTED void __cudaRegisterManagedVar(void **module, void **pointer, void *initial, const char *name, std::size_t bytes, unsigned) {
    register_variable(reinterpret_cast<ModuleOfProgram *>(module), initial, name, bytes, false);
    *pointer = initial;
}

MOG_EXPORTED unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream) {
    configurations.push_back({grid, block, shared_bytes, stream});
    return 0;
}
MOG_EXPORTED cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, std::size_t *shared_bytes, void *stream) {
    if (configurations.empty()) return note(cudaErrorMissingConfiguration);
    const Configuration &last = configurations.back();
    *grid = last.grid, *block = last.block, *shared_bytes = last.shared_bytes;
    *static_cast<cudaStream_t *>(stream) = last.stream;
    configurations.pop_back();
    return cudaSuccess;
}

MOG_EXPORTED cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, std::size_t shared_bytes,
                                          cudaStream_t stream) {
    return launch(function, grid, block, arguments, shared_bytes, stream, false);
}
MOG_EXPORTED cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                                     std::size_t shared_bytes, cudaStream_t stream) {
    // As many as can be at once, which programs ask for before.
    if (shape_of(grid).count() > static_cast<std::uint64_t>(properties().multiProcessorCount) * blocks_at_once)
        return note(cudaErrorCooperativeLaunchTooLarge);
    return launch(function, grid, block, arguments, shared_bytes, stream, true);
}
MOG_EXPORTED cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments) {
    if (!config) return note(cudaErrorInvalidValue);
    if (config->numAttrs) {
        tell("attributes of launches (clusters, priorities) are not there");
        return note(cudaErrorNotSupported);
    }
    return launch(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream, false);
}

MOG_EXPORTED cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function) {
    if (!attributes) return note(cudaErrorInvalidValue);
    cudaError_t error;
    const Kernel *kernel = find_kernel(function, error);
    if (!kernel) return note(error);
    *attributes = {};
    attributes->sharedSizeBytes = kernel->info->static_shared_bytes;
    attributes->localSizeBytes = kernel->info->local_bytes;
    attributes->maxThreadsPerBlock = static_cast<int>(kernel->info->max_threads);
    attributes->numRegs = static_cast<int>(std::min(kernel->info->registers, 255u));
    attributes->ptxVersion = attributes->binaryVersion = capability_major * 10 + capability_minor;
    attributes->maxDynamicSharedSizeBytes = kernel->dynamic_shared_bytes;
    attributes->preferredShmemCarveout = -1;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute attribute, int value) {
    cudaError_t error;
    Kernel *kernel = find_kernel(function, error);
    if (!kernel) return note(error);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        value + static_cast<int>(kernel->info->static_shared_bytes) > most_shared_bytes)
        return note(cudaErrorInvalidValue);
    kernel->dynamic_shared_bytes = value;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaFuncSetCacheConfig(const void *function, cudaFuncCache) {
    cudaError_t error;
    find_kernel(function, error);
    return note(error);
}
MOG_EXPORTED cudaError_t cudaFuncSetSharedMemConfig(const void *function, cudaSharedMemConfig) {
    return cudaFuncSetCacheConfig(function, cudaFuncCachePreferNone);
}
MOG_EXPORTED cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                                       std::size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared_bytes, cudaOccupancyDefault);
}
MOG_EXPORTED cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads,
                                                                                std::size_t shared_bytes, unsigned) {
    if (!blocks) return note(cudaErrorInvalidValue);
    cudaError_t error;
    const Kernel *kernel = find_kernel(function, error);
    if (!kernel) return note(error);
    if (threads <= 0) return note(cudaErrorInvalidValue);
    *blocks = check_launch(*kernel, {{}, {static_cast<std::uint32_t>(threads), 1, 1}, shared_bytes}) == cudaSuccess ? blocks_at_once : 0;
    return cudaSuccess;
}

MOG_EXPORTED cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, std::size_t bytes, std::size_t offset, cudaMemcpyKind) {
    char *place = nullptr;
    if (const cudaError_t error = place_in_variable(symbol, bytes, offset, place); error != cudaSuccess) return note(error);
    return copy(place, from, bytes);
}
MOG_EXPORTED cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind) {
    char *place = nullptr;
    if (const cudaError_t error = place_in_variable(symbol, bytes, offset, place); error != cudaSuccess) return note(error);
    return copy(to, place, bytes);
}
MOG_EXPORTED cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, std::size_t bytes, std::size_t offset,
                                                 cudaMemcpyKind, cudaStream_t stream) {
    char *place = nullptr;
    if (const cudaError_t error = place_in_variable(symbol, bytes, offset, place); error != cudaSuccess) return note(error);
    return copy_in_stream(place, from, bytes, stream, false);
}
MOG_EXPORTED cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind,
                                                   cudaStream_t stream) {
    char *place = nullptr;
    if (const cudaError_t error = place_in_variable(symbol, bytes, offset, place); error != cudaSuccess) return note(error);
    return copy_in_stream(to, place, bytes, stream, true);
}
MOG_EXPORTED cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
    if (!pointer) return note(cudaErrorInvalidValue);
    Variable variable;
    cudaError_t error;
    if (find_variable(symbol, variable, error)) *pointer = variable.address;
    return note(error);
}
MOG_EXPORTED cudaError_t cudaGetSymbolSize(std::size_t *bytes, const void *symbol) {
    if (!bytes) return note(cudaErrorInvalidValue);
    Variable variable;
    cudaError_t error;
    if (find_variable(symbol, variable, error)) *bytes = variable.bytes;
    return note(error);
}
