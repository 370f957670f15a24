// order_baselines.cpp: random orders, order by frequency, hill climbing.
#include "assembler/order/order_baselines.hpp"

#include <algorithm>
#include <ctime>
#include <numeric>

namespace mog {

std::vector<std::uint32_t> frequency_order(const MarkovChain &digrams) {
    const auto frequency = digrams.kind_frequency();
    std::vector<std::uint32_t> slots(frequency.size());
    std::iota(slots.begin(), slots.end(), 0u);
    std::stable_sort(slots.begin(), slots.end(), [&](auto a, auto b) { return frequency[a] > frequency[b]; });
    return slots;
}

Climb hill_climb(const OrderProblem &problem, std::size_t count, ClimbBudget budget, Random &random) {
    constexpr double marks = 100;
    const std::clock_t begin = std::clock();
    // Processor time of the process: nothing else of it runs meanwhile.
    const auto used_up = [&](std::uint64_t swaps) {
        return budget.seconds > 0 ? static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / budget.seconds
                                  : static_cast<double>(swaps) / static_cast<double>(std::max<std::uint64_t>(1, budget.swaps));
    };
    auto best = problem.genome(problem.shuffled(count, random));
    double cost = problem.cost(best);
    Climb climb;
    climb.curve.push_back(cost);
    const bool any = budget.seconds > 0 || budget.swaps > 0;
    double used = any ? 0 : 1;
    for (std::uint64_t swaps = 0; used < 1;) {
        auto child = best;
        std::swap(child.slots[random.below(count)], child.slots[random.below(count)]);
        if (problem.quick_cost(child) <= cost) {
            const double exact = problem.cost(child);
            if (exact <= cost) {
                cost = exact;
                best = std::move(child);
            }
        }
        // A clock takes about as long as a swap, so it is not asked each time.
        if (++swaps % 64 == 0 || budget.seconds == 0) used = used_up(swaps);
        if (used * marks >= static_cast<double>(climb.curve.size())) climb.curve.push_back(cost);
    }
    climb.slots = std::move(best.slots);
    return climb;
}

}  // namespace mog
