// run_program.hpp: runs programs whose kernels shall run here.
#pragma once

#include <filesystem>

#include "mogcc/cuda/command_line.hpp"
#include "support/result.hpp"

namespace mog::cuda_driver {

/// Becomes the program, with our libraries in the place of CUDA's. Returns only with an error: a sentence for why it cannot run.
Result<int> run_program(const CommandLine &line, const std::filesystem::path &lib);

}  // namespace mog::cuda_driver
