// gcc.hpp: the command lines of the MIPS compiler.
#pragma once

#include "mogcc/command_line.hpp"
#include "mogcc/toolchain.hpp"
#include "support/result.hpp"
#include "support/subprocess.hpp"

namespace mog {

/// The command that does what the command line asks of gcc. If it links a program, that is written to `elf`, and all other files
/// are named as if it were `output`; and gcc's linker is the one in the folder `linker`, if not empty.
Result<Command> gcc_command(const CommandLine &line, const Toolchain &tools, const std::string &output, const std::string &elf,
                            const std::string &linker);

}  // namespace mog
