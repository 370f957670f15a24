// derive_calls.hpp: what calls, returns and code addresses of a program are, where nobody said so.
#pragma once

#include "assembler/ir/mog_program.hpp"

namespace mog {

/// For programs written by hand: finds calls, returns and kinds of entries by the patterns that compilers write. The
/// translator knows and says them, and this is the only place that guesses.
///
/// - `li back; sr $ra; ...; ja f`, or `j`, in one block and with 7 instructions between at most: a call, unless the
///   program ends there
/// - `lr $ra; j`: a return
/// - a block with the code address that the call right before it sets: an entry for returns
/// - one with a symbol for code at its address: an entry of a function
///
/// Jumps that are not plain stay as they are. Other blocks have entries of the kind that says least, Label.
void derive_calls(MogProgram &program);

}  // namespace mog
