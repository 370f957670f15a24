// native_registers.hpp: what is in which register of the processor, in all native code.
#pragma once

#include <asmjit/x86.h>

#include <cstdint>
#include <iterator>

namespace mog::native {

using asmjit::x86::Gp;
using asmjit::x86::Xmm;

inline constexpr Gp acc = asmjit::x86::eax;
inline constexpr Gp scratch = asmjit::x86::ecx, scratch2 = asmjit::x86::edx;
inline constexpr Gp registers = asmjit::x86::rbx;  ///< the PE's registers that have no home
inline constexpr Gp memory = asmjit::x86::rbp;     ///< its DATA, where code asks; else a segment begins at its address 0
/// Instructions that may still be executed, less `spare`: so a block takes those that it counts, and knows by the flags of that whether
/// there were as many, and up to `spare` more that ways may need which are not counted. With fewer it asks in so many words.
inline constexpr Gp passes = asmjit::x86::r15d;
inline constexpr std::int32_t spare = 256;
inline constexpr Xmm d = asmjit::x86::xmm0, float_acc = asmjit::x86::xmm1;
inline constexpr Xmm float_scratch = asmjit::x86::xmm15, float_scratch2 = asmjit::x86::xmm14;
inline constexpr Gp integer_homes[] = {asmjit::x86::esi,  asmjit::x86::edi,  asmjit::x86::r8d,  asmjit::x86::r9d,  asmjit::x86::r10d,
                                       asmjit::x86::r11d, asmjit::x86::r12d, asmjit::x86::r13d, asmjit::x86::r14d, asmjit::x86::ebp};
/// The last one is `memory`, if that is needed.
inline constexpr unsigned homes_beside_memory = std::size(integer_homes) - 1;
inline constexpr asmjit::x86::SReg pe_segment = asmjit::x86::gs;
/// Below the stack's top, where nobody else writes: the TEXT index of a jump by a code address, for who finds that there is no code.
inline const asmjit::x86::Mem jump_from = asmjit::x86::dword_ptr(asmjit::x86::rsp, -8);
/// On top of the stack while the code runs: whose turn it is, and from where the others come that follow; null: the interpreter called.
inline const asmjit::x86::Mem of_turn = asmjit::x86::qword_ptr(asmjit::x86::rsp);
inline const asmjit::x86::Mem next_of_turns = asmjit::x86::qword_ptr(asmjit::x86::rsp, 8);
/// How many rounds of loops were done several at once (vector_code.hpp) since the interpreter called.
inline const asmjit::x86::Mem vector_rounds = asmjit::x86::qword_ptr(asmjit::x86::rsp, 16);
inline Xmm double_home(unsigned home) { return asmjit::x86::xmm(2 + home); }

/// MIPS's NaNs, which take the place of the processor's (interp_templates/arithmetic/float_arithmetic.h).
inline constexpr std::uint32_t default_nanf = 0x7fbfffff;
inline constexpr std::uint64_t default_nand = 0x7ff7ffffffffffff;

}  // namespace mog::native
