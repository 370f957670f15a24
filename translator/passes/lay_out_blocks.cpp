// lay_out_blocks: the final order of the blocks, without jumps that go nowhere.
//
//     jumps to a block that only jumps on go straight to its target
//     ja L, where L comes next               => nothing
//     jt L; ja M, where L comes next         => jf M
//     a block that only its predecessor falls into becomes a part of it
//
// A MIPS jump that vanishes without a neighbour to stand in for it is no longer counted among the MIPS instructions done.
#include <unordered_map>

#include "assembler/analysis/program_flow.hpp"
#include "translator/passes/passes.hpp"

namespace mog {
namespace {

/// A block that does nothing but jump on.
bool is_forwarder(const Block &block) { return block.code.size() == 1 && block.code.front().op == Op::ja_; }

void thread_jumps(MogProgram &program) {
    const auto positions = program.positions();
    auto final_target = [&](BlockId id) {
        // A program may jump in a circle for ever; so must we not.
        for (int steps = 0; steps < 100; ++steps) {
            const std::size_t at = positions.at(id);
            const Block &block = program.blocks[at];
            if (is_forwarder(block)) id = block.code.front().operand;
            else if (block.code.empty() && at + 1 < program.blocks.size()) id = program.blocks[at + 1].id;
            else break;
        }
        return id;
    };
    for (Block &block : program.blocks) {
        if (!block.code.empty() && info(block.code.back().op).operand == OperandKind::Label)
            block.code.back().operand = final_target(block.code.back().operand);
    }
    program.entry = final_target(program.entry);
}

void drop_jumps_to_next(MogProgram &program) {
    for (std::size_t b = 0; b + 1 < program.blocks.size(); ++b) {
        auto &code = program.blocks[b].code;
        if (code.empty() || code.back().op != Op::ja_ || code.back().operand != program.blocks[b + 1].id) continue;
        const std::uint32_t retires = code.back().retires;
        code.pop_back();
        if (!code.empty()) code.back().retires += retires;
    }
}

/// Needs predecessors: a hop that others jump to keeps its meaning for them.
void invert_over_jumps(MogUnit &unit) {
    const Graph graph = ProgramFlow(unit.program).graph;
    auto &blocks = unit.program.blocks;
    for (std::uint32_t b = 0; b + 2 < blocks.size(); ++b) {
        auto &code = blocks[b].code;
        Block &hop = blocks[b + 1];
        if (code.empty() || !is_branch(code.back().op)) continue;
        if (!is_forwarder(hop) || hop.code_address || hop.id == unit.program.entry) continue;
        if (graph.predecessors(b + 1).size() != 1 || code.back().operand != blocks[b + 2].id) continue;
        code.back().op = code.back().op == Op::jt_ ? Op::jf_ : Op::jt_;
        code.back().operand = hop.code.front().operand;
        hop.code.clear();
    }
}

void merge_straight_lines(MogUnit &unit) {
    const Graph graph = ProgramFlow(unit.program).graph;
    auto &blocks = unit.program.blocks;
    std::vector<Block> merged;
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
        const bool only_from_above = b > 0 && graph.predecessors(b).size() == 1 && graph.predecessors(b)[0] == b - 1 &&
                                     !blocks[b].code_address && blocks[b].id != unit.program.entry;
        const bool plain = only_from_above && (merged.back().code.empty() || (info(merged.back().code.back().op).writes & Pc) == 0);
        if (plain) {
            auto &to = merged.back().code;
            to.insert(to.end(), blocks[b].code.begin(), blocks[b].code.end());
        } else {
            merged.push_back(std::move(blocks[b]));
        }
    }
    blocks = std::move(merged);
}

}  // namespace

MogUnit lay_out_blocks(MogUnit unit) {
    thread_jumps(unit.program);
    unit = remove_dead_code(std::move(unit));
    invert_over_jumps(unit);
    drop_jumps_to_next(unit.program);
    merge_straight_lines(unit);
    return unit;
}

}  // namespace mog
