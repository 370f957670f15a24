// manual.hpp: the instruction set for readers, from isa.def.
#pragma once

#include <string>

namespace mog {

/// The ISA manual in Markdown: docs/isa.md.
std::string isa_manual();
/// A line per instruction: opcode, name, operand, meaning. What `mogas --list-ops` prints.
std::string op_list();

}  // namespace mog
