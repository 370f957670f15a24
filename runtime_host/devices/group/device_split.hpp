// device_split.hpp: how work is shared out to several devices: PEs before a run, passes before each launch. Nothing here calls a device.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime_host/device/device.hpp"

namespace mog {

struct DeviceShare {
    double speed = 1;        ///< beside those of the others, more than 0
    std::uint64_t room = 0;  ///< PEs that it has memory for
};

/// How many of `pes` PEs each device gets: by speed, but none more than it has room for; at least one each, if there are enough.
/// Nothing: there is not room for all.
std::optional<std::vector<std::uint32_t>> split_pes(std::uint32_t pes, std::span<const DeviceShare> devices);

/// What a device will be about as fast as before it has run the program: processors of any kind count the same. (A multiprocessor
/// of an H100 executes half as many MIPS instructions a second as a core, where PEs diverge, and one and a half times as many where
/// they do not.)
double estimated_speed(const DeviceInfo &device);

/// Shares by which several devices took the same time for a program, in the order of the devices. They are kept from run to run, in the
/// folder of the kernel cache.
class RememberedSpeeds {
public:
    /// Of an image on devices, by as many PEs (to a power of 2), loaded in this way.
    RememberedSpeeds(const Image &image, std::span<const DeviceInfo> devices, const LoadConfig &config);

    /// Nothing: none are known.
    std::optional<std::vector<double>> find() const;
    /// A run of some length took `seconds` of each device for so many PEs of it. The new shares are the mean of what is known and what
    /// this says.
    void learn(std::span<const std::uint32_t> pes, std::span<const double> seconds) const;

private:
    std::string key_;
    std::vector<std::string> ids_;
};

/// How fast a device runs, as far as the length of its launches depends on it.
class LaunchPace {
public:
    /// `at_once`: PEs that it runs at the same time.
    explicit LaunchPace(std::uint32_t at_once = 1) : at_once_(at_once) {}

    /// Seconds for a launch; 0: not known yet.
    double seconds(std::uint32_t active, std::uint32_t passes) const;
    /// A launch of so many PEs with so many passes took this long. `stopped` of them used less than their passes.
    void ran(std::uint32_t active, std::uint32_t stopped, std::uint32_t passes, double seconds);

private:
    double turns(std::uint32_t active) const { return static_cast<double>((active + at_once_ - 1) / at_once_); }

    std::uint32_t at_once_;
    double rate_ = 0;  ///< passes a second, of those that run at once
};

/// The passes of each device in a launch, so that the slower ones take about as long for theirs as the fastest for `passes`. `seconds`:
/// what each would take for `passes`; 0: not known, so little is tried if that of others is.
std::vector<std::uint32_t> split_passes(std::uint32_t passes, std::span<const double> seconds);

}  // namespace mog
