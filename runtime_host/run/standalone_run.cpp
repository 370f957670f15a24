// standalone_run.cpp: a run that has the process to itself: its streams, its environment, its limits.
#include "runtime_host/run/standalone_run.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "runtime_host/checkpoint/checkpointer.hpp"
#include "runtime_host/checkpoint/resume.hpp"
#include "runtime_host/mpi/tools/statistics.hpp"
#include "runtime_host/mpi/transport/bridge.hpp"
#include "runtime_host/run/interrupt.hpp"
#include "runtime_host/watch/progress_report.hpp"
#include "runtime_host/watch/watch.hpp"
#include "runtime_host/watch/watch_socket.hpp"
#include "support/files/files.hpp"
#include "support/say.hpp"

extern char **environ;

namespace mog {

namespace {

/// Thousands of PEs may have a file open each.
void allow_many_files() {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    constexpr rlim_t most_host_files = 1 << 20;  // each costs the kernel some hundred bytes
    limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, most_host_files));
    setrlimit(RLIMIT_NOFILE, &limit);
}

std::vector<std::string> environment_strings() {
    std::vector<std::string> strings;
    for (char **e = environ; *e; e++) strings.emplace_back(*e);
    return strings;
}

RunOutcome failed(RunFailure failure, const Error &error) { return {failure, error.text(), 0, {}, false, {}}; }

/// What was asked for about MPI: into `stats`, and into the file of the picture.
Result<void> tell_mpi(const ProgramRun &run, const mpi::Settings &settings, std::string &stats,
                      const std::function<void(std::string_view)> &say) {
    const ServiceLoop &loop = run.loop();
    using Wanted = mpi::Settings::Statistics;
    const bool is_wanted = settings.statistics != Wanted::None || !settings.matrix.empty() || !settings.trace.empty();
    if (is_wanted && !loop.has_called_mpi()) say("--mpi-stats, --mpi-matrix, --mpi-trace: the program called no function of MPI");
    const mpi::Statistics *statistics = loop.mpi_statistics();
    if (!statistics) return {};
    if (settings.statistics == Wanted::Json) stats += statistics->as_json();
    if (settings.statistics == Wanted::Text) stats += statistics->as_text();
    return run.write_mpi_matrix();
}

/// What is written to our streams is written around the line that shows how far the run is.
void write_around(ProgressReport &progress, RunConfig &config) {
    config.output.sink = [&progress, write = config.output.sink](int stream, std::string_view bytes) {
        return progress.around(stream, bytes, [&] { return write(stream, bytes); });
    };
    for (std::function<void(std::string_view)> *say : {&config.say, &config.trace})
        *say = [&progress, write = *say](std::string_view text) { progress.around(STDERR_FILENO, "\n", [&] { return write(text), 0; }); };
}

ProgressReport::OfDevice ask_for_progress(Device &device) {
    ProgressReport::OfDevice told;
    const Result<DeviceStats> stats = device.stats();
    if (!stats) return told;
    if (stats->counted) told.instructions = stats->executed;
    if (stats->native) told.functions = stats->native->functions;
    return told;
}

RunOutcome run_with(const StandaloneProgram &program, const Options &options, const std::function<void(std::string_view)> &say,
                    mpi::Bridge *bridge) {
    static Cancel cancel;  // outlives runs that are left unfinished
    static Watch watch;
    watch_by_signal(watch);
    const std::span<const std::string> arguments = program.arguments;
    const Resumption *const resumption = program.resumption;
    std::optional<Checkpointer> checkpointer;
    RunConfig config;
    config.options = options;
    config.fill = program.fill;
    config.arguments = std::make_shared<const std::vector<std::string>>(arguments.begin(), arguments.end());
    config.program = program.file;
    config.replays = program.recording;
    config.goes_on = resumption != nullptr;
    if (resumption && resumption->settings.sweep) config.sweep = std::make_shared<const Sweep>(*resumption->settings.sweep);
    config.environment = std::make_shared<const std::vector<std::string>>(environment_strings());
    config.output = to_standard_streams(say);
    // Runs of a sweep that begin later find what the others found.
    if (config.sweep) config.environment = std::make_shared<const std::vector<std::string>>(resumption->settings.environment);
    if (!options.checkpoint.file.empty()) {
        const std::filesystem::path place(options.checkpoint.file);
        checkpointer.emplace(options.checkpoint, bridge ? place_of_part(place, bridge->process()) : place, program.file,
                             resumption ? &resumption->reader : nullptr, say);
        config.output = checkpointer->counting(std::move(config.output));
        config.pause = checkpointer->pause();
    }
    config.say = say;
    config.bridge = bridge;
    if (!bridge) config.cancel = &cancel;
    config.cancel_is_interrupt = true;
    config.watch = &watch;
    config.trace = [](std::string_view line) { std::fwrite(line.data(), 1, line.size(), stderr); };

    const bool is_first = !bridge || bridge->process() == 0;
    Result<std::unique_ptr<ProgressReport>> made = ProgressReport::make(options.progress, (program.fill || resumption) && is_first);
    if (!made) return failed(RunFailure::Input, made.error());
    // Outlives runs that are left unfinished.
    static std::unique_ptr<ProgressReport> progress;
    progress = *std::move(made);
    static ProgramRun *loaded_run = nullptr;
    const auto of_device = [] { return ask_for_progress(loaded_run->device()); };
    if (progress) {
        write_around(*progress, config);
        config.progress = [of_device](const RunProgress &now) { progress->tell(now, of_device); };
    }
    auto owned = std::make_unique<ProgramRun>(program.image, std::move(config));
    ProgramRun &run = *owned;
    loaded_run = &run;
    if (Result<void> loaded = run.load(); !loaded) return failed(run.failure(), loaded.error());
    allow_many_files();
    if (resumption)
        if (Result<void> resumed = resume_run(resumption->reader, resumption->settings, run.device(), program.image, run.loop(), say);
            !resumed)
            return failed(RunFailure::Input, resumed.error());
    std::signal(SIGPIPE, SIG_IGN);  // a PE whose reader left gets the signal, not we
    if (options.timeout > 0 && options.timeout < 1e9)
        say_until(std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                         std::chrono::duration<double>(options.timeout) + 2 * Deadline::grace));
    const Result<bool> ended = [&] {
        // Of several processes their launcher ends all. A program that is run by itself ends as any other does.
        std::optional<Interrupt> interrupt;
        if (!bridge) interrupt.emplace(cancel, program.fill || resumption ? &watch : nullptr);
        const std::string name = std::filesystem::path(arguments.empty() ? "" : arguments.front()).filename().string();
        const std::unique_ptr<WatchSocket> socket = WatchSocket::open(watch, fmt::format("{} (process {}): ", name, getpid()));
        return checkpointer ? checkpointer->run(run.loop(), run.device(), program.image, run.config()) : run.loop().run_for({});
    }();
    if (progress) {
        const int status = !ended ? 3 : *ended ? run.loop().result().status : Checkpointer::stopped_status;
        progress->finish(run.loop().progress(), of_device, status);
    }
    if (!ended) return failed(RunFailure::Device, ended.error());
    RunOutcome outcome;
    outcome.status = *ended ? run.loop().result().status : Checkpointer::stopped_status;
    if (!*ended && is_first)
        say(fmt::format("stopped by SIGTERM; {}mogrun --resume={} goes on", bridge ? fmt::format("mpirun -n {} ", bridge->processes()) : "",
                        options.checkpoint.file));
    if (Result<void> told = *ended ? run.tell_runs(say) : Result<void>(); !told) return failed(RunFailure::Input, told.error());
    outcome.is_interrupted = run.loop().is_cancelled();
    if (options.stats != Options::Stats::None) {
        Result<RunStats> stats = run.stats();
        if (!stats) return failed(RunFailure::Device, stats.error());
        outcome.stats = options.stats == Options::Stats::Json ? stats_as_json(*stats) : stats_as_text(*stats);
    }
    // Of several processes the first one knows it all.
    if (Result<void> told = is_first ? tell_mpi(run, options.mpi, outcome.stats, say) : Result<void>(); !told)
        return failed(RunFailure::Input, told.error());
    if (!options.profile.empty()) {
        Result<RunCounts> counts = run.device().counts();
        if (!counts) return failed(RunFailure::Device, counts.error());
        const std::string name = std::filesystem::path(arguments.front()).filename().string();
        Result<void> written = run.write_profile(write_profile(make_profile(program.image, *counts, name, run.nproc())));
        if (!written) return failed(RunFailure::Input, written.error());
    }
    if (Result<void> written = run.write_profile_report(); !written) return failed(RunFailure::Input, written.error());
    if (!bridge && run.device().is_busy()) outcome.unfinished = std::move(owned);
    return outcome;
}

}  // namespace

void end_world(mpi::Bridge &bridge, const std::function<void(std::string_view)> &say, const RunOutcome &outcome) {
    if (bridge.is_closed()) return;
    constexpr std::chrono::milliseconds turn{300};
    if (bridge.process() != 0) std::this_thread::sleep_for(turn);
    say(outcome.message);
    // Launchers take what was printed from pipes, and some drop it when they end processes.
    std::this_thread::sleep_for(turn / 3);
    bridge.abort(outcome.failure == RunFailure::Input ? 1 : 3);
}

RunOutcome run_standalone(const StandaloneProgram &program, const Options &options, const std::function<void(std::string_view)> &say) {
    std::unique_ptr<mpi::Bridge> opened;
    if (!program.resumption) {
        Result<std::unique_ptr<mpi::Bridge>> bridge = mpi::Bridge::open();
        if (!bridge) return failed(RunFailure::Input, bridge.error());
        opened = *std::move(bridge);
    }
    mpi::Bridge *const bridge = program.resumption ? program.resumption->bridge : opened.get();
    RunOutcome outcome = run_with(program, options, say, bridge);
    if (bridge && outcome.failure != RunFailure::None) end_world(*bridge, say, outcome);
    if (bridge && !bridge->is_closed()) bridge->close();
    return outcome;
}

}  // namespace mog
