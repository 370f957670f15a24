// slotted_device.hpp: a device for more PEs than run at a time. Each has a slot while it runs, which is a PE of the device behind; when it
// has ended, its slot is as a freshly loaded PE and is given to another one.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime_host/device/device.hpp"

namespace mog {

class SlottedDevice final : public Device {
public:
    using u32 = std::uint32_t;

    SlottedDevice(std::unique_ptr<Device> device, u32 slots) : device_(std::move(device)), slots_(slots) {}

    u32 slots() const { return slots_; }
    /// Between launches: slots of processes that have ended are made ready for others, as many as can be. Error: the device's.
    Result<void> clear_slots();
    /// In the midst of a launch the slot of the one that has just ended, if the device can do that. Whoever begins then has this slot, and
    /// though what served the call of its predecessor says that it rests, the slot runs on.
    bool clear_slot_of(u32 ended);
    bool has_ready_slot() const { return !ready_.empty(); }
    /// A process gets a slot that is ready, and its number.
    Result<void> begin(u32 process);
    bool has_slot(u32 process) const { return slot_of_[process] != none; }

    // Devices know PEs by their slots; whoever calls the following knows nothing of them. What a process has that has no slot reads as
    // zeros.

    const DeviceInfo &info() const override { return device_->info(); }
    Result<void> enter_thread() override { return device_->enter_thread(); }
    std::uint64_t bytes_per_pe(const Image &image, u32 data_words) const override { return device_->bytes_per_pe(image, data_words); }
    Result<std::uint64_t> room(const Image &image, u32 data_words) override { return device_->room(image, data_words); }
    Result<void> load(const Image &image, const LoadConfig &config) override;
    Result<std::vector<Request>> run(std::span<const u32> active, u32 passes, std::span<const u32> own_passes) override;
    void serve_at_once(ServeAtOnce serve) override;
    u32 enough_pes() const override { return device_->enough_pes(); }
    bool memory_is_ours() const override { return device_->memory_is_ours(); }
    Result<void> gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) override;
    Result<void> scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) override;
    Result<void> find_not_zero(std::span<const Range> ranges, std::span<u32> found) override;
    Changes changes() const override;
    Result<void> answer(std::span<const Answer> answers, AnswerRows rows) override;
    Result<void> copy(std::span<const Copy> copies) override;
    Result<void> copy_state(u32 from_pe, u32 to_pe, u32 words) override;
    void ended(u32 process) override;
    bool looks_for_hot_code() const override { return device_->looks_for_hot_code(); }
    void seen(std::span<const u32> pes, std::span<const u32> at, double instructions) override;
    bool is_busy() override { return device_->is_busy(); }
    void all_ended() override { device_->all_ended(); }
    Result<DeviceStats> stats() override { return device_->stats(); }
    Result<RunCounts> counts() override { return device_->counts(); }

private:
    static constexpr u32 none = UINT32_MAX;

    bool is_here(u32 pe) const { return slot_of_[pe % processes_] != none; }
    u32 to_slot(u32 pe) const { return slot_of_[pe % processes_] + pe / processes_ * slots_; }
    u32 from_slot(u32 pe) const { return process_of_[pe % slots_] + pe / slots_ * processes_; }
    std::vector<Transfer> to_slots(std::span<const Transfer> transfers) const;
    Result<std::vector<u32>> restart(std::vector<u32> slots);
    Result<void> restart_by_transfers(u32 slot);

    std::unique_ptr<Device> device_;
    u32 slots_, processes_ = 0;
    const Image *image_ = nullptr;
    LoadConfig config_{};             ///< of the device behind
    std::vector<u32> slot_of_;        ///< by process
    std::vector<u32> process_of_;     ///< by slot: the last that it had
    std::vector<u32> begun_;          ///< by slot: how many have had it
    std::vector<u32> ready_, ended_;  ///< slots that are free, and those that are to be cleared before
};

}  // namespace mog
