// population.hpp: all PEs of a run as they are between two launches: what each waits for, what it has open, what it has printed, how it
// ended; and what they have to do with each other. Their memory and registers are with the device. A population can be written to a stream
// and go on from there in another process (population_state.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime_host/config/run_config.hpp"
#include "runtime_host/faults/faults.hpp"
#include "runtime_host/linux/files.hpp"
#include "runtime_host/linux/output.hpp"
#include "runtime_host/linux/syscalls.hpp"

namespace mog {

class RunQueue;
namespace mpi {
class Engine;
}

/// Waits: its call is in Population::waiting, and tried again. Calls: it is in an MPI call that is being served; Parked: that is not done,
/// or it waits for another thread. Free: it is no thread of its process at present.
enum class PeState : std::uint8_t { Runs, Waits, Calls, Parked, Ended, Free };

/// How a PE ended; Not: it has not yet.
enum class EndedBy : std::uint8_t { Not, Exit, Fault, Signal, Fuel, Timeout, OthersFault, Cancel, Deadlock, Abort };
struct PeEnd {
    EndedBy by = EndedBy::Not;
    int status = 0;
    int signal = 0;           ///< of MIPS Linux, for Fault and Signal
    std::uint32_t cause = 0;  ///< for ServiceLoop::cause_of()

    static void carry(auto &self, auto &archive) { archive(self.by, self.status, self.signal, self.cause); }
};

struct RunResult {
    /// 0 if every PE's is; else that of the lowest-ranked PE whose is not; 124 after a timeout; with abort_on_fault that
    /// of the first fault. What the PEs ended well
    /// without, for standard output could not take it, counts too: 1, or 141 if its reader left.
    int status = 0;
    std::map<int, std::vector<std::uint32_t>> ranks_by_status;  ///< exit statuses, and who ended with each, in order
    double seconds = 0;
    double device_seconds = 0;  ///< of them in launches
    bool concurrent = false;    ///< calls were served while PEs ran
    std::uint64_t slices = 0;
    std::uint64_t calls = 0;
    std::vector<std::uint64_t> calls_by_row;  ///< in the order of syscall_rows()
};

struct Population {
    /// PEs that are loaded and have not run. Both outlive the population.
    Population(const Image &image, const RunConfig &config);
    ~Population();
    Population(const Population &) = delete;
    Population &operator=(const Population &) = delete;

    const RunConfig &config;

    // By process, whose number its first PE has:
    std::vector<Process> processes;
    std::vector<PeEnd> ends;
    std::vector<std::uint64_t> fuel_left;  ///< with --fuel; else empty
    // By PE, which is a thread of a process if these have several (RunConfig::pes):
    std::vector<PeState> states;
    std::vector<std::chrono::steady_clock::time_point> wakes;  ///< of those that are no first threads; see Call::wake
    std::optional<Threads> threads;                            ///< none: processes have one each, and share no memory

    std::uint32_t ended = 0;       ///< how many have
    std::vector<Request> waiting;  ///< calls that could not be done yet, ascending by PE
    Output output;
    FileSystem files;
    std::uint32_t host_pid;            ///< what their process numbers are made of (pid_of)
    RunQueue *queue = nullptr;         ///< of a sweep, whose runs begin when there is room for them; none: all have begun
    std::unique_ptr<mpi::Engine> mpi;  ///< once somebody has called MPI, or there are other processes

    // What was told about them, and what is to be told at the end.
    FaultLog faults;
    int fault_status = 0;                ///< of the first fault
    std::vector<std::uint32_t> cores;    ///< PEs whose cores were written
    std::vector<bool> told_unsupported;  ///< by number: calls that they cannot make
    RunResult result;

    Process &process_of(std::uint32_t pe) { return processes[config.process_of(pe)]; }
    std::chrono::steady_clock::time_point &wake_of(std::uint32_t pe) {
        return pe < config.nproc ? processes[pe].wake : wakes[pe - config.nproc];
    }
    /// Its process has more threads than this one.
    bool has_other_threads(std::uint32_t pe) const { return threads && threads->alive(config.process_of(pe)) > 1; }
    /// PEs of a process that has not ended: its threads.
    std::vector<std::uint32_t> threads_of(std::uint32_t process) const {
        return threads ? threads->of_process(process) : std::vector{process};
    }

    bool all_ended() const { return ended == config.nproc; }
    /// Processes that have not ended, in order.
    std::vector<std::uint32_t> all_running() const;
    /// PEs as messages name them.
    std::vector<std::uint32_t> world_ranks(std::vector<std::uint32_t> pes) const;
};

}  // namespace mog
