// compile.hpp: from CUDA C++ to programs.
#pragma once

#include <filesystem>
#include <string>

#include "mogcc/cuda/command_line.hpp"
#include "support/result.hpp"

namespace mog::cuda_driver {

struct Tools {
    std::string clang;                   ///< clang++
    std::filesystem::path include, lib;  ///< our headers, and where libmogcuda.so is
};

/// Finds all; an error if there is no clang or if our headers are not where they should be.
Result<Tools> find_tools();

/// Does it. The exit status; what a compiler has said stands on standard error.
Result<int> compile(const CommandLine &line, const Tools &tools);

}  // namespace mog::cuda_driver
