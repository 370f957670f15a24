// group_plan.cpp: variables, entries, labels, counts, NaNs and windows of a group.
#include "assembler/blocks/group_plan.hpp"

namespace mog {

GroupPlan::GroupPlan(const Image &image_, const BlockPlan &plan_, std::uint32_t number_, EnteredAt entered)
    : image(image_), plan(plan_), group(plan_.groups[number_ - 1]), number(number_), stops(plan_.stops) {
    const bool by_entries = entered == EnteredAt::entries;
    if (by_entries) flow.emplace(image, plan, number);
    find_variables();
    find_entries(entered);
    find_targets();
    if (by_entries) counts.emplace(image, plan, number, *flow);
    const auto begins = [&](std::uint32_t b) { return !by_entries || targets.contains(begin(b)) || counts->asks(b); };
    nans.emplace(image, plan, number, is_pair, begins, by_entries ? &*flow : nullptr);
    if (by_entries) find_windows();
}

/// Two registers that are met as one double more often than by themselves live in one variable of 64 bits. Floats are
/// met so only where a function saves the registers of its caller.
void GroupPlan::find_variables() {
    std::array<bool, 257> low{}, high{};
    std::array<std::uint32_t, 257> singly{}, as_pair{};
    for (const std::uint32_t b : group.blocks)
        for (std::uint32_t at = begin(b); at < end(b); ++at) {
            const OpInfo &row = info(op_at(image, at));
            const unsigned r = image.text[at] & 0xffu;
            uses_d |= ((row.reads | row.writes) & D) != 0;
            if (row.operand == OperandKind::Reg) used[r] = true, written[r] |= (row.writes & Reg) != 0, ++singly[r];
            if (row.operand != OperandKind::Pair) continue;
            ++as_pair[r];
            low[r] = high[r + 1] = used[r] = used[r + 1] = true;
            if (row.writes & Pair) written[r] = written[r + 1] = true;
        }
    for (std::uint32_t r = 0; r < 256; ++r) is_pair[r] = low[r] && !high[r] && !low[r + 1] && as_pair[r] >= singly[r] + singly[r + 1];
}

void GroupPlan::find_entries(EnteredAt entered) {
    if (entered == EnteredAt::any_block) {
        for (const std::uint32_t b : group.blocks) entries.push_back(begin(b));
        return;
    }
    for (const BlockPlan::Entry &entry : plan.entries)
        if (entry.group == number) entries.push_back(entry.at);
}

void GroupPlan::find_targets() {
    targets.insert(entries.begin(), entries.end());
    for (const std::uint32_t b : group.blocks) {
        const auto target = named_block(image, plan.code, end(b) - 1);
        if (target && here(*target)) targets.insert(begin(*target));
        if (!flow) continue;
        for (const CodeAddress &known : flow->known_targets(b)) targets.insert(known.to);
    }
}

/// Windows are found in straight code through several blocks: the next one is entered from the one before it, and from nowhere else.
void GroupPlan::find_windows() {
    std::vector<std::uint32_t> starts;
    const auto finish = [&] {
        if (starts.size() >= 2) coalesce_checks(image, starts, windows);
    };
    for (const std::uint32_t b : group.blocks) {
        if (starts.empty() || starts.back() != begin(b) || targets.contains(begin(b))) {
            finish();
            starts = {begin(b)};
        }
        starts.push_back(end(b));
    }
    finish();
}

std::optional<std::uint32_t> GroupPlan::block_at(std::uint32_t index) const {
    if (index >= image.text.size()) return std::nullopt;
    return plan.code.block_of[index];
}

std::int32_t GroupPlan::due(std::uint32_t b, std::optional<std::uint32_t> target) const {
    if (!counts) return 0;
    return counts->due(b, target ? block_at(*target) : std::nullopt);
}

std::uint32_t GroupPlan::left(std::uint32_t b, std::uint32_t at) const {
    return (counts ? counts->counted(b) : end(b) - begin(b)) - (at - begin(b));
}

}  // namespace mog
