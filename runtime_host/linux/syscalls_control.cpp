// syscalls_control.cpp: the calls that ask or tell about an open file: fcntl, flock, ioctl.
#include <fcntl.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <chrono>
#include <vector>

#include "runtime_host/linux/guest_abi.hpp"
#include "runtime_host/linux/syscalls.hpp"

namespace mog {

namespace {

/// How often a lock that somebody has is asked for. Nothing tells when it is free: it may be another process of the host.
constexpr int lock_interval = 2;  // ms

/// F_SETFL. Standard streams are shared with other PEs, which keep their flags: this PE gets streams of its own.
std::int32_t set_flags(Call &call, OpenFile *file) {
    std::optional<int> flags = guest::to_host_open_flags(call.args[2] & guest::settable_flags_MIPS);
    if (!flags) return failure(EINVAL);
    if (std::shared_ptr<OpenFile> own = file->apart()) {
        own->flags = file->flags;
        for (Descriptor &descriptor : descriptors_of(call))
            if (descriptor.file.get() == file && descriptor.file != own) descriptor.file = own;
        file = own.get();
    }
    constexpr int settable = O_NONBLOCK | O_APPEND;
    file->flags = (file->flags & ~settable) | (*flags & settable);
    return 0;
}

/// The bytes that a struct flock is about. 0, or an errno.
int range_of(OpenFile &file, const guest::FileLock &lock, RecordLock *out) {
    std::int64_t base = 0, begin;
    struct stat status {};
    if (lock.whence == SEEK_CUR) {
        base = std::max<HostResult>(file.seek(0, SEEK_CUR), 0);
    } else if (lock.whence == SEEK_END) {
        if (int failed = file.status(&status)) return -failed;
        base = status.st_size;
    } else if (lock.whence != SEEK_SET) {
        return EINVAL;
    }
    if (__builtin_add_overflow(base, lock.start, &begin)) return EOVERFLOW;
    std::int64_t end = INT64_MAX;
    if (lock.length > 0 && __builtin_add_overflow(begin, lock.length, &end)) return EOVERFLOW;
    if (lock.length < 0) {
        end = begin;
        if (__builtin_add_overflow(begin, lock.length, &begin)) return EINVAL;
    }
    if (begin < 0) return EINVAL;
    out->begin = begin;
    out->end = end;
    return 0;
}

std::int32_t record_lock(Call &call, OpenFile &file, guest::LockCommand command) {
    using Kind = RecordLock::Kind;
    guest::FileLock lock = guest::to_host_flock(call.input[0], command.wide);
    RecordLock wanted;
    wanted.rank = call.process->rank;
    if (lock.type != guest::F_UNLCK_MIPS) wanted.kind = lock.type == guest::F_WRLCK_MIPS ? Kind::Write : Kind::Read;
    if (lock.type > guest::F_UNLCK_MIPS) return failure(EINVAL);
    if (int failed = range_of(file, lock, &wanted)) return failure(failed);
    FileLocks &locks = call.services.files.locks();
    if (command.what == guest::LockCommand::Get) {
        if (wanted.kind == Kind::None) return failure(EINVAL);
        RecordLock found;
        if (int failed = locks.test(file, wanted, &found)) return failure(failed);
        if (found.kind == Kind::None) {
            lock.type = guest::F_UNLCK_MIPS;
        } else {
            const auto kind = static_cast<std::uint16_t>(found.kind == Kind::Write ? guest::F_WRLCK_MIPS : guest::F_RDLCK_MIPS);
            lock = {kind, SEEK_SET, found.begin, found.end == INT64_MAX ? 0 : found.end - found.begin,
                    found.pid ? found.pid : pid_of(call.services, found.rank)};
        }
        return call.reply(call.args[2], guest::to_guest_flock(lock, call.input[0], command.wide)) ? 0 : failure(EFAULT);
    }
    const int mode = file.flags & O_ACCMODE;
    if ((wanted.kind == Kind::Read && mode == O_WRONLY) || (wanted.kind == Kind::Write && mode == O_RDONLY)) return failure(EBADF);
    std::int64_t blocker = -1;
    int failed = locks.set(file, wanted, &blocker);
    if (failed == EAGAIN && command.what == guest::LockCommand::SetWait) {
        if (!locks.closes_circle(wanted.rank, blocker)) return try_later(call, lock_interval);
        failed = EDEADLK;
    }
    locks.stops_waiting(wanted.rank);
    *call.wake = {};
    return failed ? failure(failed) : 0;
}

}  // namespace

std::int32_t try_later(Call &call, int milliseconds) {
    *call.wake = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    call.outcome = Outcome::Block;
    return 0;
}

std::int32_t sys_fcntl(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    if (std::optional<guest::LockCommand> lock = guest::lock_command(call.args[1])) return record_lock(call, *file, *lock);
    Descriptor &descriptor = descriptors_of(call)[call.args[0]];
    switch (call.args[1]) {
        case guest::F_DUPFD_MIPS:
        case guest::F_DUPFD_CLOEXEC_MIPS:
            if (call.args[2] >= descriptor_limit(call)) return failure(EINVAL);
            return install(call, {descriptor.file, call.args[1] == guest::F_DUPFD_CLOEXEC_MIPS}, call.args[2]);
        case guest::F_GETFD_MIPS: return descriptor.close_on_exec ? guest::FD_CLOEXEC_MIPS : 0;
        case guest::F_SETFD_MIPS: descriptor.close_on_exec = call.args[2] & guest::FD_CLOEXEC_MIPS; return 0;
        case guest::F_GETFL_MIPS: return static_cast<std::int32_t>(guest::to_guest_open_flags(file->flags & ~guest::creation_flags));
        case guest::F_SETFL_MIPS: return set_flags(call, file);
        default: return failure(EINVAL);
    }
}

std::int32_t sys_flock(Call &call) {
    using Kind = RecordLock::Kind;
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    const std::uint32_t operation = call.args[1] & ~guest::LOCK_NB_MIPS;
    Kind kind = Kind::None;
    if (operation == guest::LOCK_SH_MIPS || operation == guest::LOCK_EX_MIPS)
        kind = operation == guest::LOCK_EX_MIPS ? Kind::Write : Kind::Read;
    else if (operation != guest::LOCK_UN_MIPS) return failure(EINVAL);
    int failed = call.services.files.locks().lock_whole(*file, kind);
    if (failed == EAGAIN && !(call.args[1] & guest::LOCK_NB_MIPS)) return try_later(call, lock_interval);
    *call.wake = {};
    return failed ? failure(failed) : 0;
}

std::int32_t sys_ioctl(Call &call) {
    OpenFile *file = file_of(call, call.args[0]);
    if (!file) return failure(EBADF);
    std::uint8_t word[4] = {};
    switch (call.args[1]) {
        case guest::FIONREAD_MIPS: {
            HostResult bytes = file->available();
            if (bytes < 0) return result_of(bytes);
            guest::put32(word, static_cast<std::uint32_t>(std::min<HostResult>(bytes, INT32_MAX)));
            return call.reply(call.args[2], word) ? 0 : failure(EFAULT);
        }
        case guest::FIOCLEX_MIPS:
        case guest::FIONCLEX_MIPS: descriptors_of(call)[call.args[0]].close_on_exec = call.args[1] == guest::FIOCLEX_MIPS; return 0;
        default: break;
    }
    if (!file->is_terminal()) return failure(ENOTTY);
    if (call.args[1] == guest::TCGETS_MIPS) return call.reply(call.args[2], guest::guest_termios()) ? 0 : failure(EFAULT);
    if (call.args[1] == guest::TIOCGWINSZ_MIPS) {
        struct winsize size {};
        if (ioctl(file->host_fd(), TIOCGWINSZ, &size) != 0) return failure(errno);
        return call.reply(call.args[2], guest::to_guest_winsize(size.ws_row, size.ws_col)) ? 0 : failure(EFAULT);
    }
    return failure(EINVAL);
}

}  // namespace mog
