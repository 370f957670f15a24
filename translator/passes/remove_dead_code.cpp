// remove_dead_code: blocks that nothing reaches, and writes to registers that nobody reads (deadopt of the paper).
//
//     slt $3; sr $2; jt L   =>   slt $3; jt L      if $2 is not read afterwards
//
// Loads stay even if unread: they may stop the PE. Return addresses stay: a backtrace reads them, also in functions that
// never return and therefore save none.
#include <algorithm>

#include "translator/passes/data_flow.hpp"
#include "translator/passes/passes.hpp"

namespace mog {
namespace {

void remove_unreachable_blocks(MogUnit &unit) {
    const FlowGraph graph = flow_graph(unit);
    auto &blocks = unit.program.blocks;
    std::vector<bool> reached(blocks.size());
    std::vector<std::uint32_t> pending = graph.entries;
    pending.push_back(static_cast<std::uint32_t>(unit.program.positions().at(unit.program.entry)));
    while (!pending.empty()) {
        const std::uint32_t b = pending.back();
        pending.pop_back();
        if (reached[b]) continue;
        reached[b] = true;
        pending.insert(pending.end(), graph.successors[b].begin(), graph.successors[b].end());
    }
    std::size_t kept = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        if (reached[b]) {
            if (kept != b) blocks[kept] = std::move(blocks[b]);
            ++kept;
        } else {
            unit.entries.erase(blocks[b].id);
        }
    }
    blocks.resize(kept);
}

}  // namespace

MogUnit remove_dead_code(MogUnit unit) {
    remove_unreachable_blocks(unit);
    const bool fcsr = uses_fcsr(unit);
    for (bool changed = true; changed;) {
        changed = false;
        const FlowGraph graph = flow_graph(unit);
        const std::vector<RegSet> live_at_end = live_out(unit, graph);
        for (std::size_t b = 0; b < unit.program.blocks.size(); ++b) {
            auto &code = unit.program.blocks[b].code;
            RegSet live = live_at_end[b];
            std::vector<Instruction> kept;  // backwards
            std::uint32_t carried = 0;
            for (auto now = code.rbegin(); now != code.rend(); ++now) {
                const RegSet written = writes_of(*now);
                if (is_pure(now->op, fcsr) && (written & live).none() && !written.test(vreg::ra)) {
                    carried += now->retires;
                    changed = true;
                    continue;
                }
                live = (live & ~written) | reads_of(*now);
                kept.push_back(*now);
                kept.back().retires += carried;
                carried = 0;
            }
            if (carried != 0 && !kept.empty()) kept.back().retires += carried;
            std::reverse(kept.begin(), kept.end());
            code = std::move(kept);
        }
    }
    return unit;
}

}  // namespace mog
