// other_machines.hpp: what command lines and inputs have that is for other processors, where a wall of a linker's messages would not say
// so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace mog {

/// Whether an option of gcc is there for other processors only (-march=native, -m64, -mavx2, -fcf-protection), and makes code at most
/// faster or safer there.
bool is_for_other_processors(std::string_view option);

/// Looks at objects, archives and linked files among the inputs; an error, for a user, if one is not for PEs. What is no ELF file and
/// no archive, or cannot be read, is left to gcc.
Result<void> check_inputs(const std::vector<std::string> &files);

}  // namespace mog
