// linux.hpp: the tables of this room as constants of C++, for the host, which has its own values under the plain names: O_CREAT_MIPS,
// SIGINT_MIPS, ENOSYS_MIPS; and call_read and so on, the numbers of system calls.
#pragma once

#include <cstdint>

namespace mog::guest {

#define MOG_LINUX_CALL(number, name) inline constexpr std::uint32_t call_##name = number;
#include "abi/syscalls.def"

#define MOG_LINUX_CONSTANT(name, value) inline constexpr std::uint32_t name##_MIPS = static_cast<std::uint32_t>(value);
#include "abi/constants.def"

#define MOG_SIGNAL(name, number, effect) inline constexpr std::uint32_t name##_MIPS = number;
#include "abi/signals.def"

#define MOG_ERRNO(name, number) inline constexpr std::uint32_t name##_MIPS = number;
#include "abi/errno.def"

}  // namespace mog::guest
