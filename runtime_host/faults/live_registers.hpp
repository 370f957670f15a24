// live_registers.hpp: which MIPS registers a PE really has the values of, at a place in the program.
//
// The translator drops writes to registers that nobody reads. Where a register is live, none that matters was dropped, and
// what the PE holds is what a MIPS machine would hold; elsewhere it may be older.
#pragma once

#include <cstdint>
#include <vector>

#include "assembler/analysis/effects.hpp"
#include "assembler/image/image.hpp"

namespace mog {

/// By TEXT index: the registers that are live before the instruction, as the translator sees it.
std::vector<RegisterSet> live_registers(const Image &image);

/// The registers whose values are right when a PE stands at `text_index`, somewhere within a MIPS instruction.
RegisterSet live_registers(const Image &image, const std::vector<RegisterSet> &live, std::uint32_t text_index);

}  // namespace mog
