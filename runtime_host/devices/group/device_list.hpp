// device_list.hpp: what --device may name: one device, several of them with weights, or all.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "support/result.hpp"

namespace mog {

/// A device as a list names it: "cuda:0", or "cuda:0=3".
struct WantedDevice {
    std::string id;
    double weight = 0;  ///< its share of the PEs, beside those of the others; 0: by speed
};

/// "host" -> one device; "cuda:0,host" -> two; "cuda:0=3,host=1" -> two, the first with three times as many PEs. "all" and "auto" stand
/// for themselves. Error: what is wrong with the text; whether devices are there is not asked.
Result<std::vector<WantedDevice>> parse_device_list(std::string_view text);

/// What "all" means where there are these devices, best first: every GPU, each once, and the CPU, once.
std::vector<WantedDevice> choose_all(const std::vector<DeviceInfo> &devices);

/// Opens what --device names, several as one (device_group.hpp); "" is "auto".
Result<std::unique_ptr<Device>> open_devices(std::string_view text, const Image &image);

}  // namespace mog
