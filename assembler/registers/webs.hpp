// webs.hpp: a kernel whose variables are webs: each has only definitions and readings that belong together.
//
// A variable of a program may hold one thing here and another there, of which nothing flows from one to the other. Each is a variable
// of its own afterwards: the values that phis tie together (the way out of SSA form for code that was in it for its analysis only: values
// of one variable never live beside each other). What comes in from outside is copied once, in the first block.
#pragma once

#include <vector>

#include "assembler/divergence/kernel.hpp"

namespace mog::registers {

struct Webs {
    /// The same blocks, with the same instructions, and copies of what comes in in front of them. Code that nothing reaches is gone.
    divergence::Kernel kernel;
    std::size_t count = 0;                     ///< the first variables are webs, the others come in from outside and are only copied
    std::vector<divergence::Variable> origin;  ///< by variable: that of the kernel before
};

/// `kernel` passes its check().
Webs split_into_webs(const divergence::Kernel &kernel);

}  // namespace mog::registers
