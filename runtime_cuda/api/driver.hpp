// driver.hpp: what the functions of the driver API share. They are the runtime's, by other names and with contexts.
#pragma once

#include "runtime_cuda/include/cuda.h"
#include "runtime_cuda/library/exported.hpp"

namespace mog::cuda {

/// The runtime's answer as the driver's: the numbers are the same but for what the driver does not know.
CUresult driver_error(cudaError_t error);

/// CUDA_SUCCESS where cuInit() was called and a context is current.
CUresult ready();

inline void *pointer_of(CUdeviceptr pointer) { return reinterpret_cast<void *>(pointer); }

}  // namespace mog::cuda

/// Leaves unless a context is current.
#define MOG_CUDA_READY() \
    if (const CUresult is_ready = mog::cuda::ready(); is_ready != CUDA_SUCCESS) return is_ready
