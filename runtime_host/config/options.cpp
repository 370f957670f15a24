// options.cpp: the table of settings and the readers of their values.
#include "runtime_host/config/options.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "runtime_host/devices/group/device_list.hpp"
#include "runtime_host/output/ranks.hpp"
#include "runtime_host/profile/report.hpp"
#include "support/sizes.hpp"

namespace mog {

namespace {

constexpr std::uint32_t most_pes = 1u << 24, most_threads = 1u << 16;
constexpr std::uint32_t most_descriptors = 1u << 20;  // Linux's own limit

Error wrong(std::string_view text, std::string_view wanted) { return Error{fmt::format("\"{}\" is not {}", text, wanted)}; }

Result<void> read_count(std::string_view text, std::uint32_t least, std::uint32_t most, std::string_view what, std::uint32_t *out) {
    std::optional<std::uint32_t> value = parse_number<std::uint32_t>(text);
    if (!value || *value < least || *value > most) return wrong(text, fmt::format("{} from {} to {}", what, least, most));
    *out = *value;
    return {};
}

Result<bool> read_switch(std::string_view text) {
    if (text == "1" || text == "true" || text == "yes" || text == "on") return true;
    if (text == "0" || text == "false" || text == "no" || text == "off" || text.empty()) return false;
    return wrong(text, "0 or 1");
}

Result<void> read_nproc(Options &o, std::string_view text) { return read_count(text, 1, most_pes, "a number of PEs", &o.nproc); }

Result<void> read_threads(Options &o, std::string_view text) {
    return read_count(text, 1, most_threads, "a number of threads", &o.threads);
}

Result<void> read_device(Options &o, std::string_view text) {
    if (Result<std::vector<WantedDevice>> list = parse_device_list(text); !list) return list.error();
    o.device = text;
    return {};
}

Result<void> read_memory(Options &o, std::string_view text) {
    std::optional<std::uint64_t> size = parse_size(text);
    if (!size || *size == 0) return wrong(text, "a size such as 64K or 16M");
    o.memory = *size;
    return {};
}

Result<void> read_window(Options &o, std::string_view text) {
    std::optional<std::uint64_t> size = parse_size(text);
    if (!size || *size == 0) return wrong(text, "a size such as 64K or 16M");
    o.window = *size;
    return {};
}

/// A setting that is on or off.
template <typename Member>
Result<void> read_flag(Member &member, std::string_view text) {
    Result<bool> on = read_switch(text);
    if (!on) return on.error();
    member = *on;
    return {};
}

Result<void> read_tag(Options &o, std::string_view text) { return read_flag(o.tag_output, text); }

Result<void> read_collate(Options &o, std::string_view text) { return read_flag(o.collate, text); }

Result<void> read_stdin(Options &o, std::string_view text) {
    if (text == "all" || text == "none") {
        o.stdin_mode = text == "all" ? FileSystem::Stdin::All : FileSystem::Stdin::None;
        return {};
    }
    std::optional<std::uint32_t> rank = parse_number<std::uint32_t>(text);
    if (!rank) return wrong(text, "a rank, \"all\" or \"none\"");
    o.stdin_mode = FileSystem::Stdin::Rank;
    o.stdin_rank = *rank;
    return {};
}

/// What is told for people or for programs; alone it means people.
template <typename Form>
Result<void> read_form(Form &form, std::string_view text) {
    if (text == "json") form = Form::Json;
    else if (text == "text" || text == "true" || text == "1") form = Form::Text;
    else if (text == "0" || text.empty()) form = Form::None;
    else return wrong(text, "\"text\" or \"json\"");
    return {};
}

Result<void> read_stats(Options &o, std::string_view text) { return read_form(o.stats, text); }

Result<void> read_progress(Options &o, std::string_view text) {
    if (text.empty()) return wrong(text, "on, off, the name of a file, or the number of a descriptor");
    if (const Result<bool> on = read_switch(text); on && text != "0" && text != "1")
        o.progress.line = *on ? ProgressOptions::Line::On : ProgressOptions::Line::Off;
    else if (const std::optional<int> descriptor = parse_number<int>(text); descriptor && *descriptor >= 0)
        o.progress.descriptor = descriptor;
    else o.progress.file = text;
    return {};
}

Result<void> read_counting(Options &o, std::string_view text) { return read_flag(o.count, text); }

Result<void> read_root(Options &o, std::string_view text) {
    std::error_code failed;
    if (!std::filesystem::is_directory(text, failed)) return wrong(text, "a directory");
    o.files.root = text;
    return {};
}

Result<void> read_read_only(Options &o, std::string_view text) { return read_flag(o.files.read_only, text); }

Result<void> read_no_files(Options &o, std::string_view text) { return read_flag(o.files.no_files, text); }

Result<void> read_max_files(Options &o, std::string_view text) {
    return read_count(text, 1, most_descriptors, "a number of descriptors", &o.files.max_files);
}

Result<void> read_timeout(Options &o, std::string_view text) {
    std::optional<double> seconds = parse_number<double>(text);
    if (!seconds || !std::isfinite(*seconds) || *seconds < 0) return wrong(text, "a number of seconds");
    o.timeout = *seconds;
    return {};
}

Result<void> read_fuel(Options &o, std::string_view text) {
    std::optional<std::uint64_t> count = parse_size(text);
    if (!count || *count == 0) return wrong(text, "a number of instructions such as 5000000 or 64M");
    o.fuel = *count;
    return {};
}

Result<void> read_on_fault(Options &o, std::string_view text) {
    if (text != "continue" && text != "abort") return wrong(text, "\"continue\" or \"abort\"");
    o.abort_on_fault = text == "abort";
    return {};
}

Result<void> read_fault_registers(Options &o, std::string_view text) { return read_flag(o.fault_registers, text); }

Result<void> read_core(Options &o, std::string_view text) {
    using Which = CoreConfig::Which;
    o.cores.ranks.clear();
    if (text == "all" || text == "first" || text == "none") {
        o.cores.which = text == "all" ? Which::All : text == "first" ? Which::First : Which::None;
        return {};
    }
    std::optional<std::vector<std::uint32_t>> ranks = parse_ranks(text);
    if (!ranks) return wrong(text, "\"first\", \"all\", \"none\" or a list of ranks such as 0,3-5");
    o.cores.which = Which::Ranks;
    o.cores.ranks = *std::move(ranks);
    return {};
}

Result<void> read_core_directory(Options &o, std::string_view text) {
    std::error_code failed;
    if (!std::filesystem::is_directory(text, failed)) return wrong(text, "a directory");
    o.cores.directory = text;
    return {};
}

Result<void> read_profile_file(Options &o, std::string_view text) {
    if (text.empty()) return wrong(text, "the name of a file");
    o.profile = text;
    return {};
}

Result<void> read_profile_report(Options &o, std::string_view text) {
    if (!profile::form_of(text)) return wrong(text, "the name of a file that ends in " + profile::endings());
    o.profile_report = text;
    return {};
}

Result<void> read_slice(Options &o, std::string_view text) { return read_count(text, 1, 1u << 31, "a number of passes", &o.slice); }

Result<void> read_service(Options &o, std::string_view text) {
    if (text != "clean" && text != "concurrent") return wrong(text, "clean or concurrent");
    o.service = text == "clean" ? Options::Service::Clean : Options::Service::Concurrent;
    return {};
}

Result<void> read_work_group(Options &o, std::string_view text) {
    return read_count(text, 1, 1u << 16, "a number of PEs per work-group", &o.work_group);
}

Result<void> read_warp(Options &o, std::string_view text) { return read_count(text, 1, 1024, "a number of PEs", &o.warp); }

/// One of those that have a name; `wanted`: these names.
template <typename T>
Result<void> read_name(std::string_view text, std::initializer_list<T> all, std::string_view wanted, T *to) {
    for (const T how : all)
        if (name_of(how) == text) {
            *to = how;
            return {};
        }
    return wrong(text, wanted);
}

Result<void> read_layout(Options &o, std::string_view text) {
    return read_name(text, {MemoryLayout::Auto, MemoryLayout::Words, MemoryLayout::Sectors, MemoryLayout::Count},
                     "auto, words, sectors or count", &o.layout);
}

Result<void> read_regroup(Options &o, std::string_view text) {
    return read_name(text, {Regroup::Auto, Regroup::Off, Regroup::Always}, "auto, off or always", &o.regroup);
}

Result<void> read_engine(Options &o, std::string_view text) {
    if (text == "auto") o.engine = Engine::Auto;
    else if (text == "sequence") o.engine = Engine::Sequence;
    else if (text == "switch") o.engine = Engine::Switch;
    else if (text == "blocks") o.engine = Engine::Blocks;
    else if (text == "lanes") o.engine = Engine::Lanes;
    else if (text == "native") o.engine = Engine::Native;
    else return wrong(text, "auto, sequence, switch, blocks, lanes or native");
    return {};
}

Result<void> read_divergence(Options &o, std::string_view text) {
    if (text == "off") o.divergence = Divergence::Off;
    else if (text == "simple") o.divergence = Divergence::Simple;
    else if (text == "guarded") o.divergence = Divergence::Guarded;
    else return wrong(text, "off, simple or guarded");
    return {};
}

Result<void> read_double(Options &o, std::string_view text) {
    return read_name(text, {Doubles::Auto, Doubles::Native, Doubles::Pair, Doubles::Soft}, "auto, native, pair or soft", &o.doubles);
}

Result<void> read_ranks(std::string_view text, std::vector<std::uint32_t> *out) {
    std::optional<std::vector<std::uint32_t>> ranks = parse_ranks(text);
    if (!ranks) return wrong(text, "a list of ranks such as 0,3-5");
    *out = *std::move(ranks);
    return {};
}

Result<void> read_trace(Options &o, std::string_view text) {
    o.trace = true;
    return text == "all" || text == "true" ? Result<void>() : read_ranks(text, &o.trace_ranks);
}

Result<void> read_strace(Options &o, std::string_view text) {
    o.strace = true;
    return text == "all" || text == "true" ? Result<void>() : read_ranks(text, &o.strace_ranks);
}

Result<void> read_gdb(Options &o, std::string_view text) {
    const bool is_alone = text == "true";
    if (!is_alone && text.find('/') == std::string_view::npos && !parse_number<std::uint16_t>(text))
        return wrong(text, "a port from 0 to 65535, or the path of a socket with a slash in it");
    o.gdb = is_alone ? "" : text;
    return {};
}

Result<void> read_gdb_later(Options &o, std::string_view text) {
    if (!o.gdb) o.gdb = "";
    return read_flag(o.gdb_later, text);
}

Result<void> read_gdb_ranks(Options &o, std::string_view text) { return read_ranks(text, &o.gdb_ranks); }

Result<void> read_gdb_history(Options &o, std::string_view text) {
    const std::optional<std::uint64_t> size = parse_size(text);
    if (!size) return wrong(text, "a size such as 64M or 1G, or 0");
    o.gdb_history = *size;
    return {};
}

Result<void> read_deterministic(Options &o, std::string_view text) { return read_flag(o.deterministic, text); }

Result<void> read_schedule(Options &o, std::string_view text) {
    const std::optional<std::uint64_t> seed = parse_number<std::uint64_t>(text);
    if (!seed) return wrong(text, "a number");
    o.schedule = *seed;
    o.deterministic = true;
    return {};
}

Result<void> read_check_races(Options &o, std::string_view text) { return read_flag(o.check_races, text); }

Result<void> read_check(Options &o, std::string_view text) {
    if (text == "none") return o.check_memory = false, Result<void>();
    if (text != "memory") return wrong(text, "memory or none");
    o.check_memory = true;
    return {};
}

Result<void> read_name(std::string_view text, std::string *out) {
    if (text.empty()) return wrong(text, "the name of a file");
    *out = text;
    return {};
}
Result<void> read_pattern(std::string_view text, std::string *out) {
    // /dev/null may be everybody's.
    if (text.find('%') == std::string_view::npos && !text.starts_with("/dev/"))
        return Error{fmt::format("\"{}\" is the same for all runs; %r in it is a run's number", text)};
    return read_name(text, out);
}

Result<void> read_runs(Options &o, std::string_view text) { return read_count(text, 1, most_pes, "a number of runs", &o.sweep.runs); }

Result<void> read_args_file(Options &o, std::string_view text) { return read_name(text, &o.sweep.arguments); }

Result<void> read_env_file(Options &o, std::string_view text) { return read_name(text, &o.sweep.environment); }

Result<void> read_stdin_file(Options &o, std::string_view text) { return read_name(text, &o.sweep.stdin_file); }

Result<void> read_stdout_file(Options &o, std::string_view text) { return read_pattern(text, &o.sweep.stdout_file); }

Result<void> read_stderr_file(Options &o, std::string_view text) { return read_pattern(text, &o.sweep.stderr_file); }

Result<void> read_chdir(Options &o, std::string_view text) { return read_name(text, &o.sweep.folder); }

Result<void> read_retries(Options &o, std::string_view text) { return read_count(text, 0, 1000, "a number", &o.sweep.retries); }

Result<void> read_results(Options &o, std::string_view text) { return read_name(text, &o.sweep.results); }

// The PEs that draw them find the names in their environment, which is this process's.
Result<void> read_graph(Options &, std::string_view text) {
    setenv("MOG_GRAPH", std::string(text).c_str(), 1);
    return {};
}

Result<void> read_graph_trace(Options &, std::string_view text) {
    setenv("MOG_GRAPH_TRACE", std::string(text).c_str(), 1);
    return {};
}

Result<void> read_graph_scheduler(Options &, std::string_view text) {
    if (text != "self" && text != "pe" && text != "host") return wrong(text, "self, pe or host");
    setenv("MOG_GRAPH_SCHEDULER", std::string(text).c_str(), 1);
    return {};
}

Result<void> read_checkpoint(Options &o, std::string_view text) {
    MOG_TRY(read_name(text, &o.checkpoint.file));
    std::error_code failed;
    o.checkpoint.file = std::filesystem::absolute(o.checkpoint.file, failed).string();
    return {};
}

/// "60s", "5m", "2h", "0.5".
Result<void> read_every(Options &o, std::string_view text) {
    constexpr double longest = 1e9;
    double unit = 1;
    std::string_view digits = text;
    if (!digits.empty() && std::string_view("smh").find(digits.back()) != std::string_view::npos) {
        unit = digits.back() == 'h' ? 3600 : digits.back() == 'm' ? 60 : 1;
        digits.remove_suffix(1);
    }
    const std::optional<double> value = parse_number<double>(digits);
    if (!value || !(*value >= 0) || *value * unit > longest) return wrong(text, "a time such as 60s, 5m or 2h");
    o.checkpoint.every = *value * unit;
    return {};
}

Result<void> read_resume(Options &o, std::string_view text) { return read_name(text, &o.checkpoint.resume); }

Result<void> read_record(Options &o, std::string_view text) { return read_name(text, &o.record); }

Result<void> read_replay(Options &o, std::string_view text) { return read_name(text, &o.replay); }

Result<void> read_mpi_stats(Options &o, std::string_view text) { return read_form(o.mpi.statistics, text); }

Result<void> read_mpi_matrix(Options &o, std::string_view text) {
    o.mpi.matrix = text;
    return {};
}

Result<void> read_mpi_trace(Options &o, std::string_view text) {
    o.mpi.trace = text;
    return {};
}

Result<void> read_mpi_trace_ranks(Options &o, std::string_view text) { return read_ranks(text, &o.mpi.trace_ranks); }

Result<void> read_mpi_check(Options &o, std::string_view text) { return read_flag(o.mpi.check, text); }

Result<void> read_mpi_eager(Options &o, std::string_view text) {
    const std::optional<std::uint64_t> size = parse_size(text);
    if (!size || *size > UINT32_MAX) return wrong(text, "a size such as 0, 4K or 1M");
    o.mpi.limits.eager_bytes = static_cast<std::uint32_t>(*size);
    return {};
}

Result<void> read_mpi_buffer(Options &o, std::string_view text) {
    const std::optional<std::uint64_t> size = parse_size(text);
    if (!size) return wrong(text, "a size such as 0, 64M or 1G");
    o.mpi.limits.buffer_bytes = *size;
    return {};
}

constexpr Setting table[] = {
    {"-n,--np", "MOG_NPROC", false, "N", "Number of PEs, also -np N; without it mogrun fills the device, ./prog runs one", read_nproc},
    {"--threads", "MOG_THREADS", false, "T",
     "Threads that a PE's program may have at a time; without it as many as a program that starts\nsome is likely to want", read_threads},
    {"--device", "MOG_DEVICE", false, "ID",
     "reference, host, opencl[:N], cuda[:N] or auto: the best for the program;\nall, or several: cuda:0,host; with shares of the PEs: "
     "cuda:0=3,host=1",
     read_device},
    {"--mem", "MOG_MEM", false, "SIZE", "Memory of each PE: 64K, 1M, ...", read_memory},
    {"--shared-memory", "MOG_SHARED_MEMORY", false, "SIZE",
     "Memory that all PEs share, of programs that have such; without it 64M and\nwhat their variables take", read_window},
    {"--stdin", "MOG_STDIN", false, "RANK", "Who reads standard input: a rank (default 0), all or none", read_stdin},
    {"--tag-output", "MOG_TAG_OUTPUT", true, "", "Begin each line of output with [RANK]", read_tag},
    {"--collate", "MOG_COLLATE", true, "", "The same line of several PEs once: PEs 0-65534: text", read_collate},
    {"--timeout", "MOG_TIMEOUT", false, "SECONDS", "End PEs that still run after this time; the status is 124", read_timeout},
    {"--fuel", "MOG_FUEL", false, "N", "End PEs after N MOG instructions (64M: 2^26); their status is 124", read_fuel},
    {"--on-fault", "MOG_ON_FAULT", false, "WHAT", "continue with the other PEs (default), or abort the run", read_on_fault},
    {"--fault-registers", "MOG_FAULT_REGISTERS", true, "", "Messages about faults show the registers too", read_fault_registers},
    {"--core", "MOG_CORE", false, "PES", "Leave core.RANK of PEs that a fault ends: first of each message, all, or ranks", read_core},
    {"--core-dir", "MOG_CORE_DIR", false, "DIR", "Where cores go; by default the current directory", read_core_directory},
    {"--root", "MOG_ROOT", false, "DIR", "The directory that is / to PEs: no path leads out of it", read_root},
    {"--read-only", "MOG_READ_ONLY", true, "", "Calls that would change files fail with EROFS", read_read_only},
    {"--no-files", "MOG_NO_FILES", true, "", "Calls that name files fail with EACCES", read_no_files},
    {"--max-files", "MOG_MAX_FILES", false, "N", "Descriptors of each PE; by default 1024", read_max_files},
    {"--stats", "MOG_STATS", true, "", "Tell about the run on standard error; --stats=json for programs", read_stats},
    {"--progress", "MOG_PROGRESS", false, "FILE",
     "How far the run is, each second, as lines of JSON to a file, or to a descriptor by its number;\noff: not even on a terminal, which "
     "has a line of it else; on: that line in any case",
     read_progress},
    {"--count", "MOG_COUNT", true, "", "Count instructions for --stats, which costs a little speed", read_counting},
    {"--profile", "MOG_PROFILE", false, "FILE", "Count what is executed, for mogcc --profile-use=FILE", read_profile_file},
    {"--profile-report", "MOG_PROFILE_REPORT", false, "FILE",
     "Where time goes: hot functions, lines, stacks, ranks, waiting; FILE.html, .json, .folded\n(for flame graphs), .callgrind or .pb.gz "
     "(for pprof)",
     read_profile_report},
    {"--slice", "MOG_SLICE", false, "PASSES", "Length of a launch; by default about 100 ms", read_slice},
    {"--service", "MOG_SERVICE", false, "WHEN",
     "System calls are served between launches (clean, the default), or while other PEs\nrun (concurrent; CUDA)", read_service},
    {"--engine", "MOG_ENGINE", false, "ENGINE",
     "sequence (of subinterpreters), switch, blocks (hot code compiled),\nlanes (that for 16 PEs at once), native (all is compiled while "
     "it runs; "
     "host), or auto:\nwhat suits the device",
     read_engine},
    {"--divergence", "MOG_DIVERGENCE", false, "HOW",
     "In lanes, loops that all PEs go through together: with scalars for what is the same in\nall (guarded, the default), only where all "
     "do the same (simple), or as any code (off);\non CUDA a copy of them for such warps (default there: off)",
     read_divergence},
    {"--double", "MOG_DOUBLE", false, "HOW", "Doubles by the device (native), pairs of floats (pair), integers (soft), or auto",
     read_double},
    {"--warp", "MOG_WARP", false, "N", "PEs whose memory is interleaved on an OpenCL device", read_warp},
    {"--memory-layout", "MOG_MEMORY_LAYOUT", false, "HOW",
     "On GPUs, words of the PEs of a warp lie side by side (words), or sectors of 32 bytes\n(sectors); count: what either takes, for "
     "later runs, which choose by it (auto, the default)",
     read_layout},
    {"--regroup", "MOG_REGROUP", false, "HOW",
     "On CUDA devices, between launches, PEs that stand at the same place come into one warp\n(always), or do not (off), or do where "
     "launches are faster so (auto, the default)",
     read_regroup},
    {"--work-group", "MOG_WORK_GROUP", false, "N", "PEs per OpenCL work-group, or block of CUDA", read_work_group},
    {"--strace", "MOG_STRACE", true, "", "Show system calls; --strace=0,3-5 of these PEs, MOG_STRACE=all of all", read_strace},
    {"--deterministic", "MOG_DETERMINISTIC", true, "",
     "Nothing depends on how fast something runs: who meets whom in MPI is the same in each\nrun on a device", read_deterministic},
    {"--schedule", "MOG_SCHEDULE", false, "SEED",
     "As --deterministic, with threads in turns that SEED draws: who is next, and for how many\ninstructions; the same on host and "
     "reference",
     read_schedule},
    {"--check-races", "MOG_CHECK_RACES", true, "",
     "Tell about accesses of threads to the same memory that nothing orders; on the reference\nmachine, in the turns of --schedule; "
     "the status is 66 if there are any",
     read_check_races},
    {"--check", "MOG_CHECK", false, "WHAT",
     "memory: tell about accesses to what is no block of the heap, was freed or is beyond a frame,\nvalues that come from nowhere, "
     "blocks that are lost; on the reference machine; the status is\n67 if there are any. none: not, whatever the program asks for",
     read_check},
    {"--gdb", "", true, "",
     "Wait for gdb before the first instruction, at a port that is free; --gdb=1234 at this one,\n--gdb=./socket "
     "at a socket of the file system",
     read_gdb},
    {"--gdb-later", "", true, "", "Do not wait for gdb: it may come while PEs run, leave, and come again", read_gdb_later},
    {"--gdb-ranks", "MOG_GDB_RANKS", false, "RANKS", "Only these PEs are gdb's threads: 0,3-5", read_gdb_ranks},
    {"--gdb-history", "MOG_GDB_HISTORY", false, "SIZE",
     "What gdb may keep to go back, as in reverse-step, on the reference machine; by default 256M;\n0: nothing", read_gdb_history},
    {"--graph", "MOG_GRAPH", false, "FILE", "A picture (SVG) of the graph of channels that a program executes, with what flowed",
     read_graph},
    {"--graph-scheduler", "MOG_GRAPH_SCHEDULER", false, "WHO",
     "Who looks for batches of a graph: its workers (self, the default), one of them who does\nnothing else (pe), or the host",
     read_graph_scheduler},
    {"--graph-trace", "MOG_GRAPH_TRACE", false, "FILE",
     "Its batches, and how full its channels were, over time (JSON), for Perfetto or\nchrome://tracing,", read_graph_trace},
    {"--mpi-stats", "MOG_MPI_STATS", true, "", "Tell about MPI's calls, messages and waiting; --mpi-stats=json for programs",
     read_mpi_stats},
    {"--mpi-matrix", "MOG_MPI_MATRIX", false, "FILE", "A picture (SVG) of who sends how much to whom", read_mpi_matrix},
    {"--mpi-trace", "MOG_MPI_TRACE", false, "FILE", "MPI's calls and messages over time (JSON), for Perfetto or chrome://tracing,",
     read_mpi_trace},
    {"--mpi-trace-ranks", "MOG_MPI_TRACE_RANKS", false, "RANKS", "of these ranks only: 0,3-5", read_mpi_trace_ranks},
    {"--mpi-check", "MOG_MPI_CHECK", true, "", "Compare types of messages, and say where what a program leaves behind comes from",
     read_mpi_check},
    {"--mpi-eager", "MOG_MPI_EAGER", false, "SIZE", "Messages up to this size need not wait for their receive; by default 4K",
     read_mpi_eager},
    {"--mpi-buffer", "MOG_MPI_BUFFER", false, "SIZE", "What such messages may take in all before senders wait; by default 64M",
     read_mpi_buffer},
    {"--args-file", "", false, "FILE",
     "A sweep: a run of the program for each line, whose words are added to ARGUMENTS; runs are\nPEs, of which -n are there at a time",
     read_args_file},
    {"--env-file", "", false, "FILE", "The same with NAME=VALUE for the environment of each run", read_env_file},
    {"--runs", "", false, "N", "So many runs, where no file says it", read_runs},
    {"--stdin-file", "", false, "NAME", "Standard input of each run; %r is its number, %5r that with five digits", read_stdin_file},
    {"--stdout", "", false, "NAME", "Where each run's standard output goes: out/%r.txt", read_stdout_file},
    {"--stderr", "", false, "NAME", "Where its standard error goes", read_stderr_file},
    {"--chdir", "", false, "NAME", "The folder that each run works in: run-%r; it is made if it is not there", read_chdir},
    {"--retries", "", false, "N", "Runs whose status is not 0 are repeated so often", read_retries},
    {"--results", "", false, "FILE", "A table of the runs: how each ended, when, and what it executed (.csv or .json)", read_results},
    {"--checkpoint", "MOG_CHECKPOINT", false, "FILE",
     "Write what the run needs to go on to FILE, now and then, and when SIGTERM ends it (status\n75); a run that has ended removes it",
     read_checkpoint},
    {"--every", "MOG_CHECKPOINT_EVERY", false, "TIME", "How often: 30s, 5m, 2h; by default 60s; 0: only at SIGTERM", read_every},
    {"--resume", "", false, "FILE", "Go on from such a file: no PROGRAM is needed, and another device, engine or machine may\ndo it",
     read_resume},
    {"--record", "MOG_RECORD", false, "FILE", "Keep in FILE what comes to each PE from outside, so that one of them can run again alone",
     read_record},
    {"--replay", "", false, "FILE:RANK",
     "Run this PE of such a file again, on the reference machine, also with --gdb; no PROGRAM is\nneeded, nor files, nor the other PEs",
     read_replay},
    {"--trace", "", true, "", "Show each instruction; --trace=0,3-5 of these PEs (reference only)", read_trace},
};

}  // namespace

std::span<const Setting> settings() { return table; }

Result<void> read_environment(Options &options) {
    for (const Setting &setting : table) {
        if (setting.variable.empty()) continue;
        const char *value = std::getenv(std::string(setting.variable).c_str());
        if (!value || !*value) continue;
        if (Result<void> read = setting.read(options, value); !read)
            return Error{fmt::format("{}: {}", setting.variable, read.error().message)};
    }
    return {};
}

}  // namespace mog
