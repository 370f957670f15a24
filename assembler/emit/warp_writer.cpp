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
    const auto calls = [&](std::uint32_t b) {
        return is_call(group.image, group.end(b) - 1) && b + 1 < group.plan.code.start.size() && graph.entries.contains(b + 1) &&
               group.flow->successors(b, GroupCfg::Ways::calls_only).empty();
    };
    graph.calls = calls;
    graph.successors = [&](std::uint32_t b) {
        return calls(b) ? std::vector<std::uint32_t>{b + 1} : group.flow->successors(b, GroupCfg::Ways::calls_only);
    };
    graph.leaves = [&](std::uint32_t b) {
        const std::uint32_t last = group.end(b) - 1;
        const auto named = named_block(group.image, group.plan.code, last);
        const bool goes_on = !ends_block(op_at(group.image, last));
        const bool goes_out = goes_on && !(b + 1 < group.plan.code.start.size() && group.here(b + 1));
        return calls(b) || op_at(group.image, last) == Op::j_ || (named && !group.here(*named)) || goes_out;
    };
    return Convergence(graph);
}

/// Control comes back from a call through the group's entry, to the loop itself.
std::vector<GuardedRegion> regions_without_calls(const GroupPlan &group) {
    std::vector<GuardedRegion> regions = find_guarded_regions(group, CopiesFor::warps);
    std::erase_if(regions, [&](const GuardedRegion &region) {
        return std::ranges::any_of(region.blocks,
                                   [&](const GuardedRegion::Block &one) { return is_call(group.image, group.end(one.block) - 1); }) ||
               !region.blocks.front().is_head;
    });
    return regions;
}

}  // namespace

WarpWriter::WarpWriter(const Image &image, const BlockPlan &plan, std::uint32_t number)
    : ThreadWriter(image, plan, number), convergence_(convergence_of(group_)), regions_(regions_without_calls(group_)) {}

std::size_t WarpWriter::number_of_entry(std::uint32_t at) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(group_.entries, at) - group_.entries.begin());
}

/// The label where a lane that stops in this block waits for others.
std::string WarpWriter::landing(Convergence::Place place) const {
    auto at = convergence_.landing(place);
    // Who stops in a copy leaves it.
    while (region_ != nullptr && at && region_->find(at->block) != nullptr) at = convergence_.landing(*at);
    return at ? label_of(*at) : "cold";
}

std::string WarpWriter::label_of(Convergence::Place at) const {
    return at.is_bottom ? "end" + place(group_.begin(at.block)) : label(at.block);
}

/// The head of the loop by whose bottom a way out of block `b` leads. In a copy all lanes are together, and loops that are copied have
/// none.
std::optional<std::uint32_t> WarpWriter::bottom_between(std::uint32_t b, Convergence::Target to) const {
    if (region_ != nullptr && to && region_->find(*to) != nullptr) return std::nullopt;
    return convergence_.by_bottom({b}, to, [&](std::uint32_t head) { return region_ != nullptr && region_->find(head) != nullptr; });
}

void WarpWriter::say_cold(const std::string &label) {
    if (label == cold_) return;
    bare_line(fmt::format("#undef COLD\n#define COLD {}", label));
    cold_ = label;
}

void WarpWriter::dispatch() {
    line(fmt::format("MAYBE_UNUSED u32 stopped = 0u{}{};", convergence_.leads() ? ", led_to = 0u" : "",
                     convergence_.bottoms().empty() ? "" : ", by = 0u"));
    say_cold("cold");
    ThreadWriter::dispatch();
}

std::string WarpWriter::way_in(std::size_t entry) const {
    const std::uint32_t b = convergence_.way_in(group_.plan.code.block_of[group_.entries[entry]]);
    return region_from(b) == nullptr ? label(b) : "try" + place(group_.begin(b));
}

/// The region whose first head this is.
const GuardedRegion *WarpWriter::region_from(std::uint32_t head) const {
    const auto found = std::ranges::find(regions_, head, [](const GuardedRegion &region) { return region.blocks.front().block; });
    return found == regions_.end() ? nullptr : &*found;
}

/// Who comes to a region from outside comes to its question; who is in it already, copy or not, stays in what it is in.
std::string WarpWriter::word_to(std::uint32_t b, std::uint32_t target) const {
    const std::uint32_t to = *group_.block_at(target);
    if (region_ != nullptr && region_->find(to) != nullptr) return "GO_TOGETHER(" + place(target);
    if (const auto bottom = bottom_between(b, to)) return fmt::format("GO_BY({}, {}", place(group_.begin(*bottom)), place(target));
    const GuardedRegion *const region = region_from(to);
    return region != nullptr && (region_ != nullptr || region->find(b) == nullptr) ? "GO_TRYING(" + place(target)
                                                                                   : ThreadWriter::word_to(b, target);
}

std::string WarpWriter::word_out(std::uint32_t b, std::uint32_t target) {
    const auto bottom = bottom_between(b, std::nullopt);
    return bottom ? fmt::format("LEAVE_BY({}, {}", place(group_.begin(*bottom)), elsewhere(target)) : ThreadWriter::word_out(b, target);
}

std::string WarpWriter::word_anywhere(std::uint32_t b) const {
    const auto bottom = bottom_between(b, std::nullopt);
    return bottom ? fmt::format("LEAVE_ANYWHERE_BY({})", place(group_.begin(*bottom))) : ThreadWriter::word_anywhere(b);
}

/// Behind all blocks: where the ways of a loop come together.
void WarpWriter::bottom(std::uint32_t head) {
    const Convergence::Place here{head, true};
    bare_line(fmt::format("  {}:", label_of(here)));
    if (convergence_.is_landing(here)) line(fmt::format("PASS_ON({})", landing(here)));
    const auto way = [&](const Convergence::Target &to) -> std::string {
        if (const auto next = convergence_.by_bottom(here, to)) return "goto " + label_of({*next, true}) + ';';
        if (!to) {
            leaves_ = true;
            return "goto leave;";
        }
        // Who comes to a copied loop from outside comes to its question.
        const GuardedRegion *const region = region_from(*to);
        return region != nullptr && region->find(head) == nullptr ? fmt::format("goto try{};", place(group_.begin(*to)))
                                                                  : fmt::format("goto {};", label(*to));
    };
    for (const Convergence::Target &to : convergence_.bottoms().at(head))
        if (to != head) line(fmt::format("ON_WAY({}) {}", to ? place(group_.begin(*to)) + 'u' : "MOG_OUT", way(to)));
    line(way(head));
}

void WarpWriter::begin_block(std::uint32_t b) {
    if (region_ != nullptr) {
        bare_line(fmt::format("  g{}:", place(group_.begin(b))));
        say_cold(landing({b}));
        if (group_.counts->asks(b)) line(enter(b));
        return;
    }
    if (const GuardedRegion *const region = region_from(b)) guard(*region);
    ThreadWriter::begin_block(b);
}

void WarpWriter::guard(const GuardedRegion &region) {
    const GuardedRegion::Block &head = region.blocks.front();
    bare_line(fmt::format("  try{}:", place(group_.begin(head.block))));
    const auto each_asked = [&](const char *word) {
        std::string text;
        for (std::uint32_t variable = 0; variable <= acc_variable; ++variable)
            if (head.asked[variable]) text += fmt::format("{}({}) ", word, variable == acc_variable ? "acc" : fmt::format("r{}", variable));
        return text;
    };
    bare_line("#ifdef MOG_COPIES");
    line(fmt::format("IF_TOGETHER({}, {}) {{", region.has_some() ? 2 : 1, convergence_.leads() ? "led_to == 0u" : "1"));
    line("u32 differ_ = 0u;");
    line(each_asked("ASK"));
    line(fmt::format("IF_AGREED {{ {}GO_TOGETHER({}) }}", each_asked("AGREE"), place(group_.begin(head.block))));
    line("}");
    bare_line("#endif");
}

void WarpWriter::end_cold() {
    for (const auto &[head, ways] : convergence_.bottoms()) bottom(head);
    if (!regions_.empty()) bare_line("#ifdef MOG_COPIES\n    goto cold;");
    for (const GuardedRegion &region : regions_) {
        region_ = &region;
        bare_line(fmt::format("    /* a copy for all lanes together: {} blocks */", region.blocks.size()));
        for (std::size_t i = 0; i < region.blocks.size(); ++i)
            block(region.blocks[i].block, i + 1 < region.blocks.size() ? region.blocks[i + 1].block : 0xffffffffu);
    }
    region_ = nullptr;
    if (!regions_.empty()) bare_line("#endif");
    ThreadWriter::end_cold();
}

std::string WarpWriter::lead(std::size_t entry) const {
    const std::uint32_t b = group_.plan.code.block_of[group_.entries[entry]];
    return convergence_.way_in(b) == b ? std::string() : fmt::format("LED_TO({}u) ", entry + 1);
}

bool WarpWriter::labelled(std::uint32_t b) const {
    const auto leads_here = [&](const auto &bottom) { return bottom.second.contains(b); };
    return ThreadWriter::labelled(b) || convergence_.is_landing(b) || convergence_.led_from(b) ||
           std::ranges::any_of(convergence_.bottoms(), leads_here);
}

/// Lanes that have stopped, or are led elsewhere, go on from here.
void WarpWriter::after_label(std::uint32_t b) {
    if (convergence_.is_landing(b)) line(fmt::format("PASS_ON({})", landing({b})));
    if (const auto *led = convergence_.led_from(b)) {
        line("switch (led_to) {");
        line("case 0u: break;");
        for (const auto &[entry, next] : *led)
            line(fmt::format("case {}u: {}goto {};", number_of_entry(group_.begin(entry)) + 1, next == entry ? "LED_TO(0u) " : "",
                             label(next)));
        line("}");
    }
    say_cold(landing({b}));
}

}  // namespace mog
