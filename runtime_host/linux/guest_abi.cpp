// guest_abi.cpp: the conversions. Layouts are those of abi/structures.h.
#include "runtime_host/linux/guest_abi.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

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

struct OpenFlag {
    std::uint32_t guest;
    int host;
};
constexpr OpenFlag open_flags[] = {
#define MOG_OPEN_FLAG(name, number) {number, name},
#include "abi/constants.def"
};

constexpr std::int32_t nanoseconds = 1'000'000'000;  // of a second

linux_timeval timeval_of(const struct timespec &host) {
    return {static_cast<std::int32_t>(host.tv_sec), static_cast<std::int32_t>(host.tv_nsec / 1000)};
}

}  // namespace

// Values that calls pass on as they are.
#define MOG_OPEN_MODE(name, value) static_assert(name == (value));
#define MOG_WHENCE(name, value) static_assert(name == (value));
#define MOG_ACCESS_MODE(name, value) static_assert(name == (value));
#define MOG_FILE_KIND(name, value) static_assert(name == (value));
#include "abi/constants.def"
static_assert(POLLIN == POLLIN_MIPS && POLLPRI == POLLPRI_MIPS && POLLOUT == POLLOUT_MIPS && POLLERR == POLLERR_MIPS &&
              POLLHUP == POLLHUP_MIPS && POLLNVAL == POLLNVAL_MIPS);

const int creation_flags = O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_CLOEXEC;

std::uint32_t to_guest_errno(int host_errno) {
    if (host_errno <= ERANGE) return static_cast<std::uint32_t>(host_errno);
    switch (host_errno) {
// clang-format off
#define MOG_ERRNO(name, number) case name: return number;
#include "abi/errno.def"
            // clang-format on
        default: return EINVAL;
    }
}

std::optional<int> to_host_open_flags(std::uint32_t flags) {
    std::uint32_t left = flags & ~(O_ACCMODE_MIPS | O_LARGEFILE_MIPS);
    int host = static_cast<int>(flags & O_ACCMODE_MIPS);  // O_RDONLY, O_WRONLY, O_RDWR are 0, 1, 2 everywhere
    if (host == O_ACCMODE) return {};
    for (const OpenFlag &flag : open_flags)
        if ((left & flag.guest) == flag.guest) {
            host |= flag.host;
            left &= ~flag.guest;
        }
    // What remains of O_SYNC alone is O_DSYNC, which asks for less.
    left &= ~O_DSYNC_MIPS;
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
    } known[] = {
#define MOG_AT_FLAG(name, value) {value, name},
#include "abi/constants.def"
    };
    static_assert(AT_REMOVEDIR == AT_EACCESS && AT_REMOVEDIR_MIPS == AT_EACCESS_MIPS, "one number, two calls");
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
// clang-format off
#define MOG_SIGNAL(name, number, effect) case number: return #name;
#include "abi/signals.def"
            // clang-format on
        default: return {};
    }
}

bool signal_is_harmless(std::uint32_t guest_signal) {
    constexpr bool Ends = false, Harmless = true;
    switch (guest_signal) {
// clang-format off
#define MOG_SIGNAL(name, number, effect) case number: return effect;
#include "abi/signals.def"
            // clang-format on
        default: return guest_signal == 0;
    }
}

Bytes<linux_stat64> to_guest_stat64(const struct stat &host) {
    linux_stat64 guest{};
    guest.dev = static_cast<std::uint32_t>(host.st_dev);
    guest.ino = host.st_ino;
    guest.mode = host.st_mode;
    guest.nlink = static_cast<std::uint32_t>(host.st_nlink);
    guest.uid = host.st_uid;
    guest.gid = host.st_gid;
    guest.rdev = static_cast<std::uint32_t>(host.st_rdev);
    guest.size = host.st_size;
    guest.atime = static_cast<std::int32_t>(host.st_atim.tv_sec);
    guest.atime_nsec = static_cast<std::int32_t>(host.st_atim.tv_nsec);
    guest.mtime = static_cast<std::int32_t>(host.st_mtim.tv_sec);
    guest.mtime_nsec = static_cast<std::int32_t>(host.st_mtim.tv_nsec);
    guest.ctime = static_cast<std::int32_t>(host.st_ctim.tv_sec);
    guest.ctime_nsec = static_cast<std::int32_t>(host.st_ctim.tv_nsec);
    guest.blksize = static_cast<std::uint32_t>(host.st_blksize);
    guest.blocks = static_cast<std::uint64_t>(host.st_blocks);
    return bytes_of(guest);
}

Bytes<linux_statfs64> to_guest_statfs64(const struct statfs &host) {
    linux_statfs64 guest{};
    guest.type = static_cast<std::uint32_t>(host.f_type);
    guest.bsize = static_cast<std::uint32_t>(host.f_bsize);
    guest.frsize = static_cast<std::uint32_t>(host.f_frsize);
    guest.blocks = host.f_blocks;
    guest.bfree = host.f_bfree;
    guest.files = host.f_files;
    guest.ffree = host.f_ffree;
    guest.bavail = host.f_bavail;
    for (int k = 0; k < 2; k++) guest.fsid[k] = static_cast<std::uint32_t>(host.f_fsid.__val[k]);
    guest.namelen = static_cast<std::uint32_t>(host.f_namelen);
    guest.flags = static_cast<std::uint32_t>(host.f_flags);
    return bytes_of(guest);
}

Bytes<linux_timespec> to_guest_timespec(const struct timespec &host) {
    return bytes_of(linux_timespec{static_cast<std::int32_t>(host.tv_sec), static_cast<std::int32_t>(host.tv_nsec)});
}

Bytes<linux_timeval> to_guest_timeval(const struct timespec &host) { return bytes_of(timeval_of(host)); }

Bytes<linux_timespec64> to_guest_timespec64(const struct timespec &host) { return bytes_of(linux_timespec64{host.tv_sec, host.tv_nsec}); }

std::optional<struct timespec> to_host_timespec(std::span<const std::uint8_t, sizeof(linux_timespec)> guest) {
    const auto time = structure_at<linux_timespec>(guest.data());
    if (time.sec < 0 || time.nsec < 0 || time.nsec >= nanoseconds) return {};
    struct timespec host {};
    host.tv_sec = time.sec;
    host.tv_nsec = time.nsec;
    return host;
}

std::optional<std::array<struct timespec, 2>> to_host_file_times(std::span<const std::uint8_t, 2 * sizeof(linux_timespec)> guest) {
    std::array<struct timespec, 2> times{};
    for (std::size_t k = 0; k < 2; k++) {
        const auto time = structure_at<linux_timespec>(guest.data() + k * sizeof(linux_timespec));
        const std::uint32_t nsec = static_cast<std::uint32_t>(time.nsec);
        times[k].tv_sec = time.sec;
        if (nsec == UTIME_NOW_MIPS) times[k].tv_nsec = UTIME_NOW;
        else if (nsec == UTIME_OMIT_MIPS) times[k].tv_nsec = UTIME_OMIT;
        else if (nsec < nanoseconds) times[k].tv_nsec = nsec;
        else return {};
    }
    return times;
}

Bytes<linux_tms> to_guest_tms(std::uint32_t user_ticks, std::uint32_t system_ticks) {
    return bytes_of(linux_tms{user_ticks, system_ticks, 0, 0});
}

Bytes<linux_termios> guest_termios() {
    static_assert(sizeof(linux_termios::cc) == NCCS_MIPS);
    linux_termios guest{};
    guest.iflag = ICRNL_MIPS | IXON_MIPS;
    guest.oflag = OPOST_MIPS | ONLCR_MIPS;
    guest.cflag = B38400_MIPS | CS8_MIPS | CREAD_MIPS;
    guest.lflag = ISIG_MIPS | ICANON_MIPS | ECHO_MIPS | ECHOE_MIPS | ECHOK_MIPS | IEXTEN_MIPS;
    return bytes_of(guest);
}

Bytes<linux_winsize> to_guest_winsize(std::uint16_t rows, std::uint16_t columns) { return bytes_of(linux_winsize{rows, columns, 0, 0}); }

std::optional<LockCommand> lock_command(std::uint32_t command) {
    switch (command) {
        case F_GETLK_MIPS: return LockCommand{LockCommand::Get, false};
        case F_SETLK_MIPS: return LockCommand{LockCommand::Set, false};
        case F_SETLKW_MIPS: return LockCommand{LockCommand::SetWait, false};
        case F_GETLK64_MIPS: return LockCommand{LockCommand::Get, true};
        case F_SETLK64_MIPS: return LockCommand{LockCommand::Set, true};
        case F_SETLKW64_MIPS: return LockCommand{LockCommand::SetWait, true};
        default: return {};
    }
}

std::uint32_t flock_bytes(LockCommand command) { return command.wide ? sizeof(linux_flock64) : sizeof(linux_flock); }

namespace {

template <typename Flock>
FileLock lock_of(const Flock &guest) {
    return {static_cast<std::uint16_t>(guest.type), static_cast<std::uint16_t>(guest.whence), guest.start, guest.length};
}

template <typename Flock>
std::vector<std::uint8_t> with_lock(const FileLock &lock, Flock guest) {
    guest.type = static_cast<std::int16_t>(lock.type);
    guest.whence = static_cast<std::int16_t>(lock.whence);
    if (lock.type != F_UNLCK_MIPS) {  // else nothing stands in the way: only the type is told
        guest.start = static_cast<decltype(guest.start)>(lock.start);
        guest.length = static_cast<decltype(guest.length)>(lock.length);
        guest.pid = lock.pid;
    }
    const Bytes<Flock> bytes = bytes_of(guest);
    return {bytes.begin(), bytes.end()};
}

}  // namespace

FileLock to_host_flock(std::span<const std::uint8_t> guest, bool wide) {
    return wide ? lock_of(structure_at<linux_flock64>(guest.data())) : lock_of(structure_at<linux_flock>(guest.data()));
}

std::vector<std::uint8_t> to_guest_flock(const FileLock &lock, std::span<const std::uint8_t> old, bool wide) {
    return wide ? with_lock(lock, structure_at<linux_flock64>(old.data())) : with_lock(lock, structure_at<linux_flock>(old.data()));
}

IoVector to_host_iovec(std::span<const std::uint8_t> guest, std::size_t index) {
    const auto piece = structure_at<linux_iovec>(guest.data() + index * sizeof(linux_iovec));
    return {piece.base, piece.length};
}

PollEntry to_host_pollfd(std::span<const std::uint8_t> guest, std::size_t index) {
    const auto entry = structure_at<linux_pollfd>(guest.data() + index * sizeof(linux_pollfd));
    return {entry.fd, entry.events, entry.revents};
}

void put_revents(std::span<std::uint8_t> guest, std::size_t index, short revents) {
    std::memcpy(guest.data() + index * sizeof(linux_pollfd) + offsetof(linux_pollfd, revents), &revents, sizeof revents);
}

std::uint32_t handler_of_sigaction(std::span<const std::uint8_t> guest) { return structure_at<linux_sigaction>(guest.data()).handler; }

Bytes<linux_sigaction> to_guest_sigaction(std::uint32_t handler) {
    linux_sigaction guest{};
    guest.handler = handler;
    return bytes_of(guest);
}

Bytes<linux_utsname> to_guest_utsname(const struct utsname &host) {
    linux_utsname guest{};
    const auto copy = [](char(&to)[65], const char *from) { std::copy_n(from, strnlen(from, sizeof to - 1), to); };
    copy(guest.sysname, host.sysname);
    copy(guest.nodename, host.nodename);
    copy(guest.release, host.release);
    copy(guest.version, host.version);
    copy(guest.machine, "mips");
    copy(guest.domainname, "(none)");
    return bytes_of(guest);
}

Bytes<linux_rusage> to_guest_rusage(const struct timespec &user, std::uint32_t memory_kib) {
    linux_rusage guest{};
    guest.utime = timeval_of(user);
    guest.maxrss = static_cast<std::int32_t>(memory_kib);
    return bytes_of(guest);
}

std::optional<Bytes<linux_rlimit>> guest_rlimit(std::uint32_t resource, std::uint32_t files, std::uint32_t memory) {
    if (resource >= RLIM_NLIMITS_MIPS) return {};
    std::uint32_t limit = RLIM_INFINITY_MIPS;
    if (resource == RLIMIT_DATA_MIPS || resource == RLIMIT_STACK_MIPS || resource == RLIMIT_AS_MIPS) limit = memory;
    if (resource == RLIMIT_NOFILE_MIPS) limit = files;
    if (resource == RLIMIT_CORE_MIPS) limit = 0;
    return bytes_of(linux_rlimit{limit, limit});
}

bool waits_for_time(std::uint32_t futex_operation) {
    const std::uint32_t plain = futex_operation & ~(FUTEX_PRIVATE_FLAG_MIPS | FUTEX_CLOCK_REALTIME_MIPS);
    return plain == FUTEX_WAIT_MIPS || plain == FUTEX_WAIT_BITSET_MIPS;
}

std::optional<int> to_host_clock(std::uint32_t clock) {
    switch (clock) {
// clang-format off
#define MOG_CLOCK(name, value) case value: return name;
#include "abi/constants.def"
            // clang-format on
        default: return {};
    }
}

}  // namespace mog::guest
