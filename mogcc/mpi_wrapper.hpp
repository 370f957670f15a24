// mpi_wrapper.hpp: what build systems ask compilers for MPI: which compiler, headers and libraries they stand for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mogcc/toolchain.hpp"

namespace mog {

/// What to print if one of the arguments asks as MPICH's or Open MPI's wrappers are asked (mpicc -show, --showme:compile); without a
/// newline at its end. Else nothing: then it is a compilation. `name`: what the program was called by, for C++ something with ++ or cxx at
/// its end.
std::optional<std::string> answer_as_mpi_wrapper(std::string_view name, std::span<char *const> arguments, const Toolchain &tools);

}  // namespace mog
