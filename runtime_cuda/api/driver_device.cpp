// driver_device.cpp: the driver API: start, devices, contexts.
#include <dlfcn.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "runtime_cuda/api/driver.hpp"
#include "runtime_cuda/library/device.hpp"

using namespace mog::cuda;

struct CUctx_st {
    unsigned flags = 0;
};

namespace {

std::atomic<bool> initialised{false};
CUctx_st primary;
std::atomic<int> retained{0};
std::mutex contexts_mutex;
std::set<CUcontext> &contexts() {
    static std::set<CUcontext> &kept = *new std::set<CUcontext>;
    return kept;
}
thread_local std::vector<CUcontext> current;

bool exists(CUcontext context) {
    if (context == &primary) return true;
    const std::lock_guard lock(contexts_mutex);
    return contexts().count(context) > 0;
}

/// For functions of a device, which need no context.
CUresult check_device(const void *result, CUdevice device) {
    if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
    if (!result) return CUDA_ERROR_INVALID_VALUE;
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
#define CHECK_DEVICE(result, device) \
    if (const CUresult checked = check_device(result, device); checked != CUDA_SUCCESS) return checked

}  // namespace

namespace mog::cuda {

CUresult driver_error(cudaError_t error) {
    switch (error) {
        case cudaErrorInvalidConfiguration:
        case cudaErrorInvalidPitchValue:
        case cudaErrorInvalidMemcpyDirection: return CUDA_ERROR_INVALID_VALUE;
        case cudaErrorInvalidSymbol:
        case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_NOT_FOUND;
        default: return static_cast<CUresult>(error);
    }
}

CUresult ready() {
    if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
    return current.empty() || !current.back() ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}

}  // namespace mog::cuda

MOG_EXPORTED CUresult cuInit(unsigned flags) {
    if (flags) return CUDA_ERROR_INVALID_VALUE;
    initialised = true;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuDriverGetVersion(int *version) { return driver_error(cudaDriverGetVersion(version)); }
MOG_EXPORTED CUresult cuGetErrorName(CUresult error, const char **name) {
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    *name = error_name(error, true);
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
MOG_EXPORTED CUresult cuGetErrorString(CUresult error, const char **text) {
    if (!text) return CUDA_ERROR_INVALID_VALUE;
    *text = error_name(error, true) ? error_text(error) : nullptr;
    return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
MOG_EXPORTED CUresult cuGetProcAddress(const char *symbol, void **function, int, uint64_t) {
    if (!symbol || !function) return CUDA_ERROR_INVALID_VALUE;
    // The newest form, as programs that call it by name get it from cuda.h.
    static void *const self = [] {
        Dl_info info;
        return dladdr(reinterpret_cast<void *>(&cuInit), &info) ? dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD) : nullptr;
    }();
    for (const char *form : {"_v2", ""})
        if ((*function = dlsym(self, (std::string(symbol) + form).c_str()))) return CUDA_SUCCESS;
    return CUDA_ERROR_NOT_FOUND;
}
MOG_EXPORTED CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags, int *status) {
    const CUresult result = cuGetProcAddress(symbol, function, version, flags);
    if (status) *status = result == CUDA_SUCCESS ? 0 : 1;  // CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
    return result;
}

MOG_EXPORTED CUresult cuDeviceGet(CUdevice *device, int number) {
    CHECK_DEVICE(device, number);
    *device = 0;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuDeviceGetCount(int *count) {
    CHECK_DEVICE(count, 0);
    *count = 1;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    CHECK_DEVICE(name, device);
    if (length <= 0) return CUDA_ERROR_INVALID_VALUE;
    std::strncpy(name, properties().name, static_cast<std::size_t>(length));
    name[length - 1] = '\0';
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
    CHECK_DEVICE(uuid, device);
    std::memcpy(uuid->bytes, properties().uuid.bytes, sizeof uuid->bytes);
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) { return cuDeviceGetUuid(uuid, device); }
MOG_EXPORTED CUresult cuDeviceTotalMem_v2(std::size_t *bytes, CUdevice device) {
    CHECK_DEVICE(bytes, device);
    *bytes = properties().totalGlobalMem;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute number, CUdevice device) {
    CHECK_DEVICE(value, device);
    return attribute(number, *value) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
MOG_EXPORTED CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    CHECK_DEVICE(major && minor ? major : nullptr, device);
    *major = capability_major, *minor = capability_minor;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device) {
    return driver_error(cudaDeviceGetPCIBusId(id, length, device));
}
MOG_EXPORTED CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    return driver_error(cudaDeviceCanAccessPeer(can, device, peer));
}

MOG_EXPORTED CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    CHECK_DEVICE(context, device);
    retained++;
    *context = &primary;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    CHECK_DEVICE(&primary, device);
    if (retained.fetch_sub(1) > 0) return CUDA_SUCCESS;
    retained++;
    return CUDA_ERROR_INVALID_CONTEXT;
}
MOG_EXPORTED CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
    CHECK_DEVICE(&primary, device);
    primary.flags = flags;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) { return cuDevicePrimaryCtxSetFlags(device, flags); }
MOG_EXPORTED CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
    CHECK_DEVICE(&primary, device);
    if (flags) *flags = primary.flags;
    if (active) *active = retained > 0;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
    CHECK_DEVICE(&primary, device);
    return driver_error(cudaDeviceReset());
}

MOG_EXPORTED CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
    CHECK_DEVICE(context, device);
    *context = new CUctx_st{flags};
    const std::lock_guard lock(contexts_mutex);
    contexts().insert(*context);
    current.push_back(*context);
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuCtxDestroy_v2(CUcontext context) {
    wait_for_all();
    const std::lock_guard lock(contexts_mutex);
    if (!contexts().erase(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (!current.empty() && current.back() == context) current.pop_back();
    delete context;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuCtxPushCurrent_v2(CUcontext context) {
    if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
    if (!exists(context)) return CUDA_ERROR_INVALID_CONTEXT;
    current.push_back(context);
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuCtxPopCurrent_v2(CUcontext *context) {
    MOG_CUDA_READY();
    if (context) *context = current.back();
    current.pop_back();
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuCtxSetCurrent(CUcontext context) {
    if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
    if (context && !exists(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (!current.empty()) current.pop_back();
    if (context) current.push_back(context);
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuCtxGetCurrent(CUcontext *context) {
    if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    *context = current.empty() ? nullptr : current.back();
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuCtxGetDevice(CUdevice *device) {
    MOG_CUDA_READY();
    if (!device) return CUDA_ERROR_INVALID_VALUE;
    *device = 0;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuCtxGetFlags(unsigned *flags) {
    MOG_CUDA_READY();
    if (!flags) return CUDA_ERROR_INVALID_VALUE;
    *flags = current.back()->flags;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuCtxGetApiVersion(CUcontext, unsigned *version) {
    if (!version) return CUDA_ERROR_INVALID_VALUE;
    *version = 3020;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuCtxSynchronize(void) {
    MOG_CUDA_READY();
    return driver_error(cudaDeviceSynchronize());
}
MOG_EXPORTED CUresult cuCtxGetLimit(std::size_t *value, CUlimit limit) {
    return driver_error(cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)));
}
MOG_EXPORTED CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
    return driver_error(cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value));
}
MOG_EXPORTED CUresult cuCtxGetCacheConfig(CUfunc_cache *config) {
    if (!config) return CUDA_ERROR_INVALID_VALUE;
    *config = CU_FUNC_CACHE_PREFER_NONE;
    return CUDA_SUCCESS;
}
MOG_EXPORTED CUresult cuCtxSetCacheConfig(CUfunc_cache) { return ready(); }
MOG_EXPORTED CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    return driver_error(cudaDeviceGetStreamPriorityRange(least, greatest));
}
