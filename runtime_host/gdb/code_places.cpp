// code_places.cpp: see code_places.hpp.
#include "runtime_host/gdb/code_places.hpp"

#include <algorithm>

#include "assembler/analysis/data_flow.hpp"
#include "assembler/analysis/program_flow.hpp"
#include "assembler/image/encode.hpp"
#include "interp_templates/launch_abi.h"
#include "runtime_host/faults/live_registers.hpp"

namespace mog::gdb {

namespace {

/// What a MIPS instruction does to the way of control, as far as it says so itself.
struct Way {
    bool has_slot = false;     ///< a jump or branch, with a delay slot
    bool is_certain = false;   ///< it goes to `target` whatever registers hold
    std::uint32_t target = 0;  ///< 0: it is in a register, or there is none
};
Way way_of(std::uint32_t word, std::uint32_t address) {
    constexpr std::uint32_t special = 0, regimm = 1, j = 2, jal = 3, beq = 4, bgtz = 7, cop1 = 17, beql = 20, bgtzl = 23, jr = 8, jalr = 9;
    const std::uint32_t opcode = word >> 26, function = word & 0x3f, fpu_branch = 8;
    if (opcode == special) return {function == jr || function == jalr, false, 0};
    if (opcode == j || opcode == jal) return {true, opcode == j, ((address + 4) & 0xf0000000) | (word & 0x03ffffff) << 2};
    const bool is_branch = opcode == regimm || (opcode >= beq && opcode <= bgtz) || (opcode >= beql && opcode <= bgtzl) ||
                           (opcode == cop1 && (word >> 21 & 0x1f) == fpu_branch);
    if (!is_branch) return {};
    const auto offset = static_cast<std::uint32_t>(static_cast<std::int16_t>(word & 0xffff) * 4);
    const bool compares_the_same = (word >> 21 & 0x1f) == (word >> 16 & 0x1f);
    return {true, opcode == beq && compares_the_same, address + 4 + offset};
}

std::optional<std::uint32_t> word_at(const MipsCode &code, std::uint32_t address) {
    const std::span<const std::uint8_t> bytes = code.at(address, 4);
    if (bytes.size() < 4) return std::nullopt;
    return std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[3]} << 24;
}

}  // namespace

CodePlaces::CodePlaces(const Image &image, const MipsCode &code)
    : image_(image), code_(code), addresses_(image.source_address), in_slot_(image.text.size()) {
    find_slots();
    for (std::uint32_t i = 0; i < image.text.size(); i++)
        if (is_boundary(i)) places_[addresses_[i]].push_back(i);
    for (std::uint32_t i = 0; i < image.code_map.size(); i++)
        if (image.code_map[i] != MOG_NO_CODE) entry_of_.try_emplace(image.code_map[i], image.code_base + 4 * i);
}

void CodePlaces::find_slots() {
    const std::vector<std::uint32_t> &from = image_.source_address;
    for (std::uint32_t begin = 0, end = 0; begin < from.size(); begin = end) {
        const std::uint32_t here = from[begin], jump = here - 4;
        for (end = begin + 1; end < from.size() && from[end] == here && !ends_block(op_at(image_, end - 1));) end++;
        const std::optional<std::uint32_t> word = here == 0 ? std::nullopt : word_at(code_, jump);
        if (!word || !way_of(*word, jump).has_slot) continue;
        const bool is_before = end < from.size() && from[end] == jump && !ends_block(op_at(image_, end - 1));
        for (std::uint32_t i = begin; i < end; i++) {
            if (is_before) addresses_[i] = jump;
            else in_slot_[i] = true;
        }
    }
}

bool CodePlaces::is_boundary(std::uint32_t index) const {
    const std::uint32_t here = address(index);
    return here != 0 && !in_slot_[index] && (index == 0 || address(index - 1) != here || ends_block(op_at(image_, index - 1)));
}

std::vector<std::uint32_t> CodePlaces::places(std::uint32_t mips_address) const {
    constexpr int most_of_nothing = 1024;
    if (mips_address % 4 != 0) return {};
    for (int i = 0; i < most_of_nothing; i++) {
        if (const auto at = places_.find(mips_address); at != places_.end()) return at->second;
        const std::uint32_t word = (mips_address - image_.code_base) / 4;
        if (mips_address < image_.code_base || word >= image_.code_map.size()) return {};
        if (image_.code_map[word] != MOG_NO_CODE) return {image_.code_map[word]};
        mips_address = after_nothing(mips_address);
    }
    return {};
}

std::uint32_t CodePlaces::after_nothing(std::uint32_t mips_address) const {
    const std::optional<std::uint32_t> word = word_at(code_, mips_address);
    const Way way = word ? way_of(*word, mips_address) : Way{};
    return way.is_certain ? way.target : mips_address + 4;
}

bool CodePlaces::leads_to(std::uint32_t mips_address, std::uint32_t index) const {
    if (mips_address == 0 || mips_address == address(index)) return false;
    const std::vector<std::uint32_t> all = places(mips_address);
    return std::ranges::find(all, index) != all.end();
}

std::uint32_t CodePlaces::first_of_nothing(std::uint32_t from, std::uint32_t index) const {
    const std::optional<std::uint32_t> word = word_at(code_, from);
    const Way way = word ? way_of(*word, from) : Way{};
    constexpr std::uint32_t with_slot = 8;
    const std::uint32_t next = from + (way.has_slot ? with_slot : 4);
    if (address(index) == way.target || address(index) == next) return 0;
    if (leads_to(way.target, index)) return way.target;
    if (!way.is_certain && leads_to(next, index)) return next;
    const auto entry = entry_of_.find(index);
    return entry != entry_of_.end() && leads_to(entry->second, index) ? entry->second : 0;
}

void CodePlaces::step(Differs &differs, const Instruction &instruction, const Roles &roles) {
    const std::uint32_t reg = instruction.operand;
    const auto becomes = [&](std::uint32_t number) {
        differs.acc.set(number);
        differs.d.set(number);
        if (number > 0) differs.d.set(number - 1);
    };
    const auto only = [](std::bitset<256> &set, std::uint32_t number) {
        if (!set.test(number)) return;
        set.set();
        set.reset(number);
    };
    switch (instruction.op) {
        case Op::lr_: return only(differs.acc, reg);
        case Op::lrd_: return only(differs.d, reg);
        case Op::sr_:
        case Op::srsp_:
            if (!differs.acc.test(reg)) return;
            becomes(reg);
            differs.acc.reset(reg);
            return;
        case Op::srd_:
            if (!differs.d.test(reg)) return;
            becomes(reg);
            becomes(reg + 1);
            differs.d.reset(reg);
            return;
        default: break;
    }
    const RegisterSet written = may_write(info(instruction.op), instruction.operand, roles);
    if (always_stops(instruction.op) || written.test(acc_variable)) differs.acc.set();
    if (always_stops(instruction.op) || written.test(d_variable)) differs.d.set();
    for (std::uint32_t r = 0; r < 256; r++)
        if (written.test(r)) becomes(r);
}

void CodePlaces::analyse() {
    if (!live_.empty()) return;
    live_ = live_registers(image_);
    const MogProgram program = disassemble(image_);
    const ProgramFlow flow(program);
    Differs all;
    all.acc.set();
    all.d.set();
    std::vector<Differs> outside(flow.graph.size());
    for (const Graph::Node root : flow.roots) outside[root] = all;
    const auto transfer = [&](Graph::Node node, Differs differs) {
        if (node >= program.blocks.size()) return all;
        for (const Instruction &instruction : program.blocks[node].code) step(differs, instruction, program.roles);
        return differs;
    };
    const FlowSets<Differs> sets = solve_forward<Differs>(flow.graph, transfer, outside);
    for (std::size_t b = 0; b < program.blocks.size(); b++) {
        Differs now = sets.in[b];
        for (const Instruction &instruction : program.blocks[b].code) {
            differs_.push_back(now);
            step(now, instruction, program.roles);
        }
    }
    differs_.resize(image_.text.size(), all);
}

RegisterSet CodePlaces::known(std::uint32_t index) {
    analyse();
    return index < live_.size() ? live_registers(image_, live_, index) : RegisterSet();
}

CodePlaces::Held CodePlaces::acc(std::uint32_t index) {
    analyse();
    return index < live_.size() ? Held{live_[index].test(acc_variable), ~differs_[index].acc} : Held{};
}

CodePlaces::Held CodePlaces::d(std::uint32_t index) {
    analyse();
    return index < live_.size() ? Held{live_[index].test(d_variable), ~differs_[index].d} : Held{};
}

}  // namespace mog::gdb
