// reference_device.hpp: the reference machine as a device. Always there, needs no compiler, and traces.
#pragma once

#include <memory>

#include "runtime_host/device/device.hpp"

namespace mog {

DeviceInfo reference_device_info();
std::unique_ptr<Device> make_reference_device();

}  // namespace mog
