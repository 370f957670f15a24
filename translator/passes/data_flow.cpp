// data_flow.cpp: effects from isa.def, the control-flow graph, liveness.
//
// Returns are matched with every return point, not with those of one function's callers: longjmp returns to places
// that never called it. Labels whose address is taken count as return points too, since hand-written code may put one in $ra.
#include "translator/passes/data_flow.hpp"

#include <map>

namespace mog {

RegSet reads_of(const Instruction &instruction) {
    RegSet set;
    const OpInfo &row = info(instruction.op);
    if (row.reads & Acc) set.set(vreg::acc);
    if (row.reads & D) set.set(vreg::dacc);
    if (row.reads & Reg) set.set(instruction.operand);
    if (row.reads & Pair) set.set(instruction.operand).set(instruction.operand + 1);
    if (instruction.op == Op::sys_) {
        for (std::uint32_t r = vreg::a0; r <= vreg::a3; ++r) set.set(r);
        set.set(vreg::v0).set(vreg::sp).set(vreg::ra);
    }
    return set;
}

RegSet writes_of(const Instruction &instruction) {
    RegSet set;
    const OpInfo &row = info(instruction.op);
    if (row.writes & Acc) set.set(vreg::acc);
    if (row.writes & D) set.set(vreg::dacc);
    if (row.writes & Reg) set.set(instruction.operand);
    if (row.writes & Pair) set.set(instruction.operand).set(instruction.operand + 1);
    // Not $v1: only some calls write it, so its old value may live on.
    if (instruction.op == Op::sys_) set.set(vreg::v0).set(vreg::a3);
    return set;
}

bool is_pure(Op op, bool fcsr) {
    return (info(op).writes & (Mem | Pc | Stop | Fcsr)) == 0 && !(fcsr && (info(op).writes & Fpu));
}

bool uses_fcsr(const MogUnit &unit) {
    for (const Block &block : unit.program.blocks)
        for (const Instruction &instruction : block.code)
            if ((info(instruction.op).reads | info(instruction.op).writes) & Fcsr) return true;
    return false;
}

FlowGraph flow_graph(const MogUnit &unit) {
    const auto &blocks = unit.program.blocks;
    const auto positions = unit.program.positions();
    FlowGraph graph;
    graph.successors.resize(blocks.size());
    graph.predecessors.resize(blocks.size());
    graph.leaves.resize(blocks.size(), FlowGraph::Leaves::No);
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
        const auto &code = blocks[b].code;
        auto link = [&](std::size_t to) {
            graph.successors[b].push_back(static_cast<std::uint32_t>(to));
            graph.predecessors[to].push_back(b);
        };
        if (code.empty() || !ends_block(code.back().op)) {
            if (b + 1 < blocks.size()) link(b + 1);
        }
        if (!code.empty() && info(code.back().op).operand == OperandKind::Label) link(positions.at(code.back().operand));
        if (!code.empty() && code.back().op == Op::j_)
            graph.leaves[b] = unit.returns.contains(code.back().address) ? FlowGraph::Leaves::Return : FlowGraph::Leaves::Anywhere;
        if (const auto entry = unit.entries.find(blocks[b].id); entry != unit.entries.end()) {
            graph.entries.push_back(b);
            if (entry->second != Entry::Function) graph.return_points.push_back(b);
        }
    }
    return graph;
}

std::vector<RegSet> live_out(const MogUnit &unit, const FlowGraph &graph) {
    const auto &blocks = unit.program.blocks;
    // What each block reads before it writes it, and what it writes.
    std::vector<RegSet> used(blocks.size()), written(blocks.size()), in(blocks.size()), out(blocks.size());
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        for (const Instruction &instruction : blocks[b].code) {
            used[b] |= reads_of(instruction) & ~written[b];
            written[b] |= writes_of(instruction);
        }
    }
    // The last block first: control mostly goes on to higher addresses.
    Worklist work(blocks.size());
    for (std::size_t b = blocks.size(); b-- > 0;) work.add(static_cast<std::uint32_t>(b));
    RegSet at_return, anywhere;
    while (!work.empty()) {
        while (!work.empty()) {
            const std::uint32_t b = work.take();
            RegSet live;
            for (const std::uint32_t s : graph.successors[b]) live |= in[s];
            if (graph.leaves[b] == FlowGraph::Leaves::Return) live |= at_return;
            if (graph.leaves[b] == FlowGraph::Leaves::Anywhere) live |= anywhere;
            out[b] = live;
            const RegSet now = used[b] | (live & ~written[b]);
            if (now == in[b]) continue;
            in[b] = now;
            for (const std::uint32_t p : graph.predecessors[b]) work.add(p);
        }
        // The shared nodes: when they grow, all that leave through them are looked at again.
        const RegSet before_return = at_return, before_anywhere = anywhere;
        for (const std::uint32_t b : graph.return_points) at_return |= in[b];
        for (const std::uint32_t b : graph.entries) anywhere |= in[b];
        for (std::uint32_t b = 0; b < blocks.size(); ++b) {
            if ((graph.leaves[b] == FlowGraph::Leaves::Return && at_return != before_return) ||
                (graph.leaves[b] == FlowGraph::Leaves::Anywhere && anywhere != before_anywhere))
                work.add(b);
        }
    }
    return out;
}

}  // namespace mog
