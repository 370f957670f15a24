// explain.hpp: the analysis for readers: kernels as gated SSA, and the chain of causes behind each value.
#pragma once

#include <string>
#include <vector>

#include "assembler/divergence/analysis.hpp"

namespace mog::divergence {

/// A sentence without its end, and the place that it is about.
struct Because {
    std::string text;
    Place place;
};

/// Why a value is not uniform, or is divergent if it is: each cause has the one behind it next. Empty: it is uniform.
std::vector<Because> why(const Analysis &analysis, ValueIndex value);
/// Why lanes part at a block's end. Empty: they do not.
std::vector<Because> why_parted(const Analysis &analysis, BlockIndex block);

/// "d.2 = d.1 + 1", with "eta(d.1)" where what is read may be of different rounds.
std::string gated_text(const Analysis &analysis, BlockIndex block, std::size_t instruction);
/// "d.1 = mu(d.0, d.2)" in the header of a loop, "s.3 = gamma(p; s.2, s.1)" with the condition of the branch whose lanes
/// may meet there, "gamma(s.2, s.1)" where all lanes come the same way.
std::string gated_text(const Analysis &analysis, std::uint32_t phi);
/// "branch on p.1", or "eta(p.1)".
std::string gated_condition(const Analysis &analysis, BlockIndex block);

}  // namespace mog::divergence
