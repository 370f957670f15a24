// program_flow.hpp: a MOG program as a graph of its blocks, and what is live in it.
#pragma once

#include <cstdint>
#include <vector>

#include "assembler/analysis/data_flow.hpp"
#include "assembler/analysis/effects.hpp"
#include "assembler/analysis/graph.hpp"
#include "assembler/ir/mog_program.hpp"

namespace mog {

/// Nodes are the blocks by their position. Two more stand behind them: all returns go through the one, and from there
/// to every place that can be returned to; all other jumps to code addresses go through the other, and from there to
/// every block that has one.
///
/// Returns are matched with every return point, not with those of one function's callers: longjmp returns to places
/// that never called it. Labels whose address is taken count as return points too, since hand-written code may put one
/// in $ra.
struct ProgramFlow {
    explicit ProgramFlow(const MogProgram &program);

    Graph graph;
    /// Where control comes from outside: the program's entry, and all blocks with a code address. Ascending.
    std::vector<Graph::Node> roots;
};

/// By position: the registers and accumulators that are live at the end of each block. `flow`: of this program.
std::vector<RegisterSet> live_at_ends(const MogProgram &program, const ProgramFlow &flow);

}  // namespace mog
