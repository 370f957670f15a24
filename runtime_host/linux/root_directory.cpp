// root_directory.cpp: resolving paths below a root that programs nobody trusts try to leave, while others rename what
// they pass through.
//
// The kernel does it since Linux 5.6 (openat2 with RESOLVE_IN_ROOT). Without that, the path is walked here: each
// component is opened relative to the directory before it, never through a symbolic link; links are read and their text
// is walked in turn; ".." goes back along the directories that are held open, so that it cannot go above the root,
// whatever was renamed meanwhile. This is what chroot()ing servers and container runtimes do on such kernels.
#include "runtime_host/linux/root_directory.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <string_view>
#include <vector>

#include "support/files/files.hpp"

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
    /// Bounded: `start` is a root. Else it is where relative paths begin (AT_FDCWD: the current directory), in the tree of the host.
    Walk(int start, const std::string &path, bool is_bounded) : root_(start), is_bounded_(is_bounded) {
        if (path[0] == '/') go_to_root();
        push(path);
    }

    bool at_end() const { return left_.empty(); }
    bool at_last() const { return left_.size() == 1; }
    /// A "/" stands at the end: what is there has to be a directory.
    bool wants_directory() const { return wants_directory_; }
    /// Begins below the start, in the last of these directories, each of which is in the one before.
    void begin_in(std::vector<OwnedFd> passed) { passed_ = std::move(passed); }
    int here() const { return passed_.empty() ? root_ : passed_.back().get(); }

    std::string next() {
        std::string name = std::move(left_.back());
        left_.pop_back();
        return name;
    }
    /// "..". 0, or an errno.
    int leave() {
        if (!is_bounded_) {
            OwnedFd parent(openat(here(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
            if (!parent) return errno;
            passed_.clear();
            enter(std::move(parent));
        } else if (!passed_.empty()) {
            passed_.pop_back();
        }
        return 0;
    }
    void enter(OwnedFd directory) { passed_.push_back(std::move(directory)); }

    /// The symbolic link `fd` stands for its text. 0, or an errno.
    int follow(int fd) {
        char text[PATH_MAX];
        if (is_in_proc(fd)) return is_bounded_ ? ELOOP : EACCES;
        if (++links_ > most_links) return ELOOP;
        ssize_t size = readlinkat(fd, "", text, sizeof text);
        if (size < 0) return errno;
        if (size == 0) return ENOENT;
        if (text[0] == '/') go_to_root();
        push({text, static_cast<std::size_t>(size)});
        return 0;
    }

private:
    void go_to_root() {
        passed_.clear();
        if (!is_bounded_) enter(OwnedFd(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)));
    }

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
    bool is_bounded_;
    std::vector<std::string> left_;  // the next one last
    std::vector<OwnedFd> passed_;
    int links_ = 0;
    bool wants_directory_ = false;
};

/// The directories from below `root` to `folder`, all of them open. Error, an errno: it does not lie in there, or too deep.
int directories_to(int root, int folder, std::vector<OwnedFd> *out) {
    constexpr std::size_t deepest = 4096;
    OwnedFd here(openat(folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
    while (here && !same_file(here.get(), root)) {
        OwnedFd parent(openat(here.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!parent) return errno;
        if (same_file(parent.get(), here.get())) return ENOENT;
        if (out->size() == deepest) return ENAMETOOLONG;
        out->push_back(std::move(here));
        here = std::move(parent);
    }
    if (!here) return errno;
    std::ranges::reverse(*out);
    return 0;
}

int open_by_walk(int start, const std::string &path, int flags, mode_t mode, bool is_bounded, std::vector<OwnedFd> passed = {}) {
    const bool makes = (flags & O_CREAT) != 0;
    const bool follows = !(flags & O_NOFOLLOW) && !(makes && (flags & O_EXCL));
    Walk walk(start, path, is_bounded);
    if (!passed.empty()) walk.begin_in(std::move(passed));
    while (!walk.at_end()) {
        const bool last = walk.at_last();
        std::string name = walk.next();
        if (name == "." || name == "..") {
            if (int failed = name == ".." ? walk.leave() : 0) return -failed;
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

int open_by_kernel(int folder, const std::string &path, int flags, mode_t mode, std::uint64_t resolve) {
    struct open_how how {};
    how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
    how.mode = flags & O_CREAT ? mode : 0;
    how.resolve = resolve | RESOLVE_NO_MAGICLINKS;
    // EAGAIN: something was renamed or mounted while a ".." was resolved. Somebody who keeps doing that gets the walk.
    for (int attempt = 0; attempt < 32; attempt++) {
        long fd = syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how);
        if (fd >= 0) return static_cast<int>(fd);
        if (errno != EAGAIN && errno != EINTR) return -errno;
    }
    return -EAGAIN;
}

/// EPERM: sandboxes made before the call existed refuse it so. What is really forbidden fails in the walk too.
bool wants_walk(int opened) { return opened == -ENOSYS || opened == -EAGAIN || opened == -EPERM; }

}  // namespace

int RootDirectory::open(const std::string &path, int flags, mode_t mode) const {
    if (path.empty()) return -ENOENT;
    if (path.size() >= PATH_MAX) return -ENAMETOOLONG;
    int opened = way_ == Way::Kernel ? open_by_kernel(fd(), path, flags, mode, RESOLVE_IN_ROOT) : -ENOSYS;
    if (wants_walk(opened)) opened = open_by_walk(fd(), path, flags, mode, true);
    if (opened >= 0 && is_in_proc(opened)) {
        close(opened);
        return -EACCES;
    }
    return opened;
}

int RootDirectory::open_from(int folder, const std::string &path, int flags, mode_t mode) const {
    if (path.empty()) return -ENOENT;
    if (path.size() >= PATH_MAX) return -ENAMETOOLONG;
    std::vector<OwnedFd> passed;
    if (int failed = directories_to(fd(), folder, &passed)) return -failed;
    const int opened = open_by_walk(fd(), path, flags, mode, true, std::move(passed));
    if (opened >= 0 && is_in_proc(opened)) {
        close(opened);
        return -EACCES;
    }
    return opened;
}

bool HostTree::is_proc_device(int fd, dev_t device) const {
    const auto known = is_proc_.find(device);
    return known != is_proc_.end() ? known->second : is_proc_.emplace(device, is_in_proc(fd)).first->second;
}

bool HostTree::may_be_used(int fd, int flags) const {
    struct stat status {};
    if (fstat(fd, &status) != 0) return false;
    if (!is_proc_device(fd, status.st_dev)) return true;
    constexpr ino_t proc_itself = 1;  // PROC_ROOT_INO
    if (status.st_ino == proc_itself) return flags & O_PATH;
    // About the machine, not about processes. What /proc has below "/proc" it has under its own names only.
    constexpr std::string_view harmless[] = {"/proc/cpuinfo", "/proc/meminfo", "/proc/loadavg",
                                             "/proc/stat",    "/proc/uptime",  "/proc/version"};
    char name[PATH_MAX];
    const ssize_t size = readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), name, sizeof name);
    return size > 0 && (flags & O_ACCMODE) == O_RDONLY && S_ISREG(status.st_mode) &&
           std::ranges::find(harmless, std::string_view(name, static_cast<std::size_t>(size))) != std::end(harmless);
}

int HostTree::open(int folder, const std::string &path, int flags, mode_t mode) const {
    if (path.empty()) return -ENOENT;
    if (path.size() >= PATH_MAX) return -ENAMETOOLONG;
    int opened = way_ == PathWay::Kernel ? open_by_kernel(folder, path, flags, mode, 0) : -ENOSYS;
    if (wants_walk(opened)) opened = open_by_walk(folder, path, flags, mode, false);
    if (opened == -ELOOP && way_ == PathWay::Kernel) {
        // A link of /proc to an open file, if the path leads somewhere all the same; O_PATH opens nothing.
        OwnedFd found(openat(folder, path.c_str(), O_PATH | O_CLOEXEC | (flags & O_NOFOLLOW)));
        struct stat status {};
        if (found && fstat(found.get(), &status) == 0 && !S_ISLNK(status.st_mode)) return -EACCES;
    }
    if (opened >= 0 && !may_be_used(opened, flags)) {
        close(opened);
        return -EACCES;
    }
    return opened;
}

}  // namespace mog
