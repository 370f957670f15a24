// standalone_run.hpp: one run of a program, from the image to the exit status: device, memory, launch, service,
// statistics.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "assembler/image/image.hpp"
#include "runtime_host/run/program_run.hpp"

namespace mog {

struct RunOutcome {
    RunFailure failure = RunFailure::None;
    std::string message;          ///< of the failure: one sentence
    int status = 0;               ///< of the program
    std::string stats;            ///< what --stats asked for, whole lines
    bool is_interrupted = false;  ///< SIGINT ended it: so it should end the process, once all is said
    /// The run, if its device does something on the side that nobody can stop (Device::is_busy): to destroy it would be to wait, so the
    /// process ends without.
    std::unique_ptr<ProgramRun> unfinished{};
};

/// Runs the program. `arguments` begins with the program's name. `say` gets messages about PEs, a line each, without
/// newline. `fill`: without a number of PEs fill the device instead of running one.
RunOutcome run_standalone(const Image &image, const Options &options, std::span<const std::string> arguments, bool fill,
                          const std::function<void(std::string_view)> &say);

}  // namespace mog
