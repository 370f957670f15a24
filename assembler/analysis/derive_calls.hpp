// derive_calls.hpp: what calls, returns and code addresses of a program are, where nobody said so.
#pragma once

#include "assembler/ir/mog_program.hpp"

namespace mog {

/// For programs written by hand: finds calls, returns and kinds of entries by the patterns that compilers write. The translator knows
/// and says them, and this is the only place that guesses.
///
///     li back; sr $ra; ...; ja f      in one block, with 7 instructions between at most: a call, unless the program ends there
///     li back; sr $ra; ...; j         likewise
///     lr $ra; j                       a return
///     back: .map                      whose address such a call sets: an entry for returns
///     f: .map                         with a symbol for code at its address: an entry of a function
///
/// Jumps that are not plain stay as they are. Blocks that match nothing have entries of the kind that says least, Label.
void derive_calls(MogProgram &program);

}  // namespace mog
