// step.hpp: a step of gcc's, with a translation of Cilk before or after it.
#pragma once

#include <string>
#include <string_view>

#include "support/result.hpp"
#include "support/subprocess.hpp"

namespace mog {

/// Runs a command as gcc's -wrapper. `how`: a name of a form, and +E behind it if preprocessed text is what is asked for. Compilers of C
/// get their input translated. The exit status.
Result<int> run_cilk_step(std::string_view how, Command command);

}  // namespace mog
