// cost_model.hpp: what an order of subinterpreters is predicted to cost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assembler/device_costs.hpp"
#include "assembler/flow.hpp"

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
/// The model is the interpreter itself, run with a mass of PEs instead of single ones: each PE waits for the slot that
/// serves its next instruction, a slot serves all that wait for its kind, and those it has served wait for their
/// successors as often as the flow says. After some passes the masses do not change any more: that is the stationary
/// distribution of the Markov chain over slots, and the span is the slots of a pass over the instructions it executes.
/// A pass costs its attempts, and each body with the probability that some lane of a warp takes it (lanes are taken to
/// be independent).
class CostModel {
public:
    CostModel(const Flow &flow, const DeviceCosts &costs);

    /// Where the pricing of a similar order may begin, by node: the mass that waits for it when a pass begins, with what
    /// it has waited for already (mass times slots), and what came to it in the last passes, the later the more.
    struct Mass {
        double mass = 0, waited = 0;
    };
    struct Waiting {
        std::vector<Mass> masses;
        std::vector<double> came;
        double deviation = 0;  ///< how far quick() was from the frequencies that it corrects to: 0 to 2
    };
    Waiting start() const;

    /// The price after `passes` passes from `waiting`, which is brought on. The frequencies of nodes are known
    /// beforehand, so after each pass the flow is corrected to them (aggregation and disaggregation, Takahashi 1975),
    /// and the mean wait is taken of the corrected flow: what a few passes leave uncertain is only how slots of the same
    /// kind share the work. Pure.
    Price quick(std::span<const std::uint32_t> slots, Waiting &waiting, int passes) const;
    /// The price to six digits: passes until it stands. Means over passes, for a chain may go in a circle.
    Price exact(std::span<const std::uint32_t> slots) const;

    const Flow &flow() const { return flow_; }
    const DeviceCosts &costs() const { return costs_; }

private:
    struct Scratch;
    double pass(std::span<const std::uint32_t> slots, Scratch &scratch, bool correct) const;
    double shared(double part) const;
    double paid(std::span<const std::uint32_t> slots, const std::vector<double> &served, double scale) const;
    Price price(std::size_t slots, double executed, double paid) const;
    static Scratch &scratch();

    // The flow with its nodes sorted by kind, in flat arrays.
    const Flow &flow_;
    const DeviceCosts &costs_;
    std::vector<std::uint32_t> first_node_;       // by kind, and one more
    std::vector<double> frequency_;               // by node
    std::vector<std::uint32_t> first_successor_;  // by node, and one more
    std::vector<std::uint32_t> successor_;
    std::vector<double> share_;
    std::vector<double> body_;  // by kind
};

}  // namespace mog
