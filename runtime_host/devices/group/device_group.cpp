// device_group.cpp: opening, sharing out and loading. What a run does stands in device_group_runs.cpp.
#include "runtime_host/devices/group/device_group.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "runtime_host/device/host_room.hpp"
#include "runtime_host/devices/open_device.hpp"
#include "support/sizes.hpp"

namespace mog {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

double expected_speed(double weight, const DeviceInfo &info) { return weight > 0 ? weight : estimated_speed(info); }

}  // namespace

Result<std::unique_ptr<Device>> open_device_group(std::span<const WantedDevice> list, bool all, const Image &image) {
    std::vector<DeviceGroup::Member> members;
    for (const WantedDevice &wanted : list) {
        Result<std::unique_ptr<Device>> opened = open_device(wanted.id, image);
        if (!opened) return opened.error();
        const std::string &id = (*opened)->info().id;
        if (std::ranges::any_of(members, [&](const auto &m) { return m.device->info().id == id; }))
            return Error{fmt::format("--device names {} twice", id)};
        members.push_back({*std::move(opened), wanted.weight});
    }
    auto open = [&image](const std::string &id) { return open_device(id, image); };
    return std::unique_ptr<Device>(std::make_unique<DeviceGroup>(std::move(members), all, open));
}

DeviceGroup::DeviceGroup(std::vector<Member> members, bool all, Open open) : all_(all), open_(std::move(open)) {
    for (Member &member : members) {
        Child &child = children_.emplace_back();
        child.info = member.device->info();
        child.weight = member.weight;
        child.device = std::move(member.device);
        if (children_.size() > 1) child.thread = std::make_unique<DeviceThread>();
    }
    describe();
}

/// Makes what is known of the children into what one device says of itself.
void DeviceGroup::describe() {
    info_ = {};
    info_.is_gpu = true;
    info_.units = 0;
    double speeds = 0, on_cpus = 0;
    u64 memory_of_cpus = 0;
    std::string separator;
    for (const Child &child : children_) {
        info_.id += (separator.empty() ? "" : ",") + child.info.id;
        info_.description += separator + child.info.description;
        info_.driver += separator + child.info.driver;
        separator = "; ";
        info_.is_gpu = info_.is_gpu && child.info.is_gpu;
        info_.lanes = std::max(info_.lanes, child.info.lanes);
        info_.units += child.info.units;
        info_.fill_pes += child.info.fill_pes;
        const double speed = expected_speed(child.weight, child.info);
        speeds += speed;
        if (child.info.is_gpu) continue;
        on_cpus += speed;
        memory_of_cpus = std::max(memory_of_cpus, child.info.memory_bytes);
    }
    // What all PEs can have so that each device has memory for those that it is expected to get. CPUs have the same memory.
    info_.memory_bytes = UINT64_MAX;
    const auto bound = [&](u64 bytes, double speed) {
        info_.memory_bytes = std::min(info_.memory_bytes, static_cast<u64>(static_cast<double>(bytes) * (speeds / speed)));
    };
    for (const Child &child : children_)
        if (child.info.is_gpu) bound(child.info.memory_bytes, expected_speed(child.weight, child.info));
    if (on_cpus > 0) bound(memory_of_cpus, on_cpus);
}

/// The error with the device's name, unless it names it itself.
Error DeviceGroup::name(const Child &child, const Error &error) const {
    Error named = error;
    if (named.message.find(child.info.id) == std::string::npos) named.message = child.info.id + ": " + named.message;
    return named;
}

u64 DeviceGroup::bytes_per_pe(const Image &image, u32 data_words) const {
    u64 most = 0;
    for (const Child &child : children_)
        if (child.device) most = std::max(most, child.device->bytes_per_pe(image, data_words));
    return most;
}

Result<u64> DeviceGroup::room(const Image &image, u32 data_words) {
    const auto ask = [&](Child &child) -> Result<void> {
        MOG_TRY(child.device->enter_thread());
        const Result<u64> room = child.device->room(image, data_words);
        if (!room) return room.error();
        child.room = *room;
        if (child.room != 0) return {};
        return Error{fmt::format("{} has no room for a PE with {} of memory; lower --mem", child.info.id, format_size(4ull * data_words))};
    };
    MOG_TRY(on_each(everyone(), ask));
    u64 sum = 0;
    for (const Child &child : children_) sum += std::min(child.room, UINT64_MAX - sum);
    return sum;
}

/// Whoever keeps nothing from run to run is opened anew; whoever cannot count for a profile has a stand-in.
Result<void> DeviceGroup::open_again(const LoadConfig &config) {
    for (Child &child : children_) {
        if (!child.device) {
            Result<std::unique_ptr<Device>> opened = open_(child.info.id);
            if (!opened) return name(child, opened.error());
            child.device = *std::move(opened);
        }
        if (!config.profile) continue;
        if (std::unique_ptr<Device> other = stand_in_for_profile(*child.device, config.say)) child.device = std::move(other);
    }
    return {};
}

/// Decides which PEs are whose.
Result<void> DeviceGroup::split(const Image &image, const LoadConfig &config) {
    const Result<u64> all_room = room(image, config.data_words);
    if (!all_room) return all_room.error();
    std::vector<DeviceInfo> infos;
    for (const Child &child : children_) infos.push_back(child.info);
    remembered_ = std::make_unique<RememberedSpeeds>(image, infos, config);
    const std::optional<std::vector<double>> known = remembered_->find();
    std::vector<DeviceShare> shares;
    for (std::size_t i = 0; i < children_.size(); i++) {
        const Child &child = children_[i];
        shares.push_back({child.weight == 0 && known ? (*known)[i] : expected_speed(child.weight, child.info), child.room});
    }
    const std::optional<std::vector<u32>> counts = split_pes(config.nproc, shares);
    if (!counts)
        return Error{fmt::format("{} PEs with {} KiB each do not fit {}: {}", config.nproc, config.data_words / 256, info_.id,
                                 what_to_lower(*all_room, 0))};
    u32 first = 0;
    for (std::size_t i = 0; i < children_.size(); i++) {
        Child &child = children_[i];
        child.first = first;
        child.count = (*counts)[i];
        child.pace = LaunchPace(std::max(1u, child.info.fill_pes));
        child.seconds = 0;
        first += child.count;
    }
    return {};
}

Result<void> DeviceGroup::load_all(const Image &image, const LoadConfig &config) {
    MOG_TRY(open_again(config));
    MOG_TRY(split(image, config));
    const auto load = [&](Child &child) {
        LoadConfig own = config;
        own.beside_others = true;
        own.nproc = child.count;
        return child.device->load(image, own);
    };
    // Drivers for CPUs may set variables of the environment, so nobody else is at work then.
    std::vector<Child *> gpus;
    for (Child *child : with_pes()) {
        if (child->info.is_gpu) gpus.push_back(child);
        else MOG_TRY(on_each({&child, 1}, load));
    }
    return on_each(gpus, load);
}

/// Devices know nothing of each other: each has numbered its PEs from 0 on, and counted them.
Result<void> DeviceGroup::number_pes() {
    return on_each(with_pes(), [&](Child &child) { return mog::number_pes(*child.device, child.count, child.first, nproc_); });
}

/// Those that could not do what was asked of them last. False: nobody would be left, or it was nobody's own fault.
bool DeviceGroup::leave_out_failed(const LoadConfig &config) {
    const auto failed = [](const Child &child) { return !child.outcome; };
    const auto count = std::ranges::count_if(children_, failed);
    if (count == 0 || static_cast<std::size_t>(count) == children_.size()) return false;
    for (const Child &child : children_)
        if (failed(child) && config.say) config.say(fmt::format("without {}: {}", child.info.id, child.outcome.error().text()));
    std::erase_if(children_, failed);
    unload();
    describe();
    return true;
}

Result<void> DeviceGroup::load(const Image &image, const LoadConfig &config) {
    if (config.window_bytes != 0 && children_.size() > 1)
        return Error{fmt::format("--device {}: the program has memory that all its PEs share, which several devices do not", info_.id)};
    if (config.threads > 1 && children_.size() > 1)
        return Error{fmt::format("--device {}: threads share memory, which several devices do not; --threads 1 forbids threads", info_.id)};
    nproc_ = config.nproc;
    adapts_ = !config.fixed_slices;
    for (;;) {
        for (Child &child : children_) child.outcome = {};
        Result<void> loaded = load_all(image, config);
        if (loaded) return number_pes();
        if (!all_ || !leave_out_failed(config)) return loaded;
    }
}

bool DeviceGroup::unload() {
    (void)on_each(everyone(), [](Child &child) -> Result<void> {
        if (child.device && !child.device->unload()) child.device.reset();
        return {};
    });
    return std::ranges::any_of(children_, [](const Child &child) { return child.device != nullptr; });
}

}  // namespace mog
