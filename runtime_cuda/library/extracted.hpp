// extracted.hpp: PTX that cuobjdump took out of a program before it began (`mogcuda PROGRAM`).
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mog::cuda {

/// The text among the files of the folder $MOGCUDA_PTX that has all of these kernels; the newest version of PTX if several have.
std::optional<std::string> extracted_ptx(const std::vector<std::string> &kernels);

}  // namespace mog::cuda
