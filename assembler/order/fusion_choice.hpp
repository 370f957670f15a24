// fusion_choice.hpp: how many superinstructions a sequence of subinterpreters should have.
#pragma once

#include "assembler/order/fusion.hpp"
#include "assembler/order/order_search.hpp"

namespace mog {

inline constexpr double trial_part = 0.06;  ///< of the search's budget, for each number that is tried

/// Gives the image superinstructions by the frequencies that the order will be searched with. In a switch they cost next
/// to nothing, so it gets all that save a part of the dispatches. In a sequence each is a slot more that every PE passes:
/// for some numbers of them a short search tells what an order would cost for an executed instruction, and the cheapest
/// is taken. Returns what was tried.
std::vector<FusionTrial> choose_fusion(Image &image, const FusionOptions &fusion, const OrderOptions &order);

}  // namespace mog
