// slotted_device.cpp
#include "runtime_host/devices/slots/slotted_device.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "interp_templates/launch_abi.h"
#include "runtime_host/device/start_state.hpp"

namespace mog {

Result<void> SlottedDevice::load(const Image &image, const LoadConfig &config) {
    image_ = &image;
    config_ = config;
    processes_ = config.processes();
    slots_ = std::min(slots_, processes_);
    config_.nproc = slots_ * config.threads;
    slot_of_.assign(processes_, none);
    process_of_.assign(slots_, none);
    begun_.assign(slots_, 0);
    ended_.clear();
    ready_.resize(slots_);
    std::iota(ready_.rbegin(), ready_.rend(), 0u);  // the last one is taken first
    return device_->load(image, config_);
}

// ---- slots ---------------------------------------------------------------------------------------------------------------

void SlottedDevice::ended(u32 process) {
    if (slot_of_[process] == none) return;
    ended_.push_back(slot_of_[process]);
    slot_of_[process] = none;
}

Result<void> SlottedDevice::clear_slots() {
    if (ended_.empty()) return {};
    Result<std::vector<u32>> cleared = restart(ended_);
    if (!cleared) return cleared.error();
    std::ranges::sort(*cleared);
    std::erase_if(ended_, [&](u32 slot) { return std::ranges::binary_search(*cleared, slot); });
    ready_.insert(ready_.end(), cleared->rbegin(), cleared->rend());
    return {};
}

bool SlottedDevice::clear_slot_of(u32 ended) {
    if (ended_.empty() || process_of_[ended_.back()] != ended) return false;
    const auto cleared = device_->restart({&ended_.back(), 1});
    if (!cleared || cleared->empty()) return false;
    ready_.push_back(ended_.back());
    ended_.pop_back();
    return true;
}

Result<void> SlottedDevice::begin(u32 process) {
    const u32 slot = ready_.back();
    ready_.pop_back();
    slot_of_[process] = slot;
    process_of_[slot] = process;
    begun_[slot]++;
    const u32 numbers[] = {processes_, process};
    static_assert(MOG_CB_IPROC == MOG_CB_NPROC + 1);
    const Transfer transfer{slot, MOG_DATA_BASE + 4 * MOG_CB_NPROC, sizeof numbers, 0, false};
    return device_->scatter({&transfer, 1}, {reinterpret_cast<const std::uint8_t *>(numbers), sizeof numbers});
}

Result<std::vector<std::uint32_t>> SlottedDevice::restart(std::vector<u32> slots) {
    std::ranges::sort(slots);
    if (auto restarted = device_->restart(slots)) return *std::move(restarted);
    for (const u32 slot : slots)
        if (Result<void> done = restart_by_transfers(slot); !done) return done.error();
    return slots;
}

/// For devices that know no other way: all of its memory and its registers are written.
Result<void> SlottedDevice::restart_by_transfers(u32 slot) {
    constexpr u32 piece = 1u << 20;
    const u32 bytes = 4 * config_.data_words, rows = MOG_S_REGS + static_cast<u32>(image_->register_names.size());
    std::vector<std::uint8_t> staging(std::min(piece, bytes));
    std::vector<Transfer> transfers;
    for (u32 at = 0; at < bytes; at += piece) transfers.push_back({slot, MOG_DATA_BASE + at, std::min(piece, bytes - at), 0, false});
    for (u32 thread = slot; thread < config_.nproc; thread += slots_)
        for (u32 row = 0; row < rows; ++row) transfers.push_back({thread, row, 4, 0, true});
    MOG_TRY(device_->scatter(transfers, staging));
    // The first words, from the program's data on, and the topmost, and two registers: as write_start_state() has it.
    std::vector<u32> words = initial_data(*image_, config_);
    words[MOG_CB_LIMIT] = MOG_DATA_BASE + bytes;
    const auto data = static_cast<u32>(words.size()), startup = static_cast<u32>(config_.startup.size());
    words.insert(words.end(), config_.startup.begin(), config_.startup.end());
    const u32 stack = MOG_DATA_BASE + bytes - 4 * startup;
    words.push_back(image_->entry);
    words.push_back(stack);
    const Transfer start[] = {{slot, MOG_DATA_BASE, 4 * data, 0, false},
                              {slot, stack, 4 * startup, 4 * data, false},
                              {slot, MOG_S_PC, 4, 4 * (data + startup), true},
                              {slot, MOG_S_REGS + image_->roles[static_cast<std::size_t>(Role::sp)], 4, 4 * (data + startup) + 4, true}};
    return device_->scatter(start, {reinterpret_cast<const std::uint8_t *>(words.data()), 4 * words.size()});
}

// ---- numbers -------------------------------------------------------------------------------------------------------------

std::vector<Transfer> SlottedDevice::to_slots(std::span<const Transfer> transfers) const {
    std::vector<Transfer> own;
    own.reserve(transfers.size());
    for (const Transfer &transfer : transfers) {
        if (!is_here(transfer.pe)) continue;
        own.push_back(transfer);
        own.back().pe = to_slot(transfer.pe);
    }
    return own;
}

Result<std::vector<Request>> SlottedDevice::run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) {
    struct Place {
        u32 slot, passes;
    };
    std::vector<Place> places;
    places.reserve(active.size());
    for (std::size_t i = 0; i < active.size(); ++i) places.push_back({to_slot(active[i]), own_passes.empty() ? 0 : own_passes[i]});
    std::ranges::sort(places, {}, &Place::slot);
    std::vector<u32> slots, own;
    for (const Place &place : places) {
        slots.push_back(place.slot);
        if (!own_passes.empty()) own.push_back(place.passes);
    }
    Result<std::vector<Request>> stopped = device_->run(slots, passes, own);
    if (!stopped) return stopped;
    for (Request &request : *stopped) request[MOG_Q_PE] = from_slot(request[MOG_Q_PE]);
    std::ranges::sort(*stopped, {}, [](const Request &request) { return request[MOG_Q_PE]; });
    return stopped;
}

void SlottedDevice::serve_at_once(ServeAtOnce serve) {
    if (!serve) return device_->serve_at_once({});
    device_->serve_at_once([this, serve = std::move(serve)](const Request &call, std::vector<u32> &woken) {
        const u32 slot = call[MOG_Q_PE], begun = begun_[slot % slots_];
        Request own = call;
        own[MOG_Q_PE] = from_slot(slot);
        const Served served = serve(own, woken);
        for (u32 &pe : woken) pe = to_slot(pe);
        return served == Served::rests && begun_[slot % slots_] != begun ? Served::begins : served;
    });
}

Result<void> SlottedDevice::gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) {
    for (const Transfer &transfer : transfers)
        if (!is_here(transfer.pe)) std::memset(staging.data() + transfer.staging, 0, transfer.is_state ? 4 : transfer.length);
    return device_->gather(to_slots(transfers), staging);
}

Result<void> SlottedDevice::scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) {
    return device_->scatter(to_slots(transfers), staging);
}

Result<void> SlottedDevice::find_not_zero(std::span<const Range> ranges, std::span<u32> found) {
    std::vector<Range> own;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        found[i] = ranges[i].end;
        if (!is_here(ranges[i].pe)) continue;
        own.push_back({to_slot(ranges[i].pe), ranges[i].begin, ranges[i].end});
        places.push_back(i);
    }
    std::vector<u32> own_found(own.size());
    MOG_TRY(device_->find_not_zero(own, own_found));
    for (std::size_t i = 0; i < own.size(); ++i) found[places[i]] = own_found[i];
    return {};
}

Device::Changes SlottedDevice::changes() const {
    Changes own = device_->changes();
    if (!own) return {};
    return [this, own = std::move(own)](const Range &range, std::vector<Range> &parts) {
        if (!is_here(range.pe)) return;
        const std::size_t first = parts.size();
        own({to_slot(range.pe), range.begin, range.end}, parts);
        for (std::size_t i = first; i < parts.size(); ++i) parts[i].pe = range.pe;
    };
}

Result<void> SlottedDevice::answer(std::span<const Answer> answers, AnswerRows rows) {
    std::vector<Answer> own;
    own.reserve(answers.size());
    for (const Answer &answer : answers)
        if (is_here(answer.pe)) own.push_back({to_slot(answer.pe), answer.value, answer.failed});
    return device_->answer(own, rows);
}

Result<void> SlottedDevice::copy(std::span<const Copy> copies) {
    std::vector<Copy> own(copies.begin(), copies.end());
    for (Copy &copy : own) {
        copy.from_pe = to_slot(copy.from_pe);
        copy.to_pe = to_slot(copy.to_pe);
    }
    return device_->copy(own);
}

Result<void> SlottedDevice::copy_state(u32 from_pe, u32 to_pe, u32 words) {
    return device_->copy_state(to_slot(from_pe), to_slot(to_pe), words);
}

void SlottedDevice::seen(std::span<const u32> pes, std::span<const u32> at, double instructions) {
    std::vector<u32> slots, places;
    for (std::size_t i = 0; i < pes.size(); ++i) {
        if (!is_here(pes[i])) continue;
        slots.push_back(to_slot(pes[i]));
        places.push_back(at[i]);
    }
    device_->seen(slots, places, instructions);
}

}  // namespace mog
