// code_places.cpp: see code_places.hpp.
#include "runtime_host/gdb/code_places.hpp"

#include "assembler/analysis/data_flow.hpp"
#include "assembler/analysis/program_flow.hpp"
#include "assembler/image/encode.hpp"
#include "interp_templates/launch_abi.h"
#include "runtime_host/faults/live_registers.hpp"

namespace mog::gdb {

CodePlaces::CodePlaces(const Image &image) : image_(image) {
    for (std::uint32_t i = 0; i < image.text.size(); i++)
        if (is_boundary(i)) places_[image.source_address[i]].push_back(i);
}

bool CodePlaces::is_boundary(std::uint32_t index) const {
    const std::uint32_t here = address(index);
    return here != 0 && (index == 0 || address(index - 1) != here || ends_block(op_at(image_, index - 1)));
}

std::vector<std::uint32_t> CodePlaces::places(std::uint32_t mips_address) const {
    if (const auto at = places_.find(mips_address); at != places_.end()) return at->second;
    const std::uint32_t word = (mips_address - image_.code_base) / 4;
    if (mips_address < image_.code_base || word >= image_.code_map.size() || (mips_address & 3) != 0) return {};
    if (image_.code_map[word] != MOG_NO_CODE) return {image_.code_map[word]};
    const auto next = places_.upper_bound(mips_address);
    return next == places_.end() ? std::vector<std::uint32_t>() : next->second;
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
