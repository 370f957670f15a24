// guarded_regions.hpp: loops of a group that lanes are given a second copy of, for when all of them go through it together.
//
// In the copy, what is the same in all lanes is computed once, as scalars: addresses, whether they are good, branches, counters. What makes
// that right is a guard where control comes in: all lanes of the warp are there, and the variables on which those scalars rest are the same
// in all of them. (assembler/divergence/together.hpp says which.) They leave together, too.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "assembler/blocks/group_plan.hpp"
#include "assembler/divergence/together.hpp"

namespace mog {

struct GuardedRegion {
    struct Block {
        std::uint32_t block = 0;             ///< of CodeBlocks
        RegisterSet differs;                 ///< variables that may differ at its beginning
        RegisterSet live;                    ///< that may be read from there on, in the region or behind it
        std::optional<std::uint32_t> joins;  ///< executed by those lanes that do not take the branch before it; the others are there
        bool is_head = false;                ///< of a loop, or behind a call: control may come in
        RegisterSet asked;                   ///< then: what has to be the same
        std::uint32_t scalars = 0;           ///< instructions that are executed as scalars
    };
    std::vector<Block> blocks;  ///< ascending
    RegisterSet written;        ///< variables that are written in it
    /// Loads of which it is asked whether all lanes got the same, ascending by TEXT index: else they leave, before the load.
    std::vector<std::uint32_t> confirmed;

    const Block *find(std::uint32_t block) const;
    /// Whether some of the lanes have blocks of their own in it.
    bool has_some() const;
    /// What the instruction at a TEXT index is in it.
    divergence::LaneStep step(const GroupPlan &group, std::uint32_t at) const;
};

/// Lanes of the CPU may leave copies in the middle of a block, so loads can be confirmed, and a loop may be in several copies, which are
/// tried from outside to inside; a warp of a GPU may not.
enum class CopiesFor : std::uint8_t { lanes, warps };

/// The regions of a group: loops without calls and jumps through registers whose branches all come out the same if some variables are
/// the same at the head, the outermost of each nest; some blocks may be for some of the lanes (`joins`). Behind them stand those of
/// frequent loops in these, of which less has to be the same.
std::vector<GuardedRegion> find_guarded_regions(const GroupPlan &group, CopiesFor whom);

}  // namespace mog
