// order_baselines.cpp: random orders, order by frequency, hill climbing.
#include "assembler/order_baselines.hpp"

#include <algorithm>
#include <numeric>

namespace mog {

std::vector<std::uint32_t> shuffled(const OrderProblem &problem, std::size_t count, Random &random) {
    auto slots = problem.allotment(count);
    for (std::size_t i = slots.size(); i > 1; --i) std::swap(slots[i - 1], slots[random.below(i)]);
    return slots;
}

std::vector<std::uint32_t> frequency_order(const Flow &digrams) {
    const auto frequency = digrams.kind_frequency();
    std::vector<std::uint32_t> slots(frequency.size());
    std::iota(slots.begin(), slots.end(), 0u);
    std::stable_sort(slots.begin(), slots.end(), [&](auto a, auto b) { return frequency[a] > frequency[b]; });
    return slots;
}

Climb hill_climb(const OrderProblem &problem, std::size_t count, std::uint64_t swaps, Random &random) {
    constexpr std::uint64_t marks = 100;
    auto best = problem.genome(shuffled(problem, count, random));
    double cost = problem.cost(best);
    Climb climb;
    climb.curve.push_back(cost);
    for (std::uint64_t i = 0; i < swaps; ++i) {
        auto child = best;
        std::swap(child.slots[random.below(count)], child.slots[random.below(count)]);
        if (problem.quick_cost(child) <= cost) {
            const double exact = problem.cost(child);
            if (exact <= cost) {
                cost = exact;
                best = std::move(child);
            }
        }
        if ((i + 1) % std::max<std::uint64_t>(1, swaps / marks) == 0) climb.curve.push_back(cost);
    }
    climb.slots = std::move(best.slots);
    return climb;
}

}  // namespace mog
