// kernel_parts.hpp: a kernel for CUDA as sources that are compiled apart and linked: the interpreter of any program, which is the same for
// all; groups of compiled blocks, each the same for all programs that have its code, such as those of the C library; and a table of what is
// the program's own.
#pragma once

#include <string>
#include <vector>

#include "assembler/blocks/block_choice.hpp"
#include "assembler/blocks/block_plan.hpp"
#include "assembler/emit/any_program.hpp"
#include "assembler/order/ordering.hpp"
#include "support/result.hpp"

namespace mog {

/// A run's options decide about all parts alike, so they are compiled with the same ones.
struct KernelParts {
    std::string own;                  ///< the program's: symbols' values, the way into the groups, and perhaps the rest of the kernel
    std::vector<std::string> shared;  ///< by content: another program may bring the same
};

/// Whether a program can have its kernel so: it has no spaces of its own.
bool can_have_parts(const Image &image);
/// The interpreter of any program, and each of the plan's groups, are shared. The plan has libraries apart (LibraryGroups).
Result<KernelParts> kernel_of_parts(const Image &image, const BlockPlan &plan, const RunSizes &run);
/// The interpreter, in `order`, and other groups are the program's own, in one piece; those that are apart by `libraries`, which the plan
/// was made with, are shared.
Result<KernelParts> kernel_with_libraries(const Image &image, const Order &order, const BlockPlan &plan, LibraryGroups libraries,
                                          const RunSizes &run);

}  // namespace mog
