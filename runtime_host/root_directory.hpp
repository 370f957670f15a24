// root_directory.hpp: a directory that is a root: paths begin in it, and none leads out of it.
#pragma once

#include <sys/types.h>

#include <string>

#include "runtime_host/owned_fd.hpp"

namespace mog {

class RootDirectory {
public:
    /// How paths are resolved. Kernel: by openat2(), where the kernel has it, else as Walk. Walk: step by step here.
    enum class Way { Kernel, Walk };

    RootDirectory(OwnedFd directory, Way way) : directory_(std::move(directory)), way_(way) {}

    int fd() const { return directory_.get(); }

    /// Opens what a path leads to. It begins at the root whether or not it begins with "/"; ".." of the root is the
    /// root; links begin and stay in the root too; the links of /proc to open files, and all else in /proc, are refused.
    /// `flags` and `mode` are open()'s. Returns a descriptor, or minus an errno of the host.
    int open(const std::string &path, int flags, mode_t mode) const;

private:
    int open_by_kernel(const std::string &path, int flags, mode_t mode) const;
    int open_by_walk(const std::string &path, int flags, mode_t mode) const;

    OwnedFd directory_;
    Way way_;
};

}  // namespace mog
