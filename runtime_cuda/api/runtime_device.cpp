// runtime_device.cpp: the runtime API: errors and devices.
#include <cstring>

#include "runtime_cuda/library/device.hpp"
#include "runtime_cuda/library/exported.hpp"
#include "runtime_cuda/library/memory.hpp"
#include "runtime_cuda/library/textures.hpp"

using namespace mog::cuda;

namespace {

std::size_t limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0};

/// What can be set and has no effect here.
cudaError_t accepted() { return note(fault_so_far()); }

}  // namespace

MOG_EXPORTED cudaError_t cudaGetLastError(void) {
    const cudaError_t error = last_error();
    forget_last_error();
    return error;
}
MOG_EXPORTED cudaError_t cudaPeekAtLastError(void) { return last_error(); }
MOG_EXPORTED const char *cudaGetErrorName(cudaError_t error) {
    const char *name = error_name(error, false);
    return name ? name : "unrecognized error code";
}
MOG_EXPORTED const char *cudaGetErrorString(cudaError_t error) {
    const char *text = error_text(error);
    return text ? text : "unrecognized error code";
}

MOG_EXPORTED cudaError_t cudaGetDeviceCount(int *count) {
    if (!count) return note(cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaGetDevice(int *device) {
    if (!device) return note(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaSetDevice(int device) { return note(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); }
MOG_EXPORTED cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
MOG_EXPORTED cudaError_t cudaGetDeviceProperties(cudaDeviceProp *wanted, int device) {
    if (!wanted) return note(cudaErrorInvalidValue);
    if (device != 0) return note(cudaErrorInvalidDevice);
    *wanted = properties();
    return cudaSuccess;
}
// What programs compiled with CUDA 12's own headers call by the name above.
MOG_EXPORTED cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp *wanted, int device) { return cudaGetDeviceProperties(wanted, device); }
MOG_EXPORTED cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) { return cudaGetDevice(device); }
MOG_EXPORTED cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr number, int device) {
    if (!value) return note(cudaErrorInvalidValue);
    if (device != 0) return note(cudaErrorInvalidDevice);
    return note(attribute(number, *value) ? cudaSuccess : cudaErrorInvalidValue);
}
MOG_EXPORTED cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device) {
    if (!id || length < 13) return note(cudaErrorInvalidValue);
    if (device != 0) return note(cudaErrorInvalidDevice);
    std::strcpy(id, "0000:00:00.0");
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
    if (!device || !id) return note(cudaErrorInvalidValue);
    *device = 0;
    return note(std::strcmp(id, "0000:00:00.0") == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
MOG_EXPORTED cudaError_t cudaDeviceSynchronize(void) {
    wait_for_all();
    return note(fault_so_far());
}
MOG_EXPORTED cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
MOG_EXPORTED cudaError_t cudaDeviceReset(void) {
    wait_for_all();
    drop_all_textures();
    release_all();
    forget_fault();
    forget_last_error();
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
MOG_EXPORTED cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
    if (!value || limit < 0 || limit > cudaLimitPersistingL2CacheSize) return note(cudaErrorInvalidValue);
    *value = limits[limit];
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    if (limit < 0 || limit > cudaLimitPersistingL2CacheSize) return note(cudaErrorInvalidValue);
    limits[limit] = value;
    return accepted();
}
MOG_EXPORTED cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
    if (!config) return note(cudaErrorInvalidValue);
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return accepted(); }
MOG_EXPORTED cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
    if (!config) return note(cudaErrorInvalidValue);
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return accepted(); }
MOG_EXPORTED cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least) *least = 0;
    if (greatest) *greatest = 0;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaSetDeviceFlags(unsigned) { return accepted(); }
MOG_EXPORTED cudaError_t cudaGetDeviceFlags(unsigned *flags) {
    if (!flags) return note(cudaErrorInvalidValue);
    *flags = cudaDeviceMapHost;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    if (!can) return note(cudaErrorInvalidValue);
    if (device != 0 || peer != 0) return note(cudaErrorInvalidDevice);
    *can = 0;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return note(cudaErrorInvalidDevice); }
MOG_EXPORTED cudaError_t cudaDeviceDisablePeerAccess(int) { return note(cudaErrorPeerAccessNotEnabled); }
MOG_EXPORTED cudaError_t cudaDriverGetVersion(int *version) {
    if (!version) return note(cudaErrorInvalidValue);
    *version = runtime_version;
    return cudaSuccess;
}
MOG_EXPORTED cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }
MOG_EXPORTED cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
MOG_EXPORTED cudaError_t cudaProfilerStop(void) { return cudaSuccess; }
