// isa.cpp: isa.def as a table. `and`, `or` and `xor` are operators' other names in C++, yet stringizing and pasting
// take their spelling, so the rows need no exception.
#include "assembler/ir/isa.hpp"

#include <algorithm>
#include <iterator>

namespace mog {
namespace {

// The words of the column "access".
constexpr Access No{};
constexpr int Any = -1;
constexpr Access access(AddressIn address, int shift) {
    return {address, static_cast<std::uint8_t>(shift == Any ? 0 : shift), shift == Any};
}
constexpr Access InAcc(int shift) { return access(AddressIn::acc, shift); }
constexpr Access InReg(int shift) { return access(AddressIn::reg, shift); }
constexpr Access InSum(int shift) { return access(AddressIn::sum, shift); }

constexpr OpInfo ops[] = {
#define MOG_OP(name, code, operand, access, reads, writes, cost, body, manual) \
    {Op::name##_, #name, OperandKind::operand, access, reads, writes, cost, #body, manual},
#include "interp_templates/isa.def"
};

constexpr bool opcodes_are_unique() {
    bool seen[256] = {};
    for (const OpInfo &row : ops) {
        if (seen[static_cast<std::uint8_t>(row.op)]) return false;
        seen[static_cast<std::uint8_t>(row.op)] = true;
    }
    return true;
}
static_assert(opcodes_are_unique(), "two rows of isa.def have the same opcode");

constexpr bool names_are_unique() {
    for (const OpInfo &a : ops)
        for (const OpInfo &b : ops)
            if (&a != &b && a.name == b.name) return false;
    return true;
}
static_assert(names_are_unique(), "two rows of isa.def have the same name");

/// MOG_NO_OP, and so the opcode 0xff, belongs to stopped PEs; 0 is what unwritten memory holds.
constexpr bool no_opcode_is_reserved() {
    for (const OpInfo &row : ops)
        if (static_cast<std::uint8_t>(row.op) == 0xff || static_cast<std::uint8_t>(row.op) == 0) return false;
    return true;
}
static_assert(no_opcode_is_reserved(), "a row of isa.def has the opcode 0 or 0xff");

/// An operand's kind and the effects must tell the same story.
constexpr bool effects_match_operands() {
    for (const OpInfo &row : ops) {
        const std::uint32_t effects = row.reads | row.writes;
        if (((effects & Reg) != 0) != (row.operand == OperandKind::Reg)) return false;
        if (((effects & Pair) != 0) != (row.operand == OperandKind::Pair)) return false;
    }
    return true;
}
static_assert(effects_match_operands(), "a row of isa.def has a register operand that it neither reads nor writes");

/// What always stops or never goes on says so of itself only; and a size belongs to one access.
constexpr bool effects_are_consistent() {
    for (const OpInfo &row : ops) {
        if ((row.writes & AlwaysStops) != 0 && (row.writes & Stop) == 0) return false;
        if ((row.reads & (NoNext | Stop | AlwaysStops | Nan | Copies | Fpu | MaybeV1)) != 0) return false;
        if ((row.writes & (Floats | Swaps)) != 0) return false;
        if ((row.writes & V1) != 0 && (row.writes & MaybeV1) != 0) return false;
    }
    return true;
}
static_assert(effects_are_consistent(), "effects of a row of isa.def contradict each other");

/// An access has its address in what the instruction reads, and stops the PE where it is bad.
constexpr bool accesses_match_effects() {
    for (const OpInfo &row : ops) {
        if (!row.access) continue;
        const bool acc = row.access.address != AddressIn::reg, reg = row.access.address != AddressIn::acc;
        if ((acc && !(row.reads & Acc)) || (reg && !(row.reads & Reg))) return false;
        if (!((row.reads | row.writes) & Mem) || !(row.writes & Stop)) return false;
    }
    return true;
}
static_assert(accesses_match_effects(), "a row of isa.def has an access that its effects do not know of");

}  // namespace

constexpr std::array<const OpInfo *, 256> isa_by_code = [] {
    std::array<const OpInfo *, 256> rows{};
    for (const OpInfo &row : ops) rows[static_cast<std::uint8_t>(row.op)] = &row;
    return rows;
}();

const OpInfo *const isa_begin = std::begin(ops);
const OpInfo *const isa_end = std::end(ops);

std::vector<OperandWord> operand_words(const OpInfo &row) {
    std::vector<OperandWord> words;
    const auto add = [&](bool has, std::initializer_list<OperandWord> more) {
        if (has) words.insert(words.end(), more);
    };
    // A register that an access only has its address in is in that word.
    const bool in_address = row.access && row.access.address != AddressIn::acc;
    add(row.writes & Fpu, {OperandWord::FPU});
    add(bool(row.access), {OperandWord::SPACE, OperandWord::ADDRESS});
    add(row.writes & Reg, {OperandWord::PUT, OperandWord::DST});
    add((row.reads & Reg) && !in_address, {OperandWord::SRC});
    add(row.writes & Pair, {OperandWord::PUT2, OperandWord::DST2});
    add(row.reads & Pair, {OperandWord::SRC2});
    add(row.operand == OperandKind::Byte, {OperandWord::NUMBER});
    add(row.operand == OperandKind::Const, {OperandWord::IMM});
    add(row.writes & Pc, {OperandWord::WAY});
    return words;
}

std::string_view name_of(OperandWord word) {
    constexpr std::string_view names[] = {"FPU", "SPACE", "ADDRESS", "PUT", "DST", "SRC", "PUT2", "DST2", "SRC2", "NUMBER", "IMM", "WAY"};
    return names[static_cast<std::size_t>(word)];
}

const OpInfo *find_op(std::string_view name) {
    const auto row = std::find_if(isa_begin, isa_end, [&](const OpInfo &r) { return r.name == name; });
    return row == isa_end ? nullptr : row;
}

}  // namespace mog
