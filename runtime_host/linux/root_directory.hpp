// root_directory.hpp: where paths of PEs lead: a directory that is a root, in which they begin and out of which none leads; or
// the whole tree of the host. Neither way do they lead to what mogrun itself has open, or to its memory: not through /proc.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>

#include "support/owned_fd.hpp"

namespace mog {

/// How paths are resolved. Kernel: by openat2(), where the kernel has it, else as Walk. Walk: step by step here.
enum class PathWay { Kernel, Walk };

class RootDirectory {
public:
    using Way = PathWay;

    RootDirectory(OwnedFd directory, Way way) : directory_(std::move(directory)), way_(way) {}

    int fd() const { return directory_.get(); }

    /// Opens what a path leads to. It begins at the root whether or not it begins with "/"; ".." of the root is the
    /// root; links begin and stay in the root too; the links of /proc to open files, and all else in /proc, are refused.
    /// `flags` and `mode` are open()'s. Returns a descriptor, or minus an errno of the host.
    int open(const std::string &path, int flags, mode_t mode) const;
    /// The same for a relative path that begins at an open directory in the root; for directories so deep that they have no
    /// absolute path (PATH_MAX).
    int open_from(int folder, const std::string &path, int flags, mode_t mode) const;

private:
    OwnedFd directory_;
    Way way_;
};

class HostTree {
public:
    explicit HostTree(PathWay way = PathWay::Kernel) : way_(way) {}

    /// openat(), but for what lies in a /proc or is reached through its links to open files: that is EACCES. Only the
    /// directory /proc itself may be asked about, and a few files that tell about the machine may be read. Returns a
    /// descriptor, or minus an errno.
    int open(int folder, const std::string &path, int flags, mode_t mode) const;

private:
    bool is_proc_device(int fd, dev_t device) const;
    bool may_be_used(int fd, int flags) const;

    PathWay way_;
    /// Which devices are a procfs: asking a file system of the network costs a journey. Of one run, which has one thread at a time.
    mutable std::map<dev_t, bool> is_proc_;
};

}  // namespace mog
