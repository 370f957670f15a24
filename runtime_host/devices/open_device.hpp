// open_device.hpp: which devices there are, and how one is opened.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/device/device.hpp"

namespace mog {

/// The devices of this machine, best first. Never fails: what cannot be asked is left out, with a sentence in `notes`.
std::vector<DeviceInfo> list_devices(const Image *image, std::vector<std::string> *notes);
/// Opens one device by its id: "reference", "host", "opencl", "opencl:N", "cuda", "cuda:N"; "" or "auto": the best for this image.
Result<std::unique_ptr<Device>> open_device(std::string_view id, const Image &image);

/// For --profile: the reference machine, if this device does not count, which is said; else null.
std::unique_ptr<Device> stand_in_for_profile(const Device &device, const std::function<void(std::string_view)> &say);

}  // namespace mog
