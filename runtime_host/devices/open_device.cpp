// open_device.cpp: which devices there are, which is best, and how to open one by name.
#include "runtime_host/devices/open_device.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "assembler/image/spaces.hpp"
#include "runtime_host/devices/cuda/cuda_device.hpp"
#include "runtime_host/devices/host/host_device.hpp"
#include "runtime_host/devices/opencl/opencl_api.hpp"
#include "runtime_host/devices/opencl/opencl_device.hpp"
#include "runtime_host/devices/reference/reference_device.hpp"

namespace mog {

std::unique_ptr<Device> stand_in_for_profile(const Device &device, const std::function<void(std::string_view)> &say) {
    // Its interpreter was compiled by mogcc, without counters.
    if (device.info().id != "host") return nullptr;
    say("--profile: the interpreter for the device \"host\" does not count, so the reference machine runs the program");
    return make_reference_device();
}

std::vector<DeviceInfo> list_devices(const Image *image, std::vector<std::string> *notes) {
    std::vector<DeviceInfo> list;
    std::vector<DeviceInfo> opencl;
    // A card that CUDA runs stands before the same card with OpenCL.
    if (!image || image->products.has(ProductKind::cuda)) list = list_cuda_devices(image, notes);
    if (!image || image->products.has(ProductKind::opencl)) opencl = list_opencl_devices(image, notes);
    std::copy_if(opencl.begin(), opencl.end(), std::back_inserter(list), [](const DeviceInfo &d) { return d.is_gpu; });
    if (!image || runs_on_host(*image)) list.push_back(host_device_info());
    std::copy_if(opencl.begin(), opencl.end(), std::back_inserter(list), [](const DeviceInfo &d) { return !d.is_gpu; });
    list.push_back(reference_device_info());
    return list;
}

namespace {

/// Opening OpenCL takes PoCL longer than small programs run, and `host` comes before PoCL anyway.
std::string best_device(const Image &image) {
    if (runs_on_host(image) && !opencl_may_have_gpu()) {
        std::vector<DeviceInfo> cuda;
        if (image.products.has(ProductKind::cuda)) cuda = list_cuda_devices(&image, nullptr);
        return cuda.empty() ? "host" : cuda.front().id;
    }
    return list_devices(&image, nullptr).front().id;
}

}  // namespace

Result<std::unique_ptr<Device>> open_device(std::string_view id, const Image &image) {
    std::string best;
    if (id.empty() || id == "auto") {
        best = best_device(image);
        id = best;
    } else if (id == "opencl") {
        for (const DeviceInfo &device : list_opencl_devices(&image, nullptr))
            if (best.empty() || device.is_gpu) {
                best = device.id;
                if (device.is_gpu) break;
            }
        if (!best.empty()) id = best;
    }
    DeviceId parts = parse_device_id(id);
    if (parts.kind == "reference" && parts.number == 0) return make_reference_device();
    if (parts.kind == "host" && parts.number == 0) {
        if (!runs_on_host(image))
            return Error{
                "the program has memory besides its PEs' own, and no interpreter compiled for the device \"host\"; --device=reference "
                "runs any program"};
        return make_host_device();
    }
    if (parts.kind == "opencl") return make_opencl_device(parts.number);
    if (parts.kind == "cuda") return make_cuda_device(parts.number);
    return Error{fmt::format("there is no device \"{}\"; mogrun --list-devices lists those that are", id)};
}

}  // namespace mog
