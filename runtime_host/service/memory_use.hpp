// memory_use.hpp: how much of its memory each PE has used at most: its heap by its own account, what it mapped by the host's, and its
// stack by what is left of it. Nothing is counted while PEs run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "runtime_host/population/population.hpp"

namespace mog {

/// Bytes, of one PE.
struct PeMemoryUse {
    std::uint32_t heap = 0;    ///< from the end of the program's variables to the highest that the break has been
    std::uint32_t mapped = 0;  ///< from the lowest address that was ever mapped (mmap, stacks of threads) up to the first thread's stack
    std::uint32_t stack = 0;  ///< of the first thread: from the lowest word that is not zero to the end, arguments and environment included
};

/// That of all PEs of a run.
struct MemoryUse {
    struct Part {
        std::uint32_t most = 0, median = 0;
        std::uint32_t rank = 0;  ///< the first one that had the most
    };
    std::uint32_t pes = 0;                ///< that were looked at
    std::uint32_t variables = 0;          ///< of each PE: the control block, variables, and constants but those that all PEs have once:
    std::uint32_t constants = 0;          ///< these
    Part heap, mapped, stack, all;        ///< `all`: the variables too
    std::optional<std::uint32_t> enough;  ///< with so much memory (--mem) each PE would do; none: it needs what it has
};

class MemoryGauge {
public:
    /// All outlive it.
    MemoryGauge(Device &device, const Image &image, Population &population) : device_(device), image_(image), population_(population) {}

    /// A process is about to end: what is known of it that will not be known later. `is_last_look`: nor will its memory be.
    void ends(std::uint32_t process, bool is_last_look);
    /// After the last run. Of more PEs than can be read in reasonable time, some. Error: the device's.
    Result<MemoryUse> read();

    /// With so much memory a PE that has used that and so many bytes of variables would do: with a reserve, for zeros on the stack are not
    /// seen, in round numbers.
    static std::uint32_t enough_for(const PeMemoryUse &use, std::uint32_t variables);

private:
    Result<void> look(std::span<const std::uint32_t> processes);

    Device &device_;
    const Image &image_;
    Population &population_;
    std::vector<std::uint32_t> lowest_mapped_;  ///< by process; 0: nothing was; empty: of all
    std::vector<std::optional<PeMemoryUse>> uses_;
    Result<void> failure_{};
};

}  // namespace mog
