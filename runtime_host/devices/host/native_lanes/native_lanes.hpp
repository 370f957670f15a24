// native_lanes.hpp: a program's code for lanes, compiled for this processor in the run that wants it: by AVX-512, in milliseconds.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "assembler/image/image.hpp"
#include "runtime_host/devices/host/interpreter/host_interpreter.hpp"
#include "support/result.hpp"

namespace mog {

class NativeLanes {
public:
    /// Where PEs of a run are, laid for lanes.
    struct Memory {
        std::uint32_t *data = nullptr;
        std::uint32_t data_words = 0;  ///< of each
        std::uint32_t *state = nullptr;
        std::uint32_t stride = 0;  ///< words from one row of the state to the next
    };
    /// A launch's, as mog_run_lanes of lanes.c has them.
    struct Launch {
        const std::uint16_t *text = nullptr;
        std::uint32_t *requests = nullptr, *stopped = nullptr;
        std::uint32_t passes = 0, divergence = 0;
    };

    /// Whether it can be for this image on this processor: AVX-512, and no memory but PEs' own.
    static bool is_possible(const Image &image);
    /// What is to be gained before it pays, in seconds of a processor: many times what compiling takes, which a run would lose that ends
    /// soon.
    static double seconds_for(const Image &image);
    /// `image` and `program` outlive it. Error: the system gives no memory for code.
    static Result<std::unique_ptr<NativeLanes>> make(const Image &image, const HostProgram &program, std::uint32_t data_words);
    virtual ~NativeLanes() = default;

    /// Runs the lanes of `running`, of the PEs from MOG_LANES * warp on, for about so many passes of the warp. `counts`: by mog_lane_count,
    /// added. Several threads may, for a warp each.
    virtual void run(const Memory &memory, const Launch &launch, std::uint32_t warp, std::uint32_t running,
                     std::span<std::uint64_t> counts) const = 0;
    /// What compiling took, in seconds; MOG instructions, and the groups that they are in.
    virtual double seconds() const = 0;
    virtual std::uint32_t instructions() const = 0;

protected:
    NativeLanes() = default;
};

}  // namespace mog
