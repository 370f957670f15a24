// isa.hpp: isa.def as C++: opcodes, their operands and effects.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace mog {

enum class OperandKind : std::uint8_t { None, Reg, Pair, Byte, Const, Label };

/// What an instruction reads or writes, and how; as a set of bits. The head of isa.def says what each means.
enum Effect : std::uint32_t {
    Acc = 1,
    D = 2,
    Reg = 4,
    Pair = 8,
    Mem = 16,
    Pc = 32,
    Stop = 64,
    Fcsr = 128,
    Fpu = 256,
    NoNext = 1 << 9,
    AlwaysStops = 1 << 10,
    Halt = Stop | AlwaysStops,
    Copies = 1 << 11,
    Floats = 1 << 12,
    Nan = 1 << 13,
    Swaps = 1 << 14,
    // Registers by their roles, in the order of Role (mog_program.hpp).
    Sp = 1 << 16,
    Ra = 1 << 17,
    V0 = 1 << 18,
    V1 = 1 << 19,
    A0 = 1 << 20,
    A1 = 1 << 21,
    A2 = 1 << 22,
    A3 = 1 << 23,
    MaybeV1 = 1 << 24,
};

/// Where an access to memory has its address. no_access: the instruction makes none.
enum class AddressIn : std::uint8_t { no_access, acc, reg, sum };

/// An instruction's access to memory.
struct Access {
    AddressIn address = AddressIn::no_access;
    std::uint8_t shift = 0;  ///< it is of 2^shift bytes and aligned to as many, unless
    bool any = false;        ///< it is of a word at any alignment, or of a part of one

    constexpr explicit operator bool() const { return address != AddressIn::no_access; }
};

/// The opcodes; the value of each is its encoding, the high byte of an instruction word.
enum class Op : std::uint8_t {
#define MOG_OP(name, code, operand, access, reads, writes, cost, body, manual) name##_ = code,
#include "interp_templates/isa.def"
};

struct OpInfo {
    Op op;
    std::string_view name;
    OperandKind operand;
    Access access;
    std::uint32_t reads;
    std::uint32_t writes;
    std::uint16_t cost;     ///< one execution, in units of a register move
    std::string_view body;  ///< the meaning: source tokens, in braces
    std::string_view manual;
};

/// A word for an operand in a body (vocabulary.h). An instruction has those that its columns call for, and the macro that
/// generated code has for it (instruction_page.hpp) has these as parameters, in this order.
enum class OperandWord : std::uint8_t { FPU, SPACE, ADDRESS, PUT, DST, SRC, PUT2, DST2, SRC2, NUMBER, IMM, WAY };
std::vector<OperandWord> operand_words(const OpInfo &row);
std::string_view name_of(OperandWord word);

/// All instructions in the order of isa.def.
extern const OpInfo *const isa_begin;
extern const OpInfo *const isa_end;
struct Isa {
    const OpInfo *begin() const { return isa_begin; }
    const OpInfo *end() const { return isa_end; }
};
inline constexpr Isa isa{};

/// By opcode: its row; nullptr for a code that isa.def does not have.
extern const std::array<const OpInfo *, 256> isa_by_code;
/// The row of an opcode; nullptr for a code that isa.def does not have.
inline const OpInfo *find_op(std::uint8_t code) { return isa_by_code[code]; }
/// The row of an opcode known to exist. Here, for every pass asks it of every instruction.
inline const OpInfo &info(Op op) { return *isa_by_code[static_cast<std::uint8_t>(op)]; }
/// The row with this assembly name; nullptr if there is none.
const OpInfo *find_op(std::string_view name);

/// True if execution never continues with the next instruction in order.
inline bool ends_block(Op op) { return (info(op).writes & NoNext) != 0; }
/// True if it always stops its PE, and the host acts before anything else is executed.
inline bool always_stops(Op op) { return (info(op).writes & AlwaysStops) != 0; }
/// A jump to the code address in ACC, which may be any.
inline bool jumps_to_address(Op op) { return (info(op).writes & Pc) != 0 && info(op).operand != OperandKind::Label; }
/// A jump that is always taken: those that call and return are among them.
inline bool is_jump(const OpInfo &row) { return (row.writes & Pc) != 0 && (row.writes & NoNext) != 0; }
/// A jump that is taken or not.
inline bool is_branch(Op op) { return (info(op).writes & (Pc | NoNext)) == Pc; }

}  // namespace mog
