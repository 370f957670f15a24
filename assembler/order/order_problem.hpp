// order_problem.hpp: the search for an order as a problem for evolve().
#pragma once

#include "assembler/order/cost_model.hpp"
#include "assembler/order/evolve.hpp"

namespace mog {

/// A sequence of slots, as numbers of kinds, each kind at least once, in a circle. What would be several unequal passes,
/// some without the dear or rare kinds, is one sequence here: the frequent kinds stand in it again and again.
class OrderProblem {
public:
    struct Genome {
        std::vector<std::uint32_t> slots;
        CostModel::Shares shares;  ///< what the last pricing left
    };
    struct Limits {
        std::size_t least = 0, most = 0;  ///< slots
    };

    /// `digrams` guides the mutations; the model prices. Both outlive the problem.
    OrderProblem(const MarkovChain &digrams, const CostModel &model, Objective objective, Limits limits);

    /// One slot per kind; of the slots beyond (up to `slots`) frequent ones have more, by the square root of frequency.
    std::vector<std::uint32_t> allotment(std::size_t slots) const;
    Genome genome(std::vector<std::uint32_t> slots) const { return {std::move(slots), {}}; }

    /// The slots of an allotment, shuffled.
    std::vector<std::uint32_t> shuffled(std::size_t slots, Random &random) const;
    /// Of any length.
    Genome random(Random &random) const;
    /// Each slot followed by its likeliest successor, as long as slots of it are left: a fair start.
    Genome chained(std::size_t slots) const;
    /// A way that a PE may go through the flow, then what it did not meet: the best start where ways are few.
    Genome walked(std::size_t slots, Random &random) const;
    /// `a` with a piece of it replaced by one of `b` that begins with the same kind.
    Genome mix(const Genome &a, const Genome &b, Random &random) const;
    /// Slots exchanged or moved; likely successors put behind a slot; a repeated slot taken away or given to another kind.
    Genome mutate(Genome genome, Random &random) const;
    double quick_cost(Genome &genome) const;
    double cost(Genome &genome) const;

    const Limits &limits() const { return limits_; }

private:
    std::uint32_t likely_kind(Random &random) const;
    std::uint32_t likely_successor(std::uint32_t kind, Random &random) const;
    void walk(std::vector<std::uint32_t> &slots, std::size_t place, std::size_t steps, Random &random) const;
    void thin_out(std::vector<std::uint32_t> &slots, std::size_t count, Random &random) const;
    void repair(std::vector<std::uint32_t> &slots, Random &random) const;

    const MarkovChain &digrams_;
    const CostModel &model_;
    Objective objective_;
    Limits limits_;
    std::vector<double> frequency_, cumulative_;
    std::vector<double> parts_;  // by kind: instructions that its slot executes
    double most_bodies_ = 0;
};

}  // namespace mog
