// device.hpp: the one device there is, as CUDA describes devices: this machine's cores, with the limits of compute capability 8.0.
#pragma once

#include "runtime_cuda/include/cuda_runtime_api.h"

namespace mog::cuda {

constexpr int runtime_version = CUDART_VERSION;
constexpr int capability_major = 8, capability_minor = 0;

const cudaDeviceProp &properties();
/// False: there is no such attribute.
bool attribute(int number, int &value);

}  // namespace mog::cuda
