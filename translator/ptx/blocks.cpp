// blocks.cpp: leaders, then edges.
#include "translator/ptx/blocks.hpp"

namespace mog::ptx {
namespace {

/// Longer ones are parted: whoever compiles code in pieces cuts it between blocks.
constexpr std::uint32_t most_instructions_of_block = 256;

bool ends_block(Action action) {
    return action == Action::branch || action == Action::branch_table || action == Action::ret || action == Action::exit ||
           action == Action::trap;
}

}  // namespace

Graph Blocks::graph() const {
    return Graph(static_cast<Graph::Node>(blocks.size()),
                 [&](Graph::Node node) -> const std::vector<Graph::Node> & { return blocks[node].successors; });
}

Blocks find_blocks(const Program &program, const Function &function) {
    const auto size = static_cast<std::uint32_t>(function.code.size());
    std::vector<bool> begins(size + 1);
    begins[0] = true;
    for (const Label &label : function.labels) begins[label.at] = true;
    for (std::uint32_t at = 0; at < size; ++at)
        if (ends_block(program.opcode_of(function.code[at]).action())) begins[at + 1] = true;
    for (std::uint32_t at = 0, begin = 0; at < size; ++at) {
        if (begins[at]) begin = at;
        if (at - begin == most_instructions_of_block) begins[begin = at] = true;
    }
    Blocks result;
    result.block_of.resize(size + 1);
    for (std::uint32_t at = 0; at < size; ++at) {
        if (begins[at]) {
            if (!result.blocks.empty()) result.blocks.back().end = at;
            result.blocks.push_back({at, size, {}});
        }
        result.block_of[at] = static_cast<Graph::Node>(result.blocks.size() - 1);
    }
    result.block_of[size] = static_cast<Graph::Node>(result.blocks.size());
    const auto end = static_cast<Graph::Node>(result.blocks.size());
    for (Graph::Node number = 0; number < end; ++number) {
        Block &block = result.blocks[number];
        const Instruction &last = function.code[block.end - 1];
        const auto lead_to = [&](std::uint32_t label) {
            const Graph::Node target = result.block_of[function.labels[label].at];
            if (target != end) block.successors.push_back(target);
        };
        const auto operands = function.operands_of(last);
        bool falls_through = last.guard >= 0;
        switch (program.opcode_of(last).action()) {
            case Action::branch: lead_to(operands[0].index); break;
            case Action::branch_table:
                for (const std::uint32_t label : function.tables[operands[1].index].targets) lead_to(label);
                break;
            case Action::ret:
            case Action::exit:
            case Action::trap: break;
            default: falls_through = true;
        }
        if (falls_through && number + 1 != end) block.successors.push_back(number + 1);
    }
    return result;
}

}  // namespace mog::ptx
