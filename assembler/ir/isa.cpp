// isa.cpp: isa.def as a table. `and`, `or` and `xor` are operators' other names in C++, yet stringizing and pasting
// take their spelling, so the rows need no exception.
#include "assembler/ir/isa.hpp"

#include <algorithm>
#include <iterator>

#include "support/text.hpp"

namespace mog {
namespace {

constexpr OpInfo table[] = {
#define MOG_OP(name, code, operand, reads, writes, cost, body, manual) \
    {Op::name##_, #name, OperandKind::operand, reads, writes, cost, #body, manual},
#include "interp_templates/isa.def"
};

constexpr bool opcodes_are_unique() {
    bool seen[256] = {};
    for (const OpInfo &row : table) {
        if (seen[static_cast<std::uint8_t>(row.op)]) return false;
        seen[static_cast<std::uint8_t>(row.op)] = true;
    }
    return true;
}
static_assert(opcodes_are_unique(), "two rows of isa.def have the same opcode");

constexpr bool names_are_unique() {
    for (const OpInfo &a : table)
        for (const OpInfo &b : table)
            if (&a != &b && a.name == b.name) return false;
    return true;
}
static_assert(names_are_unique(), "two rows of isa.def have the same name");

/// MOG_NO_OP, and so the opcode 0xff, belongs to stopped PEs; 0 is what unwritten memory holds.
constexpr bool no_opcode_is_reserved() {
    for (const OpInfo &row : table)
        if (static_cast<std::uint8_t>(row.op) == 0xff || static_cast<std::uint8_t>(row.op) == 0) return false;
    return true;
}
static_assert(no_opcode_is_reserved(), "a row of isa.def has the opcode 0 or 0xff");

/// An operand's kind and the effects must tell the same story.
constexpr bool effects_match_operands() {
    for (const OpInfo &row : table) {
        const std::uint32_t effects = row.reads | row.writes;
        if (((effects & Reg) != 0) != (row.operand == OperandKind::Reg)) return false;
        if (((effects & Pair) != 0) != (row.operand == OperandKind::Pair)) return false;
    }
    return true;
}
static_assert(effects_match_operands(), "a row of isa.def has a register operand that it neither reads nor writes");

/// What always stops or never goes on says so of itself only; and a size belongs to one access.
constexpr bool effects_are_consistent() {
    for (const OpInfo &row : table) {
        if ((row.writes & AlwaysStops) != 0 && (row.writes & Stop) == 0) return false;
        if ((row.reads & Aligned) != 0 && (row.writes & Mem) != 0) return false;
        if ((row.reads & (Ends | Stop | AlwaysStops | Nan | Copies | Fpu | MaybeV1)) != 0) return false;
        if ((row.writes & (Floats | Swaps)) != 0) return false;
        if ((row.writes & V1) != 0 && (row.writes & MaybeV1) != 0) return false;
    }
    return true;
}
static_assert(effects_are_consistent(), "effects of a row of isa.def contradict each other");

constexpr auto by_code = [] {
    std::array<const OpInfo *, 256> rows{};
    for (const OpInfo &row : table) rows[static_cast<std::uint8_t>(row.op)] = &row;
    return rows;
}();

}  // namespace

const OpInfo *const isa_begin = std::begin(table);
const OpInfo *const isa_end = std::end(table);

std::string_view OpInfo::statements() const {
    return trim(body.substr(1, body.size() - 2));
}

const OpInfo *find_op(std::uint8_t code) {
    return by_code[code];
}

const OpInfo &info(Op op) {
    return *by_code[static_cast<std::uint8_t>(op)];
}

const OpInfo *find_op(std::string_view name) {
    const auto row = std::find_if(isa_begin, isa_end, [&](const OpInfo &r) { return r.name == name; });
    return row == isa_end ? nullptr : row;
}

std::optional<MemoryAccess> memory_access(const OpInfo &row) {
    const std::uint32_t effects = row.reads | row.writes;
    if ((effects & Aligned) == 0) return std::nullopt;
    using At = MemoryAccess::At;
    return MemoryAccess{(effects & (M64 & ~M8)) >> 26, effects & AtReg ? At::reg : effects & AtSum ? At::sum : At::acc};
}

}  // namespace mog
