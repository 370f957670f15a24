// linker.hpp: the step between gcc and the linker, which knows how many constants a program has when it is linked.
//
// gcc looks for its linker, collect2, where -B says first. There mogcc stands by that name: it runs gcc's own, looks at the result, and
// links once more, with another script, where constants are worth having once for all PEs. So nothing but the link is done twice.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mogcc/toolchain.hpp"
#include "support/result.hpp"

namespace mog {

/// A folder for gcc's -B in which mogcc is collect2. It goes when the process ends.
Result<std::string> linker_folder(const Toolchain &tools);

/// True if the program was called by that name.
bool is_linker(const char *argv0);
/// Links. The status is that of the usual script's time; what the other one says and whether it works is nobody's trouble: the usual
/// program is as good. Programs of C++ are linked the other way first, and most of them once. An error if gcc's own collect2 is not in
/// COMPILER_PATH, which gcc sets.
Result<int> run_linker(const char *argv0, const std::vector<std::string> &arguments);

}  // namespace mog
