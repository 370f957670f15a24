// native_turns.hpp: PEs that ended their turns by `yield` in native code, and have their next ones there, without the interpreter.
//
// Threads of a process that wait for each other yield, and so do all of a large team at a barrier, so what a barrier costs is what a turn
// costs to begin and end. By way of the interpreter that is all registers loaded from the state, a row each, and stored again, all that
// was said before native code is entered, and the instructions up to where it is. Here a PE's registers stay together in memory, and
// the code of one goes on to the next one's, where that yielded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime_host/device/host_memory.hpp"
#include "runtime_host/devices/host/native/native_code.hpp"
#include "support/result.hpp"

namespace mog {

class NativeTurns {
public:
    using u32 = std::uint32_t;
    struct Turn {
        u32 pe, left;  ///< passes
    };
    struct Ran {
        std::size_t done = 0;      ///< turns
        std::uint64_t passes = 0;  ///< of all of them
        u32 last = 0;              ///< passes of the last one
        bool yielded = false;      ///< whether that ended as the others did; else the PE is in the state, and the interpreter's
    };

    /// Of so many PEs, whose state is that: a row of `stride` words for each of its words, `registers` of them registers.
    static Result<NativeTurns> make(NativeCode &code, u32 pes, u32 registers, u32 *state, u32 stride);

    /// Whether a PE is here and not in the state.
    bool has(u32 pe) const { return is_here_[pe] != 0; }
    /// Takes a PE from the state that yielded, if native code can go on there, and it has so many passes left.
    bool take(u32 pe);
    /// Back to the state with it.
    void give_back(u32 pe);
    /// Turns of PEs of a process, of no more than `allowed` passes each: of those that are here and have passes enough, up to the first
    /// that is not or has not; until one leaves native code. What is left to each is told.
    Ran run(std::span<Turn> turns, u32 allowed, u32 *mem);

private:
    NativeTurns(NativeCode &code, u32 pes, u32 registers, u32 *state, u32 stride, HostMemory memory);
    ParkedPe *at(u32 pe) const {
        return reinterpret_cast<ParkedPe *>(static_cast<std::uint8_t *>(memory_.data()) + std::size_t{pe} * bytes_);
    }
    static std::size_t bytes_of(u32 registers);
    static const Yield &yield_of(const ParkedPe &pe) { return static_cast<const Yield *>(pe.behind)[-1]; }
    static std::int32_t charged(const ParkedPe &pe) { return yield_of(pe).counted; }
    void store(u32 pe, u32 pc);
    static constexpr std::size_t most_at_once = 256;

    NativeCode *code_;
    u32 registers_, *state_, stride_;
    std::size_t bytes_;  ///< for each PE
    HostMemory memory_;
    std::vector<std::uint8_t> is_here_;
};

}  // namespace mog
