// guarded_regions.hpp: loops of a group that lanes are given a second copy of, for when all of them go through it together.
//
// In the copy, what is the same in all lanes is computed once, as scalars: addresses, whether they are good, branches, counters. What makes
// that right is a guard where control comes in: all lanes of the warp are there, and the variables on which those scalars rest are the same
// in all of them. (lane_uniformity.hpp says which.) They leave together, too.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "assembler/blocks/group_plan.hpp"
#include "assembler/blocks/lane_uniformity.hpp"

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

    const Block *find(std::uint32_t block) const;
    /// Whether some of the lanes have blocks of their own in it.
    bool has_some() const;
};

/// What an instruction at a TEXT index is there.
LaneStep lane_step(const GroupPlan &group, std::uint32_t at);

/// The regions of a group: loops without calls and jumps through registers whose branches all come out the same if some variables are
/// the same at the head, the outermost of each nest; some blocks may be for some of the lanes (`joins`).
std::vector<GuardedRegion> find_guarded_regions(const GroupPlan &group);

}  // namespace mog
