// nan_results.cpp: which variables are read later, then what is in them, from instruction to instruction.
#include "assembler/blocks/nan_results.hpp"

#include <algorithm>
#include <optional>

#include "assembler/analysis/data_flow.hpp"
#include "assembler/analysis/effects.hpp"
#include "assembler/image/facts.hpp"

namespace mog {

namespace {

enum class Use : std::uint8_t {
    bits,       ///< of what it reads
    floats,     ///< does not tell NaNs apart; its result is none, or the default one
    operation,  ///< neither; its result may be a NaN
    move,
};

Use use_of(Op op) {
    const OpInfo &row = info(op);
    if (row.writes & Copies) return Use::move;
    if ((row.reads & Floats) == 0) return Use::bits;
    return row.writes & Nan ? Use::operation : Use::floats;
}

}  // namespace

class NanAnalysis {
public:
    using Variable = NanResults::Variable;
    using Set = RegisterSet;  ///< of variables

    NanAnalysis(const Image &image, const BlockPlan &plan, std::uint32_t group, const std::array<bool, 257> &is_pair,
                const std::function<bool(std::uint32_t)> &begins, const GroupCfg *flow, NanResults &results)
        : image_(image),
          plan_(plan),
          group_(group),
          blocks_(plan.groups[group - 1].blocks),
          is_pair_(is_pair),
          begins_(begins),
          flow_(flow),
          results_(results) {}

    void run() {
        find_effects();
        find_live();
        find_looked_at();
        comes_in_.assign(blocks_.size(), Set());
        do {
            changes_ = false;
            for (const std::uint32_t block : blocks_) walk(block);
        } while (changes_);
        notes_ = true;
        for (const std::uint32_t block : blocks_) walk(block);
    }

private:
    bool here(std::uint32_t block) const { return block < plan_.group_of.size() && plan_.group_of[block] == group_; }
    std::uint32_t begin(std::uint32_t block) const { return plan_.code.start[block]; }
    std::uint32_t end(std::uint32_t block) const { return plan_.code.end(image_, block); }

    /// The variable that a register is in.
    Variable home(std::uint32_t r) const { return static_cast<Variable>(r > 0 && is_pair_[r - 1] ? r - 1 : r); }
    bool is_single(std::uint32_t r) const { return home(r) == r && !is_pair_[r]; }

    struct Effects {
        Set read, written;  ///< written: as a whole
    };
    /// The variables that registers are in; those of which only a half is there are told apart by `whole`.
    Set variables_of(const RegisterSet &registers, bool whole) const {
        Set set;
        for (std::size_t r = registers._Find_first(); r < acc_variable; r = registers._Find_next(r)) {
            const Variable v = home(static_cast<std::uint32_t>(r));
            if (!whole || !is_pair_[v] || (registers[v] && registers[v + 1u])) set.set(v);
        }
        for (const std::uint32_t accumulator : {acc_variable, d_variable}) set[accumulator] = registers[accumulator];
        return set;
    }
    void find_effects() {
        effects_.resize(end(blocks_.back()) - begin(blocks_.front()));
        for (const std::uint32_t block : blocks_)
            for (std::uint32_t at = begin(block); at < end(block); ++at) {
                const OpInfo &row = info(op_at(image_, at));
                const std::uint32_t operand = image_.text[at] & 0xffu;
                const RegisterSet writes = writes_of(row, operand, image_.roles);
                Effects &effects = effects_[at - begin(blocks_.front())];
                effects.written = variables_of(writes, true);
                // Half of a pair is written so that the other one is read.
                effects.read = variables_of(reads_of(row, operand, image_.roles), false) | (variables_of(writes, false) & ~effects.written);
            }
    }
    const Set &read(std::uint32_t at) const { return effects_[at - begin(blocks_.front())].read; }
    const Set &written(std::uint32_t at) const { return effects_[at - begin(blocks_.front())].written; }
    Set before(std::uint32_t at, const Set &after) const { return live_before(read(at), written(at), after); }

    /// What is read from the beginning of each block on before it is written. Outside of the group, everything.
    void find_live() {
        std::vector<Uses<Set>> uses(blocks_.size());
        std::vector<Set> outside(blocks_.size());
        const Graph graph(static_cast<std::uint32_t>(blocks_.size()), [&](std::uint32_t node) {
            std::vector<std::uint32_t> next;
            const std::uint32_t last = end(blocks_[node]) - 1;
            const OpInfo &row = info(op_at(image_, last));
            const auto go = [&](std::uint32_t block) {
                if (here(block)) next.push_back(node_of(block));
                else outside[node].set();
            };
            const auto named = named_block(image_, plan_.code, last);
            if (named) go(*named);
            else if ((row.writes & Pc) || ends_block(row.op)) outside[node].set();
            if (!ends_block(row.op)) go(blocks_[node] + 1);
            return next;
        });
        for (std::uint32_t node = 0; node < blocks_.size(); ++node)
            for (std::uint32_t at = begin(blocks_[node]); at < end(blocks_[node]); ++at) uses[node].add(read(at), written(at));
        live_ = solve_liveness<Set>(graph, uses, outside);
    }
    std::uint32_t node_of(std::uint32_t block) const {
        return static_cast<std::uint32_t>(std::ranges::lower_bound(blocks_, block) - blocks_.begin());
    }

    /// What of it an instruction looks at as bits.
    Set looked_at(std::uint32_t at) const {
        const OpInfo &row = info(op_at(image_, at));
        const Use use = use_of(row.op);
        if (always_stops(row.op)) return {};  // and is looked after then
        if (use == Use::bits) return read(at);
        if (!by_halves(at)) return {};
        if (use == Use::move) return read(at);
        Set operands = read(at);
        return operands.reset(NanResults::acc).reset(NanResults::d);
    }
    /// Floats in halves of a pair are looked at as bits.
    bool by_halves(std::uint32_t at) const {
        const OpInfo &row = info(op_at(image_, at));
        const std::uint32_t r = image_.text[at] & 0xffu;
        return (row.operand == OperandKind::Reg && !is_single(r)) || (row.operand == OperandKind::Pair && !is_pair_[r]);
    }
    struct Move {
        Variable from, to;
    };
    std::optional<Move> move_at(std::uint32_t at) const {
        const OpInfo &row = info(op_at(image_, at));
        if (use_of(row.op) != Use::move || by_halves(at)) return std::nullopt;
        const Variable r = home(image_.text[at] & 0xffu);
        const Variable accumulator = (row.reads | row.writes) & Acc ? NanResults::acc : NanResults::d;
        return row.writes & (Reg | Pair) ? Move{accumulator, r} : Move{r, accumulator};
    }

    /// What may be looked at as bits from the beginning of each block on, before it is written.
    void find_looked_at() {
        looked_at_.assign(blocks_.size(), Set());
        if (!flow_) return;
        const auto transfer = [&](std::uint32_t node, Set set) {
            for (std::uint32_t at = end(blocks_[node]); at-- > begin(blocks_[node]);) {
                const auto move = move_at(at);
                const bool passes_on = move && set[move->to];
                set &= ~written(at);
                if (passes_on) set.set(move->from);
                set |= looked_at(at);
            }
            return set;
        };
        looked_at_ = solve_backward<Set>(flow_->graph(GroupCfg::Ways::all), transfer).in;
    }

    /// any_ goes on in another block; but for what is returned, which is to be looked after before.
    Set go_to(std::uint32_t block, bool is_straight = false) {
        if (!here(block)) return any_;
        const std::uint32_t node = node_of(block);
        const Set needed = any_ & live_.in[node];
        if (!flow_) return needed;
        const Set now = is_straight ? Set() : needed & looked_at_[node];
        const Set more = comes_in_[node] | (needed & ~now);
        changes_ |= more != comes_in_[node];
        comes_in_[node] = more;
        return now;
    }

    void walk(std::uint32_t block) {
        std::vector<Set> needed(end(block) - begin(block));
        Set after = live_.out[node_of(block)];
        for (std::uint32_t at = end(block); at-- > begin(block);) needed[at - begin(block)] = after = before(at, after);
        any_ = comes_in_[node_of(block)];
        if (notes_ && any_.any()) results_.asks_[block] = set_number(any_);
        for (std::uint32_t at = begin(block); at < end(block); ++at) step(at, needed[at - begin(block)]);

        const std::uint32_t last = end(block) - 1;
        const OpInfo &row = info(op_at(image_, last));
        if (const auto named = named_block(image_, plan_.code, last)) {
            const Set now = go_to(*named);
            if (notes_) note(last).on_jump = list(now);
        } else if (row.writes & Pc) {
            Set now;
            if (flow_)
                for (const CodeAddress &target : flow_->known_targets(block)) now |= go_to(plan_.code.block_of[target.to]);
            if (notes_) {
                for (const Variable v : list(now))
                    if (std::ranges::find(note(last).before, v) == note(last).before.end()) note(last).before.push_back(v);
                note(last).on_jump = list(any_ & ~now);
            }
        }
        if (ends_block(row.op)) return;
        const Set now = go_to(block + 1, here(block + 1) && !begins_(block + 1));
        if (notes_) note(last).at_end = list(now);
    }

    /// Before the instruction, any_ are the variables that may hold any NaN; afterwards, too.
    /// `needed`: what is read from here on before it is written.
    void step(std::uint32_t at, const Set &needed) {
        const OpInfo &row = info(op_at(image_, at));
        const Set must = any_ & looked_at(at);
        if (notes_ && must.any()) note(at).before = list(must);
        any_ &= ~must;
        if (notes_ && ((row.writes & Stop) || plan_.has_break(at)) && (any_ & needed).any()) note(at).on_stop = set_number(any_ & needed);

        const auto move = move_at(at);
        const bool passes_on = move && any_[move->from];
        any_ &= ~written(at);
        if (passes_on) any_.set(move->to);
        if (use_of(row.op) != Use::operation) return;
        if (notes_) note(at).any_nan = true;
        any_.set(row.writes & D ? NanResults::d : NanResults::acc);
    }

    std::uint32_t set_number(const Set &set) {
        const NanResults::Variables variables = list(set);
        const auto known = std::ranges::find(results_.stop_sets_, variables);
        const auto number = static_cast<std::uint32_t>(known - results_.stop_sets_.begin()) + 1;
        if (known == results_.stop_sets_.end()) results_.stop_sets_.push_back(variables);
        return number;
    }

    NanResults::Instruction &note(std::uint32_t at) { return results_.instructions_[at]; }
    static NanResults::Variables list(const Set &set) {
        NanResults::Variables variables;
        for (std::size_t i = 0; i < set.size(); ++i)
            if (set[i]) variables.push_back(static_cast<Variable>(i));
        return variables;
    }

    const Image &image_;
    const BlockPlan &plan_;
    std::uint32_t group_;
    const std::vector<std::uint32_t> &blocks_;
    const std::array<bool, 257> &is_pair_;
    const std::function<bool(std::uint32_t)> &begins_;
    const GroupCfg *flow_;
    NanResults &results_;
    std::vector<Effects> effects_;  ///< from the group's first instruction on
    // By block, as a node: what is read later; at its beginning, what of it as bits, and what may hold any NaN.
    FlowSets<Set> live_;
    std::vector<Set> looked_at_, comes_in_;
    Set any_;
    bool changes_ = false, notes_ = false;
};

NanResults::NanResults(const Image &image, const BlockPlan &plan, std::uint32_t group, const std::array<bool, 257> &is_pair,
                       const std::function<bool(std::uint32_t)> &begins, const GroupCfg *flow) {
    // With the control register, operations set its flags, and are done in software.
    const auto may_be_nan = [&](std::uint32_t b) {
        for (std::uint32_t at = plan.code.start[b]; at < plan.code.end(image, b); ++at)
            if ((info(op_at(image, at)).writes & Nan) != 0) return true;
        return false;
    };
    if (std::ranges::none_of(plan.groups[group - 1].blocks, may_be_nan)) return;
    if (!keeps_fcsr(image)) NanAnalysis(image, plan, group, is_pair, begins, flow, *this).run();
}

}  // namespace mog
