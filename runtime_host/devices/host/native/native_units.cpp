// native_units.cpp: units, entries, which of the two accumulators are live, and which registers stay in homes, over the whole
// program.
#include "runtime_host/devices/host/native/native_units.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <functional>

#include "assembler/image/constants.hpp"
#include "assembler/image/facts.hpp"
#include "runtime_host/devices/host/native/register_homes.hpp"

namespace mog {

NativeUnits::NativeUnits(const Image &image, std::span<const std::uint32_t> taken, std::span<const std::uint8_t> compiled, bool anywhere,
                         unsigned integers, std::vector<bool> breaks)
    : image_(image), integers_(integers) {
    plan_.code = code_blocks(image);
    plan_.stops = stop_effects(image);
    plan_.breaks = std::move(breaks);
    plan_.executed.assign(plan_.code.start.size(), 0);
    find_units(compiled);
    find_entries(taken, anywhere);
    find_live();
    find_kept();
}

void NativeUnits::find_units(std::span<const std::uint8_t> compiled) {
    const CodeBlocks &code = plan_.code;
    plan_.group_of.assign(code.start.size(), none);
    std::uint32_t unit = none, function = 0;
    for (std::uint32_t block = 0; block < code.start.size(); ++block) {
        const std::uint32_t at = code.start[block];
        if (at / 8 < compiled.size() && (compiled[at / 8] >> at % 8 & 1) != 0) continue;
        if (unit == none || code.function[block] != function) {
            plan_.groups.emplace_back();
            unit = static_cast<std::uint32_t>(plan_.groups.size());
            function = code.function[block];
        }
        plan_.groups.back().blocks.push_back(block);
        plan_.groups.back().instructions += code.end(image_, block) - at;
        plan_.group_of[block] = unit;
    }
}

void NativeUnits::find_entries(std::span<const std::uint32_t> taken, bool anywhere) {
    const CodeBlocks &code = plan_.code;
    entered_.assign(image_.text.size() + 1, false);
    const auto enter = [&](std::uint32_t block) {
        const std::uint32_t at = code.start[block];
        if (plan_.group_of[block] != none && (at >= taken.size() || taken[at] == 0)) entered_[at] = true;
    };
    for (std::uint32_t block = 0; block < code.start.size() && anywhere; ++block) enter(block);
    for (const CodeBlocks::Function &function : code.functions) enter(function.first_block);
    enter(code.block_of[image_.entry]);
    for (const CodeBlocks::Address &address : code.addresses) enter(address.block);
    for (std::uint32_t block = 0; block < code.start.size(); ++block) {
        const std::uint32_t last = code.end(image_, block) - 1;
        const auto named = named_block(image_, code, last);
        if (named && (*named <= block || plan_.group_of[*named] != plan_.group_of[block])) enter(*named);
        if (!ends_block(op_at(image_, last)) && block + 1 < code.start.size() && plan_.group_of[block + 1] != plan_.group_of[block])
            enter(block + 1);
    }
    std::vector<std::uint32_t> used(plan_.groups.size() + 1);
    for (std::uint32_t block = 0; block < code.start.size(); ++block)
        if (const std::uint32_t unit = plan_.group_of[block]; entered_[code.start[block]])
            plan_.entries.push_back({code.start[block], unit, used[unit]++});
}

void NativeUnits::find_kept() {
    std::array<std::uint32_t, 257> uses{};
    std::bitset<257> otherwise;
    for (std::uint32_t at = 0; at < image_.text.size(); ++at) {
        const OpInfo &row = info(op_at(image_, at));
        const unsigned r = image_.text[at] & 0xffu;
        if (row.operand == OperandKind::Reg) ++uses[r];
        if (row.operand == OperandKind::Reg && ((row.reads | row.writes) & Floats) != 0) otherwise.set(r);
        if (row.operand == OperandKind::Pair) otherwise.set(r).set(r + 1);
    }
    for (std::uint32_t r = 0; r < 256; ++r)
        if (uses[r] != 0 && !otherwise[r]) kept_.push_back(r);
    std::ranges::stable_sort(kept_, std::greater{}, [&](std::uint32_t r) { return uses[r]; });
    if (kept_.size() > integers_) kept_.resize(integers_);
}

void NativeUnits::find_live() {
    live_ = live_accumulators(image_, plan_);
    for (const CodeBlocks::Address &address : plan_.code.addresses) live_anywhere_ |= live_[address.block];
}

/// Backwards, until nothing changes: most accumulators die in the block that sets them, so that is soon.
std::vector<std::uint8_t> live_accumulators(const Image &image, const BlockPlan &plan) {
    const CodeBlocks &code = plan.code;
    const auto blocks = static_cast<std::uint32_t>(code.start.size());
    const auto bits = [](std::uint32_t effects) {
        return static_cast<std::uint8_t>(((effects & Acc) != 0 ? acc_bit : 0) | ((effects & D) != 0 ? d_bit : 0));
    };
    std::vector<std::uint8_t> reads(blocks), writes(blocks);
    for (std::uint32_t block = 0; block < blocks; ++block)
        for (std::uint32_t at = code.start[block]; at < code.end(image, block); ++at) {
            const OpInfo &row = info(op_at(image, at));
            const std::uint8_t read = bits(row.reads) | ((row.writes & plan.stops) != 0 ? acc_bit : 0);
            reads[block] |= static_cast<std::uint8_t>(read & ~writes[block]);
            writes[block] |= bits(row.writes);
        }
    std::vector<std::uint8_t> live = reads;
    std::uint8_t anywhere = 0;
    for (bool changes = true; changes;) {
        changes = false;
        for (const CodeBlocks::Address &address : code.addresses) anywhere |= live[address.block];
        for (std::uint32_t block = blocks; block-- > 0;) {
            const std::uint32_t last = code.end(image, block) - 1;
            const Op op = op_at(image, last);
            std::uint8_t after = 0;
            if (const auto named = named_block(image, code, last)) after |= live[*named];
            if (!ends_block(op) && block + 1 < blocks) after |= live[block + 1];
            if (jumps_to_address(op)) after |= anywhere;
            const auto now = static_cast<std::uint8_t>(reads[block] | (after & ~writes[block]));
            changes |= now != live[block];
            live[block] = now;
        }
    }
    return live;
}

}  // namespace mog
