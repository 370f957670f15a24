// generate_blocks.hpp: compiled blocks as source.
#pragma once

#include <map>
#include <string>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/image/image.hpp"

namespace mog {

enum class BlockForm : std::uint8_t {
    thread,  ///< for blocks.c: a PE runs through the code by itself
    warp,    ///< for blocks.c on a GPU: lanes of a warp do, and meet again where convergence.hpp says
    lanes,   ///< for lanes.c: several PEs do, and part and meet at any block
};

/// Groups of a plan that are compiled apart, in CUDA C++, and linked (kernel_parts.hpp).
struct LinkedGroups {
    std::map<std::uint32_t, std::string> names;  ///< by number in the plan
    std::string symbols;                         ///< definitions of what they lack
};

/// The functions of the plan's groups that are not linked: what stands in blocks.c or lanes.c for `//@ GROUPS`.
std::string group_functions(const Image &image, const BlockPlan &plan, BlockForm form, const LinkedGroups &linked = {});
/// Before them, where they are compiled in parts: what each part knows of the others.
std::string group_declarations(const BlockPlan &plan);
/// How they are called: what stands there for `//@ CALLS`.
std::string group_calls(const BlockPlan &plan, const LinkedGroups &linked = {});
/// The same of those that are linked, in the words of form_linked.h: what they are, and how they are called.
std::string linked_declarations(const Image &image, const LinkedGroups &linked);
std::string linked_calls(const LinkedGroups &linked);

}  // namespace mog
