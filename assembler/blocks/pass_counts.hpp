// pass_counts.hpp: where compiled blocks count the instructions of a slice, and ask whether enough of them are left.
//
// A slice ends after exactly so many instructions. To ask in every block would cost a comparison and a subtraction each, of a
// counter that seldom finds a register. It is enough to ask where control comes in and where it comes back to, for all that may
// follow until the next question; and to count there what is likely to follow, so that only unlikely ways correct it. (Placing
// counts on few edges of a flow graph: Ball and Larus, "Optimally profiling and tracing programs", 1994.)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/blocks/group_cfg.hpp"
#include "assembler/image/image.hpp"

namespace mog {

class PassCounts {
public:
    /// Of a group with this flow, which outlives this.
    PassCounts(const Image &image, const BlockPlan &plan, std::uint32_t group, const GroupCfg &flow);

    /// Whether it is asked at the beginning of this block, however control comes there. Elsewhere it is where control comes in.
    bool asks(std::uint32_t block) const { return of(block).asks; }
    /// How many instructions there must be left then.
    std::uint32_t needed(std::uint32_t block) const { return of(block).longest; }
    /// What has been counted for this block and those after it when its first instruction is executed.
    std::uint32_t counted(std::uint32_t block) const { return of(block).counted; }
    /// What is to be counted on the way from the end of one block to the beginning of another, or out of the group; often 0.
    std::int32_t due(std::uint32_t from, std::optional<std::uint32_t> to) const;

private:
    struct Block {
        std::uint32_t longest = 0;  ///< instructions from its beginning to the next question, on the longest way
        std::uint32_t counted = 0;  ///< on the likely way
        bool asks = false;
    };
    bool here(std::uint32_t block) const { return plan_.group_of[block] == group_; }
    const Block &of(std::uint32_t block) const { return blocks_[block - first_]; }
    std::uint32_t size(std::uint32_t block) const { return plan_.code.end(image_, block) - plan_.code.start[block]; }

    const Image &image_;
    const BlockPlan &plan_;
    std::uint32_t group_, first_;
    std::vector<Block> blocks_;  ///< from first_ on; also of blocks between them that are not of the group
};

}  // namespace mog
