// evolve.hpp: a small seeded evolutionary search. It knows genomes, not subinterpreters.
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/random.hpp"

namespace mog {

/// What the search asks of a problem. Lower costs are better; cost() must be a pure function.
template <typename P>
concept Evolvable = requires(const P &problem, typename P::Genome genome, Random &random) {
    { problem.random(random) } -> std::same_as<typename P::Genome>;
    { problem.mix(genome, genome, random) } -> std::same_as<typename P::Genome>;
    { problem.mutate(std::move(genome), random) } -> std::same_as<typename P::Genome>;
    { problem.cost(genome) } -> std::convertible_to<double>;
};

struct EvolveOptions {
    std::uint64_t seed = 1;
    std::uint32_t generations = 800;
    std::uint32_t population = 12;
    double mix_rate = 0.15;  ///< part of the children that have two parents
};

template <typename Genome>
struct Evolved {
    Genome best;
    double cost = 0;
    std::vector<double> history;  ///< the best cost after each generation; the first entry is the first population's
};

/// In every generation each member has one child, which takes its place if it costs no more: good members are never
/// lost, and members that differ stay so for long. `start` is a member of the first population; the others are random.
template <Evolvable Problem>
Evolved<typename Problem::Genome> evolve(const Problem &problem, typename Problem::Genome start,
                                         const EvolveOptions &options) {
    using Genome = typename Problem::Genome;
    Random random(options.seed);
    std::vector<Genome> members{std::move(start)};
    while (members.size() < options.population) members.push_back(problem.random(random));
    std::vector<double> costs;
    for (const Genome &member : members) costs.push_back(problem.cost(member));

    const auto best_member = [&] {
        std::size_t best = 0;
        for (std::size_t i = 1; i < costs.size(); ++i)
            if (costs[i] < costs[best]) best = i;
        return best;
    };
    std::vector<double> history{costs[best_member()]};
    for (std::uint32_t generation = 0; generation < options.generations; ++generation) {
        for (std::size_t i = 0; i < members.size(); ++i) {
            Genome child = random.unit() < options.mix_rate
                               ? problem.mix(members[i], members[random.below(members.size())], random)
                               : problem.mutate(members[i], random);
            const double cost = problem.cost(child);
            if (cost > costs[i]) continue;
            members[i] = std::move(child);
            costs[i] = cost;
        }
        history.push_back(costs[best_member()]);
    }
    const std::size_t best = best_member();
    return {std::move(members[best]), costs[best], std::move(history)};
}

}  // namespace mog
