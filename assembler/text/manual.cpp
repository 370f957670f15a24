// manual.cpp: isa.def as Markdown and as a list.
#include "assembler/text/manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "assembler/ir/isa.hpp"

namespace mog {
namespace {

const char *operand_text(OperandKind kind) {
    switch (kind) {
        case OperandKind::None: return "";
        case OperandKind::Reg: return "$r";
        case OperandKind::Pair: return "$r";
        case OperandKind::Byte: return "number";
        case OperandKind::Const: return "constant";
        case OperandKind::Label: return "label";
    }
    return "";
}

std::string effects_text(std::uint32_t effects) {
    static constexpr std::pair<std::uint32_t, const char *> names[] = {{Acc, "ACC"},
                                                                       {D, "D"},
                                                                       {Reg, "R"},
                                                                       {Pair, "pair"},
                                                                       {V0, "$v0"},
                                                                       {V1, "$v1"},
                                                                       {MaybeV1, "perhaps $v1"},
                                                                       {A0, "$a0"},
                                                                       {A1, "$a1"},
                                                                       {A2, "$a2"},
                                                                       {A3, "$a3"},
                                                                       {Sp, "$sp"},
                                                                       {Ra, "$ra"},
                                                                       {Mem, "M"},
                                                                       {Pc, "PC"},
                                                                       {Stop, "stop"},
                                                                       {AlwaysStops, "always"},
                                                                       {NoNext, "end"},
                                                                       {Fcsr, "FCSR"},
                                                                       {Fpu, "FPU"},
                                                                       {Floats, "floats"},
                                                                       {Swaps, "swaps"},
                                                                       {Nan, "NaN"},
                                                                       {Copies, "copy"}};
    std::string text;
    for (const auto &[effect, name] : names)
        if (effects & effect) text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

/// Groups as the sections of isa.def: by the high digit of the opcode.
struct Group {
    unsigned from;
    const char *title;
};
constexpr Group groups[] = {{0x00, "Registers and constants"},
                            {0x08, "Memory"},
                            {0x20, "Integer"},
                            {0x50, "Float"},
                            {0x70, "Double"},
                            {0x90, "Control"},
                            {0xf0, "Between lanes"}};

std::size_t group_of(const OpInfo &row) {
    std::size_t group = 0;
    while (group + 1 < std::size(groups) && static_cast<unsigned>(row.op) >= groups[group + 1].from) ++group;
    return group;
}

constexpr const char *introduction = R"(# The MOG instruction set

Made by `mogas --manual` from `interp_templates/isa.def`; do not edit.

A processing element has a 32-bit accumulator ACC, a 64-bit accumulator D for doubles and divisions of 64 bits, up to 256 registers R of 32 bits, a program
counter PC and private memory M, little-endian, of which the first byte is at address 0x10000000. An instruction is 16 bits: the opcode
in the high byte, the operand in the low one.

Operands: `$r` is a register; where the effects say *pair*, it and the next one, low word first. `number` is 0 to 255. `constant` and
`label` are 32-bit values in the constant pool, which the machine finds by hashing the instruction's word and address; the operand byte
is what the assembler varies so that no two different constants meet. A label's value is an index into the code.

*stop* among the writes: the instruction may stop its processing element, for the host's help or for good. Memory accesses outside of
memory, misaligned ones and jumps to what is no code do so. *always*: it does each time. *end*: control never goes on with the next
instruction. *copy*: what is written is what was read. *NaN*: the result is a float or double that may be a NaN.

*floats* among the reads: what is read is taken for floats or doubles, so that one NaN is as good as another. *swaps*: the accumulator
and the register may change places. `$v0` and the like are the registers that system calls know by these names.

*FCSR* is the FPU's control register, as MIPS has it but for the condition codes. If no instruction of a program reads or writes it,
floats and doubles are rounded to nearest, and that is all. If one does, those with *FPU* among their writes round as FCSR says, set
its causes and flags, and stop the processing element where it enables the trap. Costs are estimates, in units of a register move.
)";

}  // namespace

std::string isa_manual() {
    std::string text = introduction;
    std::vector<const OpInfo *> rows;
    for (const OpInfo &row : isa) rows.push_back(&row);
    std::ranges::stable_sort(rows, {}, [](const OpInfo *row) { return group_of(*row); });
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const OpInfo &row = *rows[i];
        const auto code = static_cast<unsigned>(row.op);
        if (i == 0 || group_of(row) != group_of(*rows[i - 1]))
            text += fmt::format("\n## {}\n\n| instruction | opcode | meaning | reads | writes | cost |\n|---|---|---|---|---|---|\n",
                                groups[group_of(row)].title);
        std::string meaning;
        for (const char c : row.manual) {
            if (c == '|') meaning += '\\';
            meaning += c;
        }
        const char *operand = operand_text(row.operand);
        text += fmt::format("| `{}{}{}` | {:02x} | {} | {} | {} | {} |\n", row.name, *operand ? " " : "", operand, code, meaning,
                            effects_text(row.reads), effects_text(row.writes), row.cost);
    }
    text += fmt::format("\n{} instructions.\n", isa.end() - isa.begin());
    return text;
}

std::string op_list() {
    std::string text;
    for (const OpInfo &row : isa)
        text += fmt::format("{:02x}  {:<6} {:<9} {}\n", static_cast<unsigned>(row.op), row.name, operand_text(row.operand), row.manual);
    return text;
}

}  // namespace mog
