// opencl_device.hpp: runs the generated OpenCL interpreter on any OpenCL 1.2 device.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime_host/device/device.hpp"

namespace mog {

/// The OpenCL devices here, in the order of their numbers.
std::vector<DeviceInfo> list_opencl_devices(const Image *image, std::vector<std::string> *notes);
/// Opens opencl:`number`. Error: there is no such device.
Result<std::unique_ptr<Device>> make_opencl_device(std::uint32_t number);

}  // namespace mog
