// emulated_cuda.hpp: what of CUDA's driver API and NVRTC is emulated, with types of our own that are laid out as CUDA's are.
#pragma once

#include <cstddef>

extern "C" {

#define MOG_CUDA_RESULTS(X)                                                     \
    X(SUCCESS, 0, "no error")                                                   \
    X(ERROR_INVALID_VALUE, 1, "an argument is outside of what is accepted")     \
    X(ERROR_OUT_OF_MEMORY, 2, "there is not enough memory")                     \
    X(ERROR_NOT_INITIALIZED, 3, "cuInit was not called")                        \
    X(ERROR_NO_DEVICE, 100, "there is no device")                               \
    X(ERROR_INVALID_DEVICE, 101, "there is no device of this number")           \
    X(ERROR_INVALID_IMAGE, 200, "this is no module")                            \
    X(ERROR_INVALID_CONTEXT, 201, "the calling thread has no context")          \
    X(ERROR_NO_BINARY_FOR_GPU, 209, "the module is for another kind of device") \
    X(ERROR_UNSUPPORTED_PTX_VERSION, 222, "the PTX is newer than the driver")   \
    X(ERROR_INVALID_HANDLE, 400, "there is nothing of this handle")             \
    X(ERROR_NOT_FOUND, 500, "there is nothing of this name")                    \
    X(ERROR_NOT_READY, 600, "the work is not done yet")                         \
    X(ERROR_LAUNCH_FAILED, 719, "a launch failed, and with it the context")     \
    X(ERROR_UNKNOWN, 999, "unknown")
#define MOG_CUDA_RESULT(name, code, sentence) CUDA_##name = code,
enum CUresult { MOG_CUDA_RESULTS(MOG_CUDA_RESULT) };
#undef MOG_CUDA_RESULT

using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct EmulatedDevice *;
using CUmodule = struct EmulatedModule *;
using CUfunction = struct EmulatedFunction *;
using CUstream = struct EmulatedStream *;

CUresult cuInit(unsigned flags);
CUresult cuDriverGetVersion(int *version);
CUresult cuGetErrorName(CUresult result, const char **name);
CUresult cuGetErrorString(CUresult result, const char **sentence);

CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetName(char *name, int size, CUdevice device);
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device);
CUresult cuDeviceTotalMem_v2(std::size_t *bytes, CUdevice device);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device);
CUresult cuCtxSetCurrent(CUcontext context);

CUresult cuMemGetInfo_v2(std::size_t *free, std::size_t *total);
CUresult cuMemAlloc_v2(CUdeviceptr *memory, std::size_t bytes);
CUresult cuMemFree_v2(CUdeviceptr memory);
CUresult cuMemHostAlloc(void **memory, std::size_t bytes, unsigned flags);
CUresult cuMemFreeHost(void *memory);
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host, unsigned flags);
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t words, CUstream stream);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, std::size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, std::size_t bytes, CUstream stream);

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest);
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority);
CUresult cuStreamDestroy_v2(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamQuery(CUstream stream);

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, int *options, void **values);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value);
CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block_size, std::size_t shared);
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                        unsigned block_z, unsigned shared, CUstream stream, void **parameters, void **extra);

enum nvrtcResult {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
};
using nvrtcProgram = struct EmulatedProgram *;

const char *nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int *major, int *minor);
nvrtcResult nvrtcGetNumSupportedArchs(int *count);
nvrtcResult nvrtcGetSupportedArchs(int *archs);
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int header_count, const char *const *headers,
                               const char *const *header_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, std::size_t *size);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, std::size_t *size);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, std::size_t *size);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx);

}  // extern "C"
