// ordering.hpp: in which order an interpreter tries its subinterpreters. One pass tries all slots in order; an
// instruction may have several slots.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assembler/image/facts.hpp"
#include "assembler/image/image.hpp"
#include "assembler/order/cost_model.hpp"

namespace mog {

/// A number of superinstructions, and what a short search found with it.
struct FusionTrial {
    std::size_t superinstructions = 0;
    Price price;
    double instructions = 1;  ///< for one dispatch
};

struct Order {
    std::vector<Op> slots;   ///< each instruction of the program at least once
    bool searched = false;   ///< false: the order of isa.def
    bool traced = false;     ///< frequencies were counted in runs, not estimated
    bool converged = false;  ///< the search stopped by itself
    std::uint64_t seed = 0;  ///< what the search started from; with `seconds` it tells the whole search
    double seconds = 0;      ///< its budget
    Objective objective = Objective::cost;
    Price table;                      ///< of the order of isa.def, one slot each
    Price random;                     ///< mean of random orders
    Price found;                      ///< of this order
    Price bound;                      ///< of no order less
    std::vector<FusionTrial> trials;  ///< from which the number of superinstructions was chosen
    std::vector<double> curve;        ///< what the search had found by and by, in terms of its objective
};

/// How often each opcode stands in TEXT as a device of this shape loads it (fused_text).
std::vector<std::uint32_t> fused_counts(const Image &image, Shape shape);
/// What a sequence for the program serves: those, and then its superinstructions.
std::vector<Op> served_ops(const Image &image);
/// True if everything that a sequence for the program serves has a slot, and nothing else has.
bool covers(const Order &order, const Image &image);

/// The order of isa.def, one slot each, unpriced.
Order table_order(const Image &image);

/// Slots as numbers of the flow's kinds, and back. Every op must be one of them.
std::vector<std::uint32_t> to_kinds(const MarkovChain &flow, const std::vector<Op> &ops);
std::vector<Op> to_ops(const MarkovChain &flow, const std::vector<std::uint32_t> &slots);

/// An order as text, one slot per line, for people and for the image's product "order".
std::string describe(const Order &order, const Image &image);

}  // namespace mog
