// passes.hpp: steps over programs, between each two of which they are checked; and the form in which analyses see what is left.
#pragma once

#include <string>
#include <vector>

#include "translator/ptx/program.hpp"

namespace mog::ptx {

/// Calls of functions with bodies that do not come to themselves again.
void inline_calls(Program &program, Function &function);
void remove_unreached(const Program &program, Function &function);
void begin_outside_loops(Program &program, Function &function);
void remove_dead(const Program &program, Function &function);

/// All passes, with verify() before the first and after each.
Result<void> run_passes(Program &program);

/// What can be shown: "parse", each pass, and "ssa" behind the last.
std::vector<std::string> dump_names();
/// The program as text after the pass of this name; "ssa": each function in gated SSA, with the dominator of each block.
Result<std::string> dump_after(Program &program, const std::string &name);

}  // namespace mog::ptx
