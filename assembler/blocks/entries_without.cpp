// entries_without.cpp: see entries_without.hpp. Images have the entries of groups, but not which blocks are in them: that is followed
// from the entries. Control goes to a block of another group by an entry of that one, and to what is not compiled by leaving.
#include "assembler/blocks/entries_without.hpp"

#include <algorithm>
#include <map>

#include "assembler/image/encode.hpp"
#include "assembler/profile/execution.hpp"

namespace mog {

std::vector<std::uint32_t> entries_without(const Image &image, std::span<const std::uint32_t> entries, const std::vector<bool> &compiled,
                                           std::span<const std::uint32_t> places) {
    using u32 = std::uint32_t;
    std::vector<u32> left(entries.begin(), entries.end());
    if (places.empty() || std::ranges::all_of(entries, [](u32 entry) { return entry == 0; })) return left;
    const CodeBlocks blocks = code_blocks(image);
    const auto count = static_cast<u32>(blocks.start.size());
    std::vector<bool> has_place(count);
    for (const u32 at : places)
        if (at < image.text.size()) has_place[blocks.block_of[at]] = true;
    const auto is_compiled = [&](u32 block) { return compiled.empty() || compiled[blocks.start[block]]; };
    const auto group_at = [&](u32 block) { return entries[blocks.start[block]] >> 16; };
    std::map<u32, std::vector<u32>> by_group;
    for (u32 block = 0; block < count; block++)
        if (const u32 group = group_at(block); group != 0) by_group[group].push_back(block);

    std::vector<u32> seen_by(count);
    const auto is_in = [&](u32 group, std::vector<u32> open) {
        const auto come = [&](u32 block) {
            if (block >= count || seen_by[block] == group || !is_compiled(block)) return;
            if (const u32 other = group_at(block); other != 0 && other != group) return;
            seen_by[block] = group;
            open.push_back(block);
        };
        for (const u32 block : open) seen_by[block] = group;
        while (!open.empty()) {
            const u32 block = open.back(), last = blocks.end(image, block) - 1;
            open.pop_back();
            if (has_place[block]) return true;
            if (const std::optional<u32> target = named_block(image, blocks, last)) come(*target);
            // Behind a call control comes back; a return, or a call through a register, goes to entries.
            if (!ends_block(op_at(image, last)) || is_call(image, last)) come(block + 1);
            if (!jumps_to_address(op_at(image, last)) || is_return(image, last) || is_call(image, last)) continue;
            const CodeBlocks::Function &function = blocks.functions[blocks.function[block]];
            for (u32 i = 0; i < function.blocks; i++) come(function.first_block + i);  // one of them may be a case of a switch
        }
        return false;
    };
    for (const auto &[group, of_group] : by_group)
        if (is_in(group, of_group))
            for (const u32 block : of_group) left[blocks.start[block]] = 0;
    return left;
}

}  // namespace mog
