// gcc.hpp: the command lines of the MIPS compiler.
#pragma once

#include "mogcc/command_line.hpp"
#include "mogcc/toolchain.hpp"
#include "support/result.hpp"
#include "support/subprocess.hpp"

namespace mog {

/// The command that does what the command line asks of gcc. If it links a program, that is written to `elf`, and all other files
/// are named as if it were `output`.
Result<Command> gcc_command(const CommandLine &line, const Toolchain &tools, const std::string &output, const std::string &elf);

/// The linker script that puts constants where all PEs have them once (constants_base), made of ours.
Result<std::string> script_with_constants_apart(const Toolchain &tools);
/// The same command with that script, from a file, and nothing told: it was told before.
Command link_again(Command command, const Toolchain &tools, const std::string &script);

}  // namespace mog
