// order_baselines.hpp: simpler ways to an order of subinterpreters, to compare the search with.
#pragma once

#include "assembler/order_problem.hpp"

namespace mog {

/// The slots of an allotment of `count`, shuffled.
std::vector<std::uint32_t> shuffled(const OrderProblem &problem, std::size_t count, Random &random);

/// One slot for each kind, the frequent ones first.
std::vector<std::uint32_t> frequency_order(const Flow &digrams);

struct Climb {
    std::vector<std::uint32_t> slots;
    std::vector<double> curve;  ///< the best cost after each hundredth of the swaps
};
/// Plain hill climbing: from shuffled slots, exchanges two at random and keeps what costs no more, `swaps` times.
Climb hill_climb(const OrderProblem &problem, std::size_t count, std::uint64_t swaps, Random &random);

}  // namespace mog
