// order_problem.cpp: genomes of the order search.
#include "assembler/order/order_problem.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace mog {
namespace {

using Slots = std::vector<std::uint32_t>;

constexpr int few_sweeps = 1, most_sweeps = 24;  // from where the parent's pricing ended
constexpr double precision = 1e-4;
constexpr std::size_t most_steps = 8;  // of a walk that a mutation puts in
// Bodies of instructions in all slots, those within superinstructions counted: compiling takes as long as there are many.
constexpr double bodies = 320, room_for_repeats = 1.2;

Slots::iterator at(Slots &slots, std::size_t i) { return slots.begin() + static_cast<std::ptrdiff_t>(i); }

std::vector<std::uint32_t> copies_of(const Slots &slots, std::size_t kinds) {
    std::vector<std::uint32_t> copies(kinds);
    for (const std::uint32_t kind : slots) ++copies[kind];
    return copies;
}

/// Some slot of a kind that has several, which there must be.
std::size_t repeated_slot(const Slots &slots, const std::vector<std::uint32_t> &copies, Random &random) {
    std::size_t i = random.below(slots.size());
    while (copies[slots[i]] < 2) i = i + 1 == slots.size() ? 0 : i + 1;
    return i;
}

bool is_repeated(const Slots &slots, std::uint32_t kind) { return std::count(slots.begin(), slots.end(), kind) > 1; }

}  // namespace

OrderProblem::OrderProblem(const MarkovChain &digrams, const CostModel &model, Objective objective, Limits limits)
    : digrams_(digrams), model_(model), objective_(objective), limits_(limits), frequency_(digrams.kind_frequency()) {
    double sum = 0;
    for (const double frequency : frequency_) cumulative_.push_back(sum += frequency);
    double once = 0;
    for (const Kind &kind : digrams.kinds) {
        parts_.push_back(static_cast<double>(std::max<std::size_t>(1, kind.parts.size())));
        once += parts_.back();
    }
    most_bodies_ = std::max(bodies, room_for_repeats * once);
}

Slots OrderProblem::allotment(std::size_t slots) const {
    const std::size_t kinds = frequency_.size();
    std::vector<std::uint32_t> copies(kinds, 1);
    // A thing that is waited for is best offered in proportion to the square root of how often it is wanted.
    for (std::size_t n = kinds; kinds > 1 && n < slots; ++n) {
        std::size_t neediest = 0;
        for (std::size_t k = 1; k < kinds; ++k)
            if (std::sqrt(frequency_[k]) / copies[k] > std::sqrt(frequency_[neediest]) / copies[neediest]) neediest = k;
        ++copies[neediest];
    }
    Slots result;
    for (std::uint32_t k = 0; k < kinds; ++k) result.insert(result.end(), copies[k], k);
    return result;
}

Slots OrderProblem::shuffled(std::size_t count, Random &random) const {
    Slots slots = allotment(count);
    for (std::size_t i = slots.size(); i > 1; --i) std::swap(slots[i - 1], slots[random.below(i)]);
    return slots;
}

OrderProblem::Genome OrderProblem::random(Random &random) const {
    return genome(shuffled(limits_.least + random.below(limits_.most - limits_.least + 1), random));
}

OrderProblem::Genome OrderProblem::chained(std::size_t count) const {
    const Slots allotted = allotment(count);
    std::vector<std::uint32_t> left = copies_of(allotted, frequency_.size());
    Slots slots;
    while (slots.size() < allotted.size()) {
        std::optional<std::uint32_t> best;
        double best_share = -1;
        if (!slots.empty())
            for (const auto &successor : digrams_.successors[slots.back()])
                if (left[successor.node] != 0 && successor.share > best_share) {
                    best = successor.node;
                    best_share = successor.share;
                }
        for (std::uint32_t kind = 0; kind < left.size(); ++kind)
            if (left[kind] != 0 && (!best || (best_share < 0 && frequency_[kind] > frequency_[*best]))) best = kind;
        --left[*best];
        slots.push_back(*best);
    }
    return genome(std::move(slots));
}

std::uint32_t OrderProblem::likely_kind(Random &random) const {
    const double x = random.unit() * cumulative_.back();
    const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), x);
    return static_cast<std::uint32_t>(
        std::min<std::ptrdiff_t>(found - cumulative_.begin(), static_cast<std::ptrdiff_t>(cumulative_.size()) - 1));
}

std::uint32_t OrderProblem::likely_successor(std::uint32_t kind, Random &random) const {
    double x = random.unit();
    for (const auto &[node, share] : digrams_.successors[kind])
        if ((x -= share) < 0) return node;
    return likely_kind(random);
}

/// Gives every kind a slot again, at the cost of repeated ones, and keeps the limits.
void OrderProblem::repair(Slots &slots, Random &random) const {
    std::vector<std::uint32_t> copies = copies_of(slots, frequency_.size());
    for (std::uint32_t kind = 0; kind < copies.size(); ++kind) {
        if (copies[kind] != 0) continue;
        if (slots.size() < limits_.most) {
            slots.insert(at(slots, random.below(slots.size() + 1)), kind);
        } else {
            const std::size_t i = repeated_slot(slots, copies, random);
            --copies[slots[i]];
            slots[i] = kind;
        }
        ++copies[kind];
    }
    if (slots.size() > limits_.most) thin_out(slots, limits_.most, random);
    while (slots.size() < limits_.least) slots.insert(at(slots, random.below(slots.size() + 1)), likely_kind(random));
}

OrderProblem::Genome OrderProblem::mix(const Genome &a, const Genome &b, Random &random) const {
    const std::size_t n = a.slots.size(), m = b.slots.size();
    const std::size_t from = random.below(n), length = 1 + random.below(std::min(n, m));
    std::size_t other = random.below(m);
    for (std::size_t tries = 0; tries < m && b.slots[other] != a.slots[from]; ++tries) other = other + 1 == m ? 0 : other + 1;
    Genome child = a;
    for (std::size_t i = 0; i < length; ++i) child.slots[(from + i) % n] = b.slots[(other + i) % m];
    repair(child.slots, random);
    return child;
}

/// Puts `steps` slots before slot `place` (not 0), each of a likely successor of the slot before it.
void OrderProblem::walk(Slots &slots, std::size_t place, std::size_t steps, Random &random) const {
    Slots way;
    for (std::uint32_t kind = slots[place - 1]; way.size() < steps;) way.push_back(kind = likely_successor(kind, random));
    slots.insert(at(slots, place), way.begin(), way.end());
}

/// Takes slots of kinds that have several away, at random, until there are `count`.
void OrderProblem::thin_out(Slots &slots, std::size_t count, Random &random) const {
    std::vector<std::uint32_t> copies = copies_of(slots, frequency_.size());
    while (slots.size() > count) {
        const std::size_t i = repeated_slot(slots, copies, random);
        --copies[slots[i]];
        slots.erase(at(slots, i));
    }
}

OrderProblem::Genome OrderProblem::walked(std::size_t count, Random &random) const {
    Slots slots{likely_kind(random)};
    std::vector<bool> there(frequency_.size());
    there[slots.front()] = true;
    const std::size_t once = frequency_.size();
    std::size_t missing = once - 1;
    while (slots.size() + missing < count) {
        const std::uint32_t kind = likely_successor(slots.back(), random);
        slots.push_back(kind);
        if (!there[kind]) --missing;
        there[kind] = true;
    }
    for (const std::uint32_t kind : chained(once).slots)
        if (!there[kind]) slots.push_back(kind);
    return genome(std::move(slots));
}

OrderProblem::Genome OrderProblem::mutate(Genome genome, Random &random) const {
    Slots &slots = genome.slots;
    do {
        const std::size_t n = slots.size(), i = random.below(n), j = random.below(n);
        switch (random.below(8)) {
            case 0: std::swap(slots[i], slots[j]); break;
            case 1:  // slot i to place j
                if (i < j) std::rotate(at(slots, i), at(slots, i + 1), at(slots, j + 1));
                if (j < i) std::rotate(at(slots, j), at(slots, i), at(slots, i + 1));
                break;
            case 2: {  // a few neighbours
                const std::size_t length = 1 + random.below(std::min<std::size_t>(8, n));
                const std::size_t from = random.below(n - length + 1), to = random.below(n - length + 1);
                if (from < to) std::rotate(at(slots, from), at(slots, from + length), at(slots, to + length));
                if (to < from) std::rotate(at(slots, to), at(slots, from), at(slots, from + length));
                break;
            }
            case 3:  // the next slot of a likely successor comes right behind slot i
            {
                const std::uint32_t kind = likely_successor(slots[i], random);
                for (std::size_t d = 2; d < n; ++d) {
                    const std::size_t from = (i + d) % n;
                    if (slots[from] != kind) continue;
                    slots.erase(at(slots, from));
                    const std::size_t behind = from < i ? i : i + 1;
                    slots.insert(at(slots, std::min(behind, slots.size())), kind);
                    break;
                }
                break;
            }
            case 4:  // the way that a PE may go on from slot i, in slots more
                walk(slots, i + 1, random.below(2) == 0 ? 1 : 1 + random.below(most_steps), random);
                if (random.below(2) == 0 || slots.size() > limits_.most) thin_out(slots, std::max(n, limits_.least), random);
                break;
            case 5:  // one slot less
                if (n > limits_.least && is_repeated(slots, slots[i])) slots.erase(at(slots, i));
                break;
            case 6:  // another kind, one that likely follows the slot before
                if (is_repeated(slots, slots[i])) slots[i] = likely_successor(slots[i == 0 ? n - 1 : i - 1], random);
                break;
            default:  // a repeated slot goes behind another as its likely successor
                if (is_repeated(slots, slots[j])) {
                    slots.erase(at(slots, j));
                    const std::size_t place = i < j ? i : i == 0 ? 0 : i - 1;
                    slots.insert(at(slots, std::min(place + 1, slots.size())), likely_successor(slots[place], random));
                }
        }
    } while (random.below(4) == 0);
    return genome;
}

double OrderProblem::quick_cost(Genome &genome) const {
    double bodies = 0;
    for (const std::uint32_t kind : genome.slots) bodies += parts_[kind];
    // So much dearer is what is too long to compile that the search leaves it soon.
    return model_.quick(genome.slots, genome.shares, few_sweeps).of(objective_) * std::max(1.0, bodies / most_bodies_);
}

double OrderProblem::cost(Genome &genome) const {
    double cost = 0;
    for (int sweeps = 0; sweeps == 0 || (sweeps < most_sweeps && genome.shares.change > precision); sweeps += few_sweeps)
        cost = quick_cost(genome);
    return cost;
}

}  // namespace mog
