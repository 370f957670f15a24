// subprocess.hpp: runs other programs and waits for them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace mog {

/// A command: the program (looked up in PATH unless it has a slash) and its arguments.
using Command = std::vector<std::string>;

/// The command as one line that a shell would read back: every word in double quotes, as gcc -### has it.
std::string quote(const Command &command);

/// Runs it with our standard streams. The exit status, or 128 + the signal that ended it. An error if it cannot start.
Result<int> run_command(const Command &command);

/// Runs them at the same time, as many as there are processors. The first exit status that is not 0, else 0. What each writes to standard
/// error comes as a whole, in their order.
Result<int> run_commands(const std::vector<Command> &commands);

/// Runs it and collects its standard output. An error if it cannot start or fails.
Result<std::string> capture_command(const Command &command);

/// True if the program is there: in PATH, or as a path with a slash.
bool program_exists(std::string_view program);

}  // namespace mog
