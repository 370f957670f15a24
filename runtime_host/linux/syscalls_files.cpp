// syscalls_files.cpp: the calls about open files and their descriptors.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <vector>

#include "runtime_host/linux/guest_abi.hpp"
#include "runtime_host/linux/syscalls.hpp"

namespace mog {

namespace {

std::int32_t write_bytes(Call &call, OpenFile &file, std::span<const std::uint8_t> bytes) {
    if ((file.flags & O_ACCMODE) == O_RDONLY) return failure(EBADF);
    HostResult n = file.write(call.process->rank, bytes);
    if (n == would_block) return wait_for(call, file, POLLOUT);
    if (n == -EPIPE && !call.process->ignores_sigpipe) {
        // What SIGPIPE does; in silence, as shells keep it, for nothing is wrong with the program.
        call.outcome = Outcome::Exit;
        call.exit_status = 128 + guest::SIGPIPE_MIPS;
    }
    return result_of(n);
}

}  // namespace

OpenFile *file_of(Call &call, std::uint32_t fd) {
    auto &table = descriptors_of(call);
    return fd < table.size() ? table[fd].file.get() : nullptr;
}

std::uint32_t descriptor_limit(const Call &call) { return call.services.files.paths().policy().max_files; }

std::int32_t install(Call &call, Descriptor descriptor, std::uint32_t from) {
    auto &table = descriptors_of(call);
    std::size_t fd = from;
    while (fd < table.size() && table[fd].file) fd++;
    if (fd >= descriptor_limit(call)) return failure(EMFILE);
    if (fd >= table.size()) table.resize(fd + 1);
    table[fd] = std::move(descriptor);
    return static_cast<std::int32_t>(fd);
}

std::int32_t result_of(HostResult value) {
    if (value < 0) return failure(static_cast<int>(-value));
    return value > INT32_MAX ? failure(EOVERFLOW) : static_cast<std::int32_t>(value);
}

std::int32_t or_errno(int result) { return result < 0 ? failure(errno) : result; }

std::int32_t wait_for(Call &call, const OpenFile &file, short events) {
    // Somebody may be about to answer what the PE asked in an unfinished line.
    call.services.output.finish_lines(call.process->rank);
    call.outcome = Outcome::Block;
    call.waits.push_back({file.host_fd(), events, 0});
    return 0;
}

std::vector<Descriptor> &descriptors_of(Call &call) {
    Process &process = *call.process;
    if (!process.has_descriptors) {
        FileSystem &files = call.services.files;
        process.descriptors = {{files.standard_input(process.rank)}, {files.standard_output(1)}, {files.standard_output(2)}};
        process.has_descriptors = true;
    }
    return process.descriptors;
}

std::int32_t sys_read(Call &call) {
    auto [fd, address, length] = std::array{call.args[0], call.args[1], call.args[2]};
    OpenFile *file = file_of(call, fd);
    if (!file || (file->flags & O_ACCMODE) == O_WRONLY) return failure(EBADF);
    if (length == 0) return 0;
    if (!call.can_write(address, length)) return failure(EFAULT);
    HostResult n = file->read(call.replies.add(call.process->rank, address, length));
    call.replies.shorten(n < 0 ? 0 : static_cast<std::uint32_t>(n));
    return n == would_block ? wait_for(call, *file, POLLIN) : result_of(n);
}

std::int32_t sys_readv(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file || (file->flags & O_ACCMODE) == O_WRONLY) return failure(EBADF);
    HostResult total = 0;
    for (std::size_t i = 0; i < call.args[2]; i++) {
        guest::IoVector part = guest::to_host_iovec(call.input[0], i);
        if (part.length == 0) continue;
        if (!call.can_write(part.address, part.length)) return total ? result_of(total) : failure(EFAULT);
        // Parts that overlap could want more than memory has. As always, less may be read than is wanted.
        if (total + part.length > call.services.addresses.data_bytes && total > 0) break;
        HostResult n = file->read(call.replies.add(call.process->rank, part.address, part.length));
        call.replies.shorten(n < 0 ? 0 : static_cast<std::uint32_t>(n));
        if (n < 0 && total > 0) break;
        if (n < 0) return n == would_block ? wait_for(call, *file, POLLIN) : result_of(n);
        total += n;
        if (n < part.length) break;
    }
    return result_of(total);
}

std::int32_t sys_pread64(Call &call) {
    auto [fd, address, length] = std::array{call.args[0], call.args[1], call.args[2]};
    std::int64_t offset = guest::wide(call.args[4], call.args[5]);
    OpenFile *file = file_of(call, fd);
    if (offset < 0) return failure(EINVAL);
    if (!file || (file->flags & O_ACCMODE) == O_WRONLY) return failure(EBADF);
    if (length == 0) return 0;
    if (!call.can_write(address, length)) return failure(EFAULT);
    HostResult n = file->read_at(call.replies.add(call.process->rank, address, length), offset);
    call.replies.shorten(n < 0 ? 0 : static_cast<std::uint32_t>(n));
    return result_of(n);
}

std::int32_t sys_pwrite64(Call &call) {
    std::int64_t offset = guest::wide(call.args[4], call.args[5]);
    OpenFile *file = file_of(call, call.args[0]);
    if (offset < 0) return failure(EINVAL);
    if (!file || (file->flags & O_ACCMODE) == O_RDONLY) return failure(EBADF);
    return result_of(file->write_at(call.input[0], offset));
}

std::int32_t sys_getdents64(Call &call) {
    auto [fd, address, length] = std::array{call.args[0], call.args[1], call.args[2]};
    OpenFile *file = file_of(call, fd);
    if (!file) return failure(EBADF);
    if (!call.can_write(address, length)) return failure(EFAULT);
    if (length == 0) return failure(EINVAL);
    // struct linux_dirent64 is the same on every machine whose bytes come in this order.
    HostResult n = file->entries(call.replies.add(call.process->rank, address, length));
    call.replies.shorten(n < 0 ? 0 : static_cast<std::uint32_t>(n));
    return result_of(n);
}

std::int32_t sys_pipe2(Call &call) {
    std::optional<int> flags = guest::to_host_open_flags(call.args[1]);
    if (!flags || (*flags & ~(O_CLOEXEC | O_NONBLOCK))) return failure(EINVAL);
    if (!call.can_write(call.args[0], 8)) return failure(EFAULT);
    std::array<std::shared_ptr<OpenFile>, 2> ends;
    if (int failed = call.services.files.make_pipe(*flags, &ends)) return failure(failed);
    const bool close_on_exec = *flags & O_CLOEXEC;
    std::int32_t in = install(call, {std::move(ends[0]), close_on_exec});
    if (in < 0) return in;
    std::int32_t out = install(call, {std::move(ends[1]), close_on_exec});
    if (out < 0) {
        descriptors_of(call)[static_cast<std::size_t>(in)] = {};
        return out;
    }
    std::uint8_t words[8];
    guest::put32(words, static_cast<std::uint32_t>(in));
    guest::put32(words + 4, static_cast<std::uint32_t>(out));
    call.reply(call.args[0], words);
    return 0;
}

std::int32_t sys_poll(Call &call) {
    using Clock = std::chrono::steady_clock;
    std::vector<std::uint8_t> answer(call.input[0].begin(), call.input[0].end());
    const std::int32_t milliseconds = static_cast<std::int32_t>(call.args[2]);
    std::int32_t ready = 0;
    for (std::size_t i = 0; i < call.args[1]; i++) {
        guest::PollEntry entry = guest::to_host_pollfd(answer, i);
        short found = 0;
        if (entry.fd >= 0) {
            OpenFile *file = file_of(call, static_cast<std::uint32_t>(entry.fd));
            found = file ? file->poll(entry.events) : POLLNVAL;
            if (file) call.waits.push_back({file->host_fd(), entry.events, 0});
        }
        guest::put_revents(answer, i, found);
        ready += found != 0;
    }
    Clock::time_point &wake = *call.wake;
    if (ready == 0 && milliseconds != 0) {
        if (wake == Clock::time_point{} && milliseconds > 0) wake = Clock::now() + std::chrono::milliseconds(milliseconds);
        if (milliseconds < 0 || Clock::now() < wake) {
            call.services.output.finish_lines(call.process->rank);
            call.outcome = Outcome::Block;
            return 0;
        }
    }
    wake = {};
    return call.reply(call.args[0], answer) ? ready : failure(EFAULT);
}

std::int32_t sys_write(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    return file ? write_bytes(call, *file, call.input[0]) : failure(EBADF);
}

std::int32_t sys_writev(Call &call) { return sys_write(call); }

/// What closing a descriptor means to what it stood for.
static void drop(Call &call, Descriptor &descriptor) {
    if (descriptor.file) call.services.files.locks().closed(call.process->rank, *descriptor.file);
    descriptor = {};
}

std::int32_t sys_close(Call &call) {
    if (!file_of(call, call.args[0])) return failure(EBADF);
    drop(call, descriptors_of(call)[call.args[0]]);
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
    std::int64_t offset = guest::wide(call.args[2], call.args[1]);
    HostResult at = file->seek(offset, static_cast<int>(call.args[4]));
    if (at < 0) return result_of(at);
    std::uint8_t words[8];
    guest::put32(words, static_cast<std::uint32_t>(at));
    guest::put32(words + 4, static_cast<std::uint32_t>(at >> 32));
    return call.reply(call.args[3], words) ? 0 : failure(EFAULT);
}

std::int32_t sys_dup(Call &call) {
    if (!file_of(call, call.args[0])) return failure(EBADF);
    return install(call, {descriptors_of(call)[call.args[0]].file});
}

/// dup2() and dup3(), once it is clear that the two differ.
static std::int32_t duplicate_to(Call &call, bool close_on_exec) {
    std::uint32_t from = call.args[0], to = call.args[1];
    if (!file_of(call, from) || to >= descriptor_limit(call)) return failure(EBADF);
    auto &table = descriptors_of(call);
    if (to >= table.size()) table.resize(to + 1);
    drop(call, table[to]);
    table[to] = {table[from].file, close_on_exec};
    return static_cast<std::int32_t>(to);
}

std::int32_t sys_dup2(Call &call) {
    if (call.args[0] != call.args[1]) return duplicate_to(call, false);
    return file_of(call, call.args[0]) ? static_cast<std::int32_t>(call.args[0]) : failure(EBADF);
}

std::int32_t sys_dup3(Call &call) {
    std::optional<int> flags = guest::to_host_open_flags(call.args[2]);
    if (!flags || (*flags & ~O_CLOEXEC) || call.args[0] == call.args[1]) return failure(EINVAL);
    return duplicate_to(call, *flags & O_CLOEXEC);
}

std::int32_t sys_fstat64(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    struct stat status {};
    if (int failed = file->status(&status)) return result_of(failed);
    return call.reply(call.args[1], guest::to_guest_stat64(status)) ? 0 : failure(EFAULT);
}

/// ftruncate(). What the host has open for more than the PE does, standard input for writing, stays as it is.
static std::int32_t truncate_open(Call &call, std::int64_t length) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    if ((file->flags & O_ACCMODE) == O_RDONLY) return failure(EINVAL);
    if (int refused = call.services.files.paths().refuses_change_of(file->host_fd())) return failure(refused);
    if (FileChanges *const changes = call.services.files.changes(); changes && file->host_fd() >= 0) changes->changing(file->host_fd());
    return result_of(file->truncate(length));
}

std::int32_t sys_ftruncate(Call &call) { return truncate_open(call, static_cast<std::int32_t>(call.args[1])); }

std::int32_t sys_ftruncate64(Call &call) { return truncate_open(call, guest::wide(call.args[2], call.args[3])); }

std::int32_t sys_fchmod(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    if (int refused = call.services.files.paths().refuses_change_of(file->host_fd())) return failure(refused);
    return or_errno(fchmod(file->host_fd(), call.args[1] & 07777u));
}

std::int32_t sys_fchown(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    if (int refused = call.services.files.paths().refuses_change_of(file->host_fd())) return failure(refused);
    return or_errno(fchown(file->host_fd(), call.args[1], call.args[2]));
}

std::int32_t sys_fsync(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    return file->host_fd() < 0 ? failure(EINVAL) : or_errno(fsync(file->host_fd()));
}

}  // namespace mog
