// cost_model.hpp: what an order of subinterpreters is predicted to cost.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "assembler/order/device_costs.hpp"
#include "assembler/order/markov_chain.hpp"

namespace mog {

/// What is to be least: the cost of an executed instruction, or, as in the paper, how many slots lie between an
/// instruction and its successor.
enum class Objective : std::uint8_t { cost, span };

/// Both for one executed instruction of the program, also where superinstructions do several at once.
struct Price {
    double span = 0;  ///< attempts
    double cost = 0;  ///< in the unit of DeviceCosts
    double of(Objective objective) const { return objective == Objective::span ? span : cost; }
};

/// Prices orders of subinterpreters for a flow. Slots are numbers of its kinds; every kind that is executed needs one.
///
/// The model is the interpreter itself, run with masses of PEs instead of single ones: each PE waits for the slot that
/// serves its next instruction, a slot serves all that wait for its kind, and those it has served wait for their
/// successors as often as the flow says. After some passes the masses do not change any more: that is the stationary
/// distribution of the Markov chain over slots, and the span is the slots of a pass over the instructions it executes.
/// A pass costs its attempts, and each body with the probability that some lane of a warp takes it (lanes are taken to
/// be independent).
class CostModel {
public:
    CostModel(const MarkovChain &flow, const DeviceCosts &costs);

    /// How the slots of each kind share what is executed of it, which is where the pricing of a similar order may begin.
    struct Shares {
        std::vector<std::uint32_t> copies;  ///< by kind: its slots
        std::vector<double> parts;          ///< of all executed instructions; kind by kind, in the order of the slots
        double change = 0;                  ///< of the parts in the last sweep, the sum of all
    };

    /// The price after `sweeps` sweeps from `shares`, which are brought on; those of an order with other copies of a kind
    /// say nothing of that kind, and empty ones of none. For flows with one node for each kind. How often a kind is executed
    /// is known beforehand; only how its slots share that is not. So after each Gauss-Seidel sweep over the slots all parts
    /// of a kind are scaled to its frequency (iterative aggregation and disaggregation, Takahashi 1975), which converges in
    /// a few sweeps also where PEs stay in a loop for long. Pure.
    Price quick(std::span<const std::uint32_t> slots, Shares &shares, int sweeps) const;
    /// The price to six digits: passes until it stands. Means over passes, for a chain may go in a circle.
    Price exact(std::span<const std::uint32_t> slots) const;

    const MarkovChain &flow() const { return flow_; }
    const DeviceCosts &costs() const { return costs_; }

private:
    struct Scratch;
    void pass_on(std::uint32_t node, double mass, Scratch &scratch) const;
    void pass_on_by_rows(std::uint32_t kind, double mass, Scratch &scratch) const;
    double pass(std::span<const std::uint32_t> slots, Scratch &scratch) const;
    void begin(std::span<const std::uint32_t> slots, const Shares &shares, Scratch &scratch) const;
    void sweep(std::span<const std::uint32_t> slots, Scratch &scratch) const;
    std::optional<Price> settled(std::span<const std::uint32_t> slots) const;
    double shared(double part) const;
    double paid(std::span<const std::uint32_t> slots, const std::vector<double> &served, double scale) const;
    Price price(std::size_t slots, double executed, double paid) const;
    static Scratch &scratch();

    // The flow with its nodes sorted by kind, in flat arrays.
    const MarkovChain &flow_;
    const DeviceCosts &costs_;
    std::vector<std::uint32_t> first_node_;       // by kind, and one more
    std::vector<double> frequency_;               // by node
    std::vector<std::uint32_t> first_successor_;  // by node, and one more
    std::vector<std::uint32_t> successor_;
    std::vector<double> share_;
    std::vector<double> body_;  // by kind
    // Of flows with one node for each kind, for sweeps: by kind, where in `rows_` the shares of all kinds stand, those it does not lead to
    // with 0, or `sparse`, if it leads to few. Adding a whole row takes fewer instructions than finding many successors.
    static constexpr std::uint32_t sparse = 0xffffffff;
    std::vector<std::uint32_t> row_;
    std::vector<double> rows_;
    std::size_t row_width_ = 0;  // kinds, and what makes them whole vectors
};

}  // namespace mog
