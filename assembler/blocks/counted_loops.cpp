// counted_loops.cpp: symbolic execution of one round.
#include "assembler/blocks/counted_loops.hpp"

#include <algorithm>
#include <optional>

#include "assembler/analysis/loops.hpp"
#include "assembler/image/constants.hpp"

namespace mog {
namespace {

using LoopSum = CountedLoop::Sum;

/// What is known of a value: a sum, or nothing.
using LoopValue = std::optional<LoopSum>;

/// Tables are not larger.
constexpr std::uint32_t most_known = 1u << 20;

LoopValue up_to(std::uint32_t most) { return most > most_known ? std::nullopt : LoopValue({.more = most}); }

/// What it is at most.
std::uint32_t most_of(const LoopValue &value) {
    return value && !value->has_registers() && value->constant == 0 ? value->more : 0xffffffffu;
}

/// Of what no register is part of.
LoopValue shifted(const LoopValue &value, std::uint32_t by) {
    if (!value || value->has_registers() || value->more > most_known >> by) return std::nullopt;
    return LoopSum{value->registers, value->constant << by, value->more << by, value->unit << by};
}

LoopValue added(const LoopValue &a, const LoopValue &b) {
    if (!a || !b) return std::nullopt;
    const std::uint32_t unit = a->more == 0 ? b->unit : b->more == 0 ? a->unit : std::min(a->unit, b->unit);
    LoopSum sum{a->registers, a->constant + b->constant, a->more + b->more, unit};
    if (sum.more > most_known) return std::nullopt;
    for (const std::uint32_t r : b->registers) {
        if (r == CountedLoop::none) continue;
        const auto room = std::ranges::find(sum.registers, CountedLoop::none);
        if (room == sum.registers.end()) return std::nullopt;
        *room = r;
    }
    std::ranges::sort(sum.registers);
    return sum;
}

LoopValue only(std::uint32_t number) { return LoopSum{.constant = number}; }

/// One round: what each register has at its end, what is compared, and addresses, in terms of what was there when it began.
class LoopRound {
public:
    LoopRound(const GroupPlan &group, const CountedLoop &loop) : image_(group.image) {
        for (std::uint32_t r = 0; r < registers_.size(); ++r) registers_[r] = LoopSum::of(r);
        for (const std::uint32_t b : loop.blocks) {
            if (loop.skipped.contains(b)) skip(group, b);
            else block(group, b);
        }
    }

    struct Comparison {
        Op op = Op::xor_;  ///< or slt, sltu
        LoopValue left, right;
    };
    struct FoundAccess {
        std::uint32_t at = 0;
        LoopValue address;
    };

    const std::vector<FoundAccess> &accesses() const { return accesses_; }
    /// What ACC comes from at the end.
    const std::optional<Comparison> &comparison() const { return comparison_; }
    /// How much more a sum is in each round; none if that is not the same each time.
    std::optional<CountedLoop::Step> step_of(const LoopSum &sum) const {
        CountedLoop::Step step;
        for (const std::uint32_t r : sum.registers) {
            if (r == CountedLoop::none) continue;
            const LoopValue &end = registers_[r];
            if (!end || end->more != 0) return std::nullopt;
            auto others = end->registers;
            const auto itself = std::ranges::find(others, r);
            if (itself == others.end()) return std::nullopt;
            *itself = CountedLoop::none;
            // One register alone, which stays as it is.
            std::ranges::sort(others);
            const std::uint32_t in = others.front();
            if (others[1] != CountedLoop::none) return std::nullopt;
            if (in != CountedLoop::none && (step.in != CountedLoop::none || end->constant != 0 || !stays(in))) return std::nullopt;
            if (in != CountedLoop::none) step.in = in;
            step.constant = static_cast<std::int32_t>(static_cast<std::uint32_t>(step.constant) + end->constant);
        }
        if (step.in != CountedLoop::none && step.constant != 0) return std::nullopt;
        return step;
    }

private:
    void block(const GroupPlan &group, std::uint32_t b) {
        for (std::uint32_t at = group.begin(b); at < group.end(b); ++at) step(at);
    }
    /// Nothing is known of what a block changes that may be left out.
    void skip(const GroupPlan &group, std::uint32_t b) {
        const auto before = registers_;
        block(group, b);
        acc_.reset();
        comparison_.reset();
        for (std::uint32_t r = 0; r < registers_.size(); ++r)
            if (registers_[r] != before[r]) registers_[r].reset();
    }
    bool stays(std::uint32_t r) const { return registers_[r] == LoopSum::of(r); }
    std::uint32_t operand(std::uint32_t at) const { return image_.text[at] & 0xffu; }

    void step(std::uint32_t at) {
        const OpInfo &row = info(op_at(image_, at));
        if (const Access access = row.access) {
            const LoopValue &of_register = access.address == AddressIn::acc ? acc_ : registers_[operand(at)];
            accesses_.push_back({at, access.address == AddressIn::sum ? added(acc_, of_register) : of_register});
        }
        std::optional<Comparison> comparison;
        const auto compared = [&](Op op, LoopValue right) { comparison = {op, acc_, std::move(right)}; };
        LoopValue value;
        switch (row.op) {
            case Op::li_: value = only(constant_at(image_, at)); break;
            case Op::lr_:
                value = registers_[operand(at)];
                comparison = {Op::xor_, value, only(0)};
                break;
            case Op::sr_: registers_[operand(at)] = acc_; return;  // what ACC comes from stays
            case Op::addi_:
                value = added(acc_, only(constant_at(image_, at)));
                comparison = {Op::xor_, value, only(0)};
                break;
            case Op::add_:
                value = added(acc_, registers_[operand(at)]);
                comparison = {Op::xor_, value, only(0)};
                break;
            case Op::xor_: compared(Op::xor_, registers_[operand(at)]); break;
            case Op::sub_: compared(Op::xor_, registers_[operand(at)]); break;
            case Op::xori_: compared(Op::xor_, only(constant_at(image_, at))); break;
            case Op::andi_: value = up_to(constant_at(image_, at)); break;
            case Op::srli_: value = up_to(most_of(acc_) >> (operand(at) & 31u)); break;
            case Op::slli_: value = shifted(acc_, operand(at) & 31u); break;
            case Op::lbu_: value = up_to(0xffu); break;
            case Op::lhu_: value = up_to(0xffffu); break;
            case Op::slt_: compared(row.op, registers_[operand(at)]); break;
            case Op::sltu_: compared(row.op, registers_[operand(at)]); break;
            case Op::slti_: compared(Op::slt_, only(constant_at(image_, at))); break;
            case Op::sltui_: compared(Op::sltu_, only(constant_at(image_, at))); break;
            default: break;
        }
        if ((row.writes & (Reg | Pair)) != 0) registers_[operand(at)].reset();
        if ((row.writes & Pair) != 0) registers_[operand(at) + 1].reset();
        if ((row.writes & Acc) == 0) return;
        acc_ = value;
        comparison_ = comparison;
    }

    const Image &image_;
    std::array<LoopValue, 257> registers_;
    LoopValue acc_;
    std::optional<Comparison> comparison_;
    std::vector<FoundAccess> accesses_;
};

/// Whether all that a block does is to compute, and control goes on to the next one.
bool only_computes(const GroupPlan &group, std::uint32_t b) {
    for (std::uint32_t at = group.begin(b); at < group.end(b); ++at) {
        const OpInfo &row = info(op_at(group.image, at));
        if (((row.reads | row.writes) & (Mem | Pc | Fcsr)) != 0 || (row.writes & group.stops) != 0) return false;
    }
    return true;
}

/// Finds the blocks of a loop in which PEs do nothing but compute and which has no ways but through all of them, past what may be skipped,
/// and out; none if it is none.
std::vector<std::uint32_t> loop_from(const GroupPlan &group, std::uint32_t head, Skips skips, CountedLoop &loop) {
    std::vector<std::uint32_t> blocks;
    if (!group.counts->asks(head)) return {};
    std::vector<std::uint32_t> ways;
    for (std::uint32_t b = head;; ++b) {
        if (b >= group.plan.code.start.size() || !group.here(b) || (b != head && group.counts->asks(b))) return {};
        blocks.push_back(b);
        const std::uint32_t last = group.end(b) - 1;
        for (std::uint32_t at = group.begin(b); at <= last; ++at) {
            const OpInfo &row = info(op_at(group.image, at));
            const bool goes = (row.writes & Pc) != 0 && !(at == last && is_branch(row.op));
            if (group.plan.has_break(at) || row.op == Op::srsp_ || (row.writes & AlwaysStops) != 0 || goes) return {};
        }
        if (!is_branch(op_at(group.image, last))) continue;
        const std::uint32_t target = constant_at(group.image, last);
        if (target == group.begin(head)) break;
        const bool is_skip = skips != Skips::none && b + 2 < group.plan.code.start.size() && target == group.begin(b + 2);
        if (is_skip && group.here(b + 1) && only_computes(group, b + 1)) loop.skipped.insert(b + 1);
        else ways.push_back(target);
    }
    const std::uint32_t begin = group.begin(head), end = group.end(blocks.back());
    const bool within = std::ranges::any_of(ways, [&](std::uint32_t target) { return target >= begin && target < end; });
    loop.leaves = !ways.empty() || (skips == Skips::none && blocks.size() > 1);
    return within ? std::vector<std::uint32_t>() : blocks;
}

/// How often the branch leads back, and until when; false if that is not known.
bool find_rounds(const LoopRound &round, bool if_true, CountedLoop &loop) {
    if (!round.comparison() || !round.comparison()->left || !round.comparison()->right) return false;
    const LoopSum &left = *round.comparison()->left, &right = *round.comparison()->right;
    if (left.more != 0 || right.more != 0) return false;
    const auto left_step = round.step_of(left), right_step = round.step_of(right);
    if (!left_step || !right_step || left_step->is_zero() == right_step->is_zero()) return false;
    const CountedLoop::Step &step = left_step->is_zero() ? *right_step : *left_step;
    const bool rises = step.in != CountedLoop::none || step.constant > 0, left_moves = right_step->is_zero();
    /// Whether the left one is the one below.
    const bool left_is_low = left_moves == rises;
    loop.step = rises ? step : CountedLoop::Step{CountedLoop::none, -step.constant};
    if (!rises && step.constant == loop.step.constant) return false;  // that has no opposite
    loop.low = left_is_low ? left : right;
    loop.high = left_is_low ? right : left;
    using Goes = CountedLoop::Goes;
    if (round.comparison()->op == Op::xor_) {
        loop.goes = Goes::while_different;
        return if_true;
    }
    // While left < right, or while right <= left: by then they must come nearer.
    const bool is_signed = round.comparison()->op == Op::slt_;
    loop.goes = if_true ? (is_signed ? Goes::while_less_signed : Goes::while_less)
                        : (is_signed ? Goes::while_not_more_signed : Goes::while_not_more);
    return left_is_low == if_true;
}

/// An access's stream, added if there is none yet; none if its address does not go on by whole elements.
std::optional<std::uint32_t> stream_of(CountedLoop &loop, const LoopRound &round, const LoopRound::FoundAccess &access, const OpInfo &row) {
    if (!access.address || row.access.any || (row.reads & row.writes & Mem) != 0) return std::nullopt;
    const auto step = round.step_of(*access.address);
    if (!step || step->constant % (1 << row.access.shift) != 0) return std::nullopt;
    if (access.address->more != 0 && access.address->unit % (1u << row.access.shift) != 0) return std::nullopt;
    const bool stores = (row.writes & Mem) != 0;
    const CountedLoop::Stream stream{*access.address, *step, row.access.shift, stores};
    const auto known = std::ranges::find_if(loop.streams, [&](const CountedLoop::Stream &one) {
        return one.address == stream.address && one.step == stream.step && one.shift == stream.shift;
    });
    if (known != loop.streams.end()) {
        known->stores |= stores;
        return static_cast<std::uint32_t>(known - loop.streams.begin());
    }
    loop.streams.push_back(stream);
    return static_cast<std::uint32_t>(loop.streams.size() - 1);
}

std::optional<CountedLoop> counted_loop_from(const GroupPlan &group, std::uint32_t head, Skips skips) {
    CountedLoop loop;
    loop.blocks = loop_from(group, head, skips, loop);
    if (loop.blocks.empty()) return std::nullopt;
    const LoopRound round(group, loop);
    const std::uint32_t last = group.end(loop.blocks.back()) - 1;
    if (!find_rounds(round, op_at(group.image, last) == Op::jt_, loop)) return std::nullopt;
    for (const LoopRound::FoundAccess &access : round.accesses()) {
        const auto stream = stream_of(loop, round, access, info(op_at(group.image, access.at)));
        if (stream) loop.accesses[access.at] = *stream;
    }
    for (std::uint32_t at = group.begin(head); at < last; ++at)
        loop.leaves |= (info(op_at(group.image, at)).writes & group.stops) != 0 && !loop.accesses.contains(at);
    if (loop.leaves && loop.accesses.empty()) return std::nullopt;
    return loop;
}

}  // namespace

std::map<std::uint32_t, CountedLoop> find_counted_loops(const GroupPlan &group, Skips skips) {
    std::map<std::uint32_t, CountedLoop> found;
    const std::vector<std::uint32_t> &blocks = group.group.blocks;
    for (const std::uint32_t b : blocks)
        if (auto loop = counted_loop_from(group, b, skips)) found.emplace(b, std::move(*loop));
    if (found.empty()) return found;
    const LoopForest loops(group.flow->graph(GroupCfg::Ways::in_function));
    for (auto &[head, loop] : found) {
        const auto node = static_cast<Graph::Node>(std::ranges::lower_bound(blocks, head) - blocks.begin());
        for (const Graph::Node one : loops.loops()[loops.innermost(node)].nodes) loop.all.insert(blocks[one]);
    }
    return found;
}

}  // namespace mog
