// cost_model.hpp: what an order of subinterpreters is predicted to cost.
#pragma once

#include <cstdint>
#include <vector>

#include "assembler/profile.hpp"

namespace mog {

/// The mean span of an order: how many slots lie between an instruction and its successor, the latter's included,
/// cyclically, weighted by how often each digram comes. `slots` are kinds of `digrams`, each kind at least once. 1 at
/// best.
///
/// Where a kind has several slots, how often each of them serves it follows from where PEs come from; that distribution
/// is iterated a fixed number of times, which is near enough to tell orders apart, and makes this a pure function.
double mean_span(const Digrams &digrams, const std::vector<std::uint32_t> &slots);

}  // namespace mog
