// warp_writer.cpp: a thread's code, with the ways by which lanes of a warp meet again.
#include "assembler/emit/warp_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace mog {
namespace {

/// Whether control goes from a block to functions of the group, or back from one.
bool goes_between(const GroupPlan &group, std::uint32_t b) {
    const std::uint32_t last = group.end(b) - 1;
    return (is_call(group.image, last) || is_return(group.image, last)) && !group.flow->successors(b, GroupCfg::Ways::all).empty();
}

/// Where such ways lead.
std::set<std::uint32_t> ways_between(const GroupPlan &group) {
    std::set<std::uint32_t> to;
    for (const std::uint32_t b : group.group.blocks) {
        if (!goes_between(group, b)) continue;
        const auto next = group.flow->successors(b, GroupCfg::Ways::all);
        to.insert(next.begin(), next.end());
    }
    return to;
}

Convergence convergence_of(const GroupPlan &group, const std::set<std::uint32_t> &between) {
    Convergence::Graph graph;
    graph.blocks = group.group.blocks;
    for (const std::uint32_t at : group.entries) graph.entries.insert(group.plan.code.block_of[at]);
    graph.has_hub = !between.empty();
    graph.entries.insert(between.begin(), between.end());
    const auto calls = [&](std::uint32_t b) {
        return is_call(group.image, group.end(b) - 1) && b + 1 < group.plan.code.start.size() && graph.entries.contains(b + 1);
    };
    graph.calls = calls;
    graph.successors = [&](std::uint32_t b) {
        if (calls(b)) return std::vector<std::uint32_t>{b + 1};
        return goes_between(group, b) ? std::vector<std::uint32_t>() : group.flow->successors(b, GroupCfg::Ways::calls_only);
    };
    graph.leaves = [&](std::uint32_t b) {
        const std::uint32_t last = group.end(b) - 1;
        const auto named = named_block(group.image, group.plan.code, last);
        const bool goes_on = !ends_block(op_at(group.image, last));
        const bool goes_out = goes_on && !(b + 1 < group.plan.code.start.size() && group.here(b + 1));
        return calls(b) || goes_between(group, b) || op_at(group.image, last) == Op::j_ || (named && !group.here(*named)) || goes_out;
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
    : ThreadWriter(image, plan, number),
      by_hub_(ways_between(group_)),
      convergence_(convergence_of(group_, by_hub_)),
      regions_(regions_without_calls(group_)),
      counted_(find_counted_loops(group_)) {}

/// By which control is led to a block: an entry's, or one behind these where it comes by the hub alone.
std::size_t WarpWriter::number_of(std::uint32_t b) const {
    const auto entry = std::ranges::lower_bound(group_.entries, group_.begin(b));
    if (entry != group_.entries.end() && *entry == group_.begin(b)) return static_cast<std::size_t>(entry - group_.entries.begin());
    return group_.entries.size() + static_cast<std::size_t>(std::distance(by_hub_.begin(), by_hub_.find(b)));
}

/// The label where a lane that stops in this block waits for others.
std::string WarpWriter::landing(Convergence::Place place) const {
    auto at = convergence_.landing(place);
    // Who stops in a copy, or in counted rounds, leaves the loop.
    const auto is_left = [this](std::uint32_t b) {
        return (region_ != nullptr && region_->find(b) != nullptr) || (loop_ != nullptr && loop_->all.contains(b));
    };
    while (at && is_left(at->block)) at = convergence_.landing(*at);
    return at ? label_of(*at) : "cold";
}

std::string WarpWriter::label_of(Convergence::Place at) const {
    if (at == Convergence::hub()) return "hub";
    return at.is_bottom ? "end" + place(group_.begin(at.block)) : label(at.block);
}

/// The label by which a way out of block `b` leads first, if not straight to `to`. In a copy all lanes are together, and loops that are
/// copied have no bottoms.
std::optional<std::string> WarpWriter::first(std::uint32_t b, Convergence::Target to) const {
    if (region_ != nullptr && to && region_->find(*to) != nullptr) return std::nullopt;
    const auto place =
        convergence_.first({b}, to, [&](std::uint32_t head) { return region_ != nullptr && region_->find(head) != nullptr; });
    return place ? std::optional(label_of(*place)) : std::nullopt;
}

void WarpWriter::say_cold(const std::string &label) {
    if (label == cold_) return;
    bare_line(fmt::format("#undef COLD\n#define COLD {}", label));
    cold_ = label;
}

void WarpWriter::dispatch() {
    line(fmt::format("MAYBE_UNUSED u32 stopped = 0u{}{};", convergence_.leads() ? ", led_to = 0u" : "",
                     convergence_.bottoms().empty() && by_hub_.empty() ? "" : ", by = 0u"));
    say_cold("cold");
    ThreadWriter::dispatch();
}

std::string WarpWriter::way_in(std::size_t entry) const {
    return by_hub_.empty() ? label_into(convergence_.way_in(group_.plan.code.block_of[group_.entries[entry]]))
                           : label_of(Convergence::hub());
}

/// For who comes from outside of all copied loops.
std::string WarpWriter::label_into(std::uint32_t b) const { return is_tried(b) ? try_label(b) : label(b); }

/// The region whose first head this is.
const GuardedRegion *WarpWriter::region_from(std::uint32_t head) const {
    const auto found = std::ranges::find(regions_, head, [](const GuardedRegion &region) { return region.blocks.front().block; });
    return found == regions_.end() ? nullptr : &*found;
}

/// Whether a block is outside of the loop with this head, to which control comes by a question.
bool WarpWriter::is_outside(std::uint32_t b, std::uint32_t head) const {
    const GuardedRegion *const region = region_from(head);
    if (region != nullptr) return region->find(b) == nullptr;
    const auto loop = counted_.find(head);
    return loop == counted_.end() || !loop->second.all.contains(b);
}

/// Who comes to a region from outside comes to its question; who is in it already, copy or not, stays in what it is in.
std::string WarpWriter::word_to(std::uint32_t b, std::uint32_t target) const {
    const std::uint32_t to = *group_.block_at(target);
    if (region_ != nullptr && region_->find(to) != nullptr) return "GO_TOGETHER(" + place(target);
    if (const auto by = first(b, goes_between(group_, b) ? Convergence::Target() : to))
        return fmt::format("GO_BY({}, {}", *by, place(target));
    return is_tried(to) && (region_ != nullptr || is_outside(b, to)) ? "GO_TRYING(" + place(target) : ThreadWriter::word_to(b, target);
}

std::string WarpWriter::word_out(std::uint32_t b, std::uint32_t target) {
    const auto by = first(b, std::nullopt);
    return by ? fmt::format("LEAVE_BY({}, {}", *by, elsewhere(target)) : ThreadWriter::word_out(b, target);
}

std::string WarpWriter::word_anywhere(std::uint32_t b) const {
    const auto by = first(b, std::nullopt);
    return by ? fmt::format("LEAVE_ANYWHERE_BY({})", *by) : ThreadWriter::word_anywhere(b);
}

/// Behind all blocks: where the ways of a loop come together.
void WarpWriter::bottom(std::uint32_t head) {
    const Convergence::Place here{head, true};
    bare_line(fmt::format("  {}:", label_of(here)));
    line(convergence_.is_landing(here) ? fmt::format("PASS_ON({})", landing(here)) : "MEETING");
    const auto way = [&](const Convergence::Target &to) -> std::string {
        if (const auto next = convergence_.first(here, to)) return "goto " + label_of(*next) + ';';
        if (!to) {
            leaves_ = true;
            return "goto leave;";
        }
        // Who comes to a copied loop from outside comes to its question.
        return fmt::format("goto {};", is_tried(*to) && is_outside(head, *to) ? try_label(*to) : label(*to));
    };
    // Who goes to the hub goes on from there to any place.
    const auto &ways = convergence_.bottoms().at(head);
    const Convergence::Target others = ways.contains(std::nullopt) ? Convergence::Target() : head;
    for (const Convergence::Target &to : ways)
        if (to != others) line(fmt::format("ON_WAY({}u) {}", place(group_.begin(*to)), way(to)));
    line(way(others));
}

/// Where calls, returns and ways out of the group come together. What has no case there is out.
void WarpWriter::hub() {
    bare_line("  hub:");
    line("PASS_ON(cold)");
    // Before the others part: or they would meet where those are that leave.
    line("ON_WAY(MOG_OUT) goto leave;");
    line("MEETING");
    const std::uint32_t sp = group_.image.roles[static_cast<std::size_t>(Role::sp)];
    const bool is_variable = group_.used[sp] || group_.in_pair(sp);
    line(fmt::format("GO_IN_TURN({})", is_variable ? value_of(sp) : fmt::format("REG({})", register_number(sp))));
    line("switch (by) {");
    leaves_ = true;
    std::set<std::uint32_t> targets = by_hub_;
    for (const std::uint32_t at : group_.entries) targets.insert(group_.plan.code.block_of[at]);
    for (const std::uint32_t b : targets) {
        const std::uint32_t first = convergence_.way_in(b);
        const std::string what = b == *targets.rbegin() ? "default" : fmt::format("case {}u", place(group_.begin(b)));
        line(fmt::format("{}: {}goto {};", what, led_to(b), label_into(first)));
    }
    line("}");
}

void WarpWriter::begin_block(std::uint32_t b) {
    if (region_ != nullptr) {
        bare_line(fmt::format("  g{}:", place(group_.begin(b))));
        say_cold(landing({b}));
        if (group_.counts->asks(b)) line(enter(b));
        return;
    }
    if (is_tried(b)) bare_line(fmt::format("  {}:", try_label(b)));
    if (const GuardedRegion *const region = region_from(b)) guard(*region);
    if (const auto loop = counted_.find(b); loop != counted_.end()) counted(loop->second);
    ThreadWriter::begin_block(b);
}

void WarpWriter::guard(const GuardedRegion &region) {
    const GuardedRegion::Block &head = region.blocks.front();
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

std::string WarpWriter::sum(const CountedLoop::Sum &sum) {
    std::string text;
    for (const std::uint32_t r : sum.registers)
        if (r != CountedLoop::none) text += (text.empty() ? "" : " + ") + value_of(r);
    if (text.empty()) return constant(sum.constant);
    return sum.constant == 0 ? text : fmt::format("{} + {}", text, constant(sum.constant));
}

/// How far something goes on, as an unsigned number.
std::string WarpWriter::step(const CountedLoop::Step &step) const {
    return step.in == CountedLoop::none ? fmt::format("{}u", std::abs(step.constant)) : value_of(step.in);
}

/// How often the loop's branch leads back.
std::string WarpWriter::rounds(const CountedLoop &loop) {
    using Goes = CountedLoop::Goes;
    static const std::map<Goes, const char *> words{{Goes::while_different, "WHILE_DIFFERENT"},
                                                    {Goes::while_less, "WHILE_LESS"},
                                                    {Goes::while_less_signed, "WHILE_LESS_SIGNED"},
                                                    {Goes::while_not_more, "WHILE_NOT_MORE"},
                                                    {Goes::while_not_more_signed, "WHILE_NOT_MORE_SIGNED"}};
    return fmt::format("{}({}, {}, {})", words.at(loop.goes), sum(loop.low), sum(loop.high), step(loop.step));
}

void WarpWriter::counted(const CountedLoop &loop) {
    const std::uint32_t head = loop.blocks.front(), begin = group_.begin(head), last = group_.end(loop.blocks.back()) - 1,
                        size = last + 1 - begin;
    line("{");
    line(fmt::format("COUNT_ROUNDS({}, {}u)", rounds(loop), loop.leaves ? std::max(size, group_.counts->needed(head)) : size));
    line(fmt::format("IF_COUNTED({}) {{", convergence_.leads() ? "led_to == 0u" : "1"));
    line("u32 good_ = 1u;");
    for (const CountedLoop::Stream &stream : loop.streams)
        line(fmt::format("{}_{}({}, {}u, {}, {}u)", stream.stores ? "STORES_GO" : "GOES", stream.step.constant < 0 ? "DOWN" : "UP",
                         sum(stream.address), stream.address.more, step(stream.step), stream.shift));
    line("if (good_ != 0u) {");
    for (std::size_t i = 0; i < loop.streams.size(); ++i)
        if (loop.streams[i].has_place())
            line(fmt::format("WINDOW(way{}) way{} = WINDOW_AT({} - PRIVATE_BASE);", i, i, sum(loop.streams[i].address)));
    if (!loop.leaves) line(fmt::format("passes -= rounds_ * {}u;", size));
    line("do {");
    if (loop.leaves) line(fmt::format("COUNT({})", group_.counts->counted(head)));
    loop_ = &loop;
    say_cold(landing({head}));
    begin_places();
    for (const std::uint32_t b : loop.blocks) {
        if (b != loop.blocks.back()) {
            instructions(b, group_.end(b));
            fall_through(b);
        } else {
            instructions(b, last);
        }
    }
    loop_ = nullptr;
    Variables nans = nans_before(last);
    add(nans, group_.nans->on_jump(last));
    if (const std::string text = default_nans(nans); !text.empty()) line(text);
    if (const std::string due = loop.leaves ? count(group_.due(loop.blocks.back(), begin)) : std::string(); !due.empty()) line(due);
    for (std::size_t i = 0; i < loop.streams.size(); ++i)
        if (const CountedLoop::Stream &stream = loop.streams[i]; stream.has_place() && !stream.step.is_zero())
            line(fmt::format("WINDOW_ON(way{}, {}{})", i, stream.step.constant < 0 ? "-(i64)" : "(i64)", step(stream.step)));
    line("} while (--rounds_ != 0u);");
    line("} } }");
}

std::string WarpWriter::window(const OpInfo &row, std::uint32_t at, Operands &operands) const {
    if (loop_ == nullptr) return ThreadWriter::window(row, at, operands);
    // Windows are not open here.
    const auto known = loop_->accesses.find(at);
    if (known == loop_->accesses.end()) return {};
    operands[OperandWord::SPACE] = "PRIVATE";
    const CountedLoop::Stream &stream = loop_->streams[known->second];
    if (!stream.has_place()) return "UNASKED ";
    operands[OperandWord::ADDRESS] = "AT(0u)";
    return fmt::format("WITHIN(way{}, {}u) ", known->second, std::max(8u, 1u << stream.shift));
}

/// Compilers say of a label that none goes to, for control comes from the block before alone, that nobody needs it.
void WarpWriter::finish(std::string &text) const {
    for (const auto &[head, loop] : counted_) {
        const std::string label = try_label(head), line = fmt::format("  {}:\n", label);
        const bool is_needed = text.find(fmt::format("goto {};", label)) != std::string::npos ||
                               text.find(fmt::format("GO_TRYING({})", place(group_.begin(head)))) != std::string::npos;
        if (const std::size_t at = text.find(line); !is_needed && at != std::string::npos) text.erase(at, line.size());
    }
}

void WarpWriter::end_cold() {
    for (const auto &[head, ways] : convergence_.bottoms()) bottom(head);
    if (!by_hub_.empty()) hub();
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
    return by_hub_.empty() ? led_to(b) : fmt::format("by = {}u; ", place(group_.begin(b)));
}

/// For who comes to the outermost head around an entry first.
std::string WarpWriter::led_to(std::uint32_t b) const {
    return convergence_.way_in(b) == b ? std::string() : fmt::format("LED_TO({}u) ", number_of(b) + 1);
}

bool WarpWriter::labelled(std::uint32_t b) const {
    const auto leads_here = [&](const auto &bottom) { return bottom.second.contains(b); };
    return ThreadWriter::labelled(b) || by_hub_.contains(b) || convergence_.is_landing(b) || convergence_.led_from(b) ||
           std::ranges::any_of(convergence_.bottoms(), leads_here);
}

/// Lanes that have stopped, or are led elsewhere, go on from here.
void WarpWriter::after_label(std::uint32_t b) {
    if (convergence_.is_landing(b)) line(fmt::format("PASS_ON({})", landing({b})));
    if (const auto *led = convergence_.led_from(b)) {
        line("switch (led_to) {");
        line("case 0u: break;");
        for (const auto &[entry, next] : *led)
            line(fmt::format("case {}u: {}goto {};", number_of(entry) + 1, next == entry ? "LED_TO(0u) " : "", label(next)));
        line("}");
    }
    say_cold(landing({b}));
}

}  // namespace mog
