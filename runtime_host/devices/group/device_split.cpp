// device_split.cpp: shares by speed; what is remembered of it.
#include "runtime_host/devices/group/device_split.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "runtime_host/device/kernel_cache.hpp"
#include "support/text.hpp"

namespace mog {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// A launch this short is not made shorter: PEs that print soon shall do so in the same round on all devices.
constexpr u32 least_passes = 10'000;
/// A run shorter than this, on the device that took longest, says nothing about speeds.
constexpr double least_seconds = 0.05;
constexpr double least_part = 1e-4;  ///< of the PEs: a device that was slow once gets another chance

/// Parts of the PEs, not whole ones: by speed, and those that have less room are full.
std::vector<double> fill(u32 pes, std::span<const DeviceShare> devices) {
    std::vector<double> parts(devices.size());
    std::vector<bool> full(devices.size());
    for (bool again = true; again;) {
        again = false;
        double left = pes, speeds = 0;
        for (std::size_t i = 0; i < devices.size(); i++) {
            if (full[i]) left -= parts[i];
            else speeds += devices[i].speed;
        }
        for (std::size_t i = 0; i < devices.size(); i++) {
            if (full[i]) continue;
            parts[i] = left * devices[i].speed / speeds;
            if (parts[i] <= static_cast<double>(devices[i].room)) continue;
            parts[i] = static_cast<double>(devices[i].room);
            full[i] = again = true;
            break;  // what it does not take changes the parts of the others
        }
    }
    return parts;
}

}  // namespace

std::optional<std::vector<u32>> split_pes(u32 pes, std::span<const DeviceShare> devices) {
    u64 room = 0;
    for (const DeviceShare &device : devices) room += std::min<u64>(device.room, pes);
    if (room < pes) return {};
    const std::vector<double> parts = fill(pes, devices);
    std::vector<u32> counts;
    for (const double part : parts) counts.push_back(static_cast<u32>(part));
    // The rest, one each, to those that were cut off most.
    std::vector<std::size_t> order(devices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) { return parts[i] - counts[i]; });
    u32 left = pes - std::accumulate(counts.begin(), counts.end(), u32{0});
    while (left > 0)
        for (const std::size_t i : order)
            if (left > 0 && counts[i] < devices[i].room) counts[i]++, left--;
    if (pes < devices.size()) return counts;
    for (std::size_t i = 0; i < devices.size(); i++) {
        if (counts[i] != 0 || devices[i].room == 0) continue;
        auto most = std::ranges::max_element(counts);
        (*most)--;
        counts[i]++;
    }
    return counts;
}

double estimated_speed(const DeviceInfo &device) {
    // It decodes each instruction anew.
    constexpr double of_reference = 0.05;
    return std::max(1u, device.units) * (device.id == "reference" ? of_reference : 1.0);
}

RememberedSpeeds::RememberedSpeeds(const Image &image, std::span<const DeviceInfo> devices, const LoadConfig &config) {
    std::string names;
    for (const DeviceInfo &device : devices) {
        names += fmt::format("{}\n{}\n{}\n", device.id, device.description, device.driver);
        ids_.push_back(device.id);
    }
    key_ = run_cache_key("speeds of devices", image, names, config);
}

std::optional<std::vector<double>> RememberedSpeeds::find() const {
    const auto bytes = kernel_cache_load(key_);
    if (!bytes) return {};
    std::vector<double> parts;
    for (const std::string_view word : split_words({reinterpret_cast<const char *>(bytes->data()), bytes->size()})) {
        double part = 0;
        const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), part);
        if (failed != std::errc() || end != word.data() + word.size() || !(part > 0 && part <= 1)) return {};
        parts.push_back(part);
    }
    if (parts.size() != ids_.size()) return {};
    return parts;
}

void RememberedSpeeds::learn(std::span<const u32> pes, std::span<const double> seconds) const {
    if (std::ranges::max(seconds) < least_seconds) return;
    std::vector<double> parts;
    for (std::size_t i = 0; i < pes.size(); i++) {
        if (pes[i] == 0 || seconds[i] <= 0) return;
        parts.push_back(pes[i] / seconds[i]);
    }
    const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
    const std::optional<std::vector<double>> known = find();
    std::string text, log;
    for (std::size_t i = 0; i < parts.size(); i++) {
        parts[i] /= sum;
        if (known) parts[i] = (parts[i] + (*known)[i]) / 2;
        parts[i] = std::max(parts[i], least_part);
        text += fmt::format("{:.6f}\n", std::min(parts[i], 1.0));
        log += fmt::format("{}: {:.1f} % of the speed\n", ids_[i], 100 * parts[i]);
    }
    kernel_cache_store(key_, {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()}, log);
}

double LaunchPace::seconds(u32 active, u32 passes) const { return rate_ > 0 ? passes * turns(active) / rate_ : 0; }

void LaunchPace::ran(u32 active, u32 stopped, u32 passes, double seconds) {
    if (stopped == active || seconds <= 0) return;  // nobody used all passes
    const double rate = passes * turns(active) / seconds;
    rate_ = rate_ > 0 ? (rate_ + rate) / 2 : rate;
}

std::vector<u32> split_passes(u32 passes, std::span<const double> seconds) {
    double fastest = HUGE_VAL;
    for (const double s : seconds)
        if (s > 0) fastest = std::min(fastest, s);
    if (fastest == HUGE_VAL) return std::vector<u32>(seconds.size(), passes);
    std::vector<u32> shares;
    for (const double s : seconds) {
        const double share = s > 0 ? passes * (fastest / s) : 0;
        shares.push_back(std::clamp(static_cast<u32>(share), std::min(passes, least_passes), passes));
    }
    return shares;
}

}  // namespace mog
