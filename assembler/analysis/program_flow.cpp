// program_flow.cpp: edges from jumps and from what the program knows of them.
#include "assembler/analysis/program_flow.hpp"

#include <utility>

namespace mog {

using Node = Graph::Node;

ProgramFlow::ProgramFlow(const MogProgram &program) {
    const auto &blocks = program.blocks;
    const auto positions = program.positions();
    const auto all_returns = static_cast<Node>(blocks.size()), all_jumps = all_returns + 1;
    std::vector<Node> return_points, addressed;
    for (Node b = 0; b < blocks.size(); ++b) {
        if (blocks[b].code_address) addressed.push_back(b);
        if (blocks[b].code_address && blocks[b].entry != Entry::Function) return_points.push_back(b);
        if (blocks[b].code_address || blocks[b].id == program.entry) roots.push_back(b);
    }
    std::vector<Node> next;
    graph = Graph(all_jumps + 1, [&](Node node) -> const std::vector<Node> & {
        if (node == all_returns) return return_points;
        if (node == all_jumps) return addressed;
        next.clear();
        const auto &code = blocks[node].code;
        const bool goes_on = code.empty() || !ends_block(code.back().op);
        if (goes_on && node + 1 < blocks.size()) next.push_back(node + 1);
        if (code.empty()) return next;
        if (info(code.back().op).operand == OperandKind::Label) next.push_back(static_cast<Node>(positions.at(code.back().operand)));
        else if (jumps_to_address(code.back().op)) next.push_back(code.back().jump == JumpKind::returns ? all_returns : all_jumps);
        return next;
    });
}

std::vector<RegisterSet> live_at_ends(const MogProgram &program, const ProgramFlow &flow) {
    std::vector<Uses<RegisterSet>> uses(flow.graph.size());
    for (std::size_t b = 0; b < program.blocks.size(); ++b)
        for (const Instruction &instruction : program.blocks[b].code)
            uses[b].add(reads_of(instruction, program.roles), writes_of(instruction, program.roles));
    std::vector<RegisterSet> live = solve_liveness<RegisterSet>(flow.graph, uses).out;
    live.resize(program.blocks.size());
    return live;
}

}  // namespace mog
