// register_homes.cpp: a weight for each register, then two data flows.
#include "runtime_host/devices/host/native/register_homes.hpp"

#include <algorithm>

#include "assembler/analysis/loops.hpp"

namespace mog {
namespace {

/// How much more a loop is executed than what is around it, and how deep that is believed.
constexpr double loop_weight = 8;
constexpr std::uint32_t deepest = 4;
/// What is used less is as well off in memory.
constexpr double least_weight = 2;
/// Accesses to memory as dear as one that reads a pair there whose halves were written one by one: the processor cannot forward it.
constexpr double waits_for_halves = 4;

/// Whether control may go elsewhere at the end of a block, other than to what stops a PE.
bool goes_elsewhere(const GroupPlan &group, std::uint32_t block) {
    const std::uint32_t last = group.end(block) - 1;
    if (jumps_to_address(op_at(group.image, last))) return true;
    const auto named = named_block(group.image, group.plan.code, last);
    if (named && !group.here(*named)) return true;
    return !ends_block(op_at(group.image, last)) && (block + 1 >= group.plan.code.start.size() || !group.here(block + 1));
}

bool is_word_load(Op op) { return op == Op::lw_ || op == Op::lwx_; }

}  // namespace

RegisterHomes::RegisterHomes(const GroupPlan &group, std::span<const std::uint32_t> kept,
                             const std::function<std::vector<std::uint32_t>(std::uint32_t)> &successors, unsigned integers)
    : first_(group.group.blocks.front()) {
    integers_.fill(nowhere);
    pairs_.fill(nowhere);
    singles_.fill(nowhere);
    choose(group, kept, successors, integers);

    const auto &blocks = group.group.blocks;
    const std::size_t span = blocks.back() - first_ + 1;
    changed_.assign(span, 0);
    wanted_.assign(span, 0);
    std::vector<Set> reads(span), writes(span);
    std::vector<bool> shows(span);  // may be left in the midst or at the end
    for (const std::uint32_t b : blocks) {
        Set &read = reads[b - first_], &written = writes[b - first_];
        bool leaves = group.counts->asks(b) || ends_block(op_at(group.image, group.end(b) - 1));
        for (std::uint32_t at = group.begin(b); at < group.end(b); ++at) {
            const OpInfo &row = info(op_at(group.image, at));
            const unsigned r = group.image.text[at] & 0xffu;
            // What computes with floats may be the interpreter's, and what reads their control register is.
            leaves |= (row.writes & (group.stops | Fpu)) != 0 || (row.reads & Fcsr) != 0 || row.operand == OperandKind::Label;
            Set set = 0;
            if (row.operand == OperandKind::Reg && integers_[r] != nowhere && !is_kept(integers_[r])) set = bit_of_integer(integers_[r]);
            if (row.operand == OperandKind::Reg && singles_[r] != nowhere) set = bit_of_double(singles_[r]);
            if (row.operand == OperandKind::Pair && pairs_[r] != nowhere) set = bit_of_double(pairs_[r]);
            // Who changes a half keeps the other one.
            const bool is_half = row.operand == OperandKind::Reg && half(r) != nowhere;
            if (is_half) set = bit_of_double(half(r));
            if ((row.reads & (Reg | Pair)) != 0 || is_half) read |= set & ~written;
            if ((row.writes & (Reg | Pair)) != 0) written |= set;
            used_ |= set;
        }
        const auto next = successors(b);
        shows[b - first_] = leaves || next.empty() || group.end(b) >= group.image.text.size() || !group.here(b + 1);
    }
    for (bool changes = true; changes;) {
        changes = false;
        for (const std::uint32_t b : blocks) {
            const Set after = changed_[b - first_] | writes[b - first_];
            for (const std::uint32_t next : successors(b)) {
                changes |= (after & ~changed_[next - first_]) != 0;
                changed_[next - first_] |= after;
            }
        }
    }
    for (bool changes = true; changes;) {
        changes = false;
        for (auto b = blocks.rbegin(); b != blocks.rend(); ++b) {
            const std::size_t i = *b - first_;
            Set after = 0;
            for (const std::uint32_t next : successors(*b)) after |= wanted_[next - first_];
            const Set now = reads[i] | (after & ~writes[i]) | (shows[i] ? changed_[i] : 0);
            changes |= now != wanted_[i];
            wanted_[i] = now;
        }
    }
}

void RegisterHomes::choose(const GroupPlan &group, std::span<const std::uint32_t> kept,
                           const std::function<std::vector<std::uint32_t>(std::uint32_t)> &successors, unsigned most) {
    const auto &blocks = group.group.blocks;
    const auto node_of = [&](std::uint32_t block) {
        return static_cast<std::uint32_t>(std::ranges::lower_bound(blocks, block) - blocks.begin());
    };
    const Graph graph(static_cast<std::uint32_t>(blocks.size()), [&](std::uint32_t node) {
        std::vector<std::uint32_t> next = successors(blocks[node]);
        for (std::uint32_t &block : next) block = node_of(block);
        return next;
    });
    const LoopForest loops(graph);
    std::array<double, 257> singly{}, as_pair{}, as_float{}, as_either{}, put_singly{};
    std::array<bool, 257> only_float{};
    only_float.fill(true);
    double passages = 0;  ///< ways into the unit and out of it
    for (std::uint32_t node = 0; node < blocks.size(); ++node) {
        double weight = 1;
        for (std::uint32_t depth = std::min(loops.depth(node), deepest); depth > 0; --depth) weight *= loop_weight;
        const std::uint32_t begin = group.begin(blocks[node]), end = group.end(blocks[node]);
        // Where a loop comes back to, only the interpreter enters.
        const bool is_entered = std::ranges::binary_search(group.entries, begin) && !loops.is_header(node);
        passages += weight * (is_entered + goes_elsewhere(group, blocks[node]));
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
    std::vector<std::uint32_t> integers, pairs;
    for (std::uint32_t r = 0; r < 256; ++r) {
        const bool in_pair = as_pair[r] > 0 || (r > 0 && as_pair[r - 1] > 0);
        const bool is_float = only_float[r] && 2 * as_float[r] > singly[r] - as_either[r] && std::ranges::find(kept, r) == kept.end();
        if (singly[r] >= least_weight && !in_pair && !is_float) integers.push_back(r);
        if (singly[r] >= least_weight && !in_pair && is_float) pairs.push_back(r);
        // What lies across another pair stays in memory, where all see the same.
        const bool is_kept = std::ranges::find(kept, r) != kept.end() || std::ranges::find(kept, r + 1) != kept.end();
        const bool is_across = as_pair[r + 1] > 0 || (r > 0 && as_pair[r - 1] > 0);
        const double saved = as_pair[r] + waits_for_halves * std::min(as_pair[r], put_singly[r] + put_singly[r + 1]);
        if (saved >= least_weight && as_pair[r] > 0 && !is_across && !is_kept) pairs.push_back(r);
    }
    std::ranges::stable_sort(integers, [&](std::uint32_t a, std::uint32_t b) { return singly[a] > singly[b]; });
    const auto weight = [&](std::uint32_t r) { return as_pair[r] + singly[r] + (as_pair[r] > 0 ? singly[r + 1] : 0); };
    std::ranges::stable_sort(pairs, [&](std::uint32_t a, std::uint32_t b) { return weight(a) > weight(b); });
    for (std::uint8_t home = 0; home < kept.size(); ++home) in_integer_[home] = kept[home];
    for (auto home = static_cast<std::uint8_t>(kept.size()); home < most; ++home) displaced_ |= bit_of_integer(home);
    std::uint8_t next = static_cast<std::uint8_t>(kept.size());
    for (const std::uint32_t r : integers) {
        if (std::ranges::find(kept, r) != kept.end()) continue;
        std::uint8_t home = next;
        if (home == most) {
            // The least used of those that are kept makes room: it is stored and loaded on each way in and out, and so is who comes.
            std::uint32_t least = most;
            for (std::uint32_t i = 0; i < kept.size(); ++i)
                if (is_kept(i) && (least == most || singly[kept[i]] < singly[kept[least]])) least = i;
            if (least == most || singly[r] <= singly[kept[least]] + 2 * passages) break;
            home = static_cast<std::uint8_t>(least);
            displaced_ |= bit_of_integer(home);
        } else {
            ++next;
        }
        integers_[r] = home;
        in_integer_[home] = r;
    }
    for (std::uint8_t home = 0; home < kept.size(); ++home)
        if (is_kept(home)) integers_[kept[home]] = home;
    for (std::uint8_t home = 0; home < most_doubles && home < pairs.size(); ++home) {
        (as_pair[pairs[home]] > 0 ? pairs_ : singles_)[pairs[home]] = home;
        in_double_[home] = pairs[home];
    }
}

}  // namespace mog
