// native_turns.cpp: from the state and back to it, and what a turn has used.
#include "runtime_host/devices/host/native/native_turns.hpp"

#include <algorithm>
#include <utility>

namespace mog {

namespace {

constexpr std::size_t line = 64;  ///< of a cache

}  // namespace

std::size_t NativeTurns::bytes_of(u32 registers) { return (sizeof(ParkedPe) + 4 * registers + line - 1) / line * line; }

Result<NativeTurns> NativeTurns::make(NativeCode &code, u32 pes, u32 registers, u32 *state, u32 stride) {
    Result<HostMemory> memory = HostMemory::allocate(pes * bytes_of(registers), pes);
    if (!memory) return memory.error();
    return NativeTurns(code, pes, registers, state, stride, *std::move(memory));
}

NativeTurns::NativeTurns(NativeCode &code, u32 pes, u32 registers, u32 *state, u32 stride, HostMemory memory)
    : code_(&code),
      registers_(registers),
      state_(state),
      stride_(stride),
      bytes_(bytes_of(registers)),
      memory_(std::move(memory)),
      is_here_(pes) {}

bool NativeTurns::take(u32 pe) {
    const auto row = [&](u32 number) { return state_[std::size_t{number} * stride_ + pe]; };
    const void *const behind = code_->behind_yield(row(MOG_S_PC));
    if (!behind) return false;
    ParkedPe &parked = *at(pe);
    parked.behind = behind;
    parked.blocks.cold = NativeCode::turn_is_over;
    parked.blocks.acc = row(MOG_S_ACC);
    parked.blocks.dacc = row(MOG_S_DLO) | std::uint64_t{row(MOG_S_DHI)} << 32;
    for (u32 r = 0; r < registers_; ++r) parked.registers()[r] = row(MOG_S_REGS + r);
    is_here_[pe] = 1;
    return true;
}

void NativeTurns::store(u32 pe, u32 pc) {
    const auto put = [&](u32 number, u32 value) { state_[std::size_t{number} * stride_ + pe] = value; };
    ParkedPe &parked = *at(pe);
    put(MOG_S_PC, pc);
    put(MOG_S_ACC, parked.blocks.acc);
    put(MOG_S_DLO, static_cast<u32>(parked.blocks.dacc));
    put(MOG_S_DHI, static_cast<u32>(parked.blocks.dacc >> 32));
    for (u32 r = 0; r < registers_; ++r) put(MOG_S_REGS + r, parked.registers()[r]);
    is_here_[pe] = 0;
}

void NativeTurns::give_back(u32 pe) { store(pe, yield_of(*at(pe)).behind); }

NativeTurns::Ran NativeTurns::run(std::span<Turn> turns, u32 allowed, u32 *mem) {
    ParkedPe *list[most_at_once + 1];
    std::size_t count = 0;
    for (const Turn &turn : turns.first(std::min(most_at_once, turns.size()))) {
        if (!has(turn.pe)) break;
        ParkedPe &parked = *at(turn.pe);
        const u32 passes = std::min(turn.left, allowed);
        const std::int32_t before = charged(parked);
        if (passes <= static_cast<u32>(std::max(before, 0))) break;
        parked.blocks.passes = passes - static_cast<u32>(before);
        list[count++] = &parked;
    }
    if (count == 0) return {};
    list[count] = nullptr;
    Ran ran{.done = code_->run_turns(list, mem)};
    for (std::size_t i = 0; i < ran.done; ++i) {
        const MogBlocks &blocks = list[i]->blocks;
        const bool yielded = blocks.cold == NativeCode::turn_is_over;
        const u32 left = blocks.passes + (yielded ? static_cast<u32>(charged(*list[i])) : 0);
        ran.last = std::min(turns[i].left, allowed) - left;
        ran.passes += ran.last;
        turns[i].left -= ran.last;
        ran.yielded = yielded;
    }
    if (!ran.yielded) store(turns[ran.done - 1].pe, list[ran.done - 1]->blocks.pc);
    return ran;
}

}  // namespace mog
