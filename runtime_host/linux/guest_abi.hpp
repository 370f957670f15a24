// guest_abi.hpp: MIPS o32 numbers, flags and structures on one side, the host's on the other. Nothing else in the
// runtime knows either. Names ending in _MIPS are the guest's values.
#pragma once

#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/utsname.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace mog::guest {

inline constexpr std::size_t stat64_bytes_MIPS = 104, statfs64_bytes_MIPS = 104;
inline constexpr std::uint32_t timespec_bytes_MIPS = 8, sigaction_bytes_MIPS = 24, pollfd_bytes_MIPS = 8;
inline constexpr std::size_t iovec_bytes_MIPS = 8;
inline constexpr std::size_t iovec_limit_MIPS = 1024;  ///< UIO_MAXIOV
inline constexpr std::size_t path_limit_MIPS = 4096;   ///< PATH_MAX, with the NUL

inline constexpr std::uint32_t TCGETS_MIPS = 0x540d;
inline constexpr std::uint32_t TIOCGWINSZ_MIPS = 0x40087468;
inline constexpr std::uint32_t FIONREAD_MIPS = 0x467f, FIOCLEX_MIPS = 0x6601, FIONCLEX_MIPS = 0x6602;
inline constexpr std::uint32_t F_DUPFD_MIPS = 0, F_GETFD_MIPS = 1, F_SETFD_MIPS = 2, F_GETFL_MIPS = 3, F_SETFL_MIPS = 4;
inline constexpr std::uint32_t F_DUPFD_CLOEXEC_MIPS = 1030;
inline constexpr std::int32_t FD_CLOEXEC_MIPS = 1;
inline constexpr std::uint32_t LOCK_SH_MIPS = 1, LOCK_EX_MIPS = 2, LOCK_NB_MIPS = 4, LOCK_UN_MIPS = 8;
inline constexpr std::uint16_t F_RDLCK_MIPS = 0, F_WRLCK_MIPS = 1, F_UNLCK_MIPS = 2;
inline constexpr std::uint32_t AT_FDCWD_MIPS = 0xffffff9c;  ///< -100
inline constexpr std::uint32_t SIG_DFL_MIPS = 0, SIG_IGN_MIPS = 1;
inline constexpr std::uint32_t sigset_bytes_MIPS = 16;

inline constexpr std::uint32_t SIGABRT_MIPS = 6, SIGPIPE_MIPS = 13, SIGTERM_MIPS = 15;

/// Error number of the guest for one of the host's errno values (positive); EINVAL for one that MIPS lacks.
std::uint32_t to_guest_errno(int host_errno);

/// open() flags. A guest flag nobody knows: nullopt.
std::optional<int> to_host_open_flags(std::uint32_t flags);
std::uint32_t to_guest_open_flags(int host_flags);

/// What F_SETFL can change, of all that open() takes; flags of the host that open() only acts on, and nobody can ask for.
inline constexpr std::uint32_t settable_flags_MIPS = 0x0088;  // O_APPEND, O_NONBLOCK
extern const int creation_flags;

/// AT_ flags of the *at calls; nullopt for one that nobody knows.
std::optional<int> to_host_at_flags(std::uint32_t flags);

/// "SIGSEGV"; "signal 70" has no name: empty.
std::string_view signal_name(std::uint32_t guest_signal);
/// True if a process that gets the signal and has no handler goes on.
bool signal_is_harmless(std::uint32_t guest_signal);
inline constexpr std::uint32_t signal_limit_MIPS = 128;

/// struct stat64.
std::array<std::uint8_t, stat64_bytes_MIPS> to_guest_stat64(const struct stat &host);
/// struct statfs64.
std::array<std::uint8_t, statfs64_bytes_MIPS> to_guest_statfs64(const struct statfs &host);
/// struct timespec and timeval with 32-bit time: two words. A host struct timespec in; nanoseconds or microseconds out.
std::array<std::uint8_t, 8> to_guest_timespec(const struct timespec &host);
std::array<std::uint8_t, 8> to_guest_timeval(const struct timespec &host);
/// struct timespec with 64-bit time (clock_gettime64): two double words.
std::array<std::uint8_t, 16> to_guest_timespec64(const struct timespec &host);
/// nullopt if the nanoseconds are out of range.
std::optional<struct timespec> to_host_timespec(std::span<const std::uint8_t, 8> guest);
/// Two struct timespec as utimensat has them (access, modification), UTIME_NOW and UTIME_OMIT included.
std::optional<std::array<struct timespec, 2>> to_host_file_times(std::span<const std::uint8_t, 16> guest);
/// struct tms in ticks of 1/100 s: user, system, and those of children.
std::array<std::uint8_t, 16> to_guest_tms(std::uint32_t user_ticks, std::uint32_t system_ticks);
/// struct termios (kernel form) of a terminal in its usual settings; struct winsize.
std::array<std::uint8_t, 40> guest_termios();
std::array<std::uint8_t, 8> to_guest_winsize(std::uint16_t rows, std::uint16_t columns);

/// struct flock, or flock64, as fcntl's lock commands have it.
struct FileLock {
    std::uint16_t type = 0, whence = 0;
    std::int64_t start = 0, length = 0;
    std::int32_t pid = 0;
};
struct LockCommand {
    enum What { Get, Set, SetWait } what;
    bool wide;  ///< struct flock64
};
/// What a command of fcntl() does with locks; nullopt if nothing.
std::optional<LockCommand> lock_command(std::uint32_t command);
/// Bytes of the structure that such a command has.
std::uint32_t flock_bytes(LockCommand command);
FileLock to_host_flock(std::span<const std::uint8_t> guest, bool wide);
/// The structure as `old` was, with these values.
std::vector<std::uint8_t> to_guest_flock(const FileLock &lock, std::span<const std::uint8_t> old, bool wide);

struct IoVector {
    std::uint32_t address = 0, length = 0;
};
/// Entry `index` of an iovec array.
IoVector to_host_iovec(std::span<const std::uint8_t> guest, std::size_t index);

struct PollEntry {
    std::int32_t fd = -1;
    short events = 0;
};
/// Entry `index` of a pollfd array; the bits are the same everywhere.
PollEntry to_host_pollfd(std::span<const std::uint8_t> guest, std::size_t index);
void put_revents(std::span<std::uint8_t> guest, std::size_t index, short revents);

/// sa_handler of a struct sigaction: 0 SIG_DFL, SIG_IGN_MIPS, or an address.
std::uint32_t handler_of_sigaction(std::span<const std::uint8_t> guest);

/// struct sigaction with this handler, and nothing else set.
std::array<std::uint8_t, sigaction_bytes_MIPS> to_guest_sigaction(std::uint32_t handler);

/// struct new_utsname: six strings.
std::array<std::uint8_t, 6 * 65> to_guest_utsname(const struct utsname &host);
/// struct rusage with the time used in user mode and the memory in KiB, all else zero.
std::array<std::uint8_t, 72> to_guest_rusage(const struct timespec &user, std::uint32_t memory_kib);
/// struct rlimit of a PE for a resource; nullopt if there is no such resource.
std::optional<std::array<std::uint8_t, 8>> guest_rlimit(std::uint32_t resource, std::uint32_t files, std::uint32_t memory);

/// A host clock id for the guest's; nullopt if there is none.
std::optional<int> to_host_clock(std::uint32_t clock);

/// Little-endian words in a guest structure.
void put32(std::uint8_t *at, std::uint32_t value);
std::uint32_t get32(const std::uint8_t *at);

}  // namespace mog::guest
