// guest_abi.hpp: MIPS o32 numbers, flags and structures on one side, the host's on the other. Names ending in _MIPS are the guest's
// values, which the tables in abi/ have.
#pragma once

#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/utsname.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "abi/linux.hpp"
#include "abi/structures.h"

namespace mog::guest {

inline constexpr std::size_t stat64_bytes_MIPS = sizeof(linux_stat64), statfs64_bytes_MIPS = sizeof(linux_statfs64);
inline constexpr std::uint32_t timespec_bytes_MIPS = sizeof(linux_timespec), sigaction_bytes_MIPS = sizeof(linux_sigaction);
inline constexpr std::uint32_t pollfd_bytes_MIPS = sizeof(linux_pollfd);
inline constexpr std::size_t iovec_bytes_MIPS = sizeof(linux_iovec);
inline constexpr std::size_t iovec_limit_MIPS = UIO_MAXIOV_MIPS;
inline constexpr std::size_t path_limit_MIPS = PATH_MAX_MIPS;  ///< with the NUL
inline constexpr std::uint32_t sigset_bytes_MIPS = sizeof(linux_sigaction::mask);

/// Error number of the guest for one of the host's errno values (positive); EINVAL for one that MIPS lacks.
std::uint32_t to_guest_errno(int host_errno);

/// open() flags. A guest flag nobody knows: nullopt.
std::optional<int> to_host_open_flags(std::uint32_t flags);
std::uint32_t to_guest_open_flags(int host_flags);

/// What F_SETFL can change, of all that open() takes; flags of the host that open() only acts on, and nobody can ask for.
inline constexpr std::uint32_t settable_flags_MIPS = O_APPEND_MIPS | O_NONBLOCK_MIPS;
extern const int creation_flags;

/// AT_ flags of the *at calls; nullopt for one that nobody knows.
std::optional<int> to_host_at_flags(std::uint32_t flags);

/// "SIGSEGV"; "signal 70" has no name: empty.
std::string_view signal_name(std::uint32_t guest_signal);
/// True if a process that gets the signal and has no handler goes on.
bool signal_is_harmless(std::uint32_t guest_signal);

/// A structure as it goes to a PE's memory, or lies there.
template <typename Structure>
using Bytes = std::array<std::uint8_t, sizeof(Structure)>;
template <typename Structure>
Bytes<Structure> bytes_of(const Structure &structure) {
    return std::bit_cast<Bytes<Structure>>(structure);
}
/// `bytes` are at least as many as it has.
template <typename Structure>
Structure structure_at(const std::uint8_t *bytes) {
    Structure structure;
    std::memcpy(&structure, bytes, sizeof structure);
    return structure;
}

/// struct stat64.
Bytes<linux_stat64> to_guest_stat64(const struct stat &host);
/// struct statfs64.
Bytes<linux_statfs64> to_guest_statfs64(const struct statfs &host);
/// struct timespec and timeval with 32-bit time: two words. A host struct timespec in; nanoseconds or microseconds out.
Bytes<linux_timespec> to_guest_timespec(const struct timespec &host);
Bytes<linux_timeval> to_guest_timeval(const struct timespec &host);
/// struct timespec with 64-bit time (clock_gettime64): two double words.
Bytes<linux_timespec64> to_guest_timespec64(const struct timespec &host);
/// nullopt if the nanoseconds are out of range.
std::optional<struct timespec> to_host_timespec(std::span<const std::uint8_t, sizeof(linux_timespec)> guest);
/// Two struct timespec as utimensat has them (access, modification), UTIME_NOW and UTIME_OMIT included.
std::optional<std::array<struct timespec, 2>> to_host_file_times(std::span<const std::uint8_t, 2 * sizeof(linux_timespec)> guest);
/// struct tms in ticks of 1/100 s: user, system, and those of children.
Bytes<linux_tms> to_guest_tms(std::uint32_t user_ticks, std::uint32_t system_ticks);
/// struct termios (kernel form) of a terminal in its usual settings; struct winsize.
Bytes<linux_termios> guest_termios();
Bytes<linux_winsize> to_guest_winsize(std::uint16_t rows, std::uint16_t columns);

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
    short events = 0, revents = 0;
};
/// Entry `index` of a pollfd array; the bits that the host serves are the same everywhere.
PollEntry to_host_pollfd(std::span<const std::uint8_t> guest, std::size_t index);
void put_revents(std::span<std::uint8_t> guest, std::size_t index, short revents);

/// sa_handler of a struct sigaction: 0 SIG_DFL, SIG_IGN_MIPS, or an address.
std::uint32_t handler_of_sigaction(std::span<const std::uint8_t> guest);

/// struct sigaction with this handler, and nothing else set.
Bytes<linux_sigaction> to_guest_sigaction(std::uint32_t handler);

/// struct new_utsname: six strings.
Bytes<linux_utsname> to_guest_utsname(const struct utsname &host);
/// struct rusage with the time used in user mode and the memory in KiB, all else zero.
Bytes<linux_rusage> to_guest_rusage(const struct timespec &user, std::uint32_t memory_kib);
/// struct rlimit of a PE for a resource; nullopt if there is no such resource.
std::optional<Bytes<linux_rlimit>> guest_rlimit(std::uint32_t resource, std::uint32_t files, std::uint32_t memory);

/// A host clock id for the guest's; nullopt if there is none.
std::optional<int> to_host_clock(std::uint32_t clock);
/// Whether a futex operation waits, for a time if it is given one.
bool waits_for_time(std::uint32_t futex_operation);

/// Little-endian words in a guest structure.
void put32(std::uint8_t *at, std::uint32_t value);
std::uint32_t get32(const std::uint8_t *at);
/// A 64-bit number in two words.
inline std::int64_t wide(std::uint32_t low, std::uint32_t high) { return static_cast<std::int64_t>(std::uint64_t{high} << 32 | low); }

}  // namespace mog::guest
