// effects.hpp: which registers and accumulators a MOG instruction reads and writes, from isa.def: as sets over one
// numbering.
#pragma once

#include <bitset>
#include <cstdint>

#include "assembler/ir/isa.hpp"
#include "assembler/ir/mog_program.hpp"

namespace mog {

/// The numbers of ACC and D in sets; below stand the registers by theirs, whatever program or image they are of.
inline constexpr std::uint32_t acc_variable = 256, d_variable = 257;
using RegisterSet = std::bitset<258>;

/// What an instruction reads. `operand`: as in Instruction, or the low byte of a word; `roles`: of the program, for
/// system calls.
RegisterSet reads_of(const OpInfo &row, std::uint32_t operand, const Roles &roles);
/// What it writes each time.
RegisterSet writes_of(const OpInfo &row, std::uint32_t operand, const Roles &roles);
/// And what it writes in some cases only.
RegisterSet may_write(const OpInfo &row, std::uint32_t operand, const Roles &roles);

inline RegisterSet reads_of(const Instruction &instruction, const Roles &roles) {
    return reads_of(info(instruction.op), instruction.operand, roles);
}
inline RegisterSet writes_of(const Instruction &instruction, const Roles &roles) {
    return writes_of(info(instruction.op), instruction.operand, roles);
}

}  // namespace mog
