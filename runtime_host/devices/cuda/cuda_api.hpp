// cuda_api.hpp: CUDA's driver and its run-time compiler NVRTC, found at run time: the launcher is part of every program that
// mogcc makes, so it must start where there is neither, and build where there is no toolkit. Declared here is what the
// runtime uses of both; NVIDIA keeps these interfaces stable ("CUDA Driver API" and "NVRTC" reference manuals).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "support/result.hpp"

namespace mog {

using CuResult = int;  ///< CUresult; 0: success
using CuDevice = int;
using CuPointer = std::uint64_t;  ///< an address on the device
using CuContext = struct CuContextHandle *;
using CuStream = struct CuStreamHandle *;
using CuModule = struct CuModuleHandle *;
using CuFunction = struct CuFunctionHandle *;
using CuLinkState = struct CuLinkHandle *;

using NvrtcResult = int;
using NvrtcProgram = struct NvrtcProgramHandle *;

// Every function of the driver that the runtime calls: its name for us, its symbol, its parameters.
#define MOG_CUDA_FUNCTIONS(X)                                                                                                        \
    X(cuInit, "cuInit", (unsigned flags))                                                                                            \
    X(cuDriverGetVersion, "cuDriverGetVersion", (int *version))                                                                      \
    X(cuDeviceGetCount, "cuDeviceGetCount", (int *count))                                                                            \
    X(cuDeviceGet, "cuDeviceGet", (CuDevice * device, int number))                                                                   \
    X(cuDeviceGetName, "cuDeviceGetName", (char *name, int length, CuDevice device))                                                 \
    X(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int *value, int attribute, CuDevice device))                                    \
    X(cuDeviceTotalMem, "cuDeviceTotalMem_v2", (std::size_t * bytes, CuDevice device))                                               \
    X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CuContext * context, CuDevice device))                                  \
    X(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (CuDevice device))                                                  \
    X(cuCtxSetCurrent, "cuCtxSetCurrent", (CuContext context))                                                                       \
    X(cuMemGetInfo, "cuMemGetInfo_v2", (std::size_t * free, std::size_t * total))                                                    \
    X(cuMemAlloc, "cuMemAlloc_v2", (CuPointer * pointer, std::size_t bytes))                                                         \
    X(cuMemFree, "cuMemFree_v2", (CuPointer pointer))                                                                                \
    X(cuMemHostAlloc, "cuMemHostAlloc", (void **pointer, std::size_t bytes, unsigned flags))                                         \
    X(cuMemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2", (CuPointer * device, void *host, unsigned flags))                   \
    X(cuMemFreeHost, "cuMemFreeHost", (void *pointer))                                                                               \
    X(cuMemsetD32Async, "cuMemsetD32Async", (CuPointer pointer, unsigned value, std::size_t words, CuStream stream))                 \
    X(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", (CuPointer to, const void *from, std::size_t bytes, CuStream stream))               \
    X(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", (void *to, CuPointer from, std::size_t bytes, CuStream stream))                     \
    X(cuCtxGetStreamPriorityRange, "cuCtxGetStreamPriorityRange", (int *least, int *greatest))                                       \
    X(cuStreamCreateWithPriority, "cuStreamCreateWithPriority", (CuStream * stream, unsigned flags, int priority))                   \
    X(cuStreamDestroy, "cuStreamDestroy_v2", (CuStream stream))                                                                      \
    X(cuStreamSynchronize, "cuStreamSynchronize", (CuStream stream))                                                                 \
    X(cuStreamQuery, "cuStreamQuery", (CuStream stream))                                                                             \
    X(cuModuleLoadDataEx, "cuModuleLoadDataEx", (CuModule * module, const void *image, unsigned count, int *options, void **values)) \
    X(cuModuleUnload, "cuModuleUnload", (CuModule module))                                                                           \
    X(cuModuleGetFunction, "cuModuleGetFunction", (CuFunction * function, CuModule module, const char *name))                        \
    X(cuFuncSetAttribute, "cuFuncSetAttribute", (CuFunction function, int attribute, int value))                                     \
    X(cuFuncGetAttribute, "cuFuncGetAttribute", (int *value, int attribute, CuFunction function))                                    \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                                    \
      (int *blocks, CuFunction function, int threads, std::size_t shared_bytes))                                                     \
    X(cuLaunchKernel, "cuLaunchKernel",                                                                                              \
      (CuFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z, \
       unsigned shared_bytes, CuStream stream, void **parameters, void **extra))                                                     \
    X(cuGetErrorName, "cuGetErrorName", (CuResult code, const char **name))                                                          \
    X(cuGetErrorString, "cuGetErrorString", (CuResult code, const char **meaning))

// Those that link code, which a driver may lack: then kernels are compiled whole.
#define MOG_CUDA_LINK_FUNCTIONS(X)                                                                                                 \
    X(cuLinkCreate, "cuLinkCreate_v2", (unsigned count, int *options, void **values, CuLinkState *state))                          \
    X(cuLinkAddData, "cuLinkAddData_v2",                                                                                           \
      (CuLinkState state, int type, void *data, std::size_t bytes, const char *name, unsigned count, int *options, void **values)) \
    X(cuLinkComplete, "cuLinkComplete", (CuLinkState state, void **code, std::size_t *bytes))                                      \
    X(cuLinkDestroy, "cuLinkDestroy", (CuLinkState state))

#define MOG_NVRTC_FUNCTIONS(X)                                                                                                         \
    X(nvrtcVersion, "nvrtcVersion", (int *major, int *minor))                                                                          \
    X(nvrtcGetNumSupportedArchs, "nvrtcGetNumSupportedArchs", (int *count))                                                            \
    X(nvrtcGetSupportedArchs, "nvrtcGetSupportedArchs", (int *archs))                                                                  \
    X(nvrtcCreateProgram, "nvrtcCreateProgram",                                                                                        \
      (NvrtcProgram * program, const char *source, const char *name, int headers, const char *const *texts, const char *const *names)) \
    X(nvrtcDestroyProgram, "nvrtcDestroyProgram", (NvrtcProgram * program))                                                            \
    X(nvrtcCompileProgram, "nvrtcCompileProgram", (NvrtcProgram program, int count, const char *const *options))                       \
    X(nvrtcGetProgramLogSize, "nvrtcGetProgramLogSize", (NvrtcProgram program, std::size_t * bytes))                                   \
    X(nvrtcGetProgramLog, "nvrtcGetProgramLog", (NvrtcProgram program, char *log))                                                     \
    X(nvrtcGetCUBINSize, "nvrtcGetCUBINSize", (NvrtcProgram program, std::size_t * bytes))                                             \
    X(nvrtcGetCUBIN, "nvrtcGetCUBIN", (NvrtcProgram program, char *code))                                                              \
    X(nvrtcGetPTXSize, "nvrtcGetPTXSize", (NvrtcProgram program, std::size_t * bytes))                                                 \
    X(nvrtcGetPTX, "nvrtcGetPTX", (NvrtcProgram program, char *code))
struct CudaApi {
#define MOG_CUDA_MEMBER(name, symbol, parameters) CuResult(*name) parameters = nullptr;
    MOG_CUDA_FUNCTIONS(MOG_CUDA_MEMBER)
    MOG_CUDA_LINK_FUNCTIONS(MOG_CUDA_MEMBER)
#undef MOG_CUDA_MEMBER
    bool links = false;  ///< it has the latter
    int version = 0;     ///< 1000 * major + 10 * minor of the newest CUDA that the driver knows
};

struct NvrtcApi {
#define MOG_NVRTC_MEMBER(name, symbol, parameters) NvrtcResult(*name) parameters = nullptr;
    MOG_NVRTC_FUNCTIONS(MOG_NVRTC_MEMBER)
#undef MOG_NVRTC_MEMBER
    int version = 0;  ///< as CudaApi has it
    std::string library;
};

/// The driver, opened and initialised at the first call; $MOG_CUDA_DRIVER names another library, for tests. Error: there is none, it
/// is too old, or it has no device.
Result<const CudaApi *> cuda_api();

/// NVRTC, opened at the first call: where the system's loader finds it, else in the folders where toolkits are installed; $MOG_NVRTC
/// names the library. Error: there is none, and where it was looked for.
Result<const NvrtcApi *> nvrtc_api();

/// "CUDA: cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY (2): out of memory; lower -n or --mem".
Error cuda_error(const CudaApi &api, const char *call, CuResult code);

/// "CUDA 12.4", of a version number.
std::string cuda_version_name(int version);

}  // namespace mog
