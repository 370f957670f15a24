// code_samples.hpp: where PEs are, now and then: what part of the instructions is interpreted, and in which functions.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime_host/device/device.hpp"

namespace mog {

/// What is executed without compiled blocks, by samples.
struct InterpretedCode {
    double share = 0;                                       ///< of all instructions, 0 to 1
    std::uint32_t samples = 0;                              ///< that say so; 0: the run was too short for any
    std::vector<std::pair<std::string, double>> functions;  ///< by name; of all instructions, so much; the most first
};

/// Looks where PEs stand after numbers of instructions that have nothing to do with what the program does. At first they are small, so
/// that short runs have samples too, and grow with the run: there are some 90 whenever the run has doubled. Devices that look for hot code
/// are told, for which each 10 ms have a sample at least.
class CodeSamples {
public:
    /// `cuts`: launches may be made to end where a sample is due (passes()); else samples are taken where launches end anyway. Of GPUs,
    /// whose launches take longer to begin, they are cut less often.
    CodeSamples(const Device &device, bool cuts);

    /// The passes of a launch that would have so many.
    std::uint32_t passes(std::uint32_t slice) const { return cuts_ && left_ < slice ? left_ : slice; }
    /// A launch of `pes`, ascending, had `passes` passes and took so long, and some of them stopped.
    Result<void> ran(Device &device, std::span<const std::uint32_t> pes, std::span<const Request> stopped, std::uint32_t passes,
                     double seconds);

    /// These PEs, ascending, can go on, each after about so many instructions since they were looked at last.
    Result<void> look(Device &device, std::span<const std::uint32_t> pes, std::uint64_t instructions);

    /// The result. `engine`: as the device tells about it; `device`: its id.
    InterpretedCode interpreted(const Image &image, std::string_view device, const DeviceStats &engine) const;

private:
    bool cuts_;
    std::uint64_t of_run_;                      ///< samples at the pace of any moment
    double most_seconds_, seconds_ = 0;         ///< between two samples; of all launches
    std::uint32_t least_, left_;                ///< instructions between two samples, at least; to the next one
    std::uint64_t executed_ = 0, sampled_ = 0;  ///< instructions of each PE, about; of them before the last sample
    std::uint32_t random_ = 1, samples_ = 0;
    std::map<std::uint32_t, double> weights_;  ///< by TEXT index: instructions that a sample there stands for
};

/// By TEXT index: whether mogcc compiled it for the engine that ran, as the device tells about that.
std::vector<bool> compiled_code(const Image &image, std::string_view device, const DeviceStats &engine);

/// Whether the engine, as the device tells about it, has compiled blocks.
bool has_compiled_blocks(std::string_view engine);

}  // namespace mog
