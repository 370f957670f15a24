// guest_abi.cpp: the conversions. Layouts are those of Linux's arch/mips/include/uapi/asm for o32, little-endian.
#include "runtime_host/linux/guest_abi.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace mog::guest {

void put32(std::uint8_t *at, std::uint32_t value) {
    for (int k = 0; k < 4; k++) at[k] = static_cast<std::uint8_t>(value >> (8 * k));
}

std::uint32_t get32(const std::uint8_t *at) {
    return at[0] | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16 | std::uint32_t{at[3]} << 24;
}

namespace {

void put64(std::uint8_t *at, std::uint64_t value) {
    put32(at, static_cast<std::uint32_t>(value));
    put32(at + 4, static_cast<std::uint32_t>(value >> 32));
}

struct OpenFlag {
    std::uint32_t guest;
    int host;
};
constexpr OpenFlag open_flags[] = {
#define MOG_OPEN_FLAG(name, number) {number, name},
#include "runtime_host/linux/guest_open_flags.def"
};
constexpr std::uint32_t O_ACCMODE_MIPS = 3, O_LARGEFILE_MIPS = 0x2000;

}  // namespace

const int creation_flags = O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_CLOEXEC;

std::uint32_t to_guest_errno(int host_errno) {
    if (host_errno <= ERANGE) return static_cast<std::uint32_t>(host_errno);
    switch (host_errno) {
#define MOG_ERRNO(name, number) \
    case name:                  \
        return number;
#include "runtime_host/linux/guest_errno.def"
        default:
            return EINVAL;
    }
}

std::optional<int> to_host_open_flags(std::uint32_t flags) {
    std::uint32_t left = flags & ~(O_ACCMODE_MIPS | O_LARGEFILE_MIPS);
    int host = static_cast<int>(flags & O_ACCMODE_MIPS);  // O_RDONLY, O_WRONLY, O_RDWR are 0, 1, 2 everywhere
    if (host == 3) return {};
    for (const OpenFlag &flag : open_flags)
        if ((left & flag.guest) == flag.guest) {
            host |= flag.host;
            left &= ~flag.guest;
        }
    // What remains of O_SYNC alone is O_DSYNC, which asks for less.
    left &= ~0x0010u;
    if (left) return {};
    return host;
}

std::uint32_t to_guest_open_flags(int host_flags) {
    std::uint32_t guest = static_cast<std::uint32_t>(host_flags & O_ACCMODE);
    for (const OpenFlag &flag : open_flags)
        if ((host_flags & flag.host) == flag.host) guest |= flag.guest;
    return guest;
}

std::optional<int> to_host_at_flags(std::uint32_t flags) {
    constexpr struct {
        std::uint32_t guest;
        int host;
    } known[] = {{0x100, AT_SYMLINK_NOFOLLOW}, {0x200, AT_REMOVEDIR}, {0x400, AT_SYMLINK_FOLLOW}, {0x1000, AT_EMPTY_PATH}};
    static_assert(AT_REMOVEDIR == AT_EACCESS, "one number, two calls");
    int host = 0;
    for (auto flag : known)
        if (flags & flag.guest) {
            host |= flag.host;
            flags &= ~flag.guest;
        }
    if (flags) return {};
    return host;
}

std::string_view signal_name(std::uint32_t guest_signal) {
    switch (guest_signal) {
#define MOG_SIGNAL(name, number, effect) \
    case number:                         \
        return #name;
#include "runtime_host/linux/guest_signals.def"
        default:
            return {};
    }
}

bool signal_is_harmless(std::uint32_t guest_signal) {
    constexpr bool Ends = false, Harmless = true;
    switch (guest_signal) {
#define MOG_SIGNAL(name, number, effect) \
    case number:                         \
        return effect;
#include "runtime_host/linux/guest_signals.def"
        default:
            return guest_signal == 0;
    }
}

std::array<std::uint8_t, stat64_bytes_MIPS> to_guest_stat64(const struct stat &host) {
    std::array<std::uint8_t, stat64_bytes_MIPS> out{};
    std::uint8_t *p = out.data();
    put32(p, static_cast<std::uint32_t>(host.st_dev));
    put64(p + 16, host.st_ino);
    put32(p + 24, host.st_mode);
    put32(p + 28, static_cast<std::uint32_t>(host.st_nlink));
    put32(p + 32, host.st_uid);
    put32(p + 36, host.st_gid);
    put32(p + 40, static_cast<std::uint32_t>(host.st_rdev));
    put64(p + 56, static_cast<std::uint64_t>(host.st_size));
    put32(p + 64, static_cast<std::uint32_t>(host.st_atim.tv_sec));
    put32(p + 68, static_cast<std::uint32_t>(host.st_atim.tv_nsec));
    put32(p + 72, static_cast<std::uint32_t>(host.st_mtim.tv_sec));
    put32(p + 76, static_cast<std::uint32_t>(host.st_mtim.tv_nsec));
    put32(p + 80, static_cast<std::uint32_t>(host.st_ctim.tv_sec));
    put32(p + 84, static_cast<std::uint32_t>(host.st_ctim.tv_nsec));
    put32(p + 88, static_cast<std::uint32_t>(host.st_blksize));
    put64(p + 96, static_cast<std::uint64_t>(host.st_blocks));
    return out;
}

std::array<std::uint8_t, statfs64_bytes_MIPS> to_guest_statfs64(const struct statfs &host) {
    std::array<std::uint8_t, statfs64_bytes_MIPS> out{};
    std::uint8_t *p = out.data();
    put32(p, static_cast<std::uint32_t>(host.f_type));
    put32(p + 4, static_cast<std::uint32_t>(host.f_bsize));
    put32(p + 8, static_cast<std::uint32_t>(host.f_frsize));
    const std::uint64_t counts[5] = {host.f_blocks, host.f_bfree, host.f_files, host.f_ffree, host.f_bavail};
    for (std::size_t k = 0; k < 5; k++) put64(p + 16 + 8 * k, counts[k]);
    put32(p + 56, static_cast<std::uint32_t>(host.f_fsid.__val[0]));
    put32(p + 60, static_cast<std::uint32_t>(host.f_fsid.__val[1]));
    put32(p + 64, static_cast<std::uint32_t>(host.f_namelen));
    put32(p + 68, static_cast<std::uint32_t>(host.f_flags));
    return out;
}

std::array<std::uint8_t, 8> to_guest_timespec(const struct timespec &host) {
    std::array<std::uint8_t, 8> out;
    put32(out.data(), static_cast<std::uint32_t>(host.tv_sec));
    put32(out.data() + 4, static_cast<std::uint32_t>(host.tv_nsec));
    return out;
}

std::array<std::uint8_t, 8> to_guest_timeval(const struct timespec &host) {
    std::array<std::uint8_t, 8> out;
    put32(out.data(), static_cast<std::uint32_t>(host.tv_sec));
    put32(out.data() + 4, static_cast<std::uint32_t>(host.tv_nsec / 1000));
    return out;
}

std::array<std::uint8_t, 16> to_guest_timespec64(const struct timespec &host) {
    std::array<std::uint8_t, 16> out;
    put64(out.data(), static_cast<std::uint64_t>(host.tv_sec));
    put64(out.data() + 8, static_cast<std::uint64_t>(host.tv_nsec));
    return out;
}

std::optional<struct timespec> to_host_timespec(std::span<const std::uint8_t, 8> guest) {
    struct timespec host {};
    host.tv_sec = static_cast<std::int32_t>(get32(guest.data()));
    host.tv_nsec = static_cast<std::int32_t>(get32(guest.data() + 4));
    if (host.tv_sec < 0 || host.tv_nsec < 0 || host.tv_nsec > 999'999'999) return {};
    return host;
}

std::optional<std::array<struct timespec, 2>> to_host_file_times(std::span<const std::uint8_t, 16> guest) {
    constexpr std::uint32_t UTIME_NOW_MIPS = 0x3fffffff, UTIME_OMIT_MIPS = 0x3ffffffe;
    std::array<struct timespec, 2> times{};
    for (std::size_t k = 0; k < 2; k++) {
        std::uint32_t nsec = get32(guest.data() + 8 * k + 4);
        times[k].tv_sec = static_cast<std::int32_t>(get32(guest.data() + 8 * k));
        if (nsec == UTIME_NOW_MIPS)
            times[k].tv_nsec = UTIME_NOW;
        else if (nsec == UTIME_OMIT_MIPS)
            times[k].tv_nsec = UTIME_OMIT;
        else if (nsec <= 999'999'999)
            times[k].tv_nsec = nsec;
        else
            return {};
    }
    return times;
}

std::array<std::uint8_t, 16> to_guest_tms(std::uint32_t user_ticks, std::uint32_t system_ticks) {
    std::array<std::uint8_t, 16> out{};
    put32(out.data(), user_ticks);
    put32(out.data() + 4, system_ticks);
    return out;
}

std::array<std::uint8_t, 40> guest_termios() {
    std::array<std::uint8_t, 40> out{};
    put32(out.data(), 0x0500);       // ICRNL | IXON
    put32(out.data() + 4, 0x0005);   // OPOST | ONLCR
    put32(out.data() + 8, 0x00bf);   // B38400 | CS8 | CREAD
    put32(out.data() + 12, 0x803b);  // ISIG | ICANON | ECHO | ECHOE | ECHOK | IEXTEN
    return out;
}

std::array<std::uint8_t, 8> to_guest_winsize(std::uint16_t rows, std::uint16_t columns) {
    std::array<std::uint8_t, 8> out{};
    put32(out.data(), rows | std::uint32_t{columns} << 16);
    return out;
}

std::optional<LockCommand> lock_command(std::uint32_t command) {
    switch (command) {
        case 14:
            return LockCommand{LockCommand::Get, false};
        case 6:
            return LockCommand{LockCommand::Set, false};
        case 7:
            return LockCommand{LockCommand::SetWait, false};
        case 33:
            return LockCommand{LockCommand::Get, true};
        case 34:
            return LockCommand{LockCommand::Set, true};
        case 35:
            return LockCommand{LockCommand::SetWait, true};
        default:
            return {};
    }
}

std::uint32_t flock_bytes(LockCommand command) {
    return command.wide ? 32 : 36;  // the narrow one ends in unused words
}

FileLock to_host_flock(std::span<const std::uint8_t> guest, bool wide) {
    FileLock lock;
    lock.type = static_cast<std::uint16_t>(guest[0] | guest[1] << 8);
    lock.whence = static_cast<std::uint16_t>(guest[2] | guest[3] << 8);
    if (wide) {
        lock.start = static_cast<std::int64_t>(get32(&guest[8]) | std::uint64_t{get32(&guest[12])} << 32);
        lock.length = static_cast<std::int64_t>(get32(&guest[16]) | std::uint64_t{get32(&guest[20])} << 32);
    } else {
        lock.start = static_cast<std::int32_t>(get32(&guest[4]));
        lock.length = static_cast<std::int32_t>(get32(&guest[8]));
    }
    return lock;
}

std::vector<std::uint8_t> to_guest_flock(const FileLock &lock, std::span<const std::uint8_t> old, bool wide) {
    std::vector<std::uint8_t> out(old.begin(), old.end());
    put32(out.data(), lock.type | std::uint32_t{lock.whence} << 16);
    if (lock.type == F_UNLCK_MIPS) return out;  // nothing stands in the way: only the type is told
    if (wide) {
        put64(&out[8], static_cast<std::uint64_t>(lock.start));
        put64(&out[16], static_cast<std::uint64_t>(lock.length));
    } else {
        put32(&out[4], static_cast<std::uint32_t>(lock.start));
        put32(&out[8], static_cast<std::uint32_t>(lock.length));
    }
    put32(&out[wide ? 24 : 16], static_cast<std::uint32_t>(lock.pid));
    return out;
}

IoVector to_host_iovec(std::span<const std::uint8_t> guest, std::size_t index) {
    const std::uint8_t *entry = guest.data() + index * iovec_bytes_MIPS;
    return {get32(entry), get32(entry + 4)};
}

PollEntry to_host_pollfd(std::span<const std::uint8_t> guest, std::size_t index) {
    const std::uint8_t *entry = guest.data() + index * pollfd_bytes_MIPS;
    return {static_cast<std::int32_t>(get32(entry)), static_cast<short>(get32(entry + 4) & 0xffffu)};
}

void put_revents(std::span<std::uint8_t> guest, std::size_t index, short revents) {
    std::uint8_t *entry = guest.data() + index * pollfd_bytes_MIPS;
    entry[6] = static_cast<std::uint8_t>(revents);
    entry[7] = static_cast<std::uint8_t>(revents >> 8);
}

std::uint32_t handler_of_sigaction(std::span<const std::uint8_t> guest) {
    return get32(guest.data() + 4);  // after sa_flags
}

std::array<std::uint8_t, sigaction_bytes_MIPS> to_guest_sigaction(std::uint32_t handler) {
    std::array<std::uint8_t, sigaction_bytes_MIPS> out{};
    put32(out.data() + 4, handler);
    return out;
}

std::array<std::uint8_t, 6 * 65> to_guest_utsname(const struct utsname &host) {
    std::array<std::uint8_t, 6 * 65> out{};
    const char *fields[6] = {host.sysname, host.nodename, host.release, host.version, "mips", "(none)"};
    for (std::size_t k = 0; k < 6; k++) std::copy_n(fields[k], strnlen(fields[k], 64), out.data() + 65 * k);
    return out;
}

std::array<std::uint8_t, 72> to_guest_rusage(const struct timespec &user, std::uint32_t memory_kib) {
    std::array<std::uint8_t, 72> out{};
    std::array<std::uint8_t, 8> time = to_guest_timeval(user);
    std::copy(time.begin(), time.end(), out.begin());
    put32(out.data() + 16, memory_kib);
    return out;
}

std::optional<std::array<std::uint8_t, 8>> guest_rlimit(std::uint32_t resource, std::uint32_t files, std::uint32_t memory) {
    constexpr std::uint32_t DATA = 2, STACK = 3, CORE = 4, NOFILE = 5, AS = 6, count = 16, infinity = 0x7fffffff;
    if (resource >= count) return {};
    std::uint32_t limit = infinity;
    if (resource == DATA || resource == STACK || resource == AS) limit = memory;
    if (resource == NOFILE) limit = files;
    if (resource == CORE) limit = 0;
    std::array<std::uint8_t, 8> out;
    put32(out.data(), limit);
    put32(out.data() + 4, limit);
    return out;
}

std::optional<int> to_host_clock(std::uint32_t clock) {
    switch (clock) {
        case 0:
            return CLOCK_REALTIME;
        case 1:
            return CLOCK_MONOTONIC;
        case 2:
            return CLOCK_PROCESS_CPUTIME_ID;
        case 3:
            return CLOCK_THREAD_CPUTIME_ID;
        case 4:
            return CLOCK_MONOTONIC_RAW;
        case 5:
            return CLOCK_REALTIME_COARSE;
        case 6:
            return CLOCK_MONOTONIC_COARSE;
        case 7:
            return CLOCK_BOOTTIME;
        default:
            return {};
    }
}

}  // namespace mog::guest
