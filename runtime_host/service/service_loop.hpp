// service_loop.hpp: runs a loaded program to its end: launches slices, serves the system calls of all PEs that wait in
// one round, ends PEs that exit or fault.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/config/run_config.hpp"
#include "support/deadline.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/faults/faults.hpp"
#include "runtime_host/linux/syscalls.hpp"

namespace mog {

namespace mpi {
class Engine;
class Statistics;
}

/// How a PE ended; Not: it has not yet.
enum class EndedBy : std::uint8_t { Not, Exit, Fault, Signal, Fuel, Timeout, OthersFault, Cancel, Deadlock, Abort };
struct PeEnd {
    EndedBy by = EndedBy::Not;
    int status = 0;
    int signal = 0;  ///< of MIPS Linux, for Fault and Signal
    std::uint32_t cause = 0;  ///< for ServiceLoop::cause_of()
};

/// How long to run before others get a turn.
struct Stretch {
    double seconds = HUGE_VAL;
    std::uint64_t slices = UINT64_MAX;  ///< launches
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
    const RunResult &result() const { return result_; }

    const PeEnd &end_of(std::uint32_t pe) const { return ends_[pe]; }
    /// Why a PE ended, where that was not its exit, with keeps_causes; else empty. Stays where it is.
    const EndCause &cause_of(std::uint32_t pe) const { return faults_.cause(ends_[pe].cause); }
    RunProgress progress() const;
    bool has_called_mpi() const { return mpi_ != nullptr; }
    /// With --mpi-stats or --mpi-matrix, once MPI was called; null otherwise.
    const mpi::Statistics *mpi_statistics() const { return mpi_statistics_; }
    bool is_cancelled() const { return is_cancelled_; }

private:
    using Clock = std::chrono::steady_clock;
    /// Waits: its call is in waiting_, and tried again. Calls: it is in an MPI call that is being served; Parked: that is not done.
    enum class PeState : std::uint8_t { Runs, Waits, Calls, Parked, Ended };

    /// A request with what was fetched for it.
    struct Pending {
        const Request *request = nullptr;
        const SyscallRow *row = nullptr;
        std::uint32_t input_at[2]{};  ///< places in gathered_
        std::uint32_t input_size[2]{};
        std::uint32_t inputs = 0;
        int path[2] = {-1, -1};         ///< places in paths_ instead, for strings
        std::int32_t early_result = 0;  ///< the call fails with this (minus an errno) before its handler is asked
    };

    void adapt_slice(double seconds, double target);
    void lengthen_slice(bool anyone_stopped);
    Result<bool> run_rounds(const Stretch &stretch);
    class Overlap;
    bool runs_concurrently() const;
    Result<bool> run_overlapped(ConcurrentLaunches &launches, Stretch stretch);
    bool is_over_for_fault() const { return config_.options.abort_on_fault && fault_status_ != 0; }
    void finish();
    void end_all_by_cancel();
    double stretch_left() const;
    Result<void> serve(std::span<const Request> requests);
    Result<void> serve_natives();
    void serve_plain(std::span<const Request> requests);
    /// A call has come. One that waits was counted when it came first.
    void count(std::uint32_t pe, const SyscallRow *row) {
        if (states_[pe] != PeState::Runs) return;
        result_.calls++;
        if (row) result_.calls_by_row[static_cast<std::size_t>(row - syscall_rows().data())]++;
    }
    void conclude(const Request &request, const Call &call, std::int32_t result);
    /// What the PE gets for a handler's result.
    static Answer answer_for(std::uint32_t pe, std::int32_t result) {
        const bool failed = result < 0 && result > -4096;
        return {pe, static_cast<std::uint32_t>(failed ? -result : result), failed};
    }
    /// The time is over, or the run was cancelled: what is left of a round waits, and all that wait are ended.
    bool is_over() const { return deadline_->is_over(); }
    void postpone(const Request &request);
    void goes_on(std::uint32_t pe) {
        if (states_[pe] == PeState::Runs) return;
        states_[pe] = PeState::Runs;
        woken_.push_back(pe);
        active_changed_ = true;
    }
    Result<void> reply();
    Result<void> serve_mpi();
    Result<void> start_mpi();
    void resume_parked();
    Result<bool> end_mpi_round();
    Result<void> end_deadlocked();
    Result<bool> meet_others();
    void rest_until_others();
    Result<void> wait_for_world();
    void end_all_by_others(int status);
    void update_active();
    std::span<const std::uint32_t> neighbours();
    Result<void> serve_batch(std::span<const Request> requests);
    Result<void> fetch_inputs();
    Result<void> fetch_paths();
    Result<void> fetch_vectors();
    std::uint32_t plan_fetch(std::uint32_t pe, std::uint32_t address, std::uint32_t length);
    void handle(Pending &pending);
    std::span<const std::uint8_t> input_of(const Pending &pending, std::uint32_t n) const;
    void tell_unsupported(const Request &request);
    bool is_traced(std::uint32_t pe) const;
    void trace(std::uint32_t pe, std::string_view line);
    void trace_call(const Pending &pending, std::size_t first_reply, std::int32_t result, bool returns);
    Result<void> end_faulty(std::span<const Request> faults, std::span<const std::uint32_t> signals);
    Result<std::vector<StoppedPe::Facts>> where_they_stand(std::span<const std::uint32_t> pes);
    std::string place_of(std::uint32_t pe);
    Result<void> end_where_they_stand(std::span<const Ending> endings, std::span<const std::uint32_t> pes);
    Result<void> end_by_limit(Ending::By limit, std::span<const std::uint32_t> pes);
    Result<void> end_with(std::span<const Ending> endings, std::span<StoppedPe::Facts> facts);
    Result<void> end_some_with(std::span<const Ending> endings, std::span<StoppedPe::Facts> facts);
    void end(std::uint32_t pe, EndedBy by, int status, std::uint32_t signal = 0);
    Result<void> end_all_by_timeout();
    void end_all_for_fault();
    std::vector<std::uint32_t> world_ranks(std::vector<std::uint32_t> pes) const;
    void dump_core(const Ending &ending, bool is_first, StoppedPe &pe);
    void tell_cores();
    Result<void> end_those_without_fuel();
    std::span<const std::uint32_t> plan_passes();
    void use_fuel(std::span<const Request> stopped);
    std::vector<std::uint32_t> all_running() const;
    void wait_for_progress();
    std::uint64_t cost_of(const Request &request) const;
    bool in_data(std::uint32_t address, std::uint64_t length) const;
    std::uint32_t result_row(Role role) const { return MOG_S_REGS + image_.roles[static_cast<std::size_t>(role)]; }
    double seconds_left() const;

    Device &device_;
    const Image &image_;
    const RunConfig &config_;
    Output output_;
    FileSystem files_;
    FaultLog faults_;
    Services services_;
    RunResult result_;

    std::vector<Process> processes_;
    std::vector<PeState> states_;
    std::vector<PeEnd> ends_;
    std::uint32_t ended_ = 0;
    std::vector<std::uint32_t> active_;
    std::vector<std::uint32_t> passes_;     ///< of each active PE in the next launch, with --fuel
    std::vector<std::uint64_t> fuel_left_;  ///< by PE, with --fuel
    int fault_status_ = 0;                  ///< of the first fault
    std::vector<std::uint32_t> cores_;      ///< PEs whose cores were written
    std::vector<Request> waiting_;  ///< calls that could not be done yet, ascending by PE
    bool active_changed_ = false;
    std::vector<std::uint32_t> woken_;  ///< PEs that run again and are not in active_ yet
    std::uint32_t first_neighbour_ = 0, rounds_of_neighbours_ = 0;
    std::unique_ptr<mpi::Engine> mpi_;  ///< once somebody has called MPI, or there are other processes
    const mpi::Statistics *mpi_statistics_ = nullptr;
    double clock_offset_ = 0;  ///< seconds: what the clock of process 0 shows more
    std::uint32_t rests_ = 0;           ///< since something could run here, or came from elsewhere
    std::uint32_t slice_ = 0;
    std::vector<bool> told_unsupported_;

    // Of the batch in progress; kept to use their room again.
    std::vector<Pending> batch_;
    std::vector<Transfer> fetches_;
    std::vector<std::uint8_t> gathered_;
    std::uint64_t planned_ = 0;  ///< bytes of gathered_ that fetches_ will fill
    std::vector<std::string> paths_;
    Replies replies_;
    std::vector<Answer> answers_;
    std::vector<Request> with_buffers_, blocked_, killed_, native_calls_, mpi_calls_;
    std::vector<std::uint32_t> resumed_;  ///< PEs whose MPI calls are done
    std::vector<std::uint32_t> signals_;  ///< of killed_
    /// What the calls in waiting_ wait for: each descriptor of the host once, however many PEs wait for it.
    struct Waits {
        std::vector<short> events;  ///< by descriptor
        std::vector<int> fds;       ///< those whose events are not 0
        Clock::time_point wake = Clock::time_point::max();
        void clear();
        void add(const struct pollfd &wait);
    } waits_;
    std::shared_ptr<Deadline> deadline_;
    Clock::time_point start_, stretch_end_, paused_;
    bool started_ = false, is_paused_ = false, bounded_ = false, is_cancelled_ = false;
};

}  // namespace mog
