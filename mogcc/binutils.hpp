// binutils.hpp: the programs that build systems want beside a compiler: mogar, mogranlib, mogstrip ...
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace mog {

/// "ar" of mogar, also with a path; nullopt for names of none of them.
std::optional<std::string> binutils_program(std::string_view name);

/// Does what the MIPS compiler's program does with these arguments; strips executables of mogcc itself. Returns the exit status, or does
/// not return.
Result<int> run_binutils(const std::string &program, const std::vector<std::string> &arguments);

}  // namespace mog
