// run_program.cpp: the steps of a run in their order.
#include "runtime_host/run_program.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime_host/device.hpp"
#include "runtime_host/service_loop.hpp"
#include "runtime_host/sizes.hpp"
#include "runtime_host/startup.hpp"
#include "runtime_host/stats.hpp"
#include "support/files.hpp"

extern char **environ;

namespace mog {

namespace {

/// Writes all of it. Returns 0, or the errno that broke the stream; one other than that the reader left is told.
int write_all(int stream, std::string_view bytes, const std::function<void(std::string_view)> &say) {
    while (!bytes.empty()) {
        ssize_t n = write(stream, bytes.data(), bytes.size());
        if (n >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno == EAGAIN) {
            struct pollfd wait {
                stream, POLLOUT, 0
            };
            poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            const int failed = errno;
            if (failed != EPIPE && stream == STDOUT_FILENO)
                say(fmt::format("cannot write standard output: {}", std::strerror(failed)));
            return failed;
        }
    }
    return 0;
}

bool same_file(int a, int b) {
    struct stat x, y;
    return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/// Thousands of PEs may have a file open each.
void allow_many_files() {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

std::vector<std::string> environment_strings() {
    std::vector<std::string> strings;
    for (char **e = environ; *e; e++) strings.emplace_back(*e);
    return strings;
}

RunOutcome failed(RunFailure failure, const Error &error) {
    return {failure, error.text(), 0, {}};
}

}  // namespace

RunOutcome run_program(const Image &image, const Options &options, std::span<const std::string> arguments, bool fill,
                       const std::function<void(std::string_view)> &say) {
    auto begin = std::chrono::steady_clock::now();
    std::string device_id = options.device;
    if (options.trace) {
        // Only the reference machine traces.
        if (!device_id.empty() && device_id != "auto" && device_id != "reference")
            return failed(RunFailure::Input,
                          Error{fmt::format("--trace works on --device=reference, not on {}", device_id)});
        device_id = "reference";
    }
    Result<std::shared_ptr<const HostPaths>> paths = HostPaths::make(options.files);
    if (!paths) return failed(RunFailure::Input, paths.error());
    Result<std::unique_ptr<Device>> device = open_device(device_id, image);
    if (!device) return failed(RunFailure::Device, device.error());
    if (!options.profile.empty() && (*device)->info().id == "host") {
        // Its interpreter was compiled by mogcc, without counters.
        say("--profile: the interpreter for the device \"host\" does not count, so the reference machine runs the program");
        device = open_device("reference", image);
        if (!device) return failed(RunFailure::Device, device.error());
    }

    RunStats stats;
    stats.device = (*device)->info();
    stats.nproc = options.nproc ? options.nproc : fill ? std::max(1u, stats.device.fill_pes) : 1;
    if (options.stdin_mode == FileSystem::Stdin::Rank && options.stdin_rank >= stats.nproc)
        return failed(RunFailure::Input, Error{fmt::format("--stdin {}: there are only PEs 0 to {}", options.stdin_rank,
                                                           stats.nproc - 1)});
    Result<std::uint32_t> bytes = choose_memory(image, stats.device, stats.nproc, options.memory);
    if (!bytes) return failed(RunFailure::Input, bytes.error());
    stats.data_bytes = *bytes;
    stats.bytes_per_pe = (*device)->bytes_per_pe(image, *bytes / 4);

    LoadConfig load;
    load.nproc = stats.nproc;
    load.data_words = *bytes / 4;
    load.count = options.count || (options.stats != Options::Stats::None && stats.device.id == "reference");
    load.fuel = options.fuel != 0;
    load.profile = !options.profile.empty();
    load.engine = options.engine;
    load.doubles = options.doubles;
    load.warp = options.warp;
    load.work_group = options.work_group;
    if (options.trace) {
        load.trace = [](std::string_view line) { std::fwrite(line.data(), 1, line.size(), stderr); };
        load.trace_ranks = options.trace_ranks;
    }
    Result<std::vector<std::uint32_t>> startup = make_startup(arguments, environment_strings(), *bytes);
    if (!startup) return failed(RunFailure::Input, startup.error());
    load.startup = *std::move(startup);
    if (Result<void> loaded = (*device)->load(image, load); !loaded) return failed(RunFailure::Device, loaded.error());

    allow_many_files();
    std::signal(SIGPIPE, SIG_IGN);  // a PE whose reader left gets the signal, not we
    RunConfig config;
    config.nproc = stats.nproc;
    config.data_words = load.data_words;
    config.slice = options.slice;
    config.timeout = options.timeout;
    config.fuel = options.fuel;
    config.abort_on_fault = options.abort_on_fault;
    config.cores = options.cores;
    config.cores.program = std::filesystem::path(arguments.empty() ? "" : arguments.front()).filename().string();
    config.cores.arguments = fmt::format("{}", fmt::join(arguments, " "));
    config.output = {stats.nproc, options.tag_output, same_file(STDOUT_FILENO, STDERR_FILENO),
                     [&](int stream, std::string_view text) { return write_all(stream, text, say); }};
    config.stdin_mode = options.stdin_mode;
    config.stdin_rank = options.stdin_rank;
    config.paths = *std::move(paths);
    config.strace = options.strace;
    config.strace_ranks = options.strace_ranks;
    // The program names its sources; one that may see no file of ours shall not have them quoted either.
    config.show_source = options.files.root.empty() && !options.files.no_files;
    config.memory_hint = fmt::format("--mem SIZE or MOG_MEM, now {}", format_size(*bytes));
    config.say = say;
    stats.startup_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    ServiceLoop loop(**device, image, std::move(config));
    Result<RunResult> result = loop.run();
    if (!result) return failed(RunFailure::Device, result.error());
    stats.run = *std::move(result);
    RunOutcome outcome;
    outcome.status = stats.run.status;
    if (options.stats != Options::Stats::None) {
        Result<DeviceStats> engine = (*device)->stats();
        if (!engine) return failed(RunFailure::Device, engine.error());
        stats.engine = *std::move(engine);
        outcome.stats = options.stats == Options::Stats::Json ? stats_as_json(stats) : stats_as_text(stats);
    }
    if (load.profile) {
        Result<RunCounts> counts = (*device)->counts();
        if (!counts) return failed(RunFailure::Device, counts.error());
        const std::string name = std::filesystem::path(arguments.front()).filename().string();
        Result<void> written = write_text_file(options.profile, write_profile(make_profile(image, *counts, name, stats.nproc)));
        if (!written) return failed(RunFailure::Input, written.error());
    }
    return outcome;
}

}  // namespace mog
