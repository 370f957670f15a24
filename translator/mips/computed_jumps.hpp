// computed_jumps.hpp: where jumps may go whose targets the program computes.
#pragma once

#include <set>

#include "translator/mips/mips_program.hpp"

namespace mog {

/// Instructions that a jump may come to though no relocation names them, for jumps to a sum (a label and a distance, as
/// `goto *(&&here + table[i])` has it): all of the function then.
std::set<std::uint32_t> computed_targets(const ElfProgram &elf);

}  // namespace mog
