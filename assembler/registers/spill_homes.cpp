// spill_homes.cpp: facts into homes, and the question whether a word is safe.
#include "assembler/registers/spill_homes.hpp"

#include <algorithm>

namespace mog::registers {

using namespace divergence;

namespace {

/// Narrower numbers cannot hold that of a thread.
constexpr unsigned least_width_of_threads = 32;

/// At most degree 1.
bool is_line(const Fact &fact) {
    return !fact.is_top() && std::all_of(fact.a.begin() + 2, fact.a.end(), [](const Coefficient &c) { return c.is(0); });
}

}  // namespace

const char *name_of(Allocator allocator) {
    constexpr const char *names[] = {"linear", "divergent", "rematerialising", "affine"};
    return names[static_cast<std::size_t>(allocator)];
}

const char *name_of(Home home) {
    constexpr const char *names[] = {"constant", "affine", "word", "base", "row"};
    return names[static_cast<std::size_t>(home)];
}

SpillHomes::SpillHomes(const Analysis &analysis, const Lifetimes &lifetimes, std::size_t webs, Allocator allocator, Flaw flaw)
    : analysis_(analysis),
      lifetimes_(lifetimes),
      allocator_(allocator),
      flaw_(flaw),
      memory_(webs),
      stored_in_(webs),
      stored_(analysis.form().values.size()) {
    find_parting_branches();
    std::vector<std::vector<ValueIndex>> values(webs);
    for (ValueIndex value = 0; value < analysis.form().values.size(); ++value)
        if (const Variable of = analysis.form().values[value].variable; of < webs) values[of].push_back(value);
    for (Variable variable = 0; variable < webs; ++variable) decide(variable, values[variable]);
}

void SpillHomes::find_parting_branches() {
    const Graph &graph = analysis_.form().graph;
    for (BlockIndex b = 0; b < graph.size(); ++b) {
        if (!analysis_.form().is_reached(b) || graph.successors(b).size() < 2 || analysis_.is_branch_uniform(b)) continue;
        PartingBranch branch{analysis_.sync().end_of(b), {}, {}};
        for (const BlockIndex target : graph.successors(b)) {
            if (std::ranges::find(branch.targets, target) != branch.targets.end()) continue;
            branch.targets.push_back(target);
            auto &behind = branch.behind.emplace_back(graph.size());
            std::vector<BlockIndex> work{target};
            while (!work.empty()) {
                const BlockIndex at = work.back();
                work.pop_back();
                if (at == branch.end || behind[at]) continue;
                behind[at] = true;
                for (const BlockIndex to : graph.successors(at)) work.push_back(to);
            }
        }
        branches_.push_back(std::move(branch));
    }
}

SpillHomes::Load SpillHomes::load(Variable variable, const Fact &known) const {
    const bool computes = allocator_ == Allocator::rematerialising || allocator_ == Allocator::affine;
    if (computes && known.is_known() && is_line(known)) {
        if (known.is_uniform()) return {Home::constant, 0, known.a[0].number};
        if (analysis_.kernel().variables[variable].width >= least_width_of_threads)
            return {Home::affine, known.a[1].number, known.a[0].number};
    }
    return {memory_[variable].home, memory_[variable].factor, 0};
}

void SpillHomes::decide(Variable variable, const std::vector<ValueIndex> &values) {
    const SsaForm &form = analysis_.form();
    // Which values are loaded from memory: those that are read, and all that come to these by phis.
    std::vector<ValueIndex> work, needed;
    Memory &memory = memory_[variable];
    memory.home = Home::row;
    const auto need = [&](ValueIndex value) {
        if (value == no_value || stored_[value]) return;
        stored_[value] = true;
        work.push_back(value);
        needed.push_back(value);
    };
    for (const ValueIndex value : values) {
        const std::uint32_t first = form.first_reading(value);
        const auto readings = form.readings_of(value);
        for (std::uint32_t r = 0; r < readings.size(); ++r)
            if (readings[r].by != Reading::By::phi && is_memory(load(variable, analysis_.fact_at(value, first + r)).home)) need(value);
    }
    while (!work.empty()) {
        const Value &value = form.values[work.back()];
        work.pop_back();
        if (value.kind == Value::Kind::phi)
            for (const ValueIndex operand : form.phis[value.index].operands) need(operand);
    }
    if (needed.empty()) {
        memory.home = Home::constant;
        return;
    }
    bool all_uniform = true, all_lines = true;
    std::optional<std::int64_t> factor;
    for (const ValueIndex value : needed) {
        if (form.values[value].kind != Value::Kind::result) continue;
        stored_in_[variable].push_back(form.values[value].block);
        const Fact &fact = analysis_.fact(value);
        all_uniform &= !fact.is_top() && fact.is_uniform();
        all_lines &= is_line(fact) && fact.a[1].is_known() &&
                     (factor.value_or(fact.a[1].number) == fact.a[1].number || flaw_ == Flaw::factors_differ);
        if (fact.a[1].is_known()) factor = fact.a[1].number;
    }
    const bool has_words = allocator_ == Allocator::divergent || allocator_ == Allocator::affine;
    const bool may_be_base =
        allocator_ == Allocator::affine && all_lines && factor && analysis_.kernel().variables[variable].width >= least_width_of_threads;
    if (!has_words || !(all_uniform || may_be_base) || !is_safe_as_word({variable})) return;
    memory.home = all_uniform ? Home::uniform : Home::base;
    if (!all_uniform) memory.factor = *factor;
}

bool SpillHomes::is_safe_as_word(const std::vector<Variable> &variables) const {
    if (flaw_ == Flaw::words_at_will) return true;
    const auto is_live_in = [&](BlockIndex block) {
        return std::ranges::any_of(variables, [&](Variable variable) { return lifetimes_.is_live_in(variable, block); });
    };
    for (const PartingBranch &branch : branches_)
        for (std::size_t way = 0; way < branch.targets.size(); ++way) {
            const bool writes = std::ranges::any_of(variables, [&](Variable variable) {
                return std::ranges::any_of(stored_in_[variable], [&](BlockIndex block) { return branch.behind[way][block]; });
            });
            if (!writes) continue;
            if (branch.end != Parting::nowhere && is_live_in(branch.end)) return false;
            for (std::size_t other = 0; other < branch.targets.size(); ++other)
                if (other != way && is_live_in(branch.targets[other])) return false;
        }
    return true;
}

bool SpillHomes::may_share(const std::vector<Variable> &variables, Variable one_more) const {
    for (const Variable variable : variables)
        if (overlap(lifetimes_.of(variable), lifetimes_.of(one_more))) return false;
    if (!is_word(memory_[one_more].home)) return true;
    std::vector<Variable> all = variables;
    all.push_back(one_more);
    return is_safe_as_word(all);
}

}  // namespace mog::registers
