// warp_writer.cpp: a thread's code, with the ways by which lanes of a warp meet again.
#include "assembler/emit/warp_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mog {
namespace {

Convergence convergence_of(const GroupPlan &group) {
    Convergence::Graph graph;
    graph.blocks = group.group.blocks;
    for (const std::uint32_t at : group.entries) graph.entries.insert(group.plan.code.block_of[at]);
    graph.successors = [&](std::uint32_t b) { return group.flow->successors(b, GroupCfg::Ways::calls_only); };
    graph.leaves = [&](std::uint32_t b) {
        const std::uint32_t last = group.end(b) - 1;
        const auto named = named_block(group.image, group.plan.code, last);
        const bool goes_on = !ends_block(op_at(group.image, last));
        const bool goes_out = goes_on && !(b + 1 < group.plan.code.start.size() && group.here(b + 1));
        return op_at(group.image, last) == Op::j_ || (named && !group.here(*named)) || goes_out;
    };
    return Convergence(graph);
}

}  // namespace

WarpWriter::WarpWriter(const Image &image, const BlockPlan &plan, std::uint32_t number)
    : ThreadWriter(image, plan, number), convergence_(convergence_of(group_)) {}

std::size_t WarpWriter::number_of_entry(std::uint32_t at) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(group_.entries, at) - group_.entries.begin());
}

/// The label where a lane that stops in this block waits for others.
std::string WarpWriter::landing(std::uint32_t b) const {
    const auto block = convergence_.landing(b);
    return block ? label(*block) : "cold";
}

void WarpWriter::say_cold(const std::string &label) {
    if (label == cold_) return;
    bare_line(fmt::format("#undef COLD\n#define COLD {}", label));
    cold_ = label;
}

void WarpWriter::dispatch() {
    line(fmt::format("MAYBE_UNUSED u32 stopped = 0u{};", convergence_.leads() ? ", led_to = 0u" : ""));
    say_cold("cold");
    ThreadWriter::dispatch();
}

std::string WarpWriter::way_in(std::size_t entry) const {
    return label(convergence_.way_in(group_.plan.code.block_of[group_.entries[entry]]));
}

std::string WarpWriter::lead(std::size_t entry) const {
    const std::uint32_t b = group_.plan.code.block_of[group_.entries[entry]];
    return convergence_.way_in(b) == b ? std::string() : fmt::format("LED_TO({}u) ", entry + 1);
}

bool WarpWriter::labelled(std::uint32_t b) const {
    return ThreadWriter::labelled(b) || convergence_.is_landing(b) || convergence_.led_from(b);
}

/// Lanes that have stopped, or are led elsewhere, go on from here.
void WarpWriter::after_label(std::uint32_t b) {
    if (convergence_.is_landing(b)) line(fmt::format("PASS_ON({})", landing(b)));
    if (const auto *led = convergence_.led_from(b)) {
        line("switch (led_to) {");
        line("case 0u: break;");
        for (const auto &[entry, next] : *led)
            line(fmt::format("case {}u: {}goto {};", number_of_entry(group_.begin(entry)) + 1, next == entry ? "LED_TO(0u) " : "",
                             label(next)));
        line("}");
    }
    say_cold(landing(b));
}

}  // namespace mog
