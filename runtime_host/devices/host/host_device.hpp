// host_device.hpp: runs the program's own interpreter, compiled as C++ by mogcc, on the CPU.
#pragma once

#include <memory>

#include "runtime_host/device/device.hpp"

namespace mog {

DeviceInfo host_device_info();
std::unique_ptr<Device> make_host_device();

}  // namespace mog
