// dump.hpp: programs at every level as text for --dump-after, and the invariants of each level.
#pragma once

#include <string>

#include "translator/mips/mips_program.hpp"

namespace mog {

std::string dump(const MipsProgram &program);
std::string dump(const MogUnit &unit);

/// What is wrong with a program; empty if nothing is.
std::string verify(const MipsProgram &program);
std::string verify(const MogUnit &unit);

}  // namespace mog
