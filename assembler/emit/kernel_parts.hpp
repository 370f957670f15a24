// kernel_parts.hpp: a kernel for CUDA as sources that are compiled apart and linked: the interpreter of any program, which is the same for
// all; groups of compiled blocks, each the same for all programs that have its code, such as those of the C library; and a table of what is
// the program's own.
#pragma once

#include <string>
#include <vector>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/emit/any_program.hpp"
#include "support/result.hpp"

namespace mog {

/// A run's options decide about all parts alike, so they are compiled with the same ones.
struct KernelParts {
    std::string table;                ///< symbols' values, and the way into the groups
    std::vector<std::string> shared;  ///< the interpreter first. By content: another program may bring the same.
};

/// Whether a program can have its kernel so: it has no spaces of its own.
bool can_have_parts(const Image &image);
/// With the plan's groups. LibraryGroups' functions have groups of their own if the plan is one for parts (sampled_choice.hpp).
Result<KernelParts> kernel_parts(const Image &image, const BlockPlan &plan, const RunSizes &run);

}  // namespace mog
