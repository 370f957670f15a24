// random_program.hpp: programs with everything a program can have, for tests of what is each other's inverse.
#pragma once

#include "assembler/ir/mog_program.hpp"
#include "support/random.hpp"

namespace mog::test {

/// A program of `blocks` blocks that encode() accepts. The same random state gives the same program. Blocks are
/// numbered by place.
MogProgram random_program(Random &random, std::size_t blocks);

/// The fields that are compared one by one, so that a failure tells which differs.
bool same_blocks(const MogProgram &a, const MogProgram &b);
bool same_rest(const MogProgram &a, const MogProgram &b);

}  // namespace mog::test
