// strace.hpp: system calls in the form of the command strace.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "runtime_host/linux/syscalls.hpp"

namespace mog {

/// A call that was served.
struct TracedCall {
    const SyscallRow &row;
    std::span<const std::uint32_t, 8> args;
    /// What the call read, as in Call; nullopt if it could not be read.
    std::array<std::optional<std::span<const std::uint8_t>>, 2> input;
    const Replies &replies;       ///< what it filled,
    std::size_t first_reply = 0;  ///< from this transfer on
    std::int32_t result = 0;      ///< as from a handler
};

/// `openat(AT_FDCWD, "x.txt", O_RDONLY) = 3`: the call and its result, without newline.
std::string strace_line(const TracedCall &call);
/// The same for a call that does not return: `exit(0) = ?`.
std::string strace_line_without_result(const TracedCall &call);
/// The same for a call that PEs cannot make: `fork(0, 0, 0, 0) = -1 ENOSYS (...)`.
std::string strace_line_unknown(std::uint32_t number, std::span<const std::uint32_t, 8> args, std::int32_t result);

}  // namespace mog
