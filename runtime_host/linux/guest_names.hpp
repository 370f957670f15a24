// guest_names.hpp: what numbers of MIPS Linux are called, for people: --strace, messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mog::guest {

/// The name of a system call of Linux for MIPS o32, one that PEs cannot make included; empty if there is none.
std::string_view call_name(std::uint32_t number);

/// "ENOENT (No such file or directory)".
std::string errno_text(std::uint32_t guest_errno);

// As strace writes them: names, joined by "|", and what has none in hexadecimal.
std::string open_flags_text(std::uint32_t flags);
std::string at_flags_text(std::uint32_t flags);
std::string poll_events_text(std::uint32_t events);
std::string access_mode_text(std::uint32_t mode);
/// "S_IFREG|0644".
std::string file_mode_text(std::uint32_t mode);
std::string flock_text(std::uint32_t operation);

// Names of single values; the number where there is none.
std::string whence_text(std::uint32_t whence);
std::string clock_text(std::uint32_t clock);
std::string fcntl_text(std::uint32_t command);
std::string lock_type_text(std::uint32_t type);
std::string ioctl_text(std::uint32_t request);
std::string signal_text(std::uint32_t signal);

/// A string as strace writes it, cut after `most` bytes.
std::string quoted(std::string_view bytes, std::size_t most);

}  // namespace mog::guest
