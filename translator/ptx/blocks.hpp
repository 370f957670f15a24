// blocks.hpp: the control flow of a function: its instructions in blocks, and where each leads.
#pragma once

#include <cstdint>
#include <vector>

#include "assembler/analysis/graph.hpp"
#include "translator/ptx/program.hpp"

namespace mog::ptx {

struct Block {
    std::uint32_t begin = 0, end = 0;  ///< instructions
    /// The target of a branch before what follows it; a table's targets in their order. Empty: control leaves.
    std::vector<Graph::Node> successors;
};

struct Blocks {
    std::vector<Block> blocks;          ///< in the order of the text
    std::vector<Graph::Node> block_of;  ///< by instruction; and one more: behind the last
    Graph graph() const;
};

/// A branch without a guard, a return and an end leave nothing behind them; behind the last instruction, control returns. An empty function
/// has no blocks.
Blocks find_blocks(const Program &program, const Function &function);

}  // namespace mog::ptx
