// options.hpp: everything a user can set about a run, from the command line of mogrun or from MOG_* variables.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/config/sweep.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/faults/core_file.hpp"
#include "runtime_host/linux/files.hpp"
#include "runtime_host/mpi/base/settings.hpp"
#include "support/result.hpp"

namespace mog {

/// Of checkpoints.
struct CheckpointOptions {
    std::string file;    ///< where they go, absolute; empty: there are none
    double every = 60;   ///< seconds; 0: only when SIGTERM comes
    std::string resume;  ///< the one to go on from; empty: the run begins
};

/// Where it is told how far a run is.
struct ProgressOptions {
    enum class Line { Auto, Off, On } line = Line::Auto;  ///< Auto: on a terminal
    std::string file;                                     ///< for lines of JSON; empty: none
    std::optional<int> descriptor;                        ///< the same, to a descriptor of ours
};

/// What devices shall do (DeviceOptions), and all else.
struct Options : DeviceOptions {
    std::uint32_t nproc = 0;    ///< 0: not said
    std::uint32_t threads = 0;  ///< of each; 0: not said
    std::string device;         ///< empty: the best
    std::uint64_t memory = 0;   ///< bytes per PE; 0: a default
    std::uint64_t window = 0;   ///< bytes that all PEs share, in programs that have such; 0: a default
    bool tag_output = false;
    bool collate = false;
    FileSystem::Stdin stdin_mode = FileSystem::Stdin::Rank;
    std::uint32_t stdin_rank = 0;
    FilePolicy files;
    enum class Stats { None, Text, Json } stats = Stats::None;
    std::string profile;         ///< file for the counts of the run; empty: none
    std::string profile_report;  ///< file for what --profile-report tells; its name ends in one of profile::endings(); empty: none
    double timeout = 0;
    std::uint64_t fuel = 0;  ///< MOG instructions per PE; 0: any number
    bool abort_on_fault = false;
    bool fault_registers = false;
    CoreConfig cores;
    std::uint32_t slice = 0;
    enum class Service { Clean, Concurrent } service = Service::Clean;
    bool check_races = false;
    std::optional<bool> check_memory;        ///< nullopt: as the program asks for
    std::optional<std::string> gdb;          ///< gdb is waited for there: a port, the path of a socket, or empty: a port that is free
    bool gdb_later = false;                  ///< it is not waited for
    std::vector<std::uint32_t> gdb_ranks;    ///< whose PEs are gdb's threads; empty: all
    std::uint64_t gdb_history = 256u << 20;  ///< bytes that gdb may go back with
    bool strace = false;
    std::vector<std::uint32_t> strace_ranks;  ///< empty: all
    mpi::Settings mpi;
    SweepOptions sweep;
    CheckpointOptions checkpoint;
    ProgressOptions progress;
    std::string record;  ///< the file in which is kept what comes to PEs from outside; empty: none
    std::string replay;  ///< FILE:RANK of such a file; empty: the run is none of a recorded one
    bool trace = false;  ///< of the PEs in `trace_ranks`
};

/// One setting: what its option and its variable are called, and how its value is read.
struct Setting {
    std::string_view option;    ///< as CLI11 takes it: "-n,--np"
    std::string_view variable;  ///< "MOG_NPROC"; empty: command line only
    bool value_optional;        ///< --stats, --stats=json; alone it reads "true"
    std::string_view value;     ///< what the help calls the value
    std::string_view help;
    Result<void> (*read)(Options &options, std::string_view text);
};

std::span<const Setting> settings();

/// Takes the MOG_* variables over. Error: one has a bad value; it is named.
Result<void> read_environment(Options &options);

}  // namespace mog
