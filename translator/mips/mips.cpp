// mips.cpp: reads mips.def at start-up into masks and lowerings; decodes and prints by them.
#include "translator/mips/mips.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "support/say.hpp"

namespace mog {

namespace vreg {
const char *name(std::uint32_t reg) {
    static constexpr std::array<const char *, 84> names = {
        "zero", "at",  "v0",  "v1",  "a0",  "a1",  "a2",  "a3",  "t0",  "t1",  "t2",  "t3",  "t4",   "t5",     "t6",  "t7",  "s0",
        "s1",   "s2",  "s3",  "s4",  "s5",  "s6",  "s7",  "t8",  "t9",  "k0",  "k1",  "gp",  "sp",   "fp",     "ra",  "f0",  "f1",
        "f2",   "f3",  "f4",  "f5",  "f6",  "f7",  "f8",  "f9",  "f10", "f11", "f12", "f13", "f14",  "f15",    "f16", "f17", "f18",
        "f19",  "f20", "f21", "f22", "f23", "f24", "f25", "f26", "f27", "f28", "f29", "f30", "f31",  "hi",     "lo",  "cc0", "cc1",
        "cc2",  "cc3", "cc4", "cc5", "cc6", "cc7", "x",   "y",   "c",   "tp",  "w0",  "w1",  "link", "linked", "acc", "d"};
    return reg < names.size() ? names[reg] : "?";
}
}  // namespace vreg

namespace {

struct Row {
    const char *name, *pattern, *syntax, *lowering;
};
constexpr Row rows[] = {
#define MIPS_OP(name, pattern, syntax, lowering) {name, pattern, syntax, lowering},
#include "translator/mips/mips.def"
};

/// A row that contradicts isa.def is a mistake in the source of this program: every test would meet it.
[[noreturn]] void bad_row(const Row &row, std::string_view why) {
    say("mips.def: {}: {}\n", row.name, why);
    std::abort();
}

struct Named {
    std::string_view text;
    Field field;
    std::uint32_t value;
};
// clang-format off
constexpr Named operand_names[] = {
    {"s", Field::Rs, 0},          {"t", Field::Rt, 0},          {"d", Field::Rd, 0},        {"S", Field::Fs, 0},
    {"T", Field::Ft, 0},          {"F", Field::Fd, 0},          {"R", Field::Fr, 0}, {"H", Field::FsHigh, 0},       {"C", Field::CcField, 0},
    {"i", Field::Signed, 0},      {"u", Field::Unsigned, 0},    {"U", Field::Upper, 0},     {"M", Field::Mask, 0},
    {"P", Field::MaskUp, 0},      {"Q", Field::NotMaskUp, 0},   {"a", Field::Shift, 0},     {"n", Field::Code, 0},
    {"@", Field::Target, 0},      {"+", Field::Next, 0},        {"%", Field::Return, 0},    {"hi", Field::Fixed, vreg::hi},
    {"lo", Field::Fixed, vreg::lo}, {"ra", Field::Fixed, vreg::ra}, {"cc", Field::Fixed, vreg::cc0},
    {"cc0", Field::Fixed, vreg::cc0}, {"cc1", Field::Fixed, vreg::cc0 + 1}, {"cc2", Field::Fixed, vreg::cc0 + 2},
    {"cc3", Field::Fixed, vreg::cc0 + 3}, {"cc4", Field::Fixed, vreg::cc0 + 4}, {"cc5", Field::Fixed, vreg::cc0 + 5},
    {"cc6", Field::Fixed, vreg::cc0 + 6}, {"cc7", Field::Fixed, vreg::cc0 + 7}, {"x", Field::Fixed, vreg::x}, {"y", Field::Fixed, vreg::y},
    {"c", Field::Fixed, vreg::c}, {"w", Field::Fixed, vreg::w}, {"tp", Field::Fixed, vreg::tp}, {"l", Field::Fixed, vreg::link},
    {"L", Field::Fixed, vreg::link + 1},
};
// clang-format on

std::string_view trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

LoweredOp parse_lowered(const Row &row, std::string_view text) {
    const auto space = text.find(' ');
    const OpInfo *info = find_op(text.substr(0, space));
    if (info == nullptr) bad_row(row, fmt::format("no such instruction: {}", text));
    LoweredOp result{info->op};
    if (space == std::string_view::npos) return result;
    const auto operand = trim(text.substr(space));
    for (const Named &named : operand_names) {
        if (named.text == operand) return {info->op, named.field, named.value};
    }
    char *end = nullptr;
    const std::string number(operand);
    result.value = static_cast<std::uint32_t>(std::strtoll(number.c_str(), &end, 0));
    if (*end != '\0') bad_row(row, fmt::format("no such operand: {}", operand));
    result.field = Field::Number;
    return result;
}

MipsOp parse_row(const Row &row) {
    MipsOp op;
    op.name = row.name;
    op.pattern = row.pattern;
    op.syntax = row.syntax;
    int bit = 31;
    for (const char ch : op.pattern) {
        if (ch == ' ') continue;
        if (ch == '0' || ch == '1') {
            op.mask |= 1u << bit;
            if (ch == '1') op.match |= 1u << bit;
        }
        --bit;
    }
    if (!op.pattern.empty() && bit != -1) bad_row(row, "the pattern has not 32 bits");

    std::string_view text = row.lowering;
    if (text.starts_with('!')) {
        op.unsupported = text.substr(1);
        return op;
    }
    while (!trim(text).empty()) {
        const auto end = text.find(';');
        op.lowering.push_back(parse_lowered(row, trim(text.substr(0, end))));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    for (const LoweredOp &lowered : op.lowering) {
        const OpInfo &effects = info(lowered.op);
        op.touches_memory |= ((effects.reads | effects.writes) & Mem) != 0;
        op.writes_memory |= (effects.writes & Mem) != 0;
        op.touches_fcsr |= ((effects.reads | effects.writes) & Fcsr) != 0;
        op.orders_loads |= lowered.op == Op::acquire_;
        op.orders_memory |= lowered.op != Op::acquire_ && (effects.reads & effects.writes & Mem) != 0 &&
                            (effects.access ? !effects.access.any : (effects.writes & Stop) == 0);
        if (lowered.field == Field::Return) op.links = true;
        if (lowered.field == Field::Target || jumps_to_address(lowered.op)) {
            op.branches = true;
            op.conditional = is_branch(lowered.op);
        }
    }
    op.likely = op.conditional && op.name.ends_with('l') && op.name != "bltzal" && op.name != "bgezal";
    return op;
}

/// All rows, parsed, in order; and for each primary opcode the rows that may fit it.
struct Table {
    std::vector<MipsOp> ops;
    std::array<std::vector<const MipsOp *>, 64> by_primary;
    const MipsOp *illegal = nullptr;

    Table() {
        for (const Row &row : rows) ops.push_back(parse_row(row));
        for (const MipsOp &op : ops) {
            if (op.name == "illegal") illegal = &op;
            if (!op.pattern.empty()) by_primary[op.match >> 26].push_back(&op);
        }
    }
};

const Table &table() {
    static const Table instance;
    return instance;
}

std::uint32_t mask_of(std::uint32_t bits) { return bits >= 32 ? 0xffffffffu : (1u << bits) - 1u; }

}  // namespace

const MipsOp &decode_mips(std::uint32_t word) {
    for (const MipsOp *op : table().by_primary[word >> 26]) {
        if ((word & op->mask) == op->match) return *op;
    }
    return *table().illegal;
}

const MipsOp &mips_op(std::string_view name) {
    for (const MipsOp &op : table().ops) {
        if (op.name == name) return op;
    }
    return *table().illegal;
}

std::uint32_t field_value(const MipsInstruction &instruction, const LoweredOp &op) {
    const std::uint32_t word = instruction.word;
    const std::uint32_t rd = word >> 11 & 31, sa = word >> 6 & 31;
    // ext has msb - lsb in rd, ins has msb.
    const std::uint32_t size = (word & 63) == 0 ? rd + 1 : rd + 1 - sa;
    switch (op.field) {
        case Field::None: return 0;
        case Field::Rs: return field_rs(word);
        case Field::Rt: return field_rt(word);
        case Field::Rd: return rd;
        case Field::Fs: return vreg::f0 + rd;
        case Field::FsHigh: return vreg::f0 + (rd | 1);
        case Field::Ft: return vreg::f0 + field_rt(word);
        case Field::Fd: return vreg::f0 + sa;
        case Field::Fr: return vreg::f0 + field_rs(word);
        // Comparisons have their condition code in bits 8-10, branches and moves in 18-20.
        case Field::CcField:
            return vreg::cc0 + ((word & 0x30) == 0x30 && (word >> 26) == 0x11 && (word >> 21 & 31) != 8 ? word >> 8 & 7 : word >> 18 & 7);
        case Field::Fixed:
        case Field::Number: return op.value;
        case Field::Signed: return static_cast<std::uint32_t>(field_immediate(word));
        case Field::Unsigned: return word & 0xffff;
        case Field::Upper: return word << 16;
        case Field::Mask: return mask_of(size);
        case Field::MaskUp: return mask_of(size) << sa;
        case Field::NotMaskUp: return ~(mask_of(size) << sa);
        case Field::Shift: return sa;
        // Traps have ten bits of code, break ten that count; MOG's operand has eight.
        case Field::Code: return (instruction.op->name == "break" ? word >> 16 & 0x3ff : word >> 6 & 0x3ff) & 0xff;
        case Field::Target: return instruction.target();
        case Field::Next: return instruction.address + 4;
        case Field::Return: return instruction.address + 8;
    }
    return 0;
}

std::uint32_t MipsInstruction::target() const {
    if ((word >> 26 & ~1u) == 2) return ((address + 4) & 0xf0000000u) | (word & 0x03ffffffu) << 2;
    return address + 4 + (static_cast<std::uint32_t>(field_immediate(word)) << 2);
}

namespace {
/// `of`: reads_of or may_write. What the accumulators hold between MIPS instructions does not matter.
RegisterSet effects(const MipsInstruction &instruction, RegisterSet of(const OpInfo &, std::uint32_t, const Roles &)) {
    RegisterSet set;
    for (const LoweredOp &lowered : instruction.op->lowering) set |= of(info(lowered.op), field_value(instruction, lowered), vreg::roles);
    return set.reset(acc_variable).reset(d_variable);
}
}  // namespace

RegisterSet MipsInstruction::reads() const { return effects(*this, reads_of); }
RegisterSet MipsInstruction::writes() const { return effects(*this, may_write); }

std::string disassemble_mips(const MipsInstruction &instruction) {
    const std::uint32_t word = instruction.word;
    const std::uint32_t rd = word >> 11 & 31, sa = word >> 6 & 31;
    std::string text(instruction.op->name);
    if (!instruction.op->syntax.empty()) text += '\t';
    for (const char ch : instruction.op->syntax) {
        switch (ch) {
            case 's': text += fmt::format("${}", field_rs(word)); break;
            case 't': text += fmt::format("${}", field_rt(word)); break;
            case 'd': text += fmt::format("${}", rd); break;
            case 'S': text += fmt::format("$f{}", rd); break;
            case 'T': text += fmt::format("$f{}", field_rt(word)); break;
            case 'F': text += fmt::format("$f{}", sa); break;
            case 'R': text += fmt::format("$f{}", field_rs(word)); break;
            case 'C': text += fmt::format("$fcc{}", field_value(instruction, {Op::lr_, Field::CcField}) - vreg::cc0); break;
            case 'i': text += fmt::format("{}", field_immediate(word)); break;
            case 'u': text += fmt::format("{:#x}", instruction.op->name == "break" ? word >> 6 & 0x3ff : word & 0xffff); break;
            case 'a': text += fmt::format("{:#x}", sa); break;
            case 'm': text += fmt::format("{:#x}", (word & 63) == 0 ? rd + 1 : rd + 1 - sa); break;
            case 'n':
                if (instruction.op->name == "syscall" || instruction.op->name == "sdbbp") text += fmt::format("{:#x}", word >> 6 & 0xfffff);
                else if (instruction.op->name == "break") text += fmt::format("{:#x}", word >> 16 & 0x3ff);
                else if (instruction.op->name == "pref") text += fmt::format("{:#x}", field_rt(word));
                else if (instruction.op->name == "prefx") text += fmt::format("{:#x}", rd);
                else text += fmt::format("{:#x}", word >> 6 & 0x3ff);
                break;
            case 'B':
            case 'J': text += fmt::format("{:x}", instruction.target()); break;
            default: text += ch;
        }
    }
    return text;
}

}  // namespace mog
