// known_targets.hpp: where jumps through registers in compiled blocks are likely to lead.
#pragma once

#include <cstdint>
#include <vector>

#include "assembler/block_plan.hpp"
#include "assembler/image.hpp"

namespace mog {

struct CodeAddress {
    std::uint32_t address, to;  ///< as the program sees it, and the TEXT index
};

/// The places within the group to which the `j` at TEXT index `at` may go: a return, to behind the calls of its
/// function; other jumps but calls, to the cases of a switch. Those are all that the compiled code decides by itself; other
/// addresses are looked up. A few hundred at most.
std::vector<CodeAddress> known_targets(const Image &image, const BlockPlan &plan, std::uint32_t group, std::uint32_t at);

}  // namespace mog
