// find_frames.hpp: where each piece of code keeps its frame, for backtraces.
#pragma once

#include "translator/mips/mips_program.hpp"

namespace mog {

/// Fills the frame rules of the program's segments by following $sp, $fp and the saved $ra through the code of each
/// function. No debugging information is needed, so libraries and hand-written assembly have rules too.
void find_frames(ElfProgram &program);

}  // namespace mog
