// kernel_setup.hpp: what devices with kernels have in common, whatever launches them: the definitions an interpreter is compiled with, what
// it reads and nobody writes, and the counters of a profile.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assembler/image/superinstruction.hpp"
#include "runtime_host/device/arithmetic.hpp"
#include "runtime_host/device/device.hpp"

namespace mog {

/// Bytes on the device for one PE: DATA, state, its record in SYSBUF, its place in the list of those that run.
std::uint64_t kernel_bytes_per_pe(const Image &image, std::uint32_t data_words);

/// Words that DATA of a PE takes, with so many `behind` it: whole sectors, where these lie side by side, and before it what counts them.
std::uint32_t laid_words(const LoadConfig &config, std::uint32_t behind = 0);

/// Options of the compiler: " -DMOG_COUNT ...". `entries`: to compiled blocks; empty: there are none.
std::string kernel_definitions(const Arithmetic &arithmetic, const LoadConfig &config, bool is_switch,
                               std::span<const std::uint32_t> entries);
/// The same for CUDA, whose kernels run while calls of other PEs are served.
std::string cuda_definitions(const Arithmetic &arithmetic, const LoadConfig &config, bool is_switch,
                             std::span<const std::uint32_t> entries);

/// TEXT, constants, code addresses and entries to compiled blocks, in the order of the kernel's parameters. Valid as long as the object,
/// image and entries.
struct KernelConstants {
    /// `plain`: without superinstructions, whatever else would allow them.
    KernelConstants(const Image &image, const LoadConfig &config, bool is_switch, std::span<const std::uint32_t> entries,
                    bool plain = false);
    KernelConstants(const KernelConstants &) = delete;
    KernelConstants &operator=(const KernelConstants &) = delete;

    LoadedText text;
    std::array<std::span<const std::uint8_t>, 4> parts;
};

/// What a kernel reads where PEs heed breaks (Device::set_breaks), instead of what the program has: TEXT, and the entries to compiled
/// blocks that are left.
struct KernelBreaks {
    KernelBreaks(const Image &image, std::span<const std::uint32_t> entries_of_all, std::span<const std::uint32_t> places);
    std::vector<std::uint16_t> text;
    std::vector<std::uint32_t> entries;
};

/// For a profile: what launches counted, in two counters of 32 bits for each TEXT index.
class LaunchCounts {
public:
    /// Before the first launch.
    void start(const Image &image);
    /// Of the counters on the device.
    std::uint64_t bytes() const { return 4 * counters_.size(); }
    /// Where a launch's counters are read to before they are taken over, which has to be before they can overflow.
    std::uint32_t *counters() { return counters_.data(); }
    void take_over();
    const RunCounts &total() const { return total_; }

private:
    std::vector<std::uint32_t> counters_;
    RunCounts total_;
};

}  // namespace mog
