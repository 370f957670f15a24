// pass_counts.cpp: from the last block to the first one, for all ways back lead to entries.
#include "assembler/pass_counts.hpp"

#include <algorithm>

namespace mog {
namespace {

/// No question is for more instructions; with fewer left in a slice, the interpreter goes on.
constexpr std::uint32_t most_needed = 1000;

}  // namespace

PassCounts::PassCounts(const Image &image, const BlockPlan &plan, std::uint32_t group, const std::vector<std::uint32_t> &entries)
    : image_(image), plan_(plan), group_(group), first_(plan.groups[group - 1].blocks.front()) {
    const std::vector<std::uint32_t> &blocks = plan.groups[group - 1].blocks;
    blocks_.resize(blocks.back() - first_ + 1);
    for (const std::uint32_t at : entries) blocks_[plan.code.block_of[at] - first_].asks = true;
    for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
        Block &self = blocks_[*block - first_];
        self.longest = self.counted = size(*block);
        std::optional<std::uint32_t> likely;
        for (const std::uint32_t next : successors(*block)) {
            Block &other = blocks_[next - first_];
            if (!other.asks && size(*block) + other.longest > most_needed) other.asks = true;
            if (!other.asks) self.longest = std::max(self.longest, size(*block) + other.longest);
            if (!likely || plan.executed[next] > plan.executed[*likely]) likely = next;
        }
        if (likely && !of(*likely).asks) self.counted += of(*likely).counted;
    }
}

std::int32_t PassCounts::due(std::uint32_t from, std::optional<std::uint32_t> to) const {
    const std::uint32_t at_end = of(from).counted - size(from);
    const std::uint32_t wanted = to && here(*to) && !of(*to).asks ? of(*to).counted : 0;
    return static_cast<std::int32_t>(wanted - at_end);
}

std::vector<std::uint32_t> PassCounts::successors(std::uint32_t block) const {
    const std::uint32_t last = plan_.code.end(image_, block) - 1;
    std::vector<std::uint32_t> found;
    if (const auto named = named_block(image_, plan_.code, last); named && here(*named)) found.push_back(*named);
    if (!ends_block(op_at(image_, last)) && block + 1 < plan_.code.start.size() && here(block + 1)) found.push_back(block + 1);
    return found;
}

}  // namespace mog
