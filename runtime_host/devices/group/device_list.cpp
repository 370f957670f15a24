// device_list.cpp: the list is read, "all" is looked up, devices are opened.
#include "runtime_host/devices/group/device_list.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "runtime_host/devices/group/device_group.hpp"
#include "runtime_host/devices/open_device.hpp"

namespace mog {

namespace {

Error no_device(std::string_view text) {
    return Error{
        fmt::format("\"{}\" is not a device: reference, host, opencl, opencl:N, cuda, cuda:N, auto, all, or several such as "
                    "cuda:0,host or cuda:0=3,host=1",
                    text)};
}

/// reference, host, opencl, opencl:N, cuda, cuda:N.
bool is_device(std::string_view id) {
    const std::string_view kind = parse_device_id(id).kind;
    if (kind == "opencl" || kind == "cuda") return true;
    return id == "reference" || id == "host";
}

}  // namespace

Result<std::vector<WantedDevice>> parse_device_list(std::string_view text) {
    if (text == "all" || text == "auto") return std::vector<WantedDevice>{{std::string(text), 0}};
    std::vector<WantedDevice> list;
    for (std::string_view rest = text;;) {
        const std::size_t comma = rest.find(',');
        const std::string_view entry = rest.substr(0, comma);
        const std::size_t equals = entry.find('=');
        WantedDevice device{std::string(entry.substr(0, equals)), 0};
        if (!is_device(device.id)) return no_device(text);
        if (equals != std::string_view::npos) {
            const std::string_view number = entry.substr(equals + 1);
            const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), device.weight);
            if (number.empty() || failed != std::errc() || end != number.data() + number.size() || !std::isfinite(device.weight) ||
                device.weight <= 0)
                return Error{fmt::format("\"{}\" is not a device with its share of the PEs, such as cuda:0=3 or host=0.5", entry)};
        }
        if (!list.empty() && (device.weight > 0) != (list.front().weight > 0))
            return Error{fmt::format("\"{}\" is not a list in which every device has a weight, or none", text)};
        list.push_back(std::move(device));
        if (comma == std::string_view::npos) return list;
        rest.remove_prefix(comma + 1);
    }
}

std::vector<WantedDevice> choose_all(const std::vector<DeviceInfo> &devices) {
    const bool cuda = std::ranges::any_of(devices, [](const DeviceInfo &d) { return d.id.starts_with("cuda:"); });
    std::vector<WantedDevice> chosen;
    for (const DeviceInfo &device : devices)
        // A card of NVIDIA is one of CUDA's already, if there are any.
        if (device.is_gpu && !(cuda && device.is_nvidia && device.id.starts_with("opencl:"))) chosen.push_back({device.id, 0});
    // The others are all the same cores; the first is the fastest.
    const auto cpu = std::ranges::find(devices, false, &DeviceInfo::is_gpu);
    if (cpu != devices.end()) chosen.push_back({cpu->id, 0});
    return chosen;
}

Result<std::unique_ptr<Device>> open_devices(std::string_view text, const Image &image) {
    if (text.empty()) return open_device("auto", image);
    Result<std::vector<WantedDevice>> list = parse_device_list(text);
    if (!list) return list.error();
    const bool all = text == "all";
    if (all) list = choose_all(list_devices(&image, nullptr));
    if (list->size() == 1) return open_device(list->front().id, image);
    return open_device_group(*list, all, image);
}

}  // namespace mog
