// register_homes.cpp: a weight for each register, then two data flows.
#include "runtime_host/devices/host/native/register_homes.hpp"

#include <algorithm>
#include <ranges>

#include "assembler/analysis/loops.hpp"

namespace mog {
namespace {

/// How much more a loop is executed than what is around it, and how deep that is believed.
constexpr double loop_weight = 8;
constexpr std::uint32_t deepest = 4;
/// How much less likely a way is that leads out of the unit soon.
constexpr double seldom_left = 0.4;
/// What is used less is as well off in memory.
constexpr double least_weight = 2;
/// Uses in each round of a loop that a home there must spare beside, for the register that goes and for the one that comes: they are stored
/// and loaded on the ways in and out, and many a loop does not go round as often as is believed.
constexpr double rounds_for_going = 2, rounds_for_coming = 1;
/// More ways into a loop are too much code, if registers move on each.
constexpr std::size_t most_ways_in = 8;
/// Accesses to memory as dear as one that reads a pair there whose halves were written one by one: the processor cannot forward it.
constexpr double waits_for_halves = 4;

/// Whether control may go elsewhere at the end of a block, other than to what stops a PE.
bool goes_elsewhere(const GroupPlan &group, std::uint32_t block) {
    const std::uint32_t last = group.end(block) - 1;
    // The cases of a switch are in the unit.
    if (jumps_to_address(op_at(group.image, last)))
        return is_return(group.image, last) || is_call(group.image, last) || group.flow->known_targets(block).empty();
    const auto named = named_block(group.image, group.plan.code, last);
    if (named && !group.here(*named)) return true;
    return !ends_block(op_at(group.image, last)) && (block + 1 >= group.plan.code.start.size() || !group.here(block + 1));
}

/// How many ways lead into a loop.
std::size_t ways_into(const Graph &graph, const LoopForest &loops, std::uint32_t loop) {
    std::size_t ways = 0;
    for (const Graph::Node entry : loops.loops()[loop].entries)
        ways += static_cast<std::size_t>(
            std::ranges::count_if(graph.predecessors(entry), [&](Graph::Node from) { return !loops.contains(loop, from); }));
    return ways;
}

/// By loop: itself, or the one around it of which it is what is left without the head. Where the ends of many blocks lead to the beginnings
/// of all, as those of an interpreter's instructions do that goes from each to the next (goto *table[*pc++]), each block but those before
/// it is the head of such a rest, which says nothing of how often that goes round.
std::vector<std::uint32_t> whole_loops(const Graph &graph, const LoopForest &loops) {
    std::vector<std::uint32_t> whole(loops.loops().size());
    for (std::uint32_t number = 0; number < whole.size(); ++number) {
        const LoopOf &loop = loops.loops()[number];
        const bool is_rest = !loop.is_reducible() && loop.parent != LoopForest::none && ways_into(graph, loops, number) > most_ways_in;
        whole[number] = is_rest ? whole[loop.parent] : number;
    }
    return whole;
}

/// By position among the group's blocks: how often each is executed where the unit is entered once, as far as the flow tells.
std::vector<double> how_often(const GroupPlan &group, const Graph &graph, const LoopForest &loops) {
    const std::vector<std::uint32_t> whole = whole_loops(graph, loops);
    std::vector<std::uint32_t> depth(whole.size());
    for (std::uint32_t loop = 0; loop < whole.size(); ++loop) {
        const std::uint32_t around = loops.loops()[loop].parent;
        depth[loop] = (around == LoopForest::none ? 0 : depth[around]) + (whole[loop] == loop);
    }
    const auto &blocks = group.group.blocks;
    std::vector<double> often(graph.size());
    std::vector<bool> is_done(graph.size());
    for (const Graph::Node node : std::views::reverse(post_order(graph))) {
        is_done[node] = true;
        if (often[node] == 0) often[node] = 1;  // entered from elsewhere alone
        const std::uint32_t innermost = loops.innermost(node), loop = innermost == LoopForest::none ? innermost : whole[innermost];
        if (loops.is_header(node) && loop == innermost && depth[loop] <= deepest) often[node] *= loop_weight;
        const auto likely = [&](Graph::Node to) {
            double part = 1;
            if (loop != LoopForest::none && !loops.contains(loop, to)) part /= loop_weight;
            if (goes_elsewhere(group, blocks[to])) part *= seldom_left;
            return part;
        };
        double all = 0;
        for (const Graph::Node to : graph.successors(node)) all += likely(to);
        for (const Graph::Node to : graph.successors(node))
            if (!is_done[to]) often[to] += often[node] * likely(to) / all;
    }
    return often;
}

bool is_word_load(Op op) { return op == Op::lw_ || op == Op::lwx_; }

}  // namespace

/// How often registers are used in some blocks, by what they are used as, and how often control leaves the unit there or comes back.
struct RegisterHomes::Uses {
    std::array<double, 257> singly{}, as_pair{}, as_float{}, as_either{}, put_singly{};
    double passages = 0;

    void add(const GroupPlan &group, std::uint32_t block, double weight, bool is_entered, std::array<bool, 257> &only_float) {
        const std::uint32_t begin = group.begin(block), end = group.end(block);
        passages += weight * (is_entered + goes_elsewhere(group, block));
        for (std::uint32_t at = begin; at < end; ++at) {
            const unsigned r = group.image.text[at] & 0xffu;
            const OpInfo &row = info(op_at(group.image, at));
            const OperandKind kind = row.operand;
            if (kind == OperandKind::Reg) {
                singly[r] += weight;
                if ((row.writes & Reg) != 0) put_singly[r] += weight;
                const bool floats = (row.reads & Floats) != 0, moves = (row.writes & Copies) != 0;
                const bool from = moves && at > begin && (info(op_at(group.image, at - 1)).writes & (Nan | Acc)) == (Nan | Acc);
                const bool to = moves && at + 1 < end && (info(op_at(group.image, at + 1)).reads & (Floats | Acc)) == (Floats | Acc);
                if (floats || ((row.writes & Reg) != 0 ? from : to)) as_float[r] += weight;
                // A word comes from memory and goes there by either kind of register.
                const bool is_loaded = moves && (row.writes & Reg) != 0 && at > begin && is_word_load(op_at(group.image, at - 1));
                if (is_loaded || op_at(group.image, at) == Op::stw_) as_either[r] += weight;
                only_float[r] = only_float[r] && (floats || moves || op_at(group.image, at) == Op::stw_);
            }
            if (kind == OperandKind::Pair) as_pair[r] += weight;
        }
    }
    void add(const Uses &others) {
        for (std::uint32_t r = 0; r < singly.size(); ++r) {
            singly[r] += others.singly[r];
            as_pair[r] += others.as_pair[r];
            as_float[r] += others.as_float[r];
            as_either[r] += others.as_either[r];
            put_singly[r] += others.put_singly[r];
        }
        passages += others.passages;
    }
    /// Of a register or pair in a home of doubles.
    double of_double(std::uint32_t r, bool is_pair) const { return as_pair[r] + singly[r] + (is_pair ? singly[r + 1] : 0); }
};

RegisterHomes::Assignment::Assignment() {
    integers_.fill(nowhere);
    pairs_.fill(nowhere);
    singles_.fill(nowhere);
    in_integer_.fill(nobody);
    in_double_.fill(nobody);
}

/// Told what is used anywhere in the unit: registers by themselves, and pairs.
void RegisterHomes::Assignment::note_used(const std::bitset<257> &singly, const std::bitset<257> &as_pair) {
    used_ = 0;
    for (std::uint8_t home = 0; home < most_integers; ++home)
        if (!is_kept(home) && singly[in_integer_[home]]) used_ |= bit_of_integer(home);
    for (std::uint8_t home = 0; home < most_doubles; ++home) {
        const std::uint32_t r = in_double_[home];
        if (r != nobody && (singly[r] || as_pair[r] || (!has_float(home) && singly[r + 1]))) used_ |= bit_of_double(home);
    }
}

RegisterHomes::Set RegisterHomes::common(const Assignment &from, const Assignment &to) {
    if (&from == &to) return ~Set{0};
    Set same = 0;
    for (std::uint8_t home = 0; home < most_integers; ++home)
        if (from.in_integer_[home] == to.in_integer_[home] && !from.is_kept(home) && !to.is_kept(home)) same |= bit_of_integer(home);
    for (std::uint8_t home = 0; home < most_doubles; ++home)
        if (from.in_double_[home] == to.in_double_[home]) same |= bit_of_double(home);
    return same;
}

RegisterHomes::RegisterHomes(const GroupPlan &group, std::span<const std::uint32_t> kept,
                             const std::function<std::vector<std::uint32_t>(std::uint32_t)> &successors, unsigned integers)
    : first_(group.group.blocks.front()) {
    const auto &blocks = group.group.blocks;
    const std::size_t span = blocks.back() - first_ + 1;
    which_.assign(span, 0);
    choose(group, kept, integers);

    changed_.assign(span, 0);
    wanted_.assign(span, 0);
    std::vector<Set> reads(span), writes(span);
    std::vector<bool> shows(span);  // may be left in the midst or at the end
    struct Way {
        std::uint32_t to;
        Set common;
    };
    std::vector<std::vector<Way>> ways(span);
    for (const std::uint32_t b : blocks) {
        const Assignment &here = of(b);
        Set &read = reads[b - first_], &written = writes[b - first_];
        bool leaves = group.counts->asks(b) || ends_block(op_at(group.image, group.end(b) - 1));
        for (std::uint32_t at = group.begin(b); at < group.end(b); ++at) {
            const OpInfo &row = info(op_at(group.image, at));
            const unsigned r = group.image.text[at] & 0xffu;
            // What computes with floats may be the interpreter's, and what reads their control register is.
            leaves |= (row.writes & (group.stops | Fpu)) != 0 || (row.reads & Fcsr) != 0 || row.operand == OperandKind::Label;
            Set set = 0;
            if (row.operand == OperandKind::Reg && here.integer(r) != nowhere && !here.is_kept(here.integer(r)))
                set = bit_of_integer(here.integer(r));
            if (row.operand == OperandKind::Reg && here.single(r) != nowhere) set = bit_of_double(here.single(r));
            if (row.operand == OperandKind::Pair && here.pair(r) != nowhere) set = bit_of_double(here.pair(r));
            // Who changes a half keeps the other one.
            const bool is_half = row.operand == OperandKind::Reg && here.half(r) != nowhere;
            if (is_half) set = bit_of_double(here.half(r));
            if ((row.reads & (Reg | Pair)) != 0 || is_half) read |= set & ~written;
            if ((row.writes & (Reg | Pair)) != 0) written |= set;
        }
        for (const std::uint32_t next : successors(b)) ways[b - first_].push_back({next - first_, common(here, of(next))});
        shows[b - first_] = leaves || ways[b - first_].empty() || group.end(b) >= group.image.text.size() || !group.here(b + 1);
    }
    for (bool changes = true; changes;) {
        changes = false;
        for (const std::uint32_t b : blocks) {
            const Set after = changed_[b - first_] | writes[b - first_];
            for (const Way &way : ways[b - first_]) {
                changes |= (after & way.common & ~changed_[way.to]) != 0;
                changed_[way.to] |= after & way.common;
            }
        }
    }
    for (bool changes = true; changes;) {
        changes = false;
        for (auto b = blocks.rbegin(); b != blocks.rend(); ++b) {
            const std::size_t i = *b - first_;
            // What another assignment does not have is stored on the way there.
            Set after = 0, stored = shows[i] ? changed_[i] : 0;
            for (const Way &way : ways[i]) {
                after |= wanted_[way.to] & way.common;
                stored |= changed_[i] & ~way.common;
            }
            const Set now = reads[i] | (after & ~writes[i]) | stored;
            changes |= now != wanted_[i];
            wanted_[i] = now;
        }
    }
}

void RegisterHomes::choose(const GroupPlan &group, std::span<const std::uint32_t> kept, unsigned most) {
    const auto &blocks = group.group.blocks;
    const Graph &graph = group.flow->graph(GroupCfg::Ways::in_function);
    const LoopForest loops(graph);
    const std::vector<double> executed = how_often(group, graph, loops);
    // Elsewhere than where functions begin and calls come back, only the interpreter enters.
    const auto is_entered = [&](std::uint32_t node) {
        const std::uint32_t begin = group.begin(blocks[node]);
        if (!std::ranges::binary_search(group.entries, begin)) return false;
        return graph.predecessors(node).empty() || node == 0 || is_call(group.image, begin - 1);
    };
    Uses all;
    std::vector<Uses> in_loop(loops.loops().size());
    std::array<bool, 257> only_float{};
    only_float.fill(true);
    for (std::uint32_t node = 0; node < blocks.size(); ++node) {
        const std::uint32_t loop = loops.innermost(node);
        (loop == LoopForest::none ? all : in_loop[loop]).add(group, blocks[node], executed[node], is_entered(node), only_float);
    }
    for (std::uint32_t loop = static_cast<std::uint32_t>(in_loop.size()); loop-- > 0;) {
        const std::uint32_t around = loops.loops()[loop].parent;
        (around == LoopForest::none ? all : in_loop[around]).add(in_loop[loop]);
    }
    std::array<LivesAs, 257> lives_as{};
    std::vector<std::uint32_t> integers, pairs;
    const auto is_one_of_kept = [&](std::uint32_t r) { return std::ranges::find(kept, r) != kept.end(); };
    for (std::uint32_t r = 0; r < 256; ++r) {
        const bool in_pair = all.as_pair[r] > 0 || (r > 0 && all.as_pair[r - 1] > 0);
        const bool is_float = only_float[r] && 2 * all.as_float[r] > all.singly[r] - all.as_either[r] && !is_one_of_kept(r);
        if (all.singly[r] > 0 && !in_pair) lives_as[r] = is_float ? LivesAs::single : LivesAs::integer;
        if (all.singly[r] >= least_weight && lives_as[r] == LivesAs::integer) integers.push_back(r);
        if (all.singly[r] >= least_weight && lives_as[r] == LivesAs::single) pairs.push_back(r);
        // What lies across another pair stays in memory, where all see the same.
        const bool is_across = all.as_pair[r + 1] > 0 || (r > 0 && all.as_pair[r - 1] > 0);
        if (all.as_pair[r] == 0 || is_across || is_one_of_kept(r) || is_one_of_kept(r + 1)) continue;
        lives_as[r] = LivesAs::pair;
        const double saved = all.as_pair[r] + waits_for_halves * std::min(all.as_pair[r], all.put_singly[r] + all.put_singly[r + 1]);
        if (saved >= least_weight) pairs.push_back(r);
    }
    std::ranges::stable_sort(integers, [&](std::uint32_t a, std::uint32_t b) { return all.singly[a] > all.singly[b]; });
    const auto weight = [&](std::uint32_t r) { return all.of_double(r, lives_as[r] == LivesAs::pair); };
    std::ranges::stable_sort(pairs, [&](std::uint32_t a, std::uint32_t b) { return weight(a) > weight(b); });

    assignments_.emplace_back();
    Assignment &unit = assignments_.back();
    for (std::uint8_t home = 0; home < kept.size(); ++home) unit.in_integer_[home] = kept[home];
    for (auto home = static_cast<std::uint8_t>(kept.size()); home < most_integers; ++home) unit.displaced_ |= bit_of_integer(home);
    std::uint8_t next = static_cast<std::uint8_t>(kept.size());
    for (const std::uint32_t r : integers) {
        if (is_one_of_kept(r)) continue;
        std::uint8_t home = next;
        if (home == most) {
            // The least used of those that are kept makes room: it is stored and loaded on each way in and out, and so is who comes.
            std::uint32_t least = most;
            for (std::uint32_t i = 0; i < kept.size(); ++i)
                if (unit.is_kept(i) && (least == most || all.singly[kept[i]] < all.singly[kept[least]])) least = i;
            if (least == most || all.singly[r] <= all.singly[kept[least]] + 2 * all.passages) break;
            home = static_cast<std::uint8_t>(least);
            unit.displaced_ |= bit_of_integer(home);
        } else {
            ++next;
        }
        unit.integers_[r] = home;
        unit.in_integer_[home] = r;
    }
    for (std::uint8_t home = 0; home < kept.size(); ++home)
        if (unit.is_kept(home)) unit.integers_[kept[home]] = home;
    for (std::uint8_t home = 0; home < most_doubles && home < pairs.size(); ++home) {
        (lives_as[pairs[home]] == LivesAs::pair ? unit.pairs_ : unit.singles_)[pairs[home]] = home;
        unit.in_double_[home] = pairs[home];
    }

    // From outer loops to inner ones.
    std::vector<std::uint32_t> of_loop(loops.loops().size());
    for (std::uint32_t number = 0; number < loops.loops().size(); ++number) {
        const LoopOf &loop = loops.loops()[number];
        of_loop[number] = loop.parent == LoopForest::none ? 0 : of_loop[loop.parent];
        if (ways_into(graph, loops, number) > most_ways_in) continue;
        std::optional<Assignment> own = assignments_[of_loop[number]].for_loop(in_loop[number], executed[loop.header], lives_as, most);
        if (!own) continue;
        of_loop[number] = static_cast<std::uint32_t>(assignments_.size());
        assignments_.push_back(*own);
    }
    std::bitset<257> singly, as_pair;
    for (std::uint32_t r = 0; r < 256; ++r) singly[r] = all.singly[r] > 0, as_pair[r] = all.as_pair[r] > 0;
    for (Assignment &assignment : assignments_) assignment.note_used(singly, as_pair);
    for (std::uint32_t node = 0; node < blocks.size(); ++node)
        if (const std::uint32_t loop = loops.innermost(node); loop != LoopForest::none) which_[blocks[node] - first_] = of_loop[loop];
}

/// What a loop uses and has no home takes the place of what it uses less; none if there is nothing of the kind. `rounds`: how often the
/// loop goes round.
std::optional<RegisterHomes::Assignment> RegisterHomes::Assignment::for_loop(const Uses &uses, double rounds,
                                                                             std::span<const LivesAs> lives_as, unsigned most) const {
    const auto use_of = [&](std::uint32_t r) {
        if (r == nobody) return 0.0;
        return lives_as[r] == LivesAs::integer ? uses.singly[r] : uses.of_double(r, lives_as[r] == LivesAs::pair);
    };
    std::vector<std::uint32_t> come;
    for (std::uint32_t r = 0; r < 256; ++r) {
        const bool has_home = integers_[r] != nowhere || pairs_[r] != nowhere || singles_[r] != nowhere;
        if (lives_as[r] != LivesAs::memory && !has_home && use_of(r) > 0) come.push_back(r);
    }
    std::ranges::stable_sort(come, [&](std::uint32_t a, std::uint32_t b) { return use_of(a) > use_of(b); });
    std::optional<Assignment> own;
    /// The home whose register goes with the least loss, and that.
    const auto cheapest = [&](std::span<const std::uint32_t> homes, bool are_integers) {
        std::pair<double, std::uint8_t> least{};
        for (std::uint8_t home = 0; home < homes.size(); ++home) {
            const std::uint32_t who = homes[home];
            double price = who == nobody ? 0 : use_of(who) + rounds_for_going * rounds;
            // It is stored and loaded on each way in and out of the unit, and so is who comes.
            if (are_integers && (own ? *own : *this).is_kept(home)) price += 2 * uses.passages;
            if (home == 0 || price < least.first) least = {price, home};
        }
        return least;
    };
    for (const std::uint32_t r : come) {
        const Assignment &now = own ? *own : *this;
        const bool is_integer = lives_as[r] == LivesAs::integer;
        const auto [price, home] = is_integer ? cheapest(std::span(now.in_integer_).first(most), true) : cheapest(now.in_double_, false);
        if (use_of(r) <= price + rounds_for_coming * rounds) continue;
        if (!own) own = *this;
        std::uint32_t &here = is_integer ? own->in_integer_[home] : own->in_double_[home];
        if (here != nobody) own->integers_[here] = own->pairs_[here] = own->singles_[here] = nowhere;
        here = r;
        (is_integer ? own->integers_ : lives_as[r] == LivesAs::pair ? own->pairs_ : own->singles_)[r] = home;
        if (is_integer) own->displaced_ |= bit_of_integer(home);
    }
    return own;
}

}  // namespace mog
