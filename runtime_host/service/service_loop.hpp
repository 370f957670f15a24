// service_loop.hpp: runs a loaded program to its end, or for a while: launches slices, has the calls of all PEs that stopped served in
// rounds, and ends PEs that exit or fault. The parts of it: the population (what PEs are between launches), the scheduler (who runs next),
// system calls, MPI, and ends.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "runtime_host/config/run_config.hpp"
#include "runtime_host/population/population.hpp"
#include "runtime_host/service/ends.hpp"
#include "runtime_host/service/mpi_port.hpp"
#include "runtime_host/service/population_state.hpp"
#include "runtime_host/service/run_clock.hpp"
#include "runtime_host/service/run_queue.hpp"
#include "runtime_host/service/scheduler.hpp"
#include "runtime_host/service/system_calls.hpp"

namespace mog {

/// How long to run before others get a turn.
struct Stretch {
    double seconds = HUGE_VAL;
    std::uint64_t slices = UINT64_MAX;  ///< launches
};

class ServiceLoop {
public:
    /// The device is loaded. Everything outlives the loop.
    ServiceLoop(Device &device, const Image &image, const RunConfig &config);
    ServiceLoop(Device &, const Image &, const RunConfig &&) = delete;
    ~ServiceLoop();

    /// Runs to the end of every PE. Error: the device failed.
    Result<RunResult> run();
    /// Runs for a while. True: every PE has ended, and there is a result; after that no more of this. False: go on by calling it
    /// again. Error: the device failed, which ends the run.
    Result<bool> run_for(const Stretch &stretch);
    const RunResult &result() const { return population_.result; }

    /// Of a sweep: how each run went; null: it is none.
    const std::vector<RunRecord> *runs() const { return queue_ ? &queue_->records() : nullptr; }
    /// What PEs have used of their memory, after the end. Error: the device's.
    Result<MemoryUse> memory_use() { return ends_.memory_use(); }
    const PeEnd &end_of(std::uint32_t pe) const { return population_.ends[pe]; }
    /// Why a PE ended, where that was not its exit, with keeps_causes; else empty. Stays where it is.
    const EndCause &cause_of(std::uint32_t pe) const { return population_.faults.cause(population_.ends[pe].cause); }
    RunProgress progress() const;
    bool has_called_mpi() const { return population_.mpi != nullptr; }
    /// With --mpi-stats or --mpi-matrix, once MPI was called; null otherwise.
    const mpi::Statistics *mpi_statistics() const { return mpi_.statistics(); }
    bool is_cancelled() const { return is_cancelled_; }

    /// Between two stretches: all that PEs are, so that another loop can go on with them, in another process (population_state.hpp).
    Result<void> write_state(std::ostream &out, StateMemory memory = StateMemory::Within);
    /// Before the first stretch, into PEs that are loaded for it (RunConfig::state). After an error the loop is of no use.
    Result<void> read_state(std::istream &in, StateMemory memory = StateMemory::Within);
    /// Whether a state is one of this run, as far as its head says; nothing is read into it.
    Result<void> check_state(std::istream &in, StateMemory memory);
    FileSystem &files() { return population_.files; }

    // Of a world of several processes, between two stretches:

    /// Before the first one: what others say can be heard.
    Result<void> join_others() { return population_.mpi ? Result<void>() : mpi_.start(); }
    /// Others are served, and no PE runs, until `is_enough`. True: the run is over.
    Result<bool> serve_only_others(const std::function<bool()> &is_enough);
    /// What they have to do with each other; no PE of them calls it.
    mpi::Engine &engine() { return *population_.mpi; }
    /// For whoever carries memory beside a state: PEs that have ended have none.
    const Population &population() const { return population_; }

private:
    using Clock = RunClock::Clock;
    class Overlap;

    Result<bool> run_rounds(const Stretch &stretch);
    Result<bool> run_overlapped(ConcurrentLaunches &launches, Stretch stretch);
    bool runs_concurrently() const;
    void serve_within_launches();
    Result<void> launch(std::vector<Request> &stopped);
    Result<void> launch_part(std::span<const std::uint32_t> pes, std::uint32_t passes, std::span<const std::uint32_t> own_passes,
                             std::vector<Request> &stopped, double &seconds);
    Result<void> serve(std::span<const Request> requests);
    void wait_for_progress();
    bool nobody_goes_on() const;
    bool pauses(const Stretch &stretch, std::uint64_t slices_before) const;
    Result<void> end_all_by_cancel();
    bool is_watched() const;
    Result<void> tell_whereabouts();
    /// Until somebody looks at the clock.
    double time_left() const { return std::min(clock_.seconds_left(), clock_.stretch_left()); }

    Device &device_;
    const Image &image_;
    const RunConfig &config_;
    Population population_;
    RunClock clock_;
    Scheduler scheduler_;
    Ends ends_;
    SystemCalls calls_;
    MpiPort mpi_;
    std::optional<RunQueue> queue_;
    std::mutex serving_;  ///< calls within a launch, which any thread of the device's may ask for
    bool is_cancelled_ = false;
};

}  // namespace mog
