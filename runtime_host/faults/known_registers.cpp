// known_registers.cpp: liveness over TEXT: the backward data-flow equations of the textbooks, swept until nothing changes.
#include "runtime_host/faults/known_registers.hpp"

#include <algorithm>

#include "assembler/image/constants.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {

namespace {

struct Effects {
    RegisterSet reads, writes;
};

Effects effects_of(const Image &image, std::uint16_t word) {
    Effects effects;
    const OpInfo &row = info(static_cast<Op>(word >> 8));
    const std::size_t operand = word & 0xffu;
    const auto role = [&](Role r) { return image.roles[static_cast<std::size_t>(r)]; };
    if (row.reads & Reg) effects.reads.set(operand);
    if (row.reads & Pair) effects.reads.set(operand).set(operand + 1);
    if (row.writes & Reg) effects.writes.set(operand);
    if (row.writes & Pair) effects.writes.set(operand).set(operand + 1);
    if (row.op == Op::sys_) {
        for (const Role r : {Role::v0, Role::a0, Role::a1, Role::a2, Role::a3, Role::sp, Role::ra})
            effects.reads.set(role(r));
        effects.writes.set(role(Role::v0)).set(role(Role::a3));
    }
    return effects;
}

/// TEXT indices that a return may come to: what CODE_MAP has and is no function's beginning.
std::vector<std::uint32_t> return_points(const Image &image) {
    std::vector<std::uint32_t> points;
    for (std::size_t i = 0; i < image.code_map.size(); i++) {
        if (image.code_map[i] == MOG_NO_CODE) continue;
        const std::uint32_t address = image.code_base + 4 * static_cast<std::uint32_t>(i);
        const auto symbol = std::lower_bound(image.symbols.begin(), image.symbols.end(), address,
                                             [](const Symbol &s, std::uint32_t a) { return s.address < a; });
        if (symbol == image.symbols.end() || symbol->address != address) points.push_back(image.code_map[i]);
    }
    return points;
}

}  // namespace

std::vector<RegisterSet> live_registers(const Image &image) {
    const std::size_t size = image.text.size();
    const std::vector<std::uint32_t> points = return_points(image);
    std::vector<RegisterSet> live(size);
    RegisterSet at_jump;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = size; i-- > 0;) {
            const Op op = op_at(image, i);
            RegisterSet after;
            if (!ends_block(op) && i + 1 < size) after = live[i + 1];
            if (info(op).operand == OperandKind::Label) after |= live[constant_at(image, i)];
            if (op == Op::j_) after |= at_jump;
            const Effects effects = effects_of(image, image.text[i]);
            const RegisterSet now = effects.reads | (after & ~effects.writes);
            if (now == live[i]) continue;
            live[i] = now;
            changed = true;
        }
        for (const std::uint32_t point : points) at_jump |= live[point];
    }
    return live;
}

RegisterSet known_registers(const Image &image, const std::vector<RegisterSet> &live, std::uint32_t text_index) {
    RegisterSet known;
    // What the MIPS instruction read is known still, though it may be dead by now: the pointer in `lw v0,0(v0)`.
    std::uint32_t first = text_index;
    while (first > 0 && image.source_address[first - 1] == image.source_address[text_index] &&
           (info(op_at(image, first - 1)).writes & Pc) == 0)
        first--;
    for (std::uint32_t i = first; i <= text_index; i++) {
        known |= live[i];
        if (i < text_index) known &= ~effects_of(image, image.text[i]).writes;
    }
    // The translator keeps every write to these.
    known.set(image.roles[static_cast<std::size_t>(Role::sp)]).set(image.roles[static_cast<std::size_t>(Role::ra)]);
    return known;
}

}  // namespace mog
