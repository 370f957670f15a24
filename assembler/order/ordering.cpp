// ordering.cpp: what an order of subinterpreters is made of.
#include "assembler/order/ordering.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mog {

std::vector<std::uint32_t> fused_counts(const Image &image, Shape shape) {
    std::vector<std::uint32_t> counts(256);
    for (const std::uint16_t word : fused_text(image, shape)) ++counts[word >> 8];
    return counts;
}

std::vector<Op> served_ops(const Image &image) {
    std::vector<Op> ops = used_ops(image);
    for (const Superinstruction &super : superinstructions_of(image, Shape::sequence)) ops.push_back(super.code);
    return ops;
}

bool covers(const Order &order, const Image &image) {
    std::vector<Op> slots = order.slots;
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    std::vector<Op> used = served_ops(image);
    std::sort(used.begin(), used.end());
    return slots == used;
}

Order table_order(const Image &image) {
    Order order;
    order.slots = served_ops(image);
    return order;
}

std::vector<std::uint32_t> to_kinds(const MarkovChain &flow, const std::vector<Op> &ops) {
    std::vector<std::uint32_t> result;
    for (const Op op : ops) {
        const auto kind = std::find_if(flow.kinds.begin(), flow.kinds.end(), [&](const Kind &k) { return k.op == op; });
        result.push_back(static_cast<std::uint32_t>(kind - flow.kinds.begin()));
    }
    return result;
}

std::vector<Op> to_ops(const MarkovChain &flow, const std::vector<std::uint32_t> &slots) {
    std::vector<Op> result;
    for (const std::uint32_t kind : slots) result.push_back(flow.kinds[kind].op);
    return result;
}

std::string describe(const Order &order, const Image &image) {
    std::string text = order.searched
                           ? fmt::format("seed {}, {} s, {} objective, {} frequencies, ", order.seed, order.seconds,
                                         order.objective == Objective::span ? "span" : "cost", order.traced ? "traced" : "static")
                           : std::string("not searched, ");
    const std::size_t supers = superinstructions_of(image, Shape::sequence).size();
    text += fmt::format("{} slots for {} instructions", order.slots.size(), used_ops(image).size());
    text += supers == 0 ? "\n" : fmt::format(" and {} superinstructions\n", supers);
    text += fmt::format(
        "mean span: {:.2f} for random orders, {:.2f} in the order of the table, {:.2f} found, {:.2f} at the "
        "very least\n",
        order.random.span, order.table.span, order.found.span, order.bound.span);
    text += fmt::format(
        "cost of an instruction: {:.2f} for random orders, {:.2f} in the order of the table, {:.2f} found, "
        "{:.2f} at the very least\n",
        order.random.cost, order.table.cost, order.found.cost, order.bound.cost);
    if (!order.trials.empty()) text += "superinstructions, instructions of the program for a dispatch, and what a short search found\n";
    for (const FusionTrial &trial : order.trials)
        text += fmt::format("{:5}  {:6.2f}  span {:7.3f}  cost {:8.3f}\n", trial.superinstructions, trial.instructions, trial.price.span,
                            trial.price.cost);
    const auto counts = fused_counts(image, Shape::sequence);
    for (std::size_t i = 0; i < order.slots.size(); ++i) {
        text +=
            fmt::format("{:3}  {:5}  {:6} static\n", i, op_name(image, order.slots[i]), counts[static_cast<std::uint8_t>(order.slots[i])]);
    }
    return text;
}

}  // namespace mog
