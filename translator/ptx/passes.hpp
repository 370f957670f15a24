// passes.hpp: steps over programs, between each two of which they are checked.
#pragma once

#include <string>
#include <vector>

#include "translator/ptx/program.hpp"

namespace mog::ptx {

/// Names of the passes, in their order.
std::vector<std::string> pass_names();
/// Does all passes up to that called `last` (all, if it is empty), with verify() before and after each: the program's text then.
Result<std::string> run_passes(Program &program, const std::string &last);

}  // namespace mog::ptx
