// syscalls_paths.cpp: the calls that name files. A relative path begins at the PE's working directory or, in the *at
// calls, at an open directory.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <string>

#include "runtime_host/guest_abi.hpp"
#include "runtime_host/syscalls.hpp"

namespace mog {

namespace {

constexpr mode_t mode_bits = 07777;

/// Where relative paths begin.
int folder_of(const Call &call) {
    return call.process.folder ? call.process.folder->fd : AT_FDCWD;
}

/// The same for the *at calls, whose argument `n` says it. A closed descriptor gives -1, which the host refuses as it
/// should: with EBADF, and only if the path is relative.
int folder_at(Call &call, std::size_t n) {
    if (call.args[n] == guest::AT_FDCWD_MIPS) return folder_of(call);
    OpenFile *file = file_of(call, call.args[n]);
    return file ? file->host_fd() : -1;
}

/// The PE's umask while it creates something.
class UmaskOfPe {
public:
    explicit UmaskOfPe(const Call &call) : changed_(call.process.umask.has_value()) {
        if (changed_) old_ = umask(*call.process.umask);
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

std::int32_t open_at(Call &call, int folder, std::uint32_t guest_flags, std::uint32_t mode) {
    std::optional<int> flags = guest::to_host_open_flags(guest_flags);
    if (!flags) return failure(EINVAL);
    UmaskOfPe during(call);
    std::shared_ptr<OpenFile> file;
    int failed = call.services.files.open(call.path(0), *flags, mode & mode_bits, &file, folder);
    if (failed == ENXIO && !(*flags & O_NONBLOCK) && (*flags & O_ACCMODE) == O_WRONLY) {
        // A FIFO without a reader yet. Nothing tells when there is one.
        call.process.wake = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
        call.outcome = Outcome::Block;
        return 0;
    }
    call.process.wake = {};
    if (failed) return failure(failed);
    return install(call, std::move(file));
}

std::int32_t status_at(Call &call, int folder, std::uint32_t address, int flags) {
    struct stat status {};
    if (fstatat(folder, call.path(0).c_str(), &status, flags) != 0) return failure(errno);
    return call.reply(address, guest::to_guest_stat64(status)) ? 0 : failure(EFAULT);
}

std::int32_t make_folder_at(Call &call, int folder, std::uint32_t mode) {
    UmaskOfPe during(call);
    return or_errno(mkdirat(folder, call.path(0).c_str(), mode & mode_bits));
}

std::int32_t read_link_at(Call &call, int folder, std::uint32_t address, std::uint32_t room) {
    if (static_cast<std::int32_t>(room) <= 0) return failure(EINVAL);
    char target[PATH_MAX];
    ssize_t n = readlinkat(folder, call.path(0).c_str(), target, sizeof target);
    if (n < 0) return failure(errno);
    std::size_t size = std::min<std::size_t>(static_cast<std::size_t>(n), room);
    if (!call.reply(address, {reinterpret_cast<const std::uint8_t *>(target), size})) return failure(EFAULT);
    return static_cast<std::int32_t>(size);
}

/// truncate(), which has no *at form.
std::int32_t truncate_to(Call &call, std::int64_t length) {
    if (length < 0) return failure(EINVAL);
    int fd = openat(folder_of(call), call.path(0).c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return failure(errno == ENXIO ? EINVAL : errno);
    std::int32_t result = or_errno(ftruncate(fd, length));
    close(fd);
    return result;
}

std::int32_t change_folder(Call &call, const std::string &path, int from) {
    std::shared_ptr<HostFile> folder;
    if (int failed = call.services.files.open_folder(path, &folder, from)) return failure(failed);
    call.process.folder = std::move(folder);
    return 0;
}

}  // namespace

std::int32_t sys_open(Call &call) {
    return open_at(call, folder_of(call), call.args[1], call.args[2]);
}
std::int32_t sys_openat(Call &call) {
    return open_at(call, folder_at(call, 0), call.args[2], call.args[3]);
}
std::int32_t sys_creat(Call &call) {
    return open_at(call, folder_of(call), guest::to_guest_open_flags(O_CREAT | O_WRONLY | O_TRUNC), call.args[1]);
}

std::int32_t sys_stat64(Call &call) {
    return status_at(call, folder_of(call), call.args[1], 0);
}
std::int32_t sys_lstat64(Call &call) {
    return status_at(call, folder_of(call), call.args[1], AT_SYMLINK_NOFOLLOW);
}
std::int32_t sys_fstatat64(Call &call) {
    std::optional<int> flags = guest::to_host_at_flags(call.args[3]);
    return flags ? status_at(call, folder_at(call, 0), call.args[2], *flags) : failure(EINVAL);
}

std::int32_t sys_link(Call &call) {
    int folder = folder_of(call);
    return or_errno(linkat(folder, call.path(0).c_str(), folder, call.path(1).c_str(), 0));
}
std::int32_t sys_linkat(Call &call) {
    std::optional<int> flags = guest::to_host_at_flags(call.args[4]);
    if (!flags) return failure(EINVAL);
    int from = folder_at(call, 0), to = folder_at(call, 2);
    return or_errno(linkat(from, call.path(0).c_str(), to, call.path(1).c_str(), *flags));
}

std::int32_t sys_symlink(Call &call) {
    return or_errno(symlinkat(call.path(0).c_str(), folder_of(call), call.path(1).c_str()));
}
std::int32_t sys_symlinkat(Call &call) {
    return or_errno(symlinkat(call.path(0).c_str(), folder_at(call, 1), call.path(1).c_str()));
}

std::int32_t sys_unlink(Call &call) {
    return or_errno(unlinkat(folder_of(call), call.path(0).c_str(), 0));
}
std::int32_t sys_rmdir(Call &call) {
    return or_errno(unlinkat(folder_of(call), call.path(0).c_str(), AT_REMOVEDIR));
}
std::int32_t sys_unlinkat(Call &call) {
    std::optional<int> flags = guest::to_host_at_flags(call.args[2]);
    return flags ? or_errno(unlinkat(folder_at(call, 0), call.path(0).c_str(), *flags)) : failure(EINVAL);
}

std::int32_t sys_rename(Call &call) {
    int folder = folder_of(call);
    return or_errno(renameat(folder, call.path(0).c_str(), folder, call.path(1).c_str()));
}
std::int32_t sys_renameat(Call &call) {
    int from = folder_at(call, 0), to = folder_at(call, 2);
    return or_errno(renameat(from, call.path(0).c_str(), to, call.path(1).c_str()));
}

std::int32_t sys_mkdir(Call &call) {
    return make_folder_at(call, folder_of(call), call.args[1]);
}
std::int32_t sys_mkdirat(Call &call) {
    return make_folder_at(call, folder_at(call, 0), call.args[2]);
}

std::int32_t sys_mknod(Call &call) {
    mode_t mode = call.args[1];
    if ((mode & S_IFMT) != S_IFIFO && (mode & S_IFMT) != S_IFREG && (mode & S_IFMT) != 0) return failure(EPERM);
    UmaskOfPe during(call);
    return or_errno(mknodat(folder_of(call), call.path(0).c_str(), mode, 0));
}

std::int32_t sys_access(Call &call) {
    return or_errno(faccessat(folder_of(call), call.path(0).c_str(), static_cast<int>(call.args[1]), 0));
}
std::int32_t sys_faccessat(Call &call) {
    return or_errno(faccessat(folder_at(call, 0), call.path(0).c_str(), static_cast<int>(call.args[2]), 0));
}

std::int32_t sys_chmod(Call &call) {
    return or_errno(fchmodat(folder_of(call), call.path(0).c_str(), call.args[1] & mode_bits, 0));
}
std::int32_t sys_fchmodat(Call &call) {
    return or_errno(fchmodat(folder_at(call, 0), call.path(0).c_str(), call.args[2] & mode_bits, 0));
}

std::int32_t sys_chown(Call &call) {
    return or_errno(fchownat(folder_of(call), call.path(0).c_str(), call.args[1], call.args[2], 0));
}
std::int32_t sys_lchown(Call &call) {
    int flags = AT_SYMLINK_NOFOLLOW;
    return or_errno(fchownat(folder_of(call), call.path(0).c_str(), call.args[1], call.args[2], flags));
}
std::int32_t sys_fchownat(Call &call) {
    std::optional<int> flags = guest::to_host_at_flags(call.args[4]);
    if (!flags) return failure(EINVAL);
    return or_errno(fchownat(folder_at(call, 0), call.path(0).c_str(), call.args[2], call.args[3], *flags));
}

std::int32_t sys_utimensat(Call &call) {
    std::optional<int> flags = guest::to_host_at_flags(call.args[3]);
    std::optional<std::array<struct timespec, 2>> times;
    if (!call.input[1].empty() && !(times = guest::to_host_file_times(call.input[1].first<16>()))) return failure(EINVAL);
    if (!flags) return failure(EINVAL);
    return or_errno(utimensat(folder_at(call, 0), call.path(0).c_str(), times ? times->data() : nullptr, *flags));
}

std::int32_t sys_readlink(Call &call) {
    return read_link_at(call, folder_of(call), call.args[1], call.args[2]);
}
std::int32_t sys_readlinkat(Call &call) {
    return read_link_at(call, folder_at(call, 0), call.args[2], call.args[3]);
}

std::int32_t sys_truncate(Call &call) {
    return truncate_to(call, static_cast<std::int32_t>(call.args[1]));
}
std::int32_t sys_truncate64(Call &call) {
    return truncate_to(call, static_cast<std::int64_t>(std::uint64_t{call.args[3]} << 32 | call.args[2]));
}

std::int32_t sys_umask(Call &call) {
    mode_t old = call.process.umask.value_or(call.services.files.umask());
    call.process.umask = call.args[0] & 0777u;
    return static_cast<std::int32_t>(old);
}

std::int32_t sys_chdir(Call &call) {
    return change_folder(call, call.path(0), folder_of(call));
}

std::int32_t sys_fchdir(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    struct stat status {};
    if (int failed = file->status(&status)) return result_of(failed);
    return S_ISDIR(status.st_mode) ? change_folder(call, ".", file->host_fd()) : failure(ENOTDIR);
}

std::int32_t sys_getcwd(Call &call) {
    char folder[PATH_MAX];
    if (call.process.folder) {
        std::string link = "/proc/self/fd/" + std::to_string(call.process.folder->fd);
        struct stat status {};
        ssize_t n = readlink(link.c_str(), folder, sizeof folder - 1);
        if (n < 0 || fstat(call.process.folder->fd, &status) != 0) return failure(errno);
        if (status.st_nlink == 0) return failure(ENOENT);  // removed since
        folder[n] = 0;
    } else if (!getcwd(folder, sizeof folder)) {
        return failure(errno);
    }
    std::size_t size = std::char_traits<char>::length(folder) + 1;
    if (size > call.args[1]) return failure(ERANGE);
    if (!call.reply(call.args[0], {reinterpret_cast<const std::uint8_t *>(folder), size})) return failure(EFAULT);
    return static_cast<std::int32_t>(size);
}

}  // namespace mog
