// run_config.hpp: everything about one run: what the user wants, what is run and by whom, and what was decided when it was loaded. There is
// one for each run, and its parts read it where it is.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime_host/config/options.hpp"
#include "runtime_host/device/addresses.hpp"
#include "runtime_host/faults/core_file.hpp"
#include "runtime_host/linux/host_paths.hpp"
#include "runtime_host/linux/native_calls.hpp"
#include "runtime_host/linux/output.hpp"
#include "support/cancel.hpp"
#include "support/owned_fd.hpp"

namespace mog {

class CodeSamples;
class MemoryChecker;
class ProfileCollector;
class RaceChecker;
class Recorder;
class Recording;
class Replayer;
class SlottedDevice;
class Sweep;
class Watch;
namespace mpi {
class Bridge;
}
namespace gdb {
class Debugger;
}

/// Strings that many PEs may share.
using Words = std::shared_ptr<const std::vector<std::string>>;

/// How a PE starts, where it differs from the others.
struct OwnStart {
    Words arguments, environment;              ///< null: those of all
    std::shared_ptr<const std::string> input;  ///< null: that of all
};

/// How far a run is.
struct RunProgress {
    double seconds = 0;  ///< since its start, pauses apart
    std::uint32_t nproc = 0, ended = 0;
    std::uint64_t slices = 0, calls = 0;
    std::uint32_t waiting = 0;  ///< in calls of the system that cannot be done yet
    bool is_sweep = false;      ///< PEs are its runs
};

struct RunConfig {
    Options options;

    // What is run.
    bool fill = false;  ///< without a number of PEs fill the device instead of running one
    Words arguments, environment;
    std::string program;                       ///< the file that it is in, for --record
    std::shared_ptr<const std::string> input;  ///< standard input of all PEs; null: as the options say
    std::unordered_map<std::uint32_t, OwnStart> own;
    std::shared_ptr<const Sweep> sweep;  ///< PEs are its runs; none: it is no sweep

    // Who runs it. Pointers are to what outlives the run.
    OutputConfig output;
    std::function<void(std::string_view)> say;            ///< messages about the run, without newline at the end
    std::function<void(std::string_view)> trace;          ///< lines of --trace, with it
    std::function<void(const RunProgress &)> progress{};  ///< told after each round
    Cancel *cancel = nullptr;                             ///< looked at between launches
    Cancel *pause = nullptr;                              ///< likewise: asks that the stretch ends, after which the run goes on
    bool cancel_is_interrupt = false;                     ///< it is the user who asks: messages say where PEs were
    Watch *watch = nullptr;                               ///< who may ask what PEs do; none: nobody does
    const NativeFunctions *natives = nullptr;             ///< what PEs may call by name; none: nothing
    mpi::Bridge *bridge = nullptr;       ///< to other processes, whose PEs are in one world with ours; none: all PEs are here
    std::istream *state = nullptr;       ///< of a run that goes on where another one was written down; none: it begins
    std::shared_ptr<Recording> replays;  ///< what was recorded of the PE that runs again; none: it is no replay
    bool goes_on = false;                ///< PEs are loaded empty, for somebody has memory and registers from elsewhere
    bool keeps_causes = false;           ///< for ServiceLoop::cause_of()
    bool owns_process = true;            ///< its umask and environment may be changed
    std::string memory_hint = "--mem SIZE or MOG_MEM";  ///< what to suggest when memory was too small

    // Decided when it is loaded.
    std::uint32_t nproc = 1;
    std::uint32_t threads = 1;               ///< of each PE, which is a process then; see pes()
    std::uint32_t advised_threads = 1;       ///< how many a program had better start that asks for the number of processors
    std::uint32_t data_words = 0;            ///< DATA of each PE
    std::uint32_t startup_bytes = 0;         ///< with which DATA of a PE ends that begins
    std::uint32_t window_bytes = 0;          ///< of memory that all PEs share; 0: the program has no window
    ReadOnlyData read_only{};                ///< what of DATA PEs may not write
    std::uint32_t first_rank = 0;            ///< the number of our PE 0 in the world,
    std::uint32_t world_size = 0;            ///< and how many PEs that has, if others are elsewhere, or were
    std::shared_ptr<const HostPaths> paths;  ///< what PEs may do with files; none: all that the user may
    CoreOrigin core{};
    std::shared_ptr<OwnedFd> mpi_trace{};                        ///< the file of --mpi-trace, in the process that writes it
    SlottedDevice *slots = nullptr;                              ///< of a sweep: what runs it
    std::function<Result<void>(std::uint32_t run)> start_run{};  ///< of a sweep: writes a run's own arguments and environment
    RaceChecker *races = nullptr;                                ///< of --check-races; none: nobody checks
    MemoryChecker *memory = nullptr;                             ///< of --check=memory
    CodeSamples *samples = nullptr;                              ///< asks where PEs are, for --stats and devices; none: nobody does
    ProfileCollector *collector = nullptr;                       ///< of --profile-report; none: nobody wants one
    gdb::Debugger *debugger = nullptr;                           ///< of --gdb; none: nobody looks on
    Recorder *recorder = nullptr;                                ///< of --record; none: nothing is kept
    Replayer *replayer = nullptr;                                ///< of --replay

    std::uint32_t data_bytes() const { return 4 * data_words; }
    Addresses addresses() const { return {data_bytes(), window_bytes, read_only}; }
    /// How many the device has. A PE that may have several threads is so many of them, which share its DATA: number `pe` is its first
    /// thread, others are nproc, 2 nproc, ... higher.
    std::uint32_t pes() const { return nproc * threads; }
    std::uint32_t process_of(std::uint32_t pe) const { return pe < nproc ? pe : pe % nproc; }
    std::uint32_t thread_of(std::uint32_t pe) const { return pe < nproc ? 0 : pe / nproc; }
    /// PEs of all processes.
    std::uint32_t world() const { return world_size ? world_size : nproc; }
    /// The PE that has standard input, if it is one's; no PE's here, unless this is process 0.
    std::uint32_t stdin_pe() const { return options.stdin_rank - first_rank; }
    /// The program names its sources; one that may see no file of ours shall not have them quoted either.
    bool shows_source() const { return options.files.root.empty() && !options.files.no_files; }
    /// Bytes that are a PE's standard input; null: as the options say.
    std::shared_ptr<const std::string> input_of(std::uint32_t pe) const {
        const auto found = own.find(pe);
        return found != own.end() && found->second.input ? found->second.input : input;
    }
    bool gives_input() const { return input || !own.empty(); }
};

}  // namespace mog
