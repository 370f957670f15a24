// syscalls_files.cpp: the calls about files and descriptors.
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <vector>

#include "runtime_host/guest_abi.hpp"
#include "runtime_host/syscalls.hpp"

namespace mog {

namespace {

constexpr std::uint32_t descriptor_limit = 1024;  // Linux's usual limit for a process

/// The open file of a descriptor; nullptr if it is closed.
OpenFile *file_of(Call &call, std::uint32_t fd) {
    auto &table = descriptors_of(call);
    return fd < table.size() ? table[fd].get() : nullptr;
}

/// The lowest free descriptor from `from` on gets the file.
std::int32_t install(Call &call, std::shared_ptr<OpenFile> file, std::uint32_t from = 0) {
    auto &table = descriptors_of(call);
    std::size_t fd = from;
    while (fd < table.size() && table[fd]) fd++;
    if (fd >= descriptor_limit) return failure(EMFILE);
    if (fd >= table.size()) table.resize(fd + 1);
    table[fd] = std::move(file);
    return static_cast<std::int32_t>(fd);
}

std::int32_t result_of(HostResult value) {
    if (value < 0) return failure(static_cast<int>(-value));
    return value > INT32_MAX ? failure(EOVERFLOW) : static_cast<std::int32_t>(value);
}

std::int32_t or_errno(int result) {
    return result < 0 ? failure(errno) : result;
}

std::int32_t wait_for(Call &call, const OpenFile &file, short events) {
    // Somebody may be about to answer what the PE asked in an unfinished line.
    call.services.output.finish_lines(call.process.rank);
    call.outcome = Outcome::Block;
    call.wait_fd = file.host_fd();
    call.wait_events = events;
    return 0;
}

std::int32_t write_bytes(Call &call, OpenFile &file, std::span<const std::uint8_t> bytes) {
    if ((file.flags & O_ACCMODE) == O_RDONLY) return failure(EBADF);
    HostResult n = file.write(call.process.rank, bytes);
    if (n == would_block) return wait_for(call, file, POLLOUT);
    if (n == -EPIPE) {
        // What SIGPIPE does; in silence, as shells keep it, for nothing is wrong with the program.
        call.outcome = Outcome::Exit;
        call.exit_status = 128 + guest::SIGPIPE_MIPS;
    }
    return result_of(n);
}

std::int32_t reply_status(Call &call, std::uint32_t address, int failed, const struct stat &status) {
    if (failed) return failure(failed);
    return call.reply(address, guest::to_guest_stat64(status)) ? 0 : failure(EFAULT);
}

}  // namespace

std::vector<std::shared_ptr<OpenFile>> &descriptors_of(Call &call) {
    Process &process = call.process;
    if (!process.has_descriptors) {
        FileSystem &files = call.services.files;
        process.descriptors = {files.standard_input(process.rank), files.standard_output(1), files.standard_output(2)};
        process.has_descriptors = true;
    }
    return process.descriptors;
}

std::int32_t sys_read(Call &call) {
    auto [fd, address, length] = std::array{call.args[0], call.args[1], call.args[2]};
    OpenFile *file = file_of(call, fd);
    if (!file || (file->flags & O_ACCMODE) == O_WRONLY) return failure(EBADF);
    if (!call.in_data(address, length)) return failure(EFAULT);
    if (length == 0) return 0;
    HostResult n = file->read(call.replies.add(call.process.rank, address, length));
    call.replies.shorten(n < 0 ? 0 : static_cast<std::uint32_t>(n));
    return n == would_block ? wait_for(call, *file, POLLIN) : result_of(n);
}

std::int32_t sys_readv(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file || (file->flags & O_ACCMODE) == O_WRONLY) return failure(EBADF);
    HostResult total = 0;
    for (std::size_t i = 0; i < call.args[2]; i++) {
        guest::IoVector part = guest::to_host_iovec(call.input[0], i);
        if (!call.in_data(part.address, part.length)) return total ? result_of(total) : failure(EFAULT);
        if (part.length == 0) continue;
        HostResult n = file->read(call.replies.add(call.process.rank, part.address, part.length));
        call.replies.shorten(n < 0 ? 0 : static_cast<std::uint32_t>(n));
        if (n < 0 && total > 0) break;
        if (n < 0) return n == would_block ? wait_for(call, *file, POLLIN) : result_of(n);
        total += n;
        if (n < part.length) break;
    }
    return result_of(total);
}

std::int32_t sys_write(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    return file ? write_bytes(call, *file, call.input[0]) : failure(EBADF);
}

std::int32_t sys_writev(Call &call) {
    return sys_write(call);
}

std::int32_t sys_open(Call &call) {
    std::optional<int> flags = guest::to_host_open_flags(call.args[1]);
    if (!flags) return failure(EINVAL);
    std::shared_ptr<OpenFile> file;
    if (int failed = call.services.files.open(call.path(0), *flags, call.args[2] & 07777u, &file))
        return failure(failed);
    return install(call, std::move(file));
}

std::int32_t sys_close(Call &call) {
    if (!file_of(call, call.args[0])) return failure(EBADF);
    descriptors_of(call)[call.args[0]].reset();
    return 0;
}

std::int32_t sys_lseek(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    std::int32_t offset = static_cast<std::int32_t>(call.args[1]);
    return result_of(file->seek(offset, static_cast<int>(call.args[2])));
}

std::int32_t sys_llseek(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    std::int64_t offset = static_cast<std::int64_t>(std::uint64_t{call.args[1]} << 32 | call.args[2]);
    HostResult at = file->seek(offset, static_cast<int>(call.args[4]));
    if (at < 0) return result_of(at);
    std::uint8_t words[8];
    guest::put32(words, static_cast<std::uint32_t>(at));
    guest::put32(words + 4, static_cast<std::uint32_t>(at >> 32));
    return call.reply(call.args[3], words) ? 0 : failure(EFAULT);
}

std::int32_t sys_dup(Call &call) {
    if (!file_of(call, call.args[0])) return failure(EBADF);
    return install(call, descriptors_of(call)[call.args[0]]);
}

std::int32_t sys_dup2(Call &call) {
    std::uint32_t from = call.args[0], to = call.args[1];
    if (!file_of(call, from) || to >= descriptor_limit) return failure(EBADF);
    auto &table = descriptors_of(call);
    if (to >= table.size()) table.resize(to + 1);
    table[to] = table[from];
    return static_cast<std::int32_t>(to);
}

std::int32_t sys_fcntl(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    switch (call.args[1]) {
        case guest::F_DUPFD_MIPS:
            if (call.args[2] >= descriptor_limit) return failure(EINVAL);
            return install(call, descriptors_of(call)[call.args[0]], call.args[2]);
        case guest::F_GETFD_MIPS:
        case guest::F_SETFD_MIPS:
            return 0;  // close-on-exec means nothing where there is no exec
        case guest::F_GETFL_MIPS:
            return static_cast<std::int32_t>(guest::to_guest_open_flags(file->flags));
        case guest::F_SETFL_MIPS: {
            std::optional<int> flags = guest::to_host_open_flags(call.args[2]);
            if (!flags) return failure(EINVAL);
            constexpr int settable = O_NONBLOCK;
            if ((*flags ^ file->flags) & O_APPEND)
                return failure(EINVAL);  // the shared descriptor of the host decides it
            file->flags = (file->flags & ~settable) | (*flags & settable);
            return 0;
        }
        default:
            return failure(EINVAL);
    }
}

std::int32_t sys_ioctl(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    if (!file->is_terminal()) return failure(ENOTTY);
    if (call.args[1] == guest::TCGETS_MIPS)
        return call.reply(call.args[2], guest::guest_termios()) ? 0 : failure(EFAULT);
    if (call.args[1] == guest::TIOCGWINSZ_MIPS) {
        struct winsize size {};
        if (ioctl(file->host_fd(), TIOCGWINSZ, &size) != 0) return failure(errno);
        return call.reply(call.args[2], guest::to_guest_winsize(size.ws_row, size.ws_col)) ? 0 : failure(EFAULT);
    }
    return failure(EINVAL);
}

std::int32_t sys_fstat64(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    struct stat status {};
    return reply_status(call, call.args[1], -file->status(&status), status);
}

std::int32_t sys_stat64(Call &call) {
    struct stat status {};
    return reply_status(call, call.args[1], stat(call.path(0).c_str(), &status) ? errno : 0, status);
}

std::int32_t sys_lstat64(Call &call) {
    struct stat status {};
    return reply_status(call, call.args[1], lstat(call.path(0).c_str(), &status) ? errno : 0, status);
}

std::int32_t sys_ftruncate(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    return result_of(file->truncate(static_cast<std::int32_t>(call.args[1])));
}

std::int32_t sys_fsync(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    return file->host_fd() < 0 ? failure(EINVAL) : or_errno(fsync(file->host_fd()));
}

std::int32_t sys_link(Call &call) {
    return or_errno(link(call.path(0).c_str(), call.path(1).c_str()));
}
std::int32_t sys_unlink(Call &call) {
    return or_errno(unlink(call.path(0).c_str()));
}
std::int32_t sys_rename(Call &call) {
    return or_errno(std::rename(call.path(0).c_str(), call.path(1).c_str()));
}
std::int32_t sys_mkdir(Call &call) {
    return or_errno(mkdir(call.path(0).c_str(), call.args[1] & 07777u));
}
std::int32_t sys_rmdir(Call &call) {
    return or_errno(rmdir(call.path(0).c_str()));
}
std::int32_t sys_access(Call &call) {
    return or_errno(access(call.path(0).c_str(), static_cast<int>(call.args[1])));
}

std::int32_t sys_readlink(Call &call) {
    char target[PATH_MAX];
    ssize_t n = readlink(call.path(0).c_str(), target, sizeof target);
    if (n < 0) return failure(errno);
    std::size_t size = std::min<std::size_t>(static_cast<std::size_t>(n), call.args[2]);
    if (!call.reply(call.args[1], {reinterpret_cast<const std::uint8_t *>(target), size})) return failure(EFAULT);
    return static_cast<std::int32_t>(size);
}

std::int32_t sys_getcwd(Call &call) {
    char folder[PATH_MAX];
    if (!getcwd(folder, sizeof folder)) return failure(errno);
    std::size_t size = std::char_traits<char>::length(folder) + 1;
    if (size > call.args[1]) return failure(ERANGE);
    if (!call.reply(call.args[0], {reinterpret_cast<const std::uint8_t *>(folder), size})) return failure(EFAULT);
    return static_cast<std::int32_t>(size);
}

}  // namespace mog
