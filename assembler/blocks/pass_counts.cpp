// pass_counts.cpp: backwards, from what follows to what comes before it.
#include "assembler/blocks/pass_counts.hpp"

#include <algorithm>

#include "assembler/analysis/loops.hpp"

namespace mog {
namespace {

/// No question is for more instructions; with fewer left in a slice, the interpreter goes on.
constexpr std::uint32_t most_needed = 1000;

}  // namespace

PassCounts::PassCounts(const Image &image, const BlockPlan &plan, std::uint32_t group, const GroupCfg &flow)
    : image_(image), plan_(plan), group_(group), first_(plan.groups[group - 1].blocks.front()) {
    blocks_.resize(plan.groups[group - 1].blocks.back() - first_ + 1);
    for (const std::uint32_t head : flow.heads()) blocks_[head - first_].asks = true;
    const std::vector<std::uint32_t> &blocks = plan.groups[group - 1].blocks;
    const LoopForest loops(flow.graph(GroupCfg::Ways::in_function));
    const auto node_of = [&](std::uint32_t block) {
        return static_cast<Graph::Node>(std::ranges::lower_bound(blocks, block) - blocks.begin());
    };
    const auto leaves_loop = [&](std::uint32_t block, std::uint32_t next) {
        const std::uint32_t loop = loops.innermost(node_of(block));
        return loop != LoopForest::none && !loops.contains(loop, node_of(next));
    };
    for (auto block = flow.order().rbegin(); block != flow.order().rend(); ++block) {
        Block &self = blocks_[*block - first_];
        self.longest = self.counted = size(*block);
        std::optional<std::uint32_t> likely;
        for (const std::uint32_t next : flow.successors(*block, GroupCfg::Ways::all)) {
            Block &other = blocks_[next - first_];
            if (!other.asks && size(*block) + other.longest > most_needed) other.asks = true;
            if (!other.asks) self.longest = std::max(self.longest, size(*block) + other.longest);
            // Where nothing is known of how often they are executed, loops go on.
            if (!likely || plan.executed[next] > plan.executed[*likely] ||
                (plan.executed[next] == plan.executed[*likely] && leaves_loop(*block, *likely) && !leaves_loop(*block, next)))
                likely = next;
        }
        if (likely && !of(*likely).asks) self.counted += of(*likely).counted;
    }
}

std::int32_t PassCounts::due(std::uint32_t from, std::optional<std::uint32_t> to) const {
    const std::uint32_t at_end = of(from).counted - size(from);
    const std::uint32_t wanted = to && here(*to) && !of(*to).asks ? of(*to).counted : 0;
    return static_cast<std::int32_t>(wanted - at_end);
}

}  // namespace mog
