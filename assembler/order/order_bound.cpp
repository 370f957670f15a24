// order_bound.cpp: the bound, and why it holds.
//
// Take any order. A slot s of kind a serves some mass of PEs; those go on to the next slot of their successor's kind.
// The slots behind s are the same for all of them, and the first d of them hold at most d different kinds. So of the
// successors b of a, whatever stands behind s, at most one is reached after one attempt, at most two after two, and so
// on: the expected attempts from s are at least  sum over j of j * P(j-th likeliest kind that follows a).  This holds
// for each slot of a, so for a on the whole, and the mean over a, weighted by frequency, bounds the span. Where nodes
// are instructions instead of kinds, the mass of a slot is a mixture of its nodes, of which nothing is known but that
// they sum to the kind's: the argument needs only the mixture's successors, and a mixture that the order itself chooses
// could be as bad as one node alone. So each node's own successors are ranked: every node of a kind counts by itself.
//
// A slot that serves a also costs its body at least as often as a PE takes it: the chance that any of L lanes takes
// it, 1 - (1 - p)^L, is at least p. The rest of a pass (its loop) can be made as cheap as one likes by a longer one.
#include "assembler/order/order_bound.hpp"

#include <algorithm>

namespace mog {

Price lower_bound(const MarkovChain &flow, const DeviceCosts &costs) {
    Price bound;
    std::vector<double> by_kind(flow.kinds.size());
    std::vector<double> shares;
    for (std::size_t t = 0; t < flow.nodes(); ++t) {
        std::fill(by_kind.begin(), by_kind.end(), 0.0);
        for (const auto &[node, share] : flow.successors[t]) by_kind[flow.kind_of[node]] += share;
        shares.clear();
        for (const double share : by_kind)
            if (share > 0) shares.push_back(share);
        std::sort(shares.rbegin(), shares.rend());
        double attempts = 0;
        for (std::size_t j = 0; j < shares.size(); ++j) attempts += static_cast<double>(j + 1) * shares[j];
        bound.span += flow.frequency[t] * attempts;
        bound.cost += flow.frequency[t] * (costs.attempt * attempts + costs.body_of(flow.kinds[flow.kind_of[t]]));
    }
    bound.span /= flow.instructions;
    bound.cost /= flow.instructions;
    return bound;
}

}  // namespace mog
