// environment.hpp: what variables of the environment say.
#pragma once

#include <string>
#include <vector>

namespace mog {

/// Its value; `otherwise` if it is not set.
std::string environment_variable(const char *name, std::string otherwise = {});

/// Where the CUDA Toolkit may be installed, best first: what its own variables name, then its usual places.
std::vector<std::string> cuda_toolkit_folders();

}  // namespace mog
