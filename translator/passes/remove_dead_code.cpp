// remove_dead_code: blocks that nothing reaches, and writes to registers that nobody reads (deadopt of the paper).
//
//     slt $3; sr $2; jt L   =>   slt $3; jt L      if $2 is not read afterwards
//
// What nobody reads is said in remove_faint.cpp, which has done this once already; since then more loads are gone.
#include "assembler/analysis/program_flow.hpp"
#include "translator/passes/passes.hpp"

namespace mog {
namespace {

void remove_unreachable_blocks(MogUnit &unit) {
    const ProgramFlow flow(unit.program);
    const std::vector<bool> reached = reached_from(flow.graph, flow.roots);
    auto &blocks = unit.program.blocks;
    std::size_t kept = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        if (!reached[b]) continue;
        if (kept != b) blocks[kept] = std::move(blocks[b]);
        ++kept;
    }
    blocks.resize(kept);
}

}  // namespace

MogUnit remove_dead_code(MogUnit unit) {
    remove_unreachable_blocks(unit);
    return remove_faint(std::move(unit));
}

}  // namespace mog
