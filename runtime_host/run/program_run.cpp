// program_run.cpp: from options to PEs that are ready to run.
#include "runtime_host/run/program_run.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "assembler/image/spaces.hpp"
#include "runtime_host/config/sweep.hpp"
#include "runtime_host/device/arithmetic.hpp"
#include "runtime_host/device/host_room.hpp"
#include "runtime_host/device/kernel_cache.hpp"
#include "runtime_host/devices/group/device_list.hpp"
#include "runtime_host/devices/open_device.hpp"
#include "runtime_host/devices/slots/slotted_device.hpp"
#include "runtime_host/faults/faults.hpp"
#include "runtime_host/gdb/debugger.hpp"
#include "runtime_host/memory/memory_checker.hpp"
#include "runtime_host/mpi/tools/matrix_picture.hpp"
#include "runtime_host/mpi/transport/bridge.hpp"
#include "runtime_host/profile/collector.hpp"
#include "runtime_host/races/race_checker.hpp"
#include "runtime_host/replay/recorder.hpp"
#include "runtime_host/replay/replayer.hpp"
#include "runtime_host/run/run_profile.hpp"
#include "runtime_host/run/run_table.hpp"
#include "runtime_host/run/startup.hpp"
#include "support/files/files.hpp"
#include "support/sizes.hpp"

namespace mog {

namespace {

const std::vector<std::string> no_words;

const std::vector<std::string> &words_of(const Words &own, const Words &common) { return own ? *own : common ? *common : no_words; }

/// "there are only PEs 0 to 3"
std::string available_ranks(std::uint32_t count) {
    return count == 1 ? "there is only PE 0" : fmt::format("there are only PEs 0 to {}", count - 1);
}

/// What looks on at MPI, and who comes to marks, as Bridge::agree() compares it.
std::uint32_t watchers_of(const Options &options) {
    return (options.mpi.keeps_statistics() ? 1 : 0) | (options.mpi.trace.empty() ? 0 : 2) | (options.checkpoint.file.empty() ? 0 : 4);
}

}  // namespace

Result<void> ProgramRun::fail(RunFailure failure, Error error) {
    failure_ = failure;
    return error;
}

Result<void> ProgramRun::load(const FindDevice &find) {
    const auto begin = std::chrono::steady_clock::now();
    const Options &options = config_.options;
    Result<std::shared_ptr<const HostPaths>> paths = HostPaths::make(options.files);
    if (!paths) return fail(RunFailure::Input, paths.error());
    config_.paths = *std::move(paths);
    if (!options.record.empty())
        if (Result<void> fits = check_record(); !fits) return fail(RunFailure::Input, fits.error());
    if (config_.replays)
        if (Result<void> fits = check_replay(); !fits) return fail(RunFailure::Input, fits.error());
    MOG_TRY(open_result_files());
    MOG_TRY(open_device_for_run(find));
    stats_.device = device_->info();
    config_.nproc = options.nproc ? options.nproc : config_.fill ? std::max(1u, stats_.device.fill_pes) : 1;
    if (!options.sweep.is_empty()) MOG_TRY(make_sweep());
    MOG_TRY(join_world());
    MOG_TRY(check_ranks());
    if (options.stdin_mode == FileSystem::Stdin::Rank && options.stdin_rank >= config_.nproc)
        return fail(RunFailure::Input, Error{fmt::format("--stdin {}: {}{}", options.stdin_rank,
                                                         config_.bridge ? "launchers give standard input to process 0; in it " : "",
                                                         available_ranks(config_.nproc))});
    MOG_TRY(check_own_starts());
    // Threads of a process are on one device.
    const bool several_devices = stats_.device.id.find(',') != std::string::npos;
    config_.threads = several_devices && options.threads == 0 ? 1 : choose_threads(image_, stats_.device, config_.nproc, options.threads);
    if (config_.replays) config_.threads = config_.replays->head().threads;
    config_.advised_threads = options.threads != 0 ? options.threads : std::min(config_.threads, stats_.device.fill_pes);
    const std::uint32_t at_once = config_.slots ? config_.slots->slots() : config_.nproc;
    Result<std::uint32_t> bytes =
        config_.replays ? 4 * config_.replays->head().data_words
                        : choose_memory(image_, stats_.device, at_once, options.memory, config_.threads, options.threads != 0);
    if (!bytes) return fail(RunFailure::Input, bytes.error());
    config_.data_words = *bytes / 4;
    const Result<std::uint32_t> window = config_.replays ? config_.replays->head().window_bytes : choose_window(image_, options.window);
    if (!window) return fail(RunFailure::Input, window.error());
    const bool shares_memory = config_.threads > 1 || *window != 0;
    if (config_.recorder && shares_memory)
        if (Result<void> takes = take_turns(); !takes) return fail(RunFailure::Input, takes.error());
    config_.read_only = unwritable_of(image_);
    config_.window_bytes = *window;
    load_.window_bytes = *window;
    config_.memory_hint = fmt::format("{}, now {}", config_.memory_hint, format_size(*bytes));
    stats_.bytes_per_pe = device_->bytes_per_pe(image_, *bytes / 4);
    if (config_.sweep && *window != 0 && at_once < config_.nproc)
        return fail(RunFailure::Input,
                    Error{fmt::format("the program has memory that all its PEs share, so that all {} runs have to be there at a "
                                      "time: -n {} says that",
                                      config_.nproc, config_.nproc)});
    load_.nproc = config_.pes();
    load_.threads = config_.threads;
    load_.fuel = load_.fuel || (options.schedule && shares_memory);  // so that passes are instructions
    load_.data_words = config_.data_words;
    if (options.check_races && config_.threads > 1) {
        races_ = std::make_shared<RaceChecker>(image_, config_.nproc, config_.data_bytes());
        config_.races = load_.races = races_.get();
    }
    if (checks_memory_) {
        memory_ = std::make_shared<MemoryChecker>(image_, config_.nproc, config_.pes(), config_.data_bytes());
        if (!memory_->knows_heap())
            return fail(RunFailure::Input, Error{"--check=memory wants the names of the program's functions: link it without -s"});
        config_.memory = load_.memory = memory_.get();
    }
    // Memory that a state is read into is empty, as it was below and above what PEs had. Of a sweep, others begin later.
    Result<std::vector<std::uint32_t>> startup =
        (config_.state || config_.goes_on) && !config_.sweep
            ? make_startup({}, {}, *bytes)
            : make_startup(words_of({}, config_.arguments), words_of({}, config_.environment), *bytes);
    if (!startup) return fail(RunFailure::Input, startup.error());
    load_.startup = config_.replays ? config_.replays->head().startup : *std::move(startup);
    config_.startup_bytes = static_cast<std::uint32_t>(4 * load_.startup.size());
    // Devices whose PEs are in the memory of the host count more.
    if (Result<void> fits = stats_.device.is_gpu ? check_host_room(config_.nproc, service_bytes_per_pe) : Result<void>(); !fits)
        return fail(RunFailure::Device, fits.error());
    if (Result<void> loaded = device_->load(image_, load_); !loaded) return fail(RunFailure::Device, loaded.error());
    stats_.device = device_->info();  // of several devices some may have been left out
    if (options.service == Options::Service::Concurrent && !device_->concurrent())
        return fail(RunFailure::Input,
                    Error{fmt::format("--service=concurrent: {} serves system calls between launches; a CUDA device alone "
                                      "can do otherwise, without --fuel and --profile",
                                      stats_.device.id)});
    if (config_.recorder) MOG_TRY(begin_recording());
    if (config_.bridge)
        if (Result<void> numbered = number_pes(*device_, config_.nproc, config_.first_rank, config_.world_size); !numbered)
            return fail(RunFailure::Device, numbered.error());
    if (config_.sweep) {
        config_.start_run = [this](std::uint32_t run) { return start_run(run); };
    } else if (!config_.state && !config_.goes_on && !config_.replays) {
        MOG_TRY(start_own());
    }
    make_loop();
    if (config_.state)
        if (Result<void> read = loop_->read_state(*config_.state); !read) return fail(RunFailure::Input, read.error());
    stats_.startup_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return {};
}

/// Before anything is opened: what a run cannot have besides.
Result<void> ProgramRun::check_record() const {
    const Options &options = config_.options;
    const std::pair<bool, std::string_view> not_with[] = {
        {!options.sweep.is_empty() || config_.sweep, "a sweep (--args-file, --runs, ...)"},
        {options.gdb.has_value(), "--gdb, which is for the replay"},
        {options.service == Options::Service::Concurrent, "--service=concurrent"},
        {!options.checkpoint.file.empty() || config_.goes_on || config_.state, "--checkpoint and --resume"},
        {config_.natives && config_.natives->size() != 0, "functions of the host that PEs call"}};
    for (const auto &[is_asked, what] : not_with)
        if (is_asked) return Error{fmt::format("--record works without {}", what)};
    return {};
}

/// What PEs that see each other's memory do is the same again where they do it in the same order.
Result<void> ProgramRun::take_turns() {
    const std::string &id = stats_.device.id;
    const bool is_in_lanes = id == "host" && config_.options.engine == Engine::Lanes;
    if ((id != "host" && id != "reference") || is_in_lanes)
        return Error{fmt::format(
            "--record: the program has {}, who see each other's memory at any time; they run in turns, which only host "
            "(but for lanes) and reference have, not {}",
            config_.threads > 1 ? "threads (--threads=1: none)" : "PEs with memory that all of them share", is_in_lanes ? "lanes" : id)};
    if (!config_.options.schedule) config_.options.schedule = 0;
    config_.options.deterministic = true;
    load_.schedule = config_.options.schedule;
    load_.deterministic = load_.fixed_slices = true;
    return {};
}

/// It is the recorded program, and what the recording says of its run is so.
Result<void> ProgramRun::check_replay() {
    Options &options = config_.options;
    const RecordingHead &head = config_.replays->head();
    if (program_hash(image_) != head.program_hash)
        return Error{
            fmt::format("--replay: {} is not the program that was recorded: it was compiled again, or is another one", config_.program)};
    const std::pair<bool, std::string_view> not_with[] = {
        {config_.bridge != nullptr, "mpirun"},
        {!options.record.empty(), "--record"},
        {!options.sweep.is_empty(), "a sweep (--args-file, --runs, ...)"},
        {!options.checkpoint.file.empty(), "--checkpoint"},
        {options.check_races, "--check-races"},
        {options.strace, "--strace, which is for the run that is recorded"},
        {!options.device.empty() && options.device != "auto" && options.device != "reference", "--device: it is the reference machine"}};
    for (const auto &[is_asked, what] : not_with)
        if (is_asked) return Error{fmt::format("--replay works without {}", what)};
    options.device = "reference";
    // Those that shared memory do again what they did, and one is told of.
    options.nproc = head.has_one_order() ? head.nproc : 1;
    options.doubles = head.pairs ? Doubles::Pair : Doubles::Native;
    options.stdin_mode = FileSystem::Stdin::None;
    options.schedule.reset();
    // There is one, whoever is chosen.
    const std::uint32_t pe = head.has_one_order() ? config_.replays->pe() : 0;
    options.gdb_ranks.clear();
    options.trace_ranks.clear();
    options.mpi.trace_ranks.clear();
    options.cores.ranks.clear();
    if (head.has_one_order()) options.gdb_ranks = options.trace_ranks = {pe};
    config_.first_rank = config_.replays->rank() - pe;
    config_.world_size = head.world;
    return {};
}

/// Of PEs that are loaded and have not begun.
Result<void> ProgramRun::begin_recording() {
    const Doubles doubles = config_.options.doubles == Doubles::Auto ? wished_doubles(image_) : config_.options.doubles;
    RecordingHead head;
    head.program = config_.program;
    head.program_hash = program_hash(image_);
    head.arguments = words_of({}, config_.arguments);
    head.device = stats_.device.id;
    head.pairs = doubles == Doubles::Pair;
    head.nproc = config_.nproc;
    head.threads = config_.threads;
    head.window_bytes = config_.window_bytes;
    head.first_rank = config_.first_rank;
    head.world = config_.world();
    head.data_words = config_.data_words;
    head.startup = load_.startup;
    if (Result<void> begun = config_.recorder->begin(head); !begun) return fail(RunFailure::Input, begun.error());
    return {};
}

/// PEs are runs, and fewer slots may run them than there are.
Result<void> ProgramRun::make_sweep() {
    const Options &options = config_.options;
    const std::pair<bool, std::string_view> excluded[] = {
        {options.trace, "--trace"},
        {options.check_races, "--check-races"},
        {!options.profile_report.empty(), "--profile-report"},
        {checks_memory_, "--check=memory"},
        {options.gdb.has_value(), "--gdb"},
        {config_.bridge != nullptr, "mpirun"},
        {!options.sweep.folder.empty() && !options.files.root.empty(), "--root with --chdir"}};
    for (const auto &[is_asked, what] : excluded)
        if (is_asked)
            return fail(RunFailure::Input, Error{fmt::format("{} is not for the runs of a sweep (--args-file, --runs, ...)", what)});
    if (!config_.sweep) {
        Result<Sweep> sweep = Sweep::make(options.sweep, options.nproc);
        if (!sweep) return fail(RunFailure::Input, sweep.error());
        config_.sweep = std::make_shared<const Sweep>(*std::move(sweep));
    }
    constexpr std::uint32_t of_a_core = 128;  // some for lanes, and few enough for caches
    const DeviceInfo &device = stats_.device;
    const std::uint32_t usual = device.is_gpu ? std::max(1u, device.fill_pes) : std::max(device.fill_pes, of_a_core * device.units);
    const bool counted_by_n = options.sweep.arguments.empty() && options.sweep.environment.empty() && options.sweep.runs == 0;
    config_.nproc = config_.sweep->runs();
    const std::uint32_t slots = options.nproc != 0 && !counted_by_n ? options.nproc : usual;
    auto slotted = std::make_unique<SlottedDevice>(std::move(device_), std::min(slots, config_.nproc));
    config_.slots = slotted.get();
    device_ = std::move(slotted);
    return {};
}

/// That a file cannot be written is better said before a long run than after it.
/// Before PEs start, which could put something else in the places of files that are written later.
Result<void> ProgramRun::open_result_files() {
    const Options &options = config_.options;
    const CoreConfig &cores = options.cores;
    if (cores.which != CoreConfig::Which::None || options.gdb) {
        Result<std::shared_ptr<const ResultFolder>> folder = ResultFolder::open(cores.directory);
        if (!folder) return fail(RunFailure::Input, Error{fmt::format("--core-dir {}: {}", cores.directory, folder.error().message)});
        config_.core.folder = *std::move(folder);
    }
    const auto open = [&](std::string_view option, const std::string &path, std::optional<ResultFile> &out) -> Result<void> {
        if (path.empty()) return {};
        Result<ResultFile> file = ResultFile::open(path);
        if (!file) return fail(RunFailure::Input, Error{fmt::format("{}: {}", option, file.error().text())});
        out = *std::move(file);
        return {};
    };
    MOG_TRY(open("--profile", options.profile, profile_));
    MOG_TRY(open("--profile-report", options.profile_report, profile_report_));
    MOG_TRY(open("--results", options.sweep.results, run_table_));
    // Of several processes each has a file of its own.
    const std::string process = config_.bridge && !options.record.empty() ? fmt::format(".{}", config_.bridge->process()) : "";
    MOG_TRY(open("--record", options.record + process, record_));
    // Of several processes the first one writes them.
    if (config_.bridge && config_.bridge->process() != 0) return {};
    std::optional<ResultFile> trace;
    MOG_TRY(open("--mpi-trace", options.mpi.trace, trace));
    MOG_TRY(open("--mpi-matrix", options.mpi.matrix, mpi_matrix_));
    if (mpi_matrix_)
        if (Result<void> written = mpi_matrix_->write(""); !written)
            return fail(RunFailure::Input, Error{fmt::format("--mpi-matrix: {}", written.error().text())});
    if (trace) {
        Result<OwnedFd> begun = trace->begin();
        if (!begun) return fail(RunFailure::Input, Error{fmt::format("--mpi-trace: {}", begun.error().text())});
        config_.mpi_trace = std::make_shared<OwnedFd>(*std::move(begun));
    }
    return {};
}

/// Programs that were linked with -fsanitize=address have something by this name (runtime_pe/sanitizers).
static bool wants_memory_checked(const Image &image) {
    return std::ranges::find(image.symbols, "__mog_check_memory", &Symbol::name) != image.symbols.end();
}

Result<void> ProgramRun::open_device_for_run(const FindDevice &find) {
    const Options &options = config_.options;
    std::string id = options.device;
    if (options.trace) {
        // Only the reference machine traces.
        if (!id.empty() && id != "auto" && id != "reference")
            return fail(RunFailure::Input, Error{fmt::format("--trace works on --device=reference, not on {}", id)});
        id = "reference";
        load_.trace = config_.trace;
    }
    if (options.check_races) {
        if (!id.empty() && id != "auto" && id != "reference")
            return fail(RunFailure::Input, Error{fmt::format("--check-races works on --device=reference, not on {}", id)});
        id = "reference";
        if (!config_.options.schedule) config_.options.schedule = 0;
        config_.options.deterministic = true;
    }
    checks_memory_ = options.check_memory.value_or(false);
    if (!options.check_memory && wants_memory_checked(image_)) {
        const bool is_elsewhere = !id.empty() && id != "auto" && id != "reference";
        const bool is_other_run = options.check_races || options.gdb || config_.state || !options.sweep.is_empty() || find;
        checks_memory_ = !is_elsewhere && !is_other_run;
        if (!checks_memory_) config_.say("nobody checks memory, as -fsanitize=address asks for: --check=memory says what that goes with");
    }
    if (checks_memory_) {
        if (!id.empty() && id != "auto" && id != "reference")
            return fail(RunFailure::Input, Error{fmt::format("--check=memory works on --device=reference, not on {}", id)});
        if (options.check_races) return fail(RunFailure::Input, Error{"--check=memory and --check-races are for runs of their own"});
        if (config_.state) return fail(RunFailure::Input, Error{"--check=memory is not for a state that was written down"});
        id = "reference";
    }
    if (options.schedule) {
        if (!id.empty() && id != "auto" && id != "reference" && id != "host")
            return fail(RunFailure::Input, Error{fmt::format("--schedule works on host and reference, not on {}", id)});
        if (id.empty() || id == "auto") id = "host";
    }
    // Those that see each other's memory are recorded where they can run in turns.
    const bool shares_memory = mog::window_bytes(image_).has_value() || (options.threads != 1 && thread_pointer_register(image_));
    if (record_ && shares_memory && (id.empty() || id == "auto")) id = "host";
    if (options.gdb) {
        const std::pair<bool, std::string_view> not_with[] = {{options.fuel != 0, "--fuel"},
                                                              {options.schedule || options.check_races, "--schedule and --check-races"},
                                                              {checks_memory_, "--check=memory"},
                                                              {!options.profile_report.empty(), "--profile-report"}};
        for (const auto &[is_asked, option] : not_with)
            if (is_asked) return fail(RunFailure::Input, Error{fmt::format("--gdb works without {}", option)});
        if (id.empty() || id == "auto") id = !image_.linked && runs_on_host(image_) ? "host" : "reference";
        if (id == "all" || id.find(',') != std::string::npos)
            return fail(RunFailure::Input, Error{fmt::format("--gdb works on one device, not on {}", id)});
    }
    static_cast<DeviceOptions &>(load_) = options;
    load_.fuel = options.fuel != 0;
    load_.profile = !options.profile.empty();
    load_.owns_process = config_.owns_process;
    load_.say = config_.say;
    load_.fixed_slices = options.slice != 0 || options.deterministic;
    load_.exact_slices = !options.profile_report.empty();
    if (find) device_ = find(id, load_);
    if (!device_) {
        Result<std::unique_ptr<Device>> opened = open_devices(id, image_);
        if (!opened) return fail(RunFailure::Device, opened.error());
        device_ = *std::move(opened);
    }
    if (load_.profile)
        if (std::unique_ptr<Device> other = stand_in_for_profile(*device_, config_.say)) device_ = std::move(other);
    if (options.gdb) {
        Result<gdb::Connection> connection = gdb::Connection::listen(*options.gdb);
        if (!connection) return fail(RunFailure::Input, connection.error());
        auto debugger = std::make_unique<gdb::Debugger>(std::move(device_), *std::move(connection),
                                                        options.gdb_later ? gdb::Debugger::Coming::later : gdb::Debugger::Coming::first,
                                                        options.gdb_ranks, config_.say, options.gdb_history);
        if (config_.replays) {
            debugger->call_first(config_.first_rank);
            if (config_.replays->head().has_turns()) debugger->take_turns_as_given();
        }
        config_.debugger = debugger.get();
        device_ = std::move(debugger);
    }
    if (record_) {
        Result<OwnedFd> file = record_->begin();
        if (!file) return fail(RunFailure::Input, Error{fmt::format("--record: {}", file.error().text())});
        auto recorder = std::make_unique<Recorder>(std::move(device_), RecordingWriter(*std::move(file), options.record));
        config_.recorder = recorder.get();
        config_.output.told = [to = recorder.get()](std::uint32_t pe, int stream, std::string_view bytes) {
            to->printed(pe, stream, bytes);
        };
        device_ = std::move(recorder);
    }
    if (config_.replays) {
        auto replayer = std::make_unique<Replayer>(std::move(device_), config_.replays, options.gdb.has_value(), config_.say);
        config_.replayer = replayer.get();
        device_ = std::move(replayer);
    }
    if (!options.profile_report.empty()) {
        if (options.service == Options::Service::Concurrent)
            return fail(RunFailure::Input,
                        Error{"--profile-report looks at PEs between launches, which --service=concurrent has no breaks in"});
        config_.options.mpi.for_report = true;
        // The reference machine can count all, at little cost beside its own.
        load_.profile |= device_->info().id == "reference";
    }
    load_.count = options.count || (options.stats != Options::Stats::None && device_->info().id == "reference");
    return {};
}

/// Agrees with the other processes, if there are any, who has which ranks.
Result<void> ProgramRun::join_world() {
    if (!config_.bridge) return {};
    const Options &options = config_.options;
    const std::pair<bool, std::string_view> for_one[] = {{options.trace, "--trace"},
                                                         {!options.profile.empty(), "--profile"},
                                                         {!options.profile_report.empty(), "--profile-report"},
                                                         {options.gdb.has_value(), "--gdb"}};
    for (const auto &[is_asked, option] : for_one)
        if (is_asked) return fail(RunFailure::Input, Error{fmt::format("{} is for one process so far, without mpirun", option)});
    if (Result<void> agreed = config_.bridge->agree(program_hash(image_), config_.nproc, watchers_of(options)); !agreed)
        return fail(RunFailure::Input, agreed.error());
    config_.first_rank = config_.bridge->process() * config_.nproc;
    config_.world_size = config_.bridge->processes() * config_.nproc;
    // NPROC counts the PEs of all; a graph of channels is of those that share memory.
    std::vector<std::string> environment = words_of({}, config_.environment);
    environment.push_back(fmt::format("MOG_PROCESS_PES={}", config_.nproc));
    config_.environment = std::make_shared<const std::vector<std::string>>(std::move(environment));
    return {};
}

/// Of a rank that is not there nothing would ever be shown.
Result<void> ProgramRun::check_ranks() {
    const Options &options = config_.options;
    const std::pair<std::string_view, const std::vector<std::uint32_t> *> lists[] = {{"--strace", &options.strace_ranks},
                                                                                     {"--trace", &options.trace_ranks},
                                                                                     {"--gdb-ranks", &options.gdb_ranks},
                                                                                     {"--mpi-trace-ranks", &options.mpi.trace_ranks},
                                                                                     {"--core", &options.cores.ranks}};
    for (const auto &[option, ranks] : lists)
        if (!ranks->empty() && ranks->back() >= config_.world())
            return fail(RunFailure::Input, Error{fmt::format("{}={}: {}", option, fold_ranks(*ranks), available_ranks(config_.world()))});
    return {};
}

Result<void> ProgramRun::check_own_starts() {
    std::uint32_t last = 0;
    for (const auto &[pe, own] : config_.own) last = std::max(last, pe);
    if (config_.own.empty() || last < config_.nproc) return {};
    return fail(RunFailure::Pe,
                Error{fmt::format("arguments, environment or input are set for PE {}, but {}", last, available_ranks(config_.nproc))});
}

/// Start-up blocks on their way to PEs.
struct ProgramRun::Starts {
    Device &device;
    std::vector<Transfer> transfers;
    std::vector<std::uint8_t> staging;

    void add(std::uint32_t pe, std::uint32_t address, std::span<const std::uint32_t> words, bool is_state) {
        const std::size_t at = staging.size();
        staging.resize(at + words.size_bytes());
        std::memcpy(staging.data() + at, words.data(), words.size_bytes());
        transfers.push_back({pe, address, static_cast<std::uint32_t>(words.size_bytes()), static_cast<std::uint32_t>(at), is_state});
    }
    Result<void> flush() {
        if (transfers.empty()) return {};
        Result<void> done = device.scatter(transfers, staging);
        transfers.clear();
        staging.clear();
        return done;
    }
};

/// The start-up block of a PE that has its own, over the common one.
Result<void> ProgramRun::add_start(std::uint32_t pe, std::span<const std::string> arguments, std::span<const std::string> environment,
                                   Starts &starts) {
    const std::uint32_t end = MOG_DATA_BASE + config_.data_bytes();
    const std::uint32_t sp_row = MOG_S_REGS + image_.roles[static_cast<std::size_t>(Role::sp)];
    Result<std::vector<std::uint32_t>> block = make_startup(arguments, environment, config_.data_bytes());
    if (!block) return fail(RunFailure::Input, Error{fmt::format("PE {}: {}", pe, block.error().text())});
    const std::uint32_t stack[] = {end - 4 * static_cast<std::uint32_t>(block->size())};
    // What the common block has below it goes: memory below the stack is zero at the start.
    if (block->size() < load_.startup.size()) block->insert(block->begin(), load_.startup.size() - block->size(), 0);
    starts.add(pe, end - 4 * static_cast<std::uint32_t>(block->size()), *block, false);
    starts.add(pe, sp_row, stack, true);
    return {};
}

/// Of a run of a sweep that begins, its own arguments and environment.
Result<void> ProgramRun::start_run(std::uint32_t run) {
    std::vector<std::string> arguments = words_of({}, config_.arguments);
    const std::vector<std::string> own = config_.sweep->arguments_of(run);
    if (own.empty() && !config_.sweep->has_environments()) return {};
    arguments.insert(arguments.end(), own.begin(), own.end());
    Starts starts{*device_, {}, {}};
    MOG_TRY(add_start(run, arguments, config_.sweep->environment_of(run, words_of({}, config_.environment)), starts));
    return starts.flush();
}

/// Devices know nothing of PEs that start otherwise than the others: for them it is a transfer.
Result<void> ProgramRun::start_own() {
    constexpr std::size_t batch_bytes = 16u << 20;
    Starts starts{*device_, {}, {}};
    for (const auto &[pe, own] : config_.own) {
        if (!own.arguments && !own.environment) continue;
        MOG_TRY(add_start(pe, words_of(own.arguments, config_.arguments), words_of(own.environment, config_.environment), starts));
        if (starts.staging.size() > batch_bytes)
            if (Result<void> done = starts.flush(); !done) return fail(RunFailure::Device, done.error());
    }
    if (Result<void> done = starts.flush(); !done) return fail(RunFailure::Device, done.error());
    return {};
}

void ProgramRun::make_loop() {
    const std::vector<std::string> &arguments = words_of({}, config_.arguments);
    config_.core.program = std::filesystem::path(arguments.empty() ? "" : arguments.front()).filename().string();
    config_.core.arguments = fmt::format("{}", fmt::join(arguments, " "));
    if (config_.options.stats != Options::Stats::None || device_->looks_for_hot_code()) {
        // A launch ends for a sample where its length is nobody's concern.
        samples_ = std::make_unique<CodeSamples>(*device_, !load_.fixed_slices && !load_.fuel && !device_->info().is_gpu);
        config_.samples = samples_.get();
    }
    if (profile_report_) {
        collector_ = std::make_unique<ProfileCollector>(image_, device_->info(),
                                                        ProfilePopulation{config_.nproc, config_.pes(), config_.data_bytes()},
                                                        !load_.fixed_slices && !load_.fuel && !device_->info().is_gpu);
        config_.collector = collector_.get();
    }
    loop_ = std::make_unique<ServiceLoop>(*device_, image_, config_);
}

Result<void> ProgramRun::write_mpi_matrix() const {
    const mpi::Statistics *statistics = loop_->mpi_statistics();
    if (!mpi_matrix_ || !statistics) return {};
    const std::string title = fmt::format("Bytes between ranks: {}", fmt::join(words_of({}, config_.arguments), " "));
    return mpi_matrix_->write(mpi::matrix_as_svg(statistics->matrix(), title));
}

Result<void> ProgramRun::write_profile_report() {
    if (!profile_report_) return {};
    collector_->finish();
    Result<RunStats> run = stats();
    if (!run) return run.error();
    std::vector<std::uint64_t> counted;
    if (load_.profile) {
        Result<RunCounts> counts = device_->counts();
        if (!counts) return counts.error();
        counted = std::move(counts->executed);
    }
    const profile::Report report = make_report(
        image_, *collector_, profile_facts(image_, *run, loop_->mpi_statistics(), words_of({}, config_.arguments), std::move(counted)));
    const auto read_source = [this](const std::string &name) -> std::optional<std::string> {
        if (!config_.shows_source()) return std::nullopt;
        Result<std::string> text = read_text_file(name);
        return text ? std::optional(*std::move(text)) : std::nullopt;
    };
    const profile::Form *form = profile::form_of(config_.options.profile_report);
    return profile_report_->write(form->write ? form->write(report) : profile::as_page(report, read_source));
}

Result<void> ProgramRun::tell_runs(const std::function<void(std::string_view)> &say) const {
    if (!config_.sweep) return {};
    if (const std::string sentence = failed_runs(loop_->result()); !sentence.empty()) say(sentence);
    return run_table_ ? run_table_->write(run_table(*loop_, *config_.sweep)) : Result<void>();
}

Result<RunStats> ProgramRun::stats() {
    Result<DeviceStats> engine = device_->stats();
    if (!engine) return engine.error();
    stats_.engine = *std::move(engine);
    stats_.run = loop_->result();
    stats_.nproc = config_.nproc;
    stats_.data_bytes = config_.data_bytes();
    Result<MemoryUse> use = loop_->memory_use();
    if (!use) return use.error();
    stats_.memory = *use;
    auto channels = channel_counts(*device_, image_, config_.addresses());
    if (!channels) return channels.error();
    stats_.channels = *channels;
    const bool has_blocks = image_.products.has(ProductKind::compiled) && has_compiled_blocks(stats_.engine.engine);
    if (samples_ && (has_blocks || stats_.engine.tiers))
        stats_.interpreted = samples_->interpreted(image_, stats_.device.id, stats_.engine);
    return stats_;
}

}  // namespace mog
