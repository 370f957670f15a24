// host_paths.cpp: paths with and without a root. A call that has no form that stays in a root by itself gets what does: the
// directory that holds the name, opened within the root, and the name alone; or the file itself, opened within the root
// without rights (O_PATH), by its name in our own /proc/self/fd.
#include "runtime_host/linux/host_paths.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace mog {

namespace {

std::string link_of(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

/// The name that the host has for an open directory. 0, or an errno: ENOENT if it was removed.
int host_name(int fd, std::string *out) {
    char name[PATH_MAX];
    struct stat status {};
    ssize_t size = readlink(link_of(fd).c_str(), name, sizeof name);
    if (size < 0 || fstat(fd, &status) != 0) return errno;
    if (status.st_nlink == 0) return ENOENT;
    out->assign(name, static_cast<std::size_t>(size));
    return 0;
}

/// A path's last component with the slashes behind it, and what stands before it.
struct Split {
    std::string folder, name;
    bool ends_in_slash = false;
};
Split split(const std::string &path) {
    std::size_t end = path.find_last_not_of('/');
    if (end == std::string::npos) return {"/", ".", true};
    std::size_t begin = path.find_last_of('/', end);
    begin = begin == std::string::npos ? 0 : begin + 1;
    return {begin ? path.substr(0, begin) : ".", path.substr(begin), end + 1 < path.size()};
}

bool is_null_device(const struct stat &status) { return S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3); }

}  // namespace

Result<std::shared_ptr<const HostPaths>> HostPaths::make(const FilePolicy &policy) {
    auto paths = std::make_shared<HostPaths>();
    paths->policy_ = policy;
    // For tests, and for whoever distrusts a kernel's openat2().
    const char *walk = std::getenv("MOG_ROOT_WALK");
    const PathWay way = walk && *walk ? PathWay::Walk : PathWay::Kernel;
    paths->tree_ = HostTree(way);
    if (!policy.root.empty()) {
        OwnedFd directory(::open(policy.root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!directory) return Error{fmt::format("--root {}: {}", policy.root, std::strerror(errno))};
        paths->root_.emplace(std::move(directory), way);
    }
    return std::shared_ptr<const HostPaths>(std::move(paths));
}

int HostPaths::refuses_change_of(int host_fd) const {
    if (policy_.read_only) return EROFS;
    return (root_ || policy_.no_files) && host_fd <= STDERR_FILENO ? EPERM : 0;
}

/// The path from the root to what `path` names when it begins at `folder`. 0, or an errno.
int HostPaths::from_root(int folder, const std::string &path, std::string *out) const {
    if (path.empty()) return ENOENT;
    *out = path;
    if (path[0] == '/' || folder == root_->fd()) return 0;
    if (folder < 0) return EBADF;
    struct stat status {};
    if (fstat(folder, &status) != 0) return errno;
    if (!S_ISDIR(status.st_mode)) return ENOTDIR;
    std::string name;
    if (int failed = name_of(folder, &name)) return failed;
    *out = name + "/" + path;
    return 0;
}

int HostPaths::open_anywhere(int folder, const std::string &path, int flags, mode_t mode) const {
    if (policy_.no_files) return -EACCES;
    if (!root_) return tree_.open(folder, path, flags, mode);
    std::string full;
    const int failed = from_root(folder, path, &full);
    if (failed == ENAMETOOLONG || (!failed && path[0] != '/' && full.size() >= PATH_MAX))
        return root_->open_from(folder, path, flags, mode);
    return failed ? -failed : root_->open(full, flags, mode);
}

/// Opening in a way that could change something, where nothing may be changed: the errors of a file system that is
/// mounted read-only.
int HostPaths::open_read_only(int folder, const std::string &path, int flags) const {
    OwnedFd found(open_anywhere(folder, path, O_PATH | (flags & (O_NOFOLLOW | O_DIRECTORY)), 0));
    if (!found) return found.get() == -ENOENT && (flags & O_CREAT) ? -EROFS : found.get();
    if ((flags & O_CREAT) && (flags & O_EXCL)) return -EEXIST;
    struct stat status {};
    if (fstat(found.get(), &status) != 0) return -errno;
    const bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (S_ISDIR(status.st_mode) && (writes || (flags & O_CREAT))) return -EISDIR;
    if (S_ISLNK(status.st_mode)) return -ELOOP;
    // What is written to the null device changes nothing.
    if ((writes || (flags & O_TRUNC)) && !is_null_device(status)) return -EROFS;
    int fd = ::open(link_of(found.get()).c_str(), (flags & ~(O_CREAT | O_TRUNC | O_NOFOLLOW)) | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int HostPaths::open(int folder, const std::string &path, int flags, mode_t mode) const {
    if (policy_.read_only && ((flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)))) return open_read_only(folder, path, flags);
    return open_anywhere(folder, path, flags, mode);
}

int HostPaths::find(int folder, const std::string &path, bool follow, Place *out) const {
    if (policy_.no_files) return EACCES;
    // Behind a last component that is "." or ends in "/" no link is left to be followed: that was done on the way.
    Split parts = split(path);
    if (!follow && !path.empty() && !parts.ends_in_slash && parts.name != "." && parts.name != "..") {
        if (int failed = find_name(folder, path, out)) return failed;
        out->flags = AT_SYMLINK_NOFOLLOW;
        return 0;
    }
    OwnedFd held(open_anywhere(folder, path, O_PATH, 0));
    if (!held) return -held.get();
    *out = {AT_FDCWD, link_of(held.get()), 0, std::move(held)};
    return 0;
}

int HostPaths::find_name(int folder, const std::string &path, Place *out) const {
    if (policy_.no_files) return EACCES;
    if (path.empty()) return ENOENT;
    Split parts = split(path);
    // What has no directory before its name begins where it is.
    if (!root_ && (parts.folder == "." || parts.name == ".")) {
        *out = {folder, path, 0};
        return 0;
    }
    int held = open_anywhere(folder, parts.folder, O_PATH | O_DIRECTORY, 0);
    if (held < 0) return -held;
    *out = {held, std::move(parts.name), 0, OwnedFd(held)};
    return 0;
}

int HostPaths::name_of(int folder, std::string *out) const {
    if (policy_.no_files) return EACCES;
    if (folder == AT_FDCWD) {
        char name[PATH_MAX];
        if (!getcwd(name, sizeof name)) return errno;
        *out = name;
        return 0;
    }
    std::string name;
    if (int failed = host_name(folder, &name)) return failed;
    if (!root_) {
        *out = std::move(name);
        return 0;
    }
    std::string root;
    if (int failed = host_name(root_->fd(), &root)) return failed;
    if (root == "/") root.clear();
    // Somebody else may have moved it out of the root; standard input may be a directory outside.
    if (name != root && !name.starts_with(root + "/") && !(root.empty() && name == "/")) return ENOENT;
    *out = name == root ? "/" : name.substr(root.size());
    return 0;
}

}  // namespace mog
