// syscalls_paths.cpp: the calls that name files. A relative path begins at the PE's working directory or, in the *at
// calls, at an open directory.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <iterator>
#include <string>
#include <string_view>

#include "runtime_host/linux/guest_abi.hpp"
#include "runtime_host/linux/syscalls.hpp"

namespace mog {

namespace {

constexpr mode_t mode_bits = 07777;

const HostPaths &paths_of(const Call &call) { return call.services.files.paths(); }

/// Where relative paths begin.
int folder_of(const Call &call) { return call.process->folder ? call.process->folder->fd : paths_of(call).start(); }

/// The same for the *at calls, whose argument `n` says it. A closed descriptor gives -1, which the host refuses as it
/// should: with EBADF, and only if the path is relative.
int folder_at(Call &call, std::size_t n) {
    if (call.args[n] == guest::AT_FDCWD_MIPS) return folder_of(call);
    OpenFile *file = file_of(call, call.args[n]);
    return file ? file->host_fd() : -1;
}

/// The PE's umask while it creates something. Where the process is not ours alone, its umask stays as it is: the PE's can only
/// take more away then.
class UmaskOfPe {
public:
    explicit UmaskOfPe(const Call &call) : changed_(call.services.sets_umask && call.process->umask.has_value()) {
        if (changed_) old_ = umask(*call.process->umask);
    }
    UmaskOfPe(const UmaskOfPe &) = delete;
    UmaskOfPe &operator=(const UmaskOfPe &) = delete;
    ~UmaskOfPe() {
        if (changed_) umask(old_);
    }

private:
    bool changed_;
    mode_t old_ = 0;
};

/// The mode of something that is created.
mode_t new_mode(const Call &call, std::uint32_t mode) { return mode & mode_bits & ~call.process->umask.value_or(0); }

/// The descriptor that a path stands for which names one of whoever asks: the PE's own, not the host's. nullopt: another path.
std::optional<std::uint32_t> own_descriptor(const Call &call, std::string_view path) {
    // In a root they are not there, and by name nothing is to be had with --no-files.
    if (!paths_of(call).policy().root.empty() || paths_of(call).policy().no_files) return {};
    constexpr std::string_view streams[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    for (std::uint32_t fd = 0; fd < std::size(streams); fd++)
        if (path == streams[fd]) return fd;
    const std::string by_number = "/proc/" + std::to_string(pid_of(call.services, call.process->rank)) + "/fd/";
    for (const std::string_view prefix : {std::string_view("/dev/fd/"), std::string_view("/proc/self/fd/"), std::string_view(by_number)}) {
        if (!path.starts_with(prefix)) continue;
        const std::string_view digits = path.substr(prefix.size());
        std::uint32_t fd = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), fd);
        if (error == std::errc() && end == digits.data() + digits.size()) return fd;
    }
    return {};
}

/// Opening such a path gives the open file anew, as dup() does.
std::int32_t open_own(Call &call, std::uint32_t fd, int flags) {
    const OpenFile *file = file_of(call, fd);
    if (!file) return failure(ENOENT);
    if ((flags & O_CREAT) && (flags & O_EXCL)) return failure(EEXIST);
    if (flags & O_DIRECTORY) return failure(ENOTDIR);
    const int wanted = flags & O_ACCMODE, has = file->flags & O_ACCMODE;
    if (has != O_RDWR && wanted != has) return failure(EACCES);
    return install(call, {descriptors_of(call)[fd].file, (flags & O_CLOEXEC) != 0});
}

std::int32_t open_at(Call &call, int folder, std::uint32_t guest_flags, std::uint32_t mode) {
    std::optional<int> flags = guest::to_host_open_flags(guest_flags);
    if (!flags) return failure(EINVAL);
    if (const std::optional<std::uint32_t> own = own_descriptor(call, call.path(0))) return open_own(call, *own, *flags);
    UmaskOfPe during(call);
    std::shared_ptr<OpenFile> file;
    int failed = call.services.files.open(call.path(0), *flags, new_mode(call, mode), &file, folder);
    if (failed == ENXIO && !(*flags & O_NONBLOCK) && (*flags & O_ACCMODE) == O_WRONLY) {
        // A FIFO without a reader yet. Nothing tells when there is one.
        return try_later(call, 10);
    }
    *call.wake = {};
    if (failed) return failure(failed);
    return install(call, {std::move(file), (*flags & O_CLOEXEC) != 0});
}

/// Lets `make` work on a name that is to be made, removed or renamed.
template <typename Make>
std::int32_t change_name(Call &call, int folder, const std::string &path, Make make) {
    if (int refused = paths_of(call).refuses_change()) return failure(refused);
    Place place;
    if (int failed = paths_of(call).find_name(folder, path, &place)) return failure(failed);
    if (FileChanges *const changes = call.services.files.changes()) changes->changing(place, false, true);
    return or_errno(make(place.folder, place.path.c_str()));
}

/// The same for a new one. As in Linux, that it is there already is told before that nothing can be made there.
template <typename Make>
std::int32_t make_name(Call &call, int folder, const std::string &path, Make make) {
    if (paths_of(call).refuses_change() == EROFS) {
        Place place;
        int failed = paths_of(call).find(folder, path, false, &place);
        if (failed == 0 && faccessat(place.folder, place.path.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0) failed = EEXIST;
        if (failed && failed != ENOENT) return failure(failed);
    }
    UmaskOfPe during(call);
    return change_name(call, folder, path, make);
}

/// Finds what a call with AT_ flags is about: a path, or with AT_EMPTY_PATH and no path the descriptor itself, which
/// argument `n` says. 0, or an errno.
int find_at(Call &call, std::size_t n, int flags, Place *out) {
    if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) return EINVAL;
    int folder = folder_at(call, n);
    if (!call.path(0).empty() || !(flags & AT_EMPTY_PATH))
        return paths_of(call).find(folder, call.path(0), !(flags & AT_SYMLINK_NOFOLLOW), out);
    if (folder == -1) return EBADF;
    *out = {folder, "", AT_EMPTY_PATH};
    return 0;
}

/// The errno with which a change to what was found fails, or 0.
int refused_at(const Call &call, const Place &place) {
    const bool open = place.flags & AT_EMPTY_PATH && place.folder >= 0;
    return open ? paths_of(call).refuses_change_of(place.folder) : paths_of(call).refuses_change();
}

std::int32_t status_of(Call &call, const Place &place, std::uint32_t address) {
    struct stat status {};
    if (fstatat(place.folder, place.path.c_str(), &status, place.flags) != 0) return failure(errno);
    return call.reply(address, guest::to_guest_stat64(status)) ? 0 : failure(EFAULT);
}

std::int32_t status_at(Call &call, int folder, std::uint32_t address, bool follow) {
    if (const std::optional<std::uint32_t> own = follow ? own_descriptor(call, call.path(0)) : std::nullopt) {
        const OpenFile *file = file_of(call, *own);
        struct stat status {};
        if (const int failed = file ? file->status(&status) : -ENOENT) return result_of(failed);
        return call.reply(address, guest::to_guest_stat64(status)) ? 0 : failure(EFAULT);
    }
    Place place;
    if (int failed = paths_of(call).find(folder, call.path(0), follow, &place)) return failure(failed);
    return status_of(call, place, address);
}

std::int32_t make_folder_at(Call &call, int folder, std::uint32_t mode) {
    return make_name(call, folder, call.path(0), [&](int at, const char *name) { return mkdirat(at, name, new_mode(call, mode)); });
}

std::int32_t remove_at(Call &call, int folder, int flags) {
    return change_name(call, folder, call.path(0), [&](int at, const char *name) { return unlinkat(at, name, flags); });
}

std::int32_t rename_at(Call &call, int from, int to) {
    Place old;
    if (int refused = paths_of(call).refuses_change()) return failure(refused);
    if (int failed = paths_of(call).find_name(from, call.path(0), &old)) return failure(failed);
    return change_name(call, to, call.path(1), [&](int at, const char *name) {
        if (FileChanges *const changes = call.services.files.changes()) changes->renaming(old, {at, name});
        return renameat(old.folder, old.path.c_str(), at, name);
    });
}

std::int32_t link_at(Call &call, int from, int to, int flags) {
    if (flags & ~(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH)) return failure(EINVAL);
    // AT_EMPTY_PATH is for privileged processes, and others get ENOENT; so does a PE, for its descriptor's file may be
    // none that it could name.
    if (call.path(0).empty()) return failure(ENOENT);
    Place old;
    if (int refused = paths_of(call).refuses_change()) return failure(refused);
    if (int failed = paths_of(call).find(from, call.path(0), flags & AT_SYMLINK_FOLLOW, &old)) return failure(failed);
    return make_name(call, to, call.path(1), [&](int at, const char *name) {
        return linkat(old.folder, old.path.c_str(), at, name, old.flags & AT_SYMLINK_NOFOLLOW ? 0 : AT_SYMLINK_FOLLOW);
    });
}

std::int32_t symlink_at(Call &call, int folder) {
    return make_name(call, folder, call.path(1), [&](int at, const char *name) { return symlinkat(call.path(0).c_str(), at, name); });
}

std::int32_t access_at(Call &call, int folder, std::uint32_t mode) {
    if (const std::optional<std::uint32_t> own = own_descriptor(call, call.path(0))) {
        const OpenFile *file = file_of(call, *own);
        if (!file) return failure(ENOENT);
        const int has = file->flags & O_ACCMODE;
        const bool may = !(mode & X_OK) && !(mode & R_OK && has == O_WRONLY) && !(mode & W_OK && has == O_RDONLY);
        return may ? 0 : failure(EACCES);
    }
    Place place;
    if (int failed = paths_of(call).find(folder, call.path(0), true, &place)) return failure(failed);
    if (faccessat(place.folder, place.path.c_str(), static_cast<int>(mode), 0) != 0) return failure(errno);
    int refused = mode & W_OK ? paths_of(call).refuses_change() : 0;
    return refused ? failure(refused) : 0;
}

std::int32_t mode_at(Call &call, int folder, std::uint32_t mode) {
    Place place;
    if (int refused = paths_of(call).refuses_change()) return failure(refused);
    if (int failed = paths_of(call).find(folder, call.path(0), true, &place)) return failure(failed);
    return or_errno(fchmodat(place.folder, place.path.c_str(), mode & mode_bits, 0));
}

std::int32_t owner_of(Call &call, const Place &place, std::uint32_t owner, std::uint32_t group) {
    if (int refused = refused_at(call, place)) return failure(refused);
    return or_errno(fchownat(place.folder, place.path.c_str(), owner, group, place.flags));
}

std::int32_t owner_at(Call &call, bool follow) {
    Place place;
    if (int failed = paths_of(call).find(folder_of(call), call.path(0), follow, &place)) return failure(failed);
    return owner_of(call, place, call.args[1], call.args[2]);
}

std::int32_t read_link_at(Call &call, int folder, std::uint32_t address, std::uint32_t room) {
    if (static_cast<std::int32_t>(room) <= 0) return failure(EINVAL);
    Place place;
    if (int failed = paths_of(call).find(folder, call.path(0), false, &place)) return failure(failed);
    if (!(place.flags & AT_SYMLINK_NOFOLLOW)) return failure(EINVAL);  // found through a "/" at the end: no link
    char target[PATH_MAX];
    ssize_t n = readlinkat(place.folder, place.path.c_str(), target, sizeof target);
    if (n < 0) return failure(errno);
    std::size_t size = std::min<std::size_t>(static_cast<std::size_t>(n), room);
    if (!call.reply(address, {reinterpret_cast<const std::uint8_t *>(target), size})) return failure(EFAULT);
    return static_cast<std::int32_t>(size);
}

/// truncate(), which has no *at form.
std::int32_t truncate_to(Call &call, std::int64_t length) {
    if (length < 0) return failure(EINVAL);
    OwnedFd file(paths_of(call).open(folder_of(call), call.path(0), O_WRONLY | O_NONBLOCK, 0));
    if (!file) return failure(file.get() == -ENXIO ? EINVAL : -file.get());
    if (FileChanges *const changes = call.services.files.changes()) changes->changing(file.get());
    return or_errno(ftruncate(file.get(), length));
}

std::int32_t change_folder(Call &call, const std::string &path, int from) {
    std::shared_ptr<HostFile> folder;
    if (int failed = call.services.files.open_folder(path, &folder, from)) return failure(failed);
    call.process->folder = std::move(folder);
    return 0;
}

}  // namespace

std::int32_t sys_open(Call &call) { return open_at(call, folder_of(call), call.args[1], call.args[2]); }
std::int32_t sys_openat(Call &call) { return open_at(call, folder_at(call, 0), call.args[2], call.args[3]); }
std::int32_t sys_creat(Call &call) {
    return open_at(call, folder_of(call), guest::to_guest_open_flags(O_CREAT | O_WRONLY | O_TRUNC), call.args[1]);
}

std::int32_t sys_stat64(Call &call) { return status_at(call, folder_of(call), call.args[1], true); }
std::int32_t sys_lstat64(Call &call) { return status_at(call, folder_of(call), call.args[1], false); }
std::int32_t sys_fstatat64(Call &call) {
    std::optional<int> flags = guest::to_host_at_flags(call.args[3]);
    if (!flags) return failure(EINVAL);
    Place place;
    if (int failed = find_at(call, 0, *flags, &place)) return failure(failed);
    return status_of(call, place, call.args[2]);
}

std::int32_t sys_link(Call &call) { return link_at(call, folder_of(call), folder_of(call), 0); }
std::int32_t sys_linkat(Call &call) {
    std::optional<int> flags = guest::to_host_at_flags(call.args[4]);
    return flags ? link_at(call, folder_at(call, 0), folder_at(call, 2), *flags) : failure(EINVAL);
}

std::int32_t sys_symlink(Call &call) { return symlink_at(call, folder_of(call)); }
std::int32_t sys_symlinkat(Call &call) { return symlink_at(call, folder_at(call, 1)); }

std::int32_t sys_unlink(Call &call) { return remove_at(call, folder_of(call), 0); }
std::int32_t sys_rmdir(Call &call) { return remove_at(call, folder_of(call), AT_REMOVEDIR); }
std::int32_t sys_unlinkat(Call &call) {
    std::optional<int> flags = guest::to_host_at_flags(call.args[2]);
    return flags ? remove_at(call, folder_at(call, 0), *flags) : failure(EINVAL);
}

std::int32_t sys_rename(Call &call) { return rename_at(call, folder_of(call), folder_of(call)); }
std::int32_t sys_renameat(Call &call) { return rename_at(call, folder_at(call, 0), folder_at(call, 2)); }

std::int32_t sys_mkdir(Call &call) { return make_folder_at(call, folder_of(call), call.args[1]); }
std::int32_t sys_mkdirat(Call &call) { return make_folder_at(call, folder_at(call, 0), call.args[2]); }

std::int32_t sys_mknod(Call &call) {
    mode_t mode = call.args[1];
    if ((mode & S_IFMT) != S_IFIFO && (mode & S_IFMT) != S_IFREG && (mode & S_IFMT) != 0) return failure(EPERM);
    return make_name(call, folder_of(call), call.path(0),
                     [&](int at, const char *name) { return mknodat(at, name, (mode & S_IFMT) | new_mode(call, mode), 0); });
}

std::int32_t sys_access(Call &call) { return access_at(call, folder_of(call), call.args[1]); }
std::int32_t sys_faccessat(Call &call) { return access_at(call, folder_at(call, 0), call.args[2]); }

std::int32_t sys_chmod(Call &call) { return mode_at(call, folder_of(call), call.args[1]); }
std::int32_t sys_fchmodat(Call &call) { return mode_at(call, folder_at(call, 0), call.args[2]); }

std::int32_t sys_chown(Call &call) { return owner_at(call, true); }
std::int32_t sys_lchown(Call &call) { return owner_at(call, false); }
std::int32_t sys_fchownat(Call &call) {
    std::optional<int> flags = guest::to_host_at_flags(call.args[4]);
    if (!flags) return failure(EINVAL);
    Place place;
    if (int failed = find_at(call, 0, *flags, &place)) return failure(failed);
    return owner_of(call, place, call.args[2], call.args[3]);
}

std::int32_t sys_utimensat(Call &call) {
    std::optional<int> flags = guest::to_host_at_flags(call.args[3]);
    std::optional<std::array<struct timespec, 2>> times;
    if (!call.input[1].empty() && !(times = guest::to_host_file_times(call.input[1].first<16>()))) return failure(EINVAL);
    if (!flags) return failure(EINVAL);
    Place place;
    if (int failed = find_at(call, 0, *flags, &place)) return failure(failed);
    if (int refused = refused_at(call, place)) return failure(refused);
    return or_errno(utimensat(place.folder, place.path.c_str(), times ? times->data() : nullptr, place.flags));
}

std::int32_t sys_readlink(Call &call) { return read_link_at(call, folder_of(call), call.args[1], call.args[2]); }
std::int32_t sys_readlinkat(Call &call) { return read_link_at(call, folder_at(call, 0), call.args[2], call.args[3]); }

std::int32_t sys_truncate(Call &call) { return truncate_to(call, static_cast<std::int32_t>(call.args[1])); }
std::int32_t sys_truncate64(Call &call) {
    return truncate_to(call, static_cast<std::int64_t>(std::uint64_t{call.args[3]} << 32 | call.args[2]));
}

/// What a descriptor's file system has; there is no *at form, and O_PATH descriptors are good for it.
static std::int32_t reply_statfs(Call &call, int fd) {
    struct statfs system {};
    if (call.args[1] != guest::statfs64_bytes_MIPS) return failure(EINVAL);
    if (fstatfs(fd, &system) != 0) return failure(errno);
    return call.reply(call.args[2], guest::to_guest_statfs64(system)) ? 0 : failure(EFAULT);
}

std::int32_t sys_statfs64(Call &call) {
    OwnedFd file(paths_of(call).open(folder_of(call), call.path(0), O_PATH, 0));
    return file ? reply_statfs(call, file.get()) : failure(-file.get());
}

std::int32_t sys_fstatfs64(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    return file ? reply_statfs(call, file->host_fd()) : failure(EBADF);
}

std::int32_t sys_umask(Call &call) {
    mode_t old = call.process->umask.value_or(call.services.files.umask());
    call.process->umask = call.args[0] & 0777u;
    return static_cast<std::int32_t>(old);
}

std::int32_t sys_chdir(Call &call) { return change_folder(call, call.path(0), folder_of(call)); }

std::int32_t sys_fchdir(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    struct stat status {};
    if (int failed = file->status(&status)) return result_of(failed);
    return S_ISDIR(status.st_mode) ? change_folder(call, ".", file->host_fd()) : failure(ENOTDIR);
}

std::int32_t sys_getcwd(Call &call) {
    std::string folder;
    if (int failed = paths_of(call).name_of(folder_of(call), &folder)) return failure(failed);
    std::size_t size = folder.size() + 1;
    if (size > call.args[1]) return failure(ERANGE);
    if (!call.reply(call.args[0], {reinterpret_cast<const std::uint8_t *>(folder.c_str()), size})) return failure(EFAULT);
    return static_cast<std::int32_t>(size);
}

}  // namespace mog
