// checker.cpp: polynomials fitted to what lanes had.
#include "tests/divergence/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "assembler/divergence/evaluate.hpp"

namespace mog::test {
namespace {

using namespace divergence;

// Arithmetic modulo a prime: what fits over the rationals fits there, and what does not hardly ever does. Products of two residues have
// less than 63 bits.
constexpr std::int64_t prime = 2'147'483'647;

std::int64_t residue(Wide value) { return static_cast<std::int64_t>(((value % prime) + prime) % prime); }

std::int64_t residue_of_products(std::int64_t value) {
    const std::int64_t rest = value % prime;
    return rest < 0 ? rest + prime : rest;
}

/// Whether numbers a_i exist, one for each power of T in `powers`, which rise, with right = sum of a_i * T^i in every row.
bool is_solvable(const std::vector<std::int64_t> &threads, std::vector<std::int64_t> right, const std::vector<unsigned> &powers) {
    const std::size_t columns = powers.size();
    std::vector<std::int64_t> cells(threads.size() * columns);  // row by row
    const auto row = [&](std::size_t r) { return std::span(cells).subspan(r * columns, columns); };
    for (std::size_t r = 0; r < threads.size(); ++r) {
        const std::int64_t thread = residue_of_products(threads[r]);
        std::int64_t power = 1;
        for (unsigned exponent = 0, column = 0; column < columns; ++exponent, power = residue_of_products(power * thread))
            if (exponent == powers[column]) row(r)[column++] = power;
    }
    std::size_t done = 0;
    for (std::size_t column = 0; column < columns; ++column) {
        std::size_t pivot = done;
        while (pivot < threads.size() && row(pivot)[column] == 0) ++pivot;
        if (pivot == threads.size()) continue;
        std::ranges::swap_ranges(row(pivot), row(done));
        std::swap(right[pivot], right[done]);
        // No quotients: a row times what is not zero says the same.
        const std::int64_t whole = row(done)[column];
        for (std::size_t r = done + 1; r < threads.size(); ++r) {
            const std::int64_t factor = row(r)[column];
            for (std::size_t c = column; c < columns; ++c) row(r)[c] = residue_of_products(row(r)[c] * whole - factor * row(done)[c]);
            right[r] = residue_of_products(right[r] * whole - factor * right[done]);
        }
        ++done;
    }
    for (std::size_t r = done; r < threads.size(); ++r)
        if (right[r] != 0) return false;
    return true;
}

}  // namespace

/// Calls visit(key, fact, variable, value, what) for each claim that the step makes true or false.
template <typename Visit>
void Checker::each_claim(const usimd::Step &step, Visit visit) const {
    const SsaForm &form = analysis_.form();
    const Block &block = form.kernel.blocks[step.block];
    const auto reading = [&](ValueIndex value, std::uint32_t reading_of, const char *what) {
        if (value != no_value)
            visit(At::reading, reading_of, analysis_.fact_at(value, reading_of), form.values[value].variable, value, what);
    };
    switch (step.what) {
        case usimd::Step::What::comes:
            for (const std::uint32_t phi : form.phis_of[step.block]) {
                const ValueIndex value = form.phis[phi].value;
                visit(At::phi, phi, analysis_.fact(value), form.values[value].variable, value, "where ways meet");
            }
            break;
        case usimd::Step::What::before:
            for (std::size_t o = 0; o < block.code[step.index].operands.size(); ++o)
                reading(form.read_by(step.block, step.index, o), form.reading_of(step.block, step.index, o), "read");
            break;
        case usimd::Step::What::after:
            if (const ValueIndex value = form.result_of(step.block, step.index); value != no_value)
                visit(At::result, value, analysis_.fact(value), form.values[value].variable, value, "defined");
            break;
        case usimd::Step::What::end: {
            reading(form.condition_of(step.block), form.condition_reading_of(step.block), "read as a condition");
            BlockIndex last = 0xffffffff;
            for (const BlockIndex to : block.end.targets) {
                if (to == last) continue;
                last = to;
                const auto from = form.graph.predecessors(to);
                for (const std::uint32_t phi : form.phis_of[to])
                    for (std::size_t edge = 0; edge < from.size(); ++edge)
                        if (from[edge] == step.block)
                            reading(form.phis[phi].operands[edge], form.phis[phi].readings[edge], "read where ways meet");
            }
            break;
        }
        case usimd::Step::What::waits: break;
    }
}

void Checker::check(const Fact &fact, const std::vector<Lane> &lanes, ValueIndex value, const char *what, BlockIndex block) {
    const SsaForm &form = analysis_.form();
    const Polynomials &domain = analysis_.domain();
    const unsigned width = form.kernel.variables[form.values[value].variable].width;
    std::vector<std::int64_t> threads, values;
    bool all_equal = true;
    for (const Lane &lane : lanes) {
        threads.push_back(lane.thread);
        values.push_back(residue(lane.value));
        all_equal &= lane.value == lanes.front().value;
    }
    const bool says_uniform = fact.is_uniform() && !fact.is_top(), says_anything = !fact.is_top() && !domain.is_divergent(fact);
    counts_.claims += says_anything && lanes.size() > 1;
    if (lanes.size() > 2) {
        ++counts_.checks;
        counts_.equal += all_equal;
        counts_.claimed_uniform += says_uniform;
        const bool on_a_line = !all_equal && is_solvable(threads, values, {0, 1});
        counts_.on_a_line += on_a_line;
        counts_.claimed_polynomial += on_a_line && says_anything;
    }
    if (!failure_.empty()) return;
    bool holds = !fact.is_top();
    if (says_anything) {
        std::vector<unsigned> unknown;
        for (unsigned i = 0; i <= domain.degree(); ++i)
            if (!fact.a[i].is_known()) unknown.push_back(i);
        // What is left when the known parts are taken away.
        std::vector<std::int64_t> rest, exact_rest;
        for (const Lane &lane : lanes) {
            Wide left = lane.value;
            for (unsigned i = 0; i <= domain.degree(); ++i) {
                Wide part = fact.a[i].is_known() ? fact.a[i].number : 0;
                for (unsigned k = 0; k < i; ++k) part *= lane.thread;
                left -= part;
            }
            exact_rest.push_back(static_cast<std::int64_t>(left));
            rest.push_back(fact.exact ? residue(left) : static_cast<std::int64_t>(static_cast<std::uint64_t>(left)));
        }
        if (fact.exact) {
            holds = is_solvable(threads, rest, unknown);
        } else if (unknown.size() <= 1 && (unknown.empty() || unknown[0] == 0)) {
            // Modulo 2^width only.
            for (const std::int64_t left : exact_rest) {
                const std::int64_t wanted = unknown.empty() ? 0 : exact_rest.front();
                holds &= wrap(left - wanted, width) == 0;
            }
        }
    }
    if (holds) return;
    failure_ = fmt::format("{}: {} {} in {} is said to be {}{}, but is", form.kernel.place_text(form.place_of(value)), form.name_of(value),
                           what, form.kernel.blocks[block].label, domain.text(fact), fact.exact ? "" : " modulo 2^width");
    for (const Lane &lane : lanes) failure_ += fmt::format(" {}", lane.value);
    failure_ += " in threads";
    for (const Lane &lane : lanes) failure_ += fmt::format(" {}", lane.thread);
}

void Checker::watch(const usimd::Machine &machine, const usimd::Step &step) {
    std::vector<Lane> lanes;
    each_claim(step, [&](At, std::uint64_t, const Fact &fact, Variable variable, ValueIndex value, const char *what) {
        lanes.clear();
        for (std::size_t lane = 0; lane < step.active->size(); ++lane)
            if ((*step.active)[lane]) lanes.push_back({machine.thread(lane), machine.value(variable, lane)});
        check(fact, lanes, value, what, step.block);
    });
}

void Checker::watch_alone(const usimd::Machine &machine, const usimd::Step &step) {
    const std::int64_t thread = machine.thread(0);
    if (thread != last_thread_) {
        last_thread_ = thread;
        rounds_ = {};
    }
    if (step.what == usimd::Step::What::comes) rounds_.come_to(loops_, step.block);
    each_claim(step, [&](At at, std::uint64_t index, const Fact &fact, Variable variable, ValueIndex value, const char *what) {
        const auto [seen, is_new] =
            seen_.try_emplace({{static_cast<std::uint64_t>(at), index}, rounds_.counts()}, Seen{fact, value, what, step.block, {}});
        seen->second.lanes.push_back({thread, machine.value(variable, 0)});
    });
}

void Checker::together() {
    for (const auto &[key, seen] : seen_) check(seen.fact, seen.lanes, seen.value, seen.what, seen.block);
}

}  // namespace mog::test
