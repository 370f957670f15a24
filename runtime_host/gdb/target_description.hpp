// target_description.hpp: what gdb is told of the machine: its registers, by the numbers that gdb has for those of MIPS.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "assembler/image/image.hpp"

namespace mog::gdb {

inline constexpr std::uint32_t register_zero = 0, register_sp = 29, register_fp = 30, register_ra = 31, register_status = 32,
                               register_lo = 33, register_hi = 34, register_bad_address = 35, register_cause = 36, register_pc = 37,
                               register_f0 = 38, register_fcsr = 70, register_fir = 71, register_rank = 72, register_count = 73;

/// The description, in XML.
std::string target_description();

/// By gdb's numbers: which of the program's registers that is; nothing: it has none, or it is none of them.
std::array<std::optional<std::uint32_t>, register_count> registers_of(const Image &image);

}  // namespace mog::gdb
