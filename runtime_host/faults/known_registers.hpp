// known_registers.hpp: which MIPS registers a PE really has the values of, at a place in the program.
//
// The translator drops writes to registers that nobody reads. Where a register is live, none that matters was dropped, and
// what the PE holds is what a MIPS machine would hold; elsewhere it may be older.
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "assembler/image/image.hpp"

namespace mog {

using RegisterSet = std::bitset<256>;

/// By TEXT index: the registers that are live before the instruction. Jumps through registers are taken to lead to any
/// place that can be returned to, which is no more than the translator assumes.
std::vector<RegisterSet> live_registers(const Image &image);

/// The registers whose values are right when a PE stands at `text_index`, somewhere within a MIPS instruction.
RegisterSet known_registers(const Image &image, const std::vector<RegisterSet> &live, std::uint32_t text_index);

}  // namespace mog
