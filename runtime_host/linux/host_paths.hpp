// host_paths.hpp: what the paths that PEs name mean on the host, and what may be done there: everything the user may do,
// or what --root, --read-only and --no-files leave.
#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "runtime_host/linux/root_directory.hpp"
#include "support/owned_fd.hpp"
#include "support/result.hpp"

namespace mog {

/// What PEs may do with files of the host.
struct FilePolicy {
    std::string root;                ///< the directory that is "/" to them; empty: the host's
    bool read_only = false;          ///< changes fail with EROFS
    bool no_files = false;           ///< every call that names a file fails with EACCES
    std::uint32_t max_files = 1024;  ///< descriptors of each PE; the default is Linux's usual limit for a process
};

/// A file of the host, found, in the form in which the *at calls take it. In a root, it is held open: nothing that is
/// renamed between finding and using it makes it another one.
struct Place {
    int folder = AT_FDCWD;
    std::string path;
    int flags = 0;  ///< AT_SYMLINK_NOFOLLOW, if the path's last component is not to be followed; AT_EMPTY_PATH
    OwnedFd held{};
};

class HostPaths {
public:
    /// Error: the root cannot be opened.
    static Result<std::shared_ptr<const HostPaths>> make(const FilePolicy &policy);

    const FilePolicy &policy() const { return policy_; }
    /// Where relative paths begin in a PE that has not changed its directory.
    int start() const { return root_ ? root_->fd() : AT_FDCWD; }
    /// 0, or the errno with which whatever would change a file fails.
    int refuses_change() const { return policy_.no_files ? EACCES : policy_.read_only ? EROFS : 0; }
    /// The same for a file that is open already: a standard stream may come from outside of the root.
    int refuses_change_of(int host_fd) const;

    // All that follow take a path and the directory where it begins if it is relative.

    /// openat(). A descriptor, or minus an errno.
    int open(int folder, const std::string &path, int flags, mode_t mode) const;
    /// For a call that asks about a file or changes its properties, its last link followed or not. 0, or an errno.
    int find(int folder, const std::string &path, bool follow, Place *out) const;
    /// For a call that makes, removes or renames a name, which never follows the last link. 0, or an errno.
    int find_name(int folder, const std::string &path, Place *out) const;
    /// The absolute path of a directory, as PEs see it. 0, or an errno.
    int name_of(int folder, std::string *out) const;

private:
    int open_anywhere(int folder, const std::string &path, int flags, mode_t mode) const;
    int open_read_only(int folder, const std::string &path, int flags) const;
    int from_root(int folder, const std::string &path, std::string *out) const;

    FilePolicy policy_;
    std::optional<RootDirectory> root_;
    HostTree tree_;  ///< without a root
};

}  // namespace mog
