// order_baselines.hpp: simpler ways to an order of subinterpreters, to compare the search with.
#pragma once

#include "assembler/order/order_problem.hpp"

namespace mog {

/// One slot for each kind, the frequent ones first.
std::vector<std::uint32_t> frequency_order(const MarkovChain &digrams);

struct Climb {
    std::vector<std::uint32_t> slots;
    std::vector<double> curve;  ///< the best cost after each hundredth of the budget
};
/// How long to climb: so many swaps, or, if that is not 0, so many seconds of processor time.
struct ClimbBudget {
    std::uint64_t swaps = 0;
    double seconds = 0;
};
/// Plain hill climbing: from shuffled slots, exchanges two at random and keeps what costs no more.
Climb hill_climb(const OrderProblem &problem, std::size_t count, ClimbBudget budget, Random &random);

}  // namespace mog
