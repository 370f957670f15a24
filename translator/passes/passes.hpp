// passes.hpp: the passes of the translator: pure functions from one level to the next. passes.def is their list.
#pragma once

#include "support/result.hpp"
#include "translator/mips/mips_program.hpp"

namespace mog {

Result<MipsProgram> find_blocks(ElfProgram program);
Result<MipsProgram> remove_delay_slots(MipsProgram program);
MipsProgram find_truncations(MipsProgram program);
MipsProgram fold_atomics(MipsProgram program);
MipsProgram fold_divisions(MipsProgram program);
MipsProgram pair_unaligned(MipsProgram program);
MogUnit accumulate(MipsProgram program);
MogUnit remove_faint(MogUnit unit);
MogUnit forward_accumulator(MogUnit unit);
MogUnit remove_dead_code(MogUnit unit);
MogUnit lay_out_blocks(MogUnit unit);
MogUnit assign_registers(MogUnit unit);

}  // namespace mog
