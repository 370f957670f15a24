// evolve.hpp: a seeded evolutionary search on all cores. It knows genomes, not subinterpreters.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "support/parallel.hpp"
#include "support/random.hpp"

namespace mog {

/// What the search asks of a problem. Lower costs are better, and positive. quick_cost() may be a little off, and may
/// leave in the genome what makes that of a similar one quicker (hence incremental); cost() of a genome that seems worth
/// keeping is not off. Both depend on the genome alone, and are called from several threads.
template <typename P>
concept Evolvable = requires(const P &problem, typename P::Genome genome, Random &random) {
    { problem.random(random) } -> std::same_as<typename P::Genome>;
    { problem.mix(genome, genome, random) } -> std::same_as<typename P::Genome>;
    { problem.mutate(std::move(genome), random) } -> std::same_as<typename P::Genome>;
    { problem.quick_cost(genome) } -> std::convertible_to<double>;
    { problem.cost(genome) } -> std::convertible_to<double>;
};

struct EvolveOptions {
    std::uint64_t seed = 1;
    std::uint32_t islands = 8;   ///< populations that meet after each round; the result depends on it, unlike on threads
    std::uint32_t members = 2;   ///< of each island
    std::uint32_t steps = 2000;  ///< children of each member in a round
    std::uint32_t rounds = 8;    ///< at most
    std::uint32_t patience = 2;  ///< rounds without `progress` after which the search has converged
    double progress = 5e-4;      ///< what counts as one, as a part of the cost
    double heat = 0.02;          ///< how much worse, as a part of its cost, a child may be at first
    double mix_rate = 0.05;      ///< part of the children that have two parents
    unsigned threads = 0;        ///< 0: all cores
    /// Called after each round with what it is and the best cost so far.
    std::function<void(std::uint32_t round, double best)> watch;
};

template <typename Genome>
struct Evolved {
    Genome best;
    double cost = 0;
    std::vector<double> history;  ///< the best cost at the start and after each tenth of a round
    bool converged = false;
};

/// Islands evolve on their own; after each round the best member of each replaces the worst of the next. In every step
/// each member has one child, which takes its place if it costs no more or, as in simulated annealing (Kirkpatrick,
/// Gelatt and Vecchi, Science 220, 1983), not much more: less and less with the steps of a round, and with the rounds.
/// The best ever seen is kept. The same problem, `starts` and options give the same result on any number of threads.
template <Evolvable Problem>
Evolved<typename Problem::Genome> evolve(const Problem &problem, const std::vector<typename Problem::Genome> &starts,
                                         const EvolveOptions &options) {
    using Genome = typename Problem::Genome;
    constexpr std::uint32_t marks = 10;  // of the curve, in a round
    struct Member {
        Genome genome;
        double cost = 0;
    };
    struct Island {
        Random random{0};
        std::vector<Member> members;
        Member best;
        std::vector<double> curve;
    };
    const std::uint32_t count = std::max(1u, options.islands), size = std::max(1u, options.members);
    std::vector<Island> islands(count);
    const auto better = [](const Member &a, const Member &b) { return a.cost < b.cost; };

    parallel_for(count, options.threads, [&](std::size_t i) {
        Island &island = islands[i];
        island.random = Random(options.seed * 0x9e3779b97f4a7c15u + i);
        for (std::uint32_t m = 0; m < size; ++m) {
            const std::size_t place = i * size + m;
            Member member{place < starts.size() ? starts[place] : problem.random(island.random), 0};
            member.cost = problem.cost(member.genome);
            island.members.push_back(std::move(member));
        }
        island.best = *std::min_element(island.members.begin(), island.members.end(), better);
    });
    const auto best = [&]() -> const Member & {
        std::size_t at = 0;
        for (std::size_t i = 1; i < count; ++i)
            if (islands[i].best.cost < islands[at].best.cost) at = i;
        return islands[at].best;
    };

    Evolved<Genome> result;
    result.history.push_back(best().cost);
    std::uint32_t idle = 0;
    for (std::uint32_t round = 0; round < options.rounds && !result.converged; ++round) {
        const double hottest = options.heat / (1 + round), coolest = options.heat * 1e-3;
        parallel_for(count, options.threads, [&](std::size_t i) {
            Island &island = islands[i];
            island.curve.clear();
            double heat = hottest;
            const double cooling = std::pow(coolest / hottest, 1.0 / std::max(1u, options.steps));
            for (std::uint32_t step = 0; step < options.steps; ++step, heat *= cooling) {
                for (Member &member : island.members) {
                    Member child;
                    const bool mixes = size > 1 && island.random.unit() < options.mix_rate;
                    child.genome = mixes ? problem.mix(member.genome, island.members[island.random.below(size)].genome, island.random)
                                         : problem.mutate(member.genome, island.random);
                    const double allowed = member.cost * (1 - heat * std::log(1 - island.random.unit()));
                    if (problem.quick_cost(child.genome) > allowed) continue;
                    child.cost = problem.cost(child.genome);
                    if (child.cost > allowed) continue;
                    member = std::move(child);
                    if (member.cost < island.best.cost) island.best = member;
                }
                if ((step + 1) % std::max(1u, options.steps / marks) == 0) island.curve.push_back(island.best.cost);
            }
        });
        for (std::size_t mark = 0; mark < islands[0].curve.size(); ++mark) {
            double least = result.history.back();
            for (const Island &island : islands) least = std::min(least, island.curve[mark]);
            result.history.push_back(least);
        }
        std::vector<Member> emigrants;
        for (const Island &island : islands) emigrants.push_back(island.best);
        for (std::size_t i = 0; i < count; ++i) {
            Island &island = islands[i];
            *std::max_element(island.members.begin(), island.members.end(), better) = emigrants[(i + count - 1) % count];
            island.members.front() = island.best;
        }
        const double gained = result.history[result.history.size() - 1 - islands[0].curve.size()] - best().cost;
        idle = gained > options.progress * best().cost ? 0 : idle + 1;
        result.converged = idle >= options.patience;
        if (options.watch) options.watch(round, best().cost);
    }
    result.best = best().genome;
    result.cost = best().cost;
    return result;
}

}  // namespace mog
