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
#include <bitset>
#include <cstddef>
#include <ranges>
#include <span>

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

/// The translator's registers and the accumulators: two words, where a RegisterSet has five.
using LiveSet = std::bitset<vreg::count + 2>;
LiveSet live_set(const RegisterSet &registers) {
    LiveSet set;
    for (std::size_t reg = 0; reg < vreg::count; ++reg) set[reg] = registers[reg];
    set[vreg::count] = registers[acc_variable];
    set[vreg::count + 1] = registers[d_variable];
    return set;
}

/// What liveness has to know of an instruction: found once for all that do the same with registers.
class Steps {
public:
    explicit Steps(const MogProgram &program) : roles_(program.roles), fcsr_(uses_fcsr(program)), known_(256 * operands, unknown) {}

    const Step<LiveSet> &of(const Instruction &instruction) {
        const OpInfo &row = info(instruction.op);
        const bool has_register = ((row.reads | row.writes) & (Reg | Pair)) != 0;
        std::uint32_t &at = known_[static_cast<std::uint8_t>(instruction.op) * operands + (has_register ? instruction.operand : 0)];
        if (at == unknown) {
            const RegisterSet written = writes_of(instruction, roles_);
            const bool matters = !is_pure(instruction.op, fcsr_) || written.test(vreg::ra) || written.test(vreg::sp);
            at = static_cast<std::uint32_t>(steps_.size());
            steps_.push_back({live_set(reads_of(instruction, roles_)), live_set(written), matters});
        }
        return steps_[at];
    }

private:
    static constexpr std::size_t operands = RegisterSet().size();
    static constexpr std::uint32_t unknown = 0xffffffff;

    const Roles &roles_;
    bool fcsr_;
    std::vector<std::uint32_t> known_;  // by opcode and register: place in steps_
    std::vector<Step<LiveSet>> steps_;
};

}  // namespace

MogUnit remove_faint(MogUnit unit) {
    const ProgramFlow flow(unit.program);
    // Worked out anew whenever a block is come to: looking one up is quicker than fetching it from where 40 bytes for each instruction lie.
    Steps known(unit.program);
    const auto steps_of = [&](Graph::Node node) {
        const std::span<const Instruction> code = node < unit.program.blocks.size()
                                                      ? std::span<const Instruction>(unit.program.blocks[node].code)
                                                      : std::span<const Instruction>();
        return code | std::views::transform([&](const Instruction &instruction) -> const Step<LiveSet> & { return known.of(instruction); });
    };
    const auto live_at_end = solve_strong_liveness<LiveSet>(flow.graph, steps_of).out;
    for (std::size_t b = 0; b < unit.program.blocks.size(); ++b) {
        auto &code = unit.program.blocks[b].code;
        LiveSet live = live_at_end[b];
        std::size_t kept = code.size();  // from here on
        std::uint32_t carried = 0;
        for (std::size_t i = code.size(); i-- > 0;) {
            const Step<LiveSet> &step = known.of(code[i]);
            if (!step.is_wanted(live)) {
                carried += code[i].retires;
                continue;
            }
            step.go_before_wanted(live);
            if (--kept != i) code[kept] = code[i];
            code[kept].retires += carried;
            carried = 0;
        }
        if (kept < code.size()) code[kept].retires += carried;
        code.erase(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(kept));
    }
    return unit;
}

}  // namespace mog
