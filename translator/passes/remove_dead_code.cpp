// remove_dead_code: blocks that nothing reaches, and writes to registers that nobody reads (deadopt of the paper).
//
//     slt $3; sr $2; jt L   =>   slt $3; jt L      if $2 is not read afterwards
//
// Loads stay even if unread: they may stop the PE. Return addresses stay: a backtrace reads them, also in functions that
// never return and therefore save none.
#include <algorithm>

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

/// True if it does nothing but write registers and accumulators. `fcsr`: the program can see what the FPU records in its control
/// register.
bool is_pure(Op op, bool fcsr) { return (info(op).writes & (Mem | Pc | Stop | Fcsr)) == 0 && !(fcsr && (info(op).writes & Fpu)); }

/// True if an instruction of the program reads or writes the FPU's control register.
bool uses_fcsr(const MogProgram &program) {
    for (const Block &block : program.blocks)
        for (const Instruction &instruction : block.code)
            if ((info(instruction.op).reads | info(instruction.op).writes) & Fcsr) return true;
    return false;
}

}  // namespace

MogUnit remove_dead_code(MogUnit unit) {
    remove_unreachable_blocks(unit);
    const bool fcsr = uses_fcsr(unit.program);
    for (bool changed = true; changed;) {
        changed = false;
        const std::vector<RegisterSet> live_at_end = live_at_ends(unit.program, ProgramFlow(unit.program));
        for (std::size_t b = 0; b < unit.program.blocks.size(); ++b) {
            auto &code = unit.program.blocks[b].code;
            RegisterSet live = live_at_end[b];
            std::vector<Instruction> kept;  // backwards
            std::uint32_t carried = 0;
            for (auto now = code.rbegin(); now != code.rend(); ++now) {
                const RegisterSet written = writes_of(*now, unit.program.roles);
                if (is_pure(now->op, fcsr) && (written & live).none() && !written.test(vreg::ra)) {
                    carried += now->retires;
                    changed = true;
                    continue;
                }
                live = live_before(reads_of(*now, unit.program.roles), written, live);
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
