// standalone_run.hpp: one run of a program, from the image to the exit status: device, memory, launch, service,
// statistics.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "assembler/image/image.hpp"
#include "runtime_host/checkpoint/checkpoint_file.hpp"
#include "runtime_host/checkpoint/settings.hpp"
#include "runtime_host/mpi/transport/bridge.hpp"
#include "runtime_host/replay/recording_file.hpp"
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

/// What a run goes on from.
struct Resumption {
    CheckpointReader &reader;
    const CheckpointSettings &settings;
    mpi::Bridge *bridge = nullptr;  ///< to the other processes, with whom it was found
};

/// What is run.
struct StandaloneProgram {
    const Image &image;
    std::filesystem::path file;              ///< it is in; absolute
    std::span<const std::string> arguments;  ///< the program's name first
    bool fill = false;                       ///< without a number of PEs fill the device instead of running one
    const Resumption *resumption = nullptr;  ///< null: it begins
    std::shared_ptr<Recording> recording{};  ///< of which a PE runs again; null: it is a run of its own
};

/// Of several processes, this one cannot go on, so that the others cannot either: all end. What all of them find, the first one tells.
void end_world(mpi::Bridge &bridge, const std::function<void(std::string_view)> &say, const RunOutcome &outcome);

/// Runs the program. `say` gets messages about PEs, a line each, without newline.
RunOutcome run_standalone(const StandaloneProgram &program, const Options &options, const std::function<void(std::string_view)> &say);

}  // namespace mog
