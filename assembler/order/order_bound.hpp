// order_bound.hpp: what no order of subinterpreters can be better than.
#pragma once

#include "assembler/order/cost_model.hpp"

namespace mog {

/// A proven lower bound of what CostModel predicts for any sequence of slots, however long, in this flow.
Price lower_bound(const MarkovChain &flow, const DeviceCosts &costs);

}  // namespace mog
