// device_group.hpp: several devices as one. PEs are shared out in ranges: the first device has PEs 0 to n - 1, the next one goes on from
// there, so that a device's PE p is PE `first + p` of the run. All devices run, or move bytes, at the same time, each driven by a thread
// of its own, and a call returns when all are done.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/group/device_list.hpp"
#include "runtime_host/devices/group/device_split.hpp"
#include "runtime_host/devices/group/device_thread.hpp"

namespace mog {

/// Opens them. `all`: what cannot take part is left out, with a sentence, rather than being an error. The image outlives the device.
Result<std::unique_ptr<Device>> open_device_group(std::span<const WantedDevice> list, bool all, const Image &image);

class DeviceGroup final : public Device {
public:
    using Open = std::function<Result<std::unique_ptr<Device>>(const std::string &id)>;

    struct Member {
        std::unique_ptr<Device> device;
        double weight = 0;  ///< 0: by speed
    };
    /// Two members or more. `open` makes a device anew that keeps nothing from run to run.
    DeviceGroup(std::vector<Member> members, bool all, Open open);

    const DeviceInfo &info() const override { return info_; }
    Result<void> enter_thread() override { return children_.front().device->enter_thread(); }
    std::uint64_t bytes_per_pe(const Image &image, std::uint32_t data_words) const override;
    Result<std::uint64_t> room(const Image &image, std::uint32_t data_words) override;
    Result<void> load(const Image &image, const LoadConfig &config) override;
    Result<std::vector<Request>> run(std::span<const std::uint32_t> active, std::uint32_t passes,
                                     std::span<const std::uint32_t> own_passes) override;
    Result<void> gather(std::span<const Transfer> transfers, std::span<std::uint8_t> staging) override;
    Result<void> find_not_zero(std::span<const Range> ranges, std::span<std::uint32_t> found) override;
    Result<void> scatter(std::span<const Transfer> transfers, std::span<const std::uint8_t> staging) override;
    Result<void> copy(std::span<const Copy> copies) override;
    bool looks_for_hot_code() const override;
    void seen(std::span<const std::uint32_t> pes, std::span<const std::uint32_t> at, double instructions) override;
    bool is_busy() override;
    void all_ended() override;
    bool unload() override;
    Result<DeviceStats> stats() override;
    Result<RunCounts> counts() override;

private:
    using u8 = std::uint8_t;
    using u32 = std::uint32_t;

    struct Child {
        DeviceInfo info;
        double weight = 0;
        std::unique_ptr<Device> device;        ///< null: to be opened again
        std::unique_ptr<DeviceThread> thread;  ///< the first one's is the caller's
        std::uint64_t room = 0;
        u32 first = 0, count = 0;  ///< its PEs
        LaunchPace pace;
        double seconds = 0;      ///< in launches
        Result<void> outcome{};  ///< of what it did last
        // Of the call in progress; kept to use their room again.
        std::vector<u32> active;
        std::span<const u32> own_passes;
        u32 passes = 0;
        std::vector<Request> stopped;
        DeviceStats stats;
        std::vector<Transfer> transfers;
        std::vector<Copy> copies;
        std::vector<u32> places;  ///< of their bytes, in the caller's staging
        std::vector<u8> staging;
    };

    /// Calls `task` for these children, at the same time. Error: the first one's that has one.
    Result<void> on_each(std::span<Child *const> children, const std::function<Result<void>(Child &)> &task);
    std::vector<Child *> everyone();
    std::vector<Child *> with_pes();
    void describe();
    Error name(const Child &child, const Error &error) const;
    Result<void> open_again(const LoadConfig &config);
    Result<void> split(const Image &image, const LoadConfig &config);
    Result<void> load_all(const Image &image, const LoadConfig &config);
    Result<void> number_pes();
    bool leave_out_failed(const LoadConfig &config);
    void plan_passes(std::span<Child *const> children, u32 passes);
    std::vector<Child *> share_out(std::span<const Transfer> transfers);
    Child &child_of(u32 pe);

    std::vector<Child> children_;
    bool all_;
    Open open_;
    DeviceInfo info_;
    u32 nproc_ = 0;
    bool adapts_ = true;  ///< the passes of launches
    std::unique_ptr<RememberedSpeeds> remembered_;
};

}  // namespace mog
