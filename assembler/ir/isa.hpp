// isa.hpp: isa.def as C++: opcodes, their operands and effects.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace mog {

enum class OperandKind : std::uint8_t { None, Reg, Pair, Byte, Const, Label };

/// What an instruction reads or writes, as a set of bits. Reg and Pair mean the register(s) its operand names.
/// Fcsr is the FPU's control register; Fpu: an operation of the FPU, which sets causes and flags there and may stop the PE, in
/// programs that read or write that register.
enum Effect : std::uint16_t { Acc = 1, D = 2, Reg = 4, Pair = 8, Mem = 16, Pc = 32, Stop = 64, Fcsr = 128, Fpu = 256 };

/// The opcodes; the value of each is its encoding, the high byte of an instruction word.
enum class Op : std::uint8_t {
#define MOG_OP(name, code, operand, reads, writes, cost, body, manual) name##_ = code,
#include "interp_templates/isa.def"
};

struct OpInfo {
    Op op;
    std::string_view name;
    OperandKind operand;
    std::uint16_t reads;
    std::uint16_t writes;
    std::uint16_t cost;       ///< one execution, in units of a register move
    std::string_view body;    ///< the meaning: source tokens, in braces
    std::string_view manual;

    /// The body without its braces.
    std::string_view statements() const;
};

/// All instructions in the order of isa.def.
extern const OpInfo *const isa_begin;
extern const OpInfo *const isa_end;
struct Isa {
    const OpInfo *begin() const { return isa_begin; }
    const OpInfo *end() const { return isa_end; }
};
inline constexpr Isa isa{};

/// The row of an opcode; nullptr for a code that isa.def does not have.
const OpInfo *find_op(std::uint8_t code);
/// The row of an opcode known to exist.
const OpInfo &info(Op op);
/// The row with this assembly name; nullptr if there is none.
const OpInfo *find_op(std::string_view name);

/// True if execution never continues with the next instruction in order.
bool ends_block(Op op);

}  // namespace mog
