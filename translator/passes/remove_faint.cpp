// remove_faint: writes to registers and accumulators that nobody reads, or only who computes what nobody reads: faint variables.
//
// `madd` adds to a number of 64 bits; where the program wants 32 of them, as compilers do that use it for sums of int, its high half
// only feeds itself, and goes with what computes that:
//
//     L: lr $lo; add $x; sr $lo; sltu $x; add $hi; sr $hi; ...; jt L   =>   L: lr $lo; add $x; sr $lo; ...; jt L
//
// Before forward_accumulator, which sees more where less stands between.
//
// What control may lead to is that of program_flow.hpp, for all of the program, and rests on no calling convention. Loads stay even
// if unread: they may stop the PE. Return addresses and the stack pointer stay: a backtrace reads them, also in functions that
// never return and therefore save none. A register that is live in what is left has the value that it has in the MIPS program, which
// is what reports of faults show (runtime_host/faults/live_registers.hpp).
#include <algorithm>

#include "assembler/analysis/program_flow.hpp"
#include "translator/passes/passes.hpp"

namespace mog {
namespace {

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

/// By block, with those of `flow` that stand for no code: what liveness has to know of each instruction.
std::vector<std::vector<Step<RegisterSet>>> steps_of(const MogProgram &program, const ProgramFlow &flow) {
    const bool fcsr = uses_fcsr(program);
    std::vector<std::vector<Step<RegisterSet>>> steps(flow.graph.size());
    for (std::size_t b = 0; b < program.blocks.size(); ++b) {
        steps[b].reserve(program.blocks[b].code.size());
        for (const Instruction &instruction : program.blocks[b].code) {
            const RegisterSet written = writes_of(instruction, program.roles);
            const bool matters = !is_pure(instruction.op, fcsr) || written.test(vreg::ra) || written.test(vreg::sp);
            steps[b].push_back({reads_of(instruction, program.roles), written, matters});
        }
    }
    return steps;
}

}  // namespace

MogUnit remove_faint(MogUnit unit) {
    const ProgramFlow flow(unit.program);
    const auto steps = steps_of(unit.program, flow);
    const auto live_at_end = solve_strong_liveness<RegisterSet>(flow.graph, steps).out;
    for (std::size_t b = 0; b < unit.program.blocks.size(); ++b) {
        auto &code = unit.program.blocks[b].code;
        RegisterSet live = live_at_end[b];
        std::vector<Instruction> kept;  // backwards
        std::uint32_t carried = 0;
        for (std::size_t i = code.size(); i-- > 0;) {
            const Step<RegisterSet> &step = steps[b][i];
            if (!step.is_wanted(live)) {
                carried += code[i].retires;
                continue;
            }
            step.go_before(live);
            kept.push_back(code[i]);
            kept.back().retires += carried;
            carried = 0;
        }
        if (carried != 0 && !kept.empty()) kept.back().retires += carried;
        std::reverse(kept.begin(), kept.end());
        code = std::move(kept);
    }
    return unit;
}

}  // namespace mog
