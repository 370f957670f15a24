// lane_registers.hpp: what is in which register of the processor, in native code for lanes.
#pragma once

#include <asmjit/x86.h>

namespace mog::lane_code {

namespace x86 = asmjit::x86;

inline constexpr x86::Zmm acc = x86::zmm0, d_low = x86::zmm1, d_high = x86::zmm2;  ///< D of eight lanes each
inline constexpr x86::Zmm spare0 = x86::zmm3, spare1 = x86::zmm4, spare2 = x86::zmm5, spare3 = x86::zmm6, spare4 = x86::zmm7;
inline constexpr std::uint32_t first_home = 8, last_home = 31;

inline constexpr x86::KReg lanes = x86::k1, high_lanes = x86::k2;  ///< those that execute; the upper eight of them
inline constexpr x86::KReg condition = x86::k3;
inline constexpr x86::KReg spare_k = x86::k4, spare_k2 = x86::k5;

inline constexpr x86::Gp one_acc = x86::eax, scratch = x86::ecx, scratch2 = x86::edx;
inline constexpr x86::Gp frame = x86::rbx, memory = x86::rbp;
inline constexpr x86::Gp scalars = x86::r12d;  ///< in a copy: instructions that were executed as scalars
inline constexpr x86::Gp bits = x86::r13d;     ///< those that execute; in a copy all, and a home
inline constexpr x86::Gp wait = x86::r14d;     ///< the lowest place of other lanes; in a copy none, and a home
inline constexpr x86::Gp passes = x86::r15d;
inline constexpr x86::Gp scalar_homes[] = {x86::esi, x86::edi, x86::r8d, x86::r9d, x86::r10d, x86::r11d, x86::r13d, x86::r14d};

/// How vcmpps and vpcmpd compare.
enum Compare : std::uint8_t { equal = 0, less = 1, not_equal = 4, not_less = 5, greater = 6 };
enum CompareFloats : std::uint8_t { equal_floats = 0x00, unordered = 0x03, less_floats = 0x11, less_or_equal_floats = 0x12 };

}  // namespace mog::lane_code
