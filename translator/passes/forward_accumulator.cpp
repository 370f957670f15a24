// forward_accumulator: drops loads and stores of registers that repeat what the accumulator shows already, and folds
// constants (lrsropt of the paper, by data flow over the whole program instead of a look at the neighbour).
//
//     sr $2                       lr $4              li 0x1000          lr $4
//     lr $2      =>  sr $2        add $2   =>        addi 8    =>       addi 8    =>   li 8
//                                 (ACC = $2)  add $4              li 0x1008     lw           lwx $4
//
// The facts kept at each point: which registers hold the same as ACC, the constant in ACC, which pairs hold the same as D.
// At a join only what all ways agree on survives; after an indirect jump nothing is known.
#include <array>
#include <bitset>
#include <optional>

#include "assembler/analysis/program_flow.hpp"
#include "translator/passes/passes.hpp"

namespace mog {
namespace {

struct Facts {
    bool reached = false;                ///< false: no way here seen yet; agrees with everything
    RegisterSet acc;                     ///< registers that equal ACC
    std::optional<std::uint32_t> value;  ///< ACC, if a constant
    RegisterSet d;                       ///< first registers of pairs that equal D

    bool operator==(const Facts &) const = default;

    void meet(const Facts &other) {
        if (!other.reached) return;
        if (!reached) {
            *this = other;
            return;
        }
        acc &= other.acc;
        d &= other.d;
        if (value != other.value) value.reset();
    }
};

/// Constants in registers, within one block. Few have one, and every block begins with none.
class Constants {
public:
    std::optional<std::uint32_t> in(std::uint32_t reg) const { return known_[reg] ? std::optional(values_[reg]) : std::nullopt; }
    void set(std::uint32_t reg, std::optional<std::uint32_t> value) {
        known_[reg] = value.has_value();
        if (value) values_[reg] = *value;
    }
    void forget(std::uint32_t reg) { known_.reset(reg); }
    void forget_all() { known_.reset(); }
    /// The registers that hold it.
    RegisterSet holders(std::uint32_t value) const {
        RegisterSet found;
        for (auto reg = known_._Find_first(); reg < vreg::count; reg = known_._Find_next(reg))
            if (values_[reg] == value) found.set(reg);
        return found;
    }

private:
    std::bitset<vreg::count> known_;
    std::array<std::uint32_t, vreg::count> values_;
};

std::optional<std::uint32_t> fold(Op op, std::uint32_t acc, std::uint32_t operand) {
    switch (op) {
        case Op::addi_: return acc + operand;
        case Op::andi_: return acc & operand;
        case Op::ori_: return acc | operand;
        case Op::xori_: return acc ^ operand;
        case Op::slli_: return acc << (operand & 31);
        case Op::srli_: return acc >> (operand & 31);
        default: return std::nullopt;
    }
}

void forget(Facts &facts, Constants &constants, std::uint32_t reg) {
    facts.acc.reset(reg);
    facts.d.reset(reg);
    if (reg > 0) facts.d.reset(reg - 1);
    constants.forget(reg);
}

/// The facts after an instruction.
void step(Facts &facts, Constants &constants, const Instruction &instruction) {
    const OpInfo &row = info(instruction.op);
    const std::uint32_t reg = instruction.operand;
    switch (instruction.op) {
        case Op::lr_:
            if (facts.acc.test(reg)) return;
            facts.acc.reset();
            facts.acc.set(reg);
            facts.value = constants.in(reg);
            return;
        case Op::li_:
            if (facts.value == instruction.operand) return;
            facts.acc = constants.holders(instruction.operand);
            facts.value = instruction.operand;
            return;
        case Op::sr_:
        case Op::srsp_: {
            if (facts.acc.test(reg)) return;
            forget(facts, constants, reg);
            facts.acc.set(reg);
            constants.set(reg, facts.value);
            return;
        }
        case Op::lrd_:
            if (facts.d.test(reg)) return;
            facts.d.reset();
            facts.d.set(reg);
            return;
        case Op::srd_:
            if (facts.d.test(reg)) return;
            forget(facts, constants, reg);
            forget(facts, constants, reg + 1);
            facts.d.set(reg);
            return;
        default: break;
    }
    if (always_stops(instruction.op)) {  // the host writes results into registers, and may write others (a signal's handler, one day)
        facts = Facts{.reached = true, .acc = {}, .value = {}, .d = {}};
        constants.forget_all();
        return;
    }
    if (row.writes & Acc) {
        const auto value = facts.value ? fold(instruction.op, *facts.value, instruction.operand) : std::nullopt;
        facts.acc.reset();
        facts.value = value;
    }
    if (row.writes & D) facts.d.reset();
}

bool is_commutative(Op op) { return (info(op).reads & (Swaps | D)) == Swaps; }
bool is_commutative_double(Op op) { return (info(op).reads & (Swaps | D)) == (Swaps | D); }

/// The store that takes the address from the register and the value from ACC, for one that does the reverse.
std::optional<Op> reversed_store(Op op) {
    switch (op) {
        case Op::stb_: return Op::sb_;
        case Op::sth_: return Op::sh_;
        case Op::stw_: return Op::sw_;
        default: return std::nullopt;
    }
}

class Rewriter {
public:
    explicit Rewriter(Block &block) : in_(block.code) {}

    std::vector<Instruction> run(Facts facts) {
        Constants constants;
        for (std::size_t i = 0; i < in_.size(); ++i) {
            Instruction now = in_[i];
            now.retires += carried_;
            carried_ = 0;
            const Instruction *next = i + 1 < in_.size() ? &in_[i + 1] : nullptr;
            if (is_redundant(now, facts)) {
                carried_ = now.retires;
                continue;
            }
            if (swap_with_next(now, next, facts) && swap_keeps_facts(now, next, i)) {
                in_[i + 1].operand = now.operand;
                carried_ = now.retires;
                continue;
            }
            if (const auto store = store_of_acc(now, next, facts); store && is_dead_from(Acc, i + 2)) {
                in_[i + 1] = {*store, now.operand, next->address, next->retires};
                carried_ = now.retires;
                continue;
            }
            if (fold_into_previous(now, facts, constants)) {
                // The facts before the replaced instruction are gone, but li needs none.
                continue;
            }
            index_load(now, next, facts, constants, i);
            step(facts, constants, now);
            out_.push_back(now);
        }
        if (carried_ != 0 && !out_.empty()) out_.back().retires += carried_;
        return std::move(out_);
    }

private:
    /// What it would load, or store, is there already.
    static bool is_redundant(const Instruction &now, const Facts &facts) {
        switch (now.op) {
            case Op::lr_:
            case Op::sr_: return facts.acc.test(now.operand);
            case Op::li_: return facts.value == now.operand;
            case Op::lrd_:
            case Op::srd_: return facts.d.test(now.operand);
            default: return false;
        }
    }

    /// lr a; op b where ACC is b: op a. Likewise for doubles.
    static bool swap_with_next(const Instruction &now, const Instruction *next, const Facts &facts) {
        if (now.op == Op::lrd_ && next != nullptr && is_commutative_double(next->op)) return facts.d.test(next->operand);
        return now.op == Op::lr_ && next != nullptr && is_commutative(next->op) && facts.acc.test(next->operand);
    }

    /// lr a; stw b where ACC is b: sw a.
    static std::optional<Op> store_of_acc(const Instruction &now, const Instruction *next, const Facts &facts) {
        if (now.op != Op::lr_ || next == nullptr) return std::nullopt;
        const auto store = reversed_store(next->op);
        return store && facts.acc.test(next->operand) ? store : std::nullopt;
    }

    /// True if the rest of the block sets an accumulator before it reads it. A rewrite that leaves another value in it than before
    /// asks this, since the facts of the blocks that follow were worked out for the old one.
    bool is_dead_from(Effect accumulator, std::size_t i) const {
        for (; i < in_.size(); ++i) {
            if (info(in_[i].op).reads & accumulator) return false;
            if (info(in_[i].op).writes & accumulator) return true;
        }
        return false;
    }

    /// A comparison of doubles leaves D as it is; swapped, it leaves the other operand there.
    bool swap_keeps_facts(const Instruction &now, const Instruction *next, std::size_t i) const {
        return now.op == Op::lr_ || (info(next->op).writes & D) || is_dead_from(D, i + 2);
    }

    /// A constant in ACC and an immediate operation on it: one li. Only if the constant was just loaded, for then nobody else
    /// has used it.
    bool fold_into_previous(const Instruction &now, Facts &facts, Constants &constants) {
        if (!facts.value || out_.empty() || (out_.back().op != Op::li_ && out_.back().op != Op::lr_)) return false;
        const auto value = fold(now.op, *facts.value, now.operand);
        if (!value) return false;
        const std::uint32_t retires = out_.back().retires + now.retires;
        out_.back() = {Op::li_, *value, now.address, retires};
        facts.value.reset();
        step(facts, constants, out_.back());
        return true;
    }

    /// lr a; addi k; lw, k and a unknown to be constant: li k; lwx a.
    void index_load(Instruction &now, const Instruction *next, const Facts &facts, const Constants &constants, std::size_t i) {
        if (now.op != Op::lr_ || next == nullptr || next->op != Op::addi_ || i + 2 >= in_.size()) return;
        if (in_[i + 2].op != Op::lw_ || constants.in(now.operand) || facts.acc.test(now.operand)) return;
        const std::uint32_t base = now.operand;
        now = {Op::li_, next->operand, now.address, now.retires + next->retires};
        in_[i + 2] = {Op::lwx_, base, in_[i + 2].address, in_[i + 2].retires};
        in_.erase(in_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }

    std::vector<Instruction> in_;
    std::vector<Instruction> out_;
    std::uint32_t carried_ = 0;  ///< MIPS instructions of what was dropped
};

}  // namespace

MogUnit forward_accumulator(MogUnit unit) {
    const ProgramFlow flow(unit.program);
    auto &blocks = unit.program.blocks;
    std::vector<bool> knows_nothing(flow.graph.size());
    for (const std::uint32_t b : flow.roots) knows_nothing[b] = true;
    std::vector<Facts> in(flow.graph.size()), out(flow.graph.size());
    // From what is reached on, forward, until no way adds anything.
    std::vector<Graph::Node> order = post_order(flow.graph, flow.roots);
    std::vector<bool> waits(flow.graph.size(), true);
    for (bool changed = true; changed;) {
        changed = false;
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
            const Graph::Node b = *at;
            if (!waits[b] || b >= blocks.size()) continue;
            waits[b] = false;
            Facts facts;
            // An entry knows nothing, whoever else comes there.
            facts.reached = knows_nothing[b];
            if (!facts.reached)
                for (const Graph::Node p : flow.graph.predecessors(b)) facts.meet(out[p]);
            in[b] = facts;
            Constants constants;
            for (const Instruction &instruction : blocks[b].code) step(facts, constants, instruction);
            if (facts == out[b]) continue;
            out[b] = facts;
            for (const Graph::Node s : flow.graph.successors(b)) waits[s] = true;
            changed = true;
        }
    }
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        if (in[b].reached) blocks[b].code = Rewriter(blocks[b]).run(in[b]);
    }
    return unit;
}

}  // namespace mog
