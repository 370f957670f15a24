// order_search.hpp: a good order of subinterpreters for a program.
#pragma once

#include <functional>
#include <optional>

#include "assembler/order/order_problem.hpp"
#include "assembler/order/ordering.hpp"
#include "support/result.hpp"

namespace mog {

struct OrderOptions {
    std::uint64_t seed = 1;
    /// What the search may take, as work that two cores of a processor of 2020 do in this time: counted, not measured,
    /// so that the same options give the same order on every machine. 0: the order of isa.def.
    double seconds = 0.2;
    std::uint32_t slots = 0;  ///< 0: as many as turn out best
    Objective objective = Objective::cost;
    DeviceCosts costs;
    std::optional<Execution> traced;     ///< counts of runs, to be used instead of an estimate
    std::optional<Execution> estimated;  ///< static_execution of the image, if it is known already
    unsigned threads = 0;                ///< 0: all cores; does not change the result
    double climb_seconds = 0;            ///< how long the report's hill climbing takes; 0: as much work as the search
    std::function<void(double)> watch;   ///< told what part of the budget is used up

    /// The frequencies to go by, if there are any yet.
    const Execution *known() const { return traced ? &*traced : estimated ? &*estimated : nullptr; }
};

/// Searches for the order whose predicted price is least. The same image and options give the same order. Error: fewer
/// slots are wanted than the program has kinds of instruction.
Result<Order> search_order(const Image &image, const OrderOptions &options);

/// What an order for the image costs that a search with these options finds; for `seconds` = 0 the order of isa.def.
FusionTrial preview_order(const Image &image, const OrderOptions &options);

/// The frequencies to go by: the traced ones, or an estimate.
Execution execution_for(const Image &image, const OrderOptions &options);

/// The digrams that the search goes by.
MarkovChain digrams_for(const Image &image, const OrderOptions &options);

/// Searches at least so long get a bar on a terminal.
inline constexpr double long_search = 2;

/// Digrams below this part of all are left to the final pricing.
inline constexpr double rare_digrams = 5e-5;

/// How many slots an order may have with `options`.
OrderProblem::Limits slot_limits(std::size_t kinds, const OrderOptions &options);

}  // namespace mog
