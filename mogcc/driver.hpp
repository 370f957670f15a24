// driver.hpp: the steps from sources to a program.
#pragma once

#include "mogcc/command_line.hpp"
#include "mogcc/toolchain.hpp"

namespace mog {

/// Does what the command line says; messages go to standard error. Returns the exit status.
int drive(const CommandLine &line, const Toolchain &tools);

}  // namespace mog
