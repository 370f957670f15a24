// print.hpp: a MOG program as assembly text. parse.hpp reads it; docs/assembly.md describes it.
#pragma once

#include <string>

#include "assembler/ir/mog_program.hpp"

namespace mog {

/// All of the program. parse() of it is the program again, with blocks numbered by their place.
std::string print(const MogProgram &program);

/// One instruction, "lr $sp"; `label` is the name of the block that a Label operand means.
std::string print_instruction(const Instruction &instruction, const std::vector<std::string> &register_names, const std::string &label);

}  // namespace mog
