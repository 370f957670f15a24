// root_directory.cpp: resolving paths below a root that programs nobody trusts try to leave, while others rename what
// they pass through.
//
// The kernel does it since Linux 5.6 (openat2 with RESOLVE_IN_ROOT). Without that, the path is walked here: each
// component is opened relative to the directory before it, never through a symbolic link; links are read and their text
// is walked in turn; ".." goes back along the directories that are held open, so that it cannot go above the root,
// whatever was renamed meanwhile. This is what chroot()ing servers and container runtimes do on such kernels.
#include "runtime_host/root_directory.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include <cerrno>
#include <climits>
#include <vector>

namespace mog {

namespace {

constexpr int most_links = 40;  // as Linux

/// In /proc are ways to the files and the memory of every process of the user.
bool is_in_proc(int fd) {
    struct statfs system;
    return fstatfs(fd, &system) != 0 || system.f_type == PROC_SUPER_MAGIC;
}

/// A path on its way: what is still to be walked, and the directories passed, of which the first is the root.
class Walk {
public:
    Walk(int root, const std::string &path) : root_(root) { push(path); }

    bool at_end() const { return left_.empty(); }
    bool at_last() const { return left_.size() == 1; }
    /// A "/" stands at the end: what is there has to be a directory.
    bool wants_directory() const { return wants_directory_; }
    int here() const { return passed_.empty() ? root_ : passed_.back().get(); }

    std::string next() {
        std::string name = std::move(left_.back());
        left_.pop_back();
        return name;
    }
    void leave() {
        if (!passed_.empty()) passed_.pop_back();
    }
    void enter(OwnedFd directory) { passed_.push_back(std::move(directory)); }

    /// The symbolic link `fd` stands for its text. 0, or an errno.
    int follow(int fd) {
        char text[PATH_MAX];
        if (++links_ > most_links || is_in_proc(fd)) return ELOOP;
        ssize_t size = readlinkat(fd, "", text, sizeof text);
        if (size < 0) return errno;
        if (size == 0) return ENOENT;
        if (text[0] == '/') passed_.clear();
        push({text, static_cast<std::size_t>(size)});
        return 0;
    }

private:
    /// The components of `path` are to be walked before all others.
    void push(const std::string &path) {
        std::vector<std::string> parts;
        for (std::size_t at = 0; at < path.size();) {
            std::size_t end = std::min(path.find('/', at), path.size());
            if (end > at) parts.push_back(path.substr(at, end - at));
            at = end + 1;
        }
        if (left_.empty()) wants_directory_ = wants_directory_ || path.back() == '/';
        left_.insert(left_.end(), std::make_move_iterator(parts.rbegin()), std::make_move_iterator(parts.rend()));
    }

    int root_;
    std::vector<std::string> left_;  // the next one last
    std::vector<OwnedFd> passed_;
    int links_ = 0;
    bool wants_directory_ = false;
};

}  // namespace

int RootDirectory::open_by_walk(const std::string &path, int flags, mode_t mode) const {
    const bool makes = (flags & O_CREAT) != 0;
    const bool follows = !(flags & O_NOFOLLOW) && !(makes && (flags & O_EXCL));
    Walk walk(fd(), path);
    while (!walk.at_end()) {
        const bool last = walk.at_last();
        std::string name = walk.next();
        if (name == "." || name == "..") {
            if (name == "..") walk.leave();
            continue;
        }
        OwnedFd found(openat(walk.here(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
        struct stat status {};
        if (found && fstat(found.get(), &status) != 0) return -errno;
        if (!found && !(last && makes && errno == ENOENT)) return -errno;
        if (found && S_ISLNK(status.st_mode) && (!last || follows || walk.wants_directory())) {
            if (int failed = walk.follow(found.get())) return -failed;
            continue;
        }
        if (!last) {
            if (!S_ISDIR(status.st_mode)) return -ENOTDIR;
            walk.enter(std::move(found));
            continue;
        }
        if (walk.wants_directory()) {
            if (makes) return -EISDIR;
            flags |= O_DIRECTORY;
        }
        // Whoever puts a link in this place now gains nothing: it is not followed.
        int fd = openat(walk.here(), name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, mode);
        return fd < 0 ? -errno : fd;
    }
    // It ended in a directory that was passed: the root, "." or "..".
    if (makes) return flags & O_EXCL ? -EEXIST : -EISDIR;
    int fd = openat(walk.here(), ".", flags | O_CLOEXEC, mode);
    return fd < 0 ? -errno : fd;
}

int RootDirectory::open_by_kernel(const std::string &path, int flags, mode_t mode) const {
    struct open_how how {};
    how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
    how.mode = flags & O_CREAT ? mode : 0;
    how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
    // EAGAIN: something was renamed or mounted while a ".." was resolved. Somebody who keeps doing that gets the walk.
    for (int attempt = 0; attempt < 32; attempt++) {
        long fd = syscall(SYS_openat2, directory_.get(), path.c_str(), &how, sizeof how);
        if (fd >= 0) return static_cast<int>(fd);
        if (errno != EAGAIN && errno != EINTR) return -errno;
    }
    return -EAGAIN;
}

int RootDirectory::open(const std::string &path, int flags, mode_t mode) const {
    if (path.empty()) return -ENOENT;
    if (path.size() >= PATH_MAX) return -ENAMETOOLONG;
    int opened = way_ == Way::Kernel ? open_by_kernel(path, flags, mode) : -ENOSYS;
    // EPERM: sandboxes made before the call existed refuse it so. What is really forbidden fails in the walk too.
    if (opened == -ENOSYS || opened == -EAGAIN || opened == -EPERM) opened = open_by_walk(path, flags, mode);
    if (opened >= 0 && is_in_proc(opened)) {
        close(opened);
        return -EACCES;
    }
    return opened;
}

}  // namespace mog
