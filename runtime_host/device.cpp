// device.cpp: which devices there are, which is best, and how to open one by name.
#include "runtime_host/device.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "runtime_host/device_cuda.hpp"
#include "runtime_host/device_host.hpp"
#include "runtime_host/device_opencl.hpp"
#include "runtime_host/device_reference.hpp"
#include "runtime_host/opencl_api.hpp"

namespace mog {

Result<void> Device::answer(std::span<const Answer> answers, AnswerRows rows) {
    std::vector<Transfer> transfers;
    std::vector<std::uint32_t> words;
    transfers.reserve(2 * answers.size());
    words.reserve(2 * answers.size());
    for (const Answer &a : answers)
        for (const auto &[row, word] : {std::pair{rows.v0, a.value}, std::pair{rows.a3, std::uint32_t{a.failed}}}) {
            transfers.push_back({a.pe, row, 4, static_cast<std::uint32_t>(4 * words.size()), true});
            words.push_back(word);
        }
    return scatter(transfers, {reinterpret_cast<const std::uint8_t *>(words.data()), 4 * words.size()});
}

DeviceId parse_device_id(std::string_view id) {
    std::size_t colon = id.find(':');
    DeviceId parsed{id.substr(0, colon), 0};
    if (colon == std::string_view::npos) return parsed;
    std::string_view digits = id.substr(colon + 1);
    auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), parsed.number);
    if (digits.empty() || failed != std::errc() || end != digits.data() + digits.size()) return {};
    return parsed;
}

Result<void> number_pes(Device &device, std::uint32_t count, std::uint32_t first, std::uint32_t world) {
    static_assert(MOG_CB_IPROC == MOG_CB_NPROC + 1);
    constexpr std::uint32_t at_once = 1u << 16;
    std::vector<Transfer> transfers;
    std::vector<std::uint32_t> words;
    for (std::uint32_t begin = 0; begin < count; begin += at_once) {
        transfers.clear();
        words.clear();
        for (std::uint32_t pe = begin; pe < std::min(begin + at_once, count); pe++) {
            transfers.push_back({pe, MOG_DATA_BASE + 4 * MOG_CB_NPROC, 8, static_cast<std::uint32_t>(4 * words.size()), false});
            words.insert(words.end(), {world, first + pe});
        }
        MOG_TRY(device.scatter(transfers, {reinterpret_cast<const std::uint8_t *>(words.data()), 4 * words.size()}));
    }
    return {};
}

std::unique_ptr<Device> stand_in_for_profile(const Device &device, const std::function<void(std::string_view)> &say) {
    // Its interpreter was compiled by mogcc, without counters.
    if (device.info().id != "host") return nullptr;
    say("--profile: the interpreter for the device \"host\" does not count, so the reference machine runs the program");
    return make_reference_device();
}

Error no_compiled_blocks() {
    return Error{"--engine=blocks: the program has no compiled code in it (mogcc --build-time=0, or nothing in it is executed often)"};
}

std::vector<DeviceInfo> list_devices(const Image *image, std::vector<std::string> *notes) {
    std::vector<DeviceInfo> list;
    std::vector<DeviceInfo> opencl;
    // A card that CUDA runs stands before the same card with OpenCL.
    if (!image || image->products.contains("cuda")) list = list_cuda_devices(image, notes);
    if (!image || image->products.contains("opencl")) opencl = list_opencl_devices(image, notes);
    std::copy_if(opencl.begin(), opencl.end(), std::back_inserter(list), [](const DeviceInfo &d) { return d.is_gpu; });
    if (!image || image->has_host_code()) list.push_back(host_device_info());
    std::copy_if(opencl.begin(), opencl.end(), std::back_inserter(list), [](const DeviceInfo &d) { return !d.is_gpu; });
    list.push_back(reference_device_info());
    return list;
}

namespace {

/// Opening OpenCL takes PoCL longer than small programs run, and `host` comes before PoCL anyway.
std::string best_device(const Image &image) {
    if (image.has_host_code() && !opencl_may_have_gpu()) {
        std::vector<DeviceInfo> cuda;
        if (image.products.contains("cuda")) cuda = list_cuda_devices(&image, nullptr);
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
        if (!image.has_host_code())
            return Error{
                "the program has no interpreter compiled for the device \"host\"; --device=reference runs any program"};
        return make_host_device();
    }
    if (parts.kind == "opencl") return make_opencl_device(parts.number);
    if (parts.kind == "cuda") return make_cuda_device(parts.number);
    return Error{fmt::format("there is no device \"{}\"; mogrun --list-devices lists those that are", id)};
}

}  // namespace mog
