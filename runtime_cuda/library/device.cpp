// device.cpp: properties of the device.
#include "runtime_cuda/library/device.hpp"

#include <sched.h>

#include <cstring>

#include "runtime_cuda/library/memory.hpp"
#include "runtime_cuda/library/modules.hpp"

namespace mog::cuda {

namespace {

int cores() {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

cudaDeviceProp describe() {
    cudaDeviceProp made{};
    std::strcpy(made.name, "MOG: PTX on this machine's cores");
    std::memcpy(made.uuid.bytes, "MOG-PTX-on-cores", 16);
    made.totalGlobalMem = memory_in_all();
    made.sharedMemPerBlock = shared_bytes;
    made.regsPerBlock = 65536;
    made.warpSize = 32;
    made.memPitch = 0x7fffffff;
    made.maxThreadsPerBlock = 1024;
    made.maxThreadsDim[0] = made.maxThreadsDim[1] = 1024, made.maxThreadsDim[2] = 64;
    made.maxGridSize[0] = 0x7fffffff, made.maxGridSize[1] = made.maxGridSize[2] = 65535;
    made.clockRate = 1000000;
    made.totalConstMem = 65536;
    made.major = capability_major, made.minor = capability_minor;
    made.textureAlignment = 512, made.texturePitchAlignment = 32, made.surfaceAlignment = 512;
    made.deviceOverlap = 1;
    made.multiProcessorCount = cores();
    made.integrated = 1;
    made.canMapHostMemory = 1;
    made.computeMode = cudaComputeModeDefault;
    made.concurrentKernels = 1;
    made.asyncEngineCount = 1;
    made.unifiedAddressing = 1;
    made.memoryClockRate = 1000000, made.memoryBusWidth = 64;
    made.l2CacheSize = 1 << 20;
    made.maxThreadsPerMultiProcessor = 1024 * blocks_at_once;
    made.streamPrioritiesSupported = 0;
    made.globalL1CacheSupported = made.localL1CacheSupported = 1;
    made.sharedMemPerMultiprocessor = static_cast<size_t>(most_shared_bytes) * blocks_at_once;
    made.regsPerMultiprocessor = 65536 * blocks_at_once;
    made.managedMemory = 1;
    made.hostNativeAtomicSupported = 1;
    made.singleToDoublePrecisionPerfRatio = 2;
    made.pageableMemoryAccess = made.pageableMemoryAccessUsesHostPageTables = made.concurrentManagedAccess =
        made.directManagedMemAccessFromHost = 1;
    made.computePreemptionSupported = 1;
    made.canUseHostPointerForRegisteredMem = 1;
    made.cooperativeLaunch = 1;
    made.sharedMemPerBlockOptin = most_shared_bytes;
    made.maxBlocksPerMultiProcessor = blocks_at_once;
    made.hostRegisterSupported = made.hostRegisterReadOnlySupported = 1;
    made.memoryPoolsSupported = 1;
    made.unifiedFunctionPointers = 0;
    return made;
}

}  // namespace

const cudaDeviceProp &properties() {
    static const cudaDeviceProp made = describe();
    return made;
}

bool attribute(int number, int &value) {
    const cudaDeviceProp &is = properties();
    switch (number) {
#define MOG_CUDA_ATTRIBUTE(name, is_number, is_value) \
    case is_number:                                   \
        value = static_cast<int>(is_value);           \
        return true;
#include "runtime_cuda/include/mog_cuda/device_attributes.def"
#undef MOG_CUDA_ATTRIBUTE
        default: value = 0; return number > 0 && number <= 150;  // newer ones, of things that are not here
    }
}

}  // namespace mog::cuda
