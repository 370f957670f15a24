// gcc.hpp: the command lines of the MIPS compiler.
#pragma once

#include "mogcc/command_line.hpp"
#include "support/subprocess.hpp"
#include "mogcc/toolchain.hpp"
#include "support/result.hpp"

namespace mog {

/// The command that does what the command line asks of gcc. If it links, the linked MIPS executable is `elf`; else the
/// output is the user's.
Result<Command> gcc_command(const CommandLine &line, const Toolchain &tools, const std::string &elf);

}  // namespace mog
