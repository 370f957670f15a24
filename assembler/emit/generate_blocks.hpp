// generate_blocks.hpp: compiled blocks as source.
#pragma once

#include <functional>
#include <string>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/image/image.hpp"

namespace mog {

enum class BlockForm : std::uint8_t {
    thread,  ///< for blocks.c: a PE runs through the code by itself
    warp,    ///< for blocks.c on a GPU: lanes of a warp do, and meet again where convergence.hpp says
    lanes,   ///< for lanes.c: several PEs do, and part and meet at any block
};

/// Whether the group of this number is to be there; empty: all are.
using IsHere = std::function<bool(std::uint32_t)>;

/// The functions of the plan's groups: what stands in blocks.c or lanes.c for `//@ GROUPS`.
std::string group_functions(const Image &image, const BlockPlan &plan, BlockForm form, const IsHere &is_here = {});
/// Before them, where they are compiled in parts: what each part knows of the others.
std::string group_declarations(const BlockPlan &plan);
/// How they are called: what stands there for `//@ CALLS`.
std::string group_calls(const BlockPlan &plan, const IsHere &is_here = {});

}  // namespace mog
