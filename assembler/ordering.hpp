// ordering.hpp: in which order an interpreter tries its subinterpreters. One pass tries all slots in order; an
// instruction may have several slots.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assembler/image.hpp"

namespace mog {

struct Order {
    std::vector<Op> slots;          ///< each instruction of the program at least once
    std::uint64_t seed = 0;         ///< what the search started from; with `generations` it tells the whole search
    std::uint32_t generations = 0;  ///< 0: not searched
    double random_span = 0;         ///< mean span (cost_model.hpp) of random orders of these slots
    double span_before = 0;         ///< of the order of isa.def, one slot each
    double span_after = 0;          ///< of this order
};

/// How often each opcode stands in TEXT.
std::vector<std::uint32_t> static_counts(const Image &image);
/// The instructions the program uses, in the order of isa.def.
std::vector<Op> used_ops(const Image &image);
/// True if every instruction of the program has a slot, and no other has.
bool covers(const Order &order, const Image &image);

/// The order of isa.def, one slot each: what a search starts from.
Order table_order(const Image &image);

/// An order as text, one slot per line, for people and for the image's product "order".
std::string describe(const Order &order, const Image &image);

}  // namespace mog
