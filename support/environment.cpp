// environment.cpp: variables, and what is derived from them in several places.
#include "support/environment.hpp"

#include <cstdlib>
#include <utility>

namespace mog {

std::string environment_variable(const char *name, std::string otherwise) {
    const char *value = std::getenv(name);
    return value ? value : std::move(otherwise);
}

std::vector<std::string> cuda_toolkit_folders() {
    std::vector<std::string> folders = {environment_variable("CUDA_HOME"), environment_variable("CUDA_PATH"), "/usr/local/cuda",
                                        "/opt/cuda"};
    std::erase(folders, "");
    return folders;
}

}  // namespace mog
