// cuda_device.hpp: runs the generated CUDA interpreter on NVIDIA's devices.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime_host/device/device.hpp"

namespace mog {

/// The CUDA devices here that a program can run on, in the order of their numbers. `notes`, if not null, gets a sentence if
/// there are none, or no compiler for them.
std::vector<DeviceInfo> list_cuda_devices(const Image *image, std::vector<std::string> *notes);
/// Opens cuda:`number`. Error: there is no such device, and why.
Result<std::unique_ptr<Device>> make_cuda_device(std::uint32_t number);

}  // namespace mog
