// known_targets.hpp: where jumps through registers in compiled blocks are likely to lead.
#pragma once

#include <cstdint>
#include <vector>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/image/image.hpp"

namespace mog {

struct CodeAddress {
    std::uint32_t address, to;  ///< as the program sees it, and the TEXT index
};

/// The places within the group to which the `j` at TEXT index `at` may go: a return, to behind the calls of its
/// function; a call, to the beginnings of functions that have a code address; other jumps, to the cases of a switch. Those are all
/// that the compiled code decides by itself; other addresses are looked up. A few hundred at most.
std::vector<CodeAddress> known_targets(const Image &image, const BlockPlan &plan, std::uint32_t group, std::uint32_t at);

/// Whether a function (by its place in code.functions) may be called through a register.
bool has_address(const CodeBlocks &code, std::uint32_t function);

}  // namespace mog
