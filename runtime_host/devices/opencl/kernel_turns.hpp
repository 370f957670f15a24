// kernel_turns.hpp: kernels of this process, on each core one, that ask what to run next: turns of PEs that may wait for each other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "assembler/emit/any_program.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/turns/turns_of_pes.hpp"

namespace mog {

class KernelTurns {
public:
    using u32 = std::uint32_t;

    /// For launches of so many work-items, which run the turns of PEs numbered below `pes`, but for those of `natives`, if any are.
    KernelTurns(u32 work_items, u32 pes, std::optional<NativeTurns> natives)
        : workers_(work_items), records_(pes), natives_(std::move(natives)) {}

    u32 work_items() const { return static_cast<u32>(workers_.size()); }

    /// What kernels call, with the number of their work-item and room for MOG_K_WORDS words (launch_abi.h).
    HostFunction hook() { return {reinterpret_cast<std::uintptr_t>(&KernelTurns::next), reinterpret_cast<std::uintptr_t>(this)}; }

    /// Before a launch; `serve` outlives it.
    void begin(std::span<const u32> pes, std::span<const u32> own_passes, TurnsOfPes::Settings settings, const Device::ServeAtOnce &serve) {
        settings.natives = natives_ ? &*natives_ : nullptr;
        settings.takers = work_items();
        turns_.emplace(pes, own_passes, settings, serve, records_);
    }
    /// Behind it: the records of those that have stopped.
    std::span<const Request> end();

private:
    /// A work-item, and what its kernel is given for a turn.
    struct Worker {
        std::optional<TurnsOfPes::Taker> taker;
        std::array<u32, 2> active{};  ///< a PE, and its passes
        u32 stopped = 0;
        Request record{};
    };
    static void next(KernelTurns *self, std::uint64_t item, std::uint64_t *turn);

    std::vector<Worker> workers_;
    std::vector<Request> records_;
    std::optional<NativeTurns> natives_;
    std::optional<TurnsOfPes> turns_;
};

}  // namespace mog
