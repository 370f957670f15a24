// ordering.cpp: what an order of subinterpreters is made of.
#include "assembler/ordering.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assembler/cost_model.hpp"
#include "assembler/profile.hpp"

namespace mog {

std::vector<std::uint32_t> static_counts(const Image &image) {
    std::vector<std::uint32_t> counts(256);
    for (const std::uint16_t word : image.text) ++counts[word >> 8];
    return counts;
}

std::vector<Op> used_ops(const Image &image) {
    const auto counts = static_counts(image);
    std::vector<Op> ops;
    for (const OpInfo &row : isa)
        if (counts[static_cast<std::uint8_t>(row.op)] != 0) ops.push_back(row.op);
    return ops;
}

bool covers(const Order &order, const Image &image) {
    std::vector<Op> slots = order.slots;
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    std::vector<Op> used = used_ops(image);
    std::sort(used.begin(), used.end());
    return slots == used;
}

Order table_order(const Image &image) {
    Order order;
    order.slots = used_ops(image);
    const Digrams digrams = static_digrams(image);
    order.random_span = order.span_before = order.span_after = mean_span(digrams, digrams.to_kinds(order.slots));
    return order;
}

std::string describe(const Order &order, const Image &image) {
    std::string text = fmt::format("seed {}, {} generations, {} slots for {} instructions\n", order.seed,
                                   order.generations, order.slots.size(), used_ops(image).size());
    text += fmt::format("mean span: {:.2f} for random orders, {:.2f} in the order of the table, {:.2f} found\n",
                        order.random_span, order.span_before, order.span_after);
    const auto counts = static_counts(image);
    for (std::size_t i = 0; i < order.slots.size(); ++i) {
        const OpInfo &row = info(order.slots[i]);
        text += fmt::format("{:3}  {:5}  {:6} static\n", i, row.name, counts[static_cast<std::uint8_t>(row.op)]);
    }
    return text;
}

}  // namespace mog
