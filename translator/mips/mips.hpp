// mips.hpp: MIPS instructions: mips.def as data, the decoder, the disassembler.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/analysis/effects.hpp"
#include "assembler/ir/isa.hpp"

namespace mog {

/// Registers before assign_registers: MIPS's own and scratch registers of the translator.
namespace vreg {
inline constexpr std::uint32_t zero = 0, v0 = 2, v1 = 3, a0 = 4, a3 = 7, gp = 28, sp = 29, ra = 31;
inline constexpr std::uint32_t f0 = 32;  ///< f0 .. f31
inline constexpr std::uint32_t hi = 64, lo = 65;
inline constexpr std::uint32_t cc0 = 66;                ///< FPU condition codes 0 .. 7, each 0 or 1
inline constexpr std::uint32_t x = 74, y = 75, c = 76;  ///< scratch within one MIPS instruction; c: over a delay slot
inline constexpr std::uint32_t tp = 77;                 ///< the thread's pointer, register 29 of the hardware's
inline constexpr std::uint32_t w = 78;                  ///< scratch pair 78, 79; a pair's first register has an even number
inline constexpr std::uint32_t link = 80;               ///< pair: what ll has loaded, and what sc is to store instead
inline constexpr std::uint32_t count = 82;
inline constexpr Roles roles = {sp, ra, v0, v1, a0, a0 + 1, a0 + 2, a3};
const char *name(std::uint32_t reg);
}  // namespace vreg

/// What an operand of a lowering stands for; see the head of mips.def.
enum class Field : std::uint8_t {
    None,
    Rs,
    Rt,
    Rd,
    Fs,
    FsHigh,
    Ft,
    Fd,
    Fr,
    CcField,
    Fixed,
    Number,
    Signed,
    Unsigned,
    Upper,
    Mask,
    MaskUp,
    NotMaskUp,
    Shift,
    Code,
    Target,
    Next,
    Return
};

struct LoweredOp {
    Op op;
    Field field = Field::None;
    std::uint32_t value = 0;  ///< Fixed: register number; Number: the number
};

struct MipsOp {
    std::string_view name;
    std::string_view pattern;
    std::string_view syntax;
    std::uint32_t mask = 0, match = 0;
    std::vector<LoweredOp> lowering;
    std::string_view unsupported;  ///< why it cannot be translated; empty if it can

    bool branches = false;     ///< ends a block: goes to a target or through a register
    bool conditional = false;  ///< may fall through
    bool likely = false;       ///< its delay slot runs only if it jumps
    bool links = false;        ///< sets a return address

    // From the effects of the lowering. Passes ask for these of every instruction, some again and again.
    bool touches_memory = false, writes_memory = false;
    bool touches_fcsr = false;   ///< reads or writes the FPU's control register, other than by computing
    bool orders_memory = false;  ///< what was accessed before comes before what is after: sync, or what reads and writes a word in one step
    bool orders_loads = false;   ///< what was loaded before does, and that is all
};

struct MipsInstruction {
    std::uint32_t address = 0;
    std::uint32_t word = 0;
    const MipsOp *op = nullptr;

    bool is_nop() const { return word == 0; }
    /// Registers that it reads, and those that it writes or may write, worked out from the lowering; by vreg.
    RegisterSet reads() const;
    RegisterSet writes() const;
    bool touches_memory() const { return op->touches_memory; }
    bool writes_memory() const { return op->writes_memory; }
    bool touches_fcsr() const { return op->touches_fcsr; }
    /// Where a branch or jump goes; meaningless for one through a register.
    std::uint32_t target() const;
};

/// The row of mips.def that fits a word; "illegal" if none does.
const MipsOp &decode_mips(std::uint32_t word);
/// A row by name, for instructions of the translator's own.
const MipsOp &mips_op(std::string_view name);
/// The instruction as binutils prints it with -M no-aliases,reg-names=numeric, without symbols.
std::string disassemble_mips(const MipsInstruction &instruction);

/// Value of a lowering's operand for one instruction: register number, constant or address.
std::uint32_t field_value(const MipsInstruction &instruction, const LoweredOp &op);
inline std::uint32_t field_rs(std::uint32_t word) { return word >> 21 & 31; }
inline std::uint32_t field_rt(std::uint32_t word) { return word >> 16 & 31; }
inline std::int32_t field_immediate(std::uint32_t word) { return static_cast<std::int16_t>(word & 0xffff); }

}  // namespace mog
