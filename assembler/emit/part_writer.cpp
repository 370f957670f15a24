// part_writer.cpp: which numbers of a group another program may have others for.
#include "assembler/emit/part_writer.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

#include "assembler/ir/isa.hpp"

namespace mog {
namespace {

/// Constants as small as this are sizes, offsets and masks. Larger ones may be addresses, halves of addresses, or distances from $gp: a
/// number that is none costs a load from constant memory.
constexpr std::uint32_t least_address = 512;

/// Those that make pairs are neighbours.
constexpr std::string_view registers[] = {
    "zero", "at",  "v0",  "v1",  "a0",  "a1",  "a2",  "a3",  "t0",  "t1",  "t2",  "t3",  "t4",   "t5",     "t6",  "t7",  "s0",
    "s1",   "s2",  "s3",  "s4",  "s5",  "s6",  "s7",  "t8",  "t9",  "k0",  "k1",  "gp",  "sp",   "fp",     "ra",  "f0",  "f1",
    "f2",   "f3",  "f4",  "f5",  "f6",  "f7",  "f8",  "f9",  "f10", "f11", "f12", "f13", "f14",  "f15",    "f16", "f17", "f18",
    "f19",  "f20", "f21", "f22", "f23", "f24", "f25", "f26", "f27", "f28", "f29", "f30", "f31",  "hi",     "lo",  "cc0", "cc1",
    "cc2",  "cc3", "cc4", "cc5", "cc6", "cc7", "x",   "y",   "c",   "tp",  "w0",  "w1",  "link", "linked",
};
constexpr std::size_t most_registers = 256;

/// Numbers for a program's registers, by their names; none if they have no room, or if two that are a pair are no neighbours then.
std::optional<std::vector<std::uint8_t>> numbers_by_name(const Image &image) {
    std::vector<std::uint8_t> numbers;
    std::size_t next = std::size(registers);
    for (const std::string &name : image.register_names) {
        const auto known = std::ranges::find(registers, name);
        const std::size_t number = known != std::end(registers) ? static_cast<std::size_t>(known - std::begin(registers)) : next++;
        if (number >= most_registers) return std::nullopt;
        numbers.push_back(static_cast<std::uint8_t>(number));
    }
    if (std::set<std::uint8_t>(numbers.begin(), numbers.end()).size() != numbers.size()) return std::nullopt;
    for (std::size_t at = 0; at < image.text.size(); ++at) {
        const std::uint8_t r = image.text[at] & 0xffu;
        if (info(op_at(image, at)).operand != OperandKind::Pair || r + 1u >= numbers.size()) continue;
        if (numbers[r] + 1 != numbers[r + 1u]) return std::nullopt;
    }
    return numbers;
}

}  // namespace

NamedRegisters::NamedRegisters(const Image &program) : image(program) {
    const auto by_name = numbers_by_name(program);
    if (!by_name) {
        for (std::uint32_t r = 0; r < program.register_names.size(); ++r) numbers.push_back(r);
        return;
    }
    const std::size_t count = 1u + *std::ranges::max_element(*by_name);
    numbers.assign(count, 0);
    image.register_names.assign(count, {});
    for (std::uint32_t r = 0; r < by_name->size(); ++r) {
        numbers[(*by_name)[r]] = r;
        image.register_names[(*by_name)[r]] = program.register_names[r];
    }
    for (std::uint8_t &role : image.roles) role = (*by_name)[role];
    for (std::uint16_t &word : image.text) {
        const OperandKind operand = info(static_cast<Op>(word >> 8)).operand;
        if (operand == OperandKind::Reg || operand == OperandKind::Pair)
            word = static_cast<std::uint16_t>((word & 0xff00u) | (*by_name)[word & 0xffu]);
    }
}

PartWriter::PartWriter(const NamedRegisters &program, const BlockPlan &plan, std::uint32_t number)
    : WarpWriter(program.image, plan, number), numbers_(program.numbers), symbols_{group_.begin(group_.group.blocks.front())} {}

std::string PartWriter::symbol(Kind kind, std::uint32_t value) {
    const auto [found, is_new] = found_.try_emplace({kind, value}, symbols_.size());
    if (is_new) symbols_.push_back(value);
    return fmt::format("SYMBOL({})", found->second);
}

std::string PartWriter::constant(std::uint32_t value) {
    const bool is_small = value < least_address || value > 0u - least_address;
    return is_small ? WarpWriter::constant(value) : symbol(Kind::constant, value);
}

/// By TEXT indices, which the group has the same ones of wherever it stands.
void PartWriter::known_jump(const std::vector<CodeAddress> &targets, std::uint32_t b) {
    line("switch (KNOWN_PLACE(ACC)) {");
    std::set<std::uint32_t> seen;
    for (const CodeAddress &target : targets)
        if (seen.insert(target.to).second) line(fmt::format("case {}u: {}", place(target.to), go(b, target.to)));
    line("default: break;");
    line("}");
}

}  // namespace mog
