// system_calls.hpp: serves the system calls of all PEs that wait in one round. Those without buffers are answered one after the other, from
// their records alone (system_calls.cpp); the others in batches of three phases (call_batches.cpp): fetch what all of them read, let the
// handlers work, put back what they answer. However many PEs call, the device sees a few transfers.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/graphs/hosted_graphs.hpp"
#include "runtime_host/service/ends.hpp"
#include "runtime_host/service/run_clock.hpp"

namespace mog {

class SystemCalls {
public:
    /// All outlive it.
    SystemCalls(Device &device, const Image &image, Population &population, Scheduler &scheduler, Ends &ends, const RunClock &clock);

    /// Serves the calls of PEs that stopped, and ends those that a fault stopped. Calls that cannot be done yet are in
    /// Population::waiting afterwards; those of MPI and of native functions are left for others. Error: the device's.
    Result<void> serve(std::span<const Request> requests);
    /// Serves one call in the midst of a launch (Device::Served). If it is for later, nothing is done: it waits for something, or has to do
    /// with other PEs than threads of its own, or --strace shows calls in the order of ranks. Nobody else uses this at the same time.
    /// `any`: not only a call between threads of a PE.
    Device::Served serve_at_once(const Request &call, bool any, std::vector<std::uint32_t> &woken);
    /// Workers of graphs that the host schedules are told what to do: those that slept go on, and are added to `woken`.
    Result<void> schedule_graphs(std::vector<std::uint32_t> &woken);
    /// Whose time to wait is over goes on.
    Result<void> expire_waits();
    /// Somebody waits for a time, and for nothing else that could come.
    bool has_waits() const { return population_.threads && population_.threads->next_expiry(); }
    /// Calls of MPI that the last round brought.
    std::vector<Request> &mpi_calls() { return mpi_calls_; }
    /// The calls of native functions that it brought, each function's all at once: whoever serves them, a GPU perhaps, gains by their
    /// number.
    Result<void> serve_natives();

    /// Nothing runs and every waiting PE waits: so does the host, for as many seconds at most.
    void wait_for_progress(double seconds) const;
    /// The run begins, or goes on after a pause.
    void go_on() {
        services_.start = clock_.start();
        services_.host_pid = population_.host_pid;
    }

private:
    using Clock = RunClock::Clock;

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
    /// What calls wait for: each descriptor of the host once, however many PEs wait for it.
    struct Waits {
        std::vector<short> events;  ///< by descriptor
        std::vector<int> fds;       ///< those whose events are not 0
        Clock::time_point wake = Clock::time_point::max();
        void clear();
        void add(const struct pollfd &wait);
    };

    void check_arguments(const SyscallRow &row, const Request &q);
    void serve_plain(std::span<const Request> requests);
    /// A call has come. One that waits was counted when it came first.
    void count(std::uint32_t pe, const SyscallRow *row) {
        if (population_.states[pe] != PeState::Runs) return;
        population_.result.calls++;
        if (row) population_.result.calls_by_row[static_cast<std::size_t>(row - syscall_rows().data())]++;
    }
    Result<void> concern_others(const Request &request, const Call &call);
    Result<void> start_thread(std::uint32_t parent, const StartedThread &started);
    Result<void> set_thread_pointer(std::uint32_t pe, std::uint32_t value);
    void end_thread(std::uint32_t pe);
    void tell_no_threads(std::uint32_t process);
    /// A thread that calls below its stack has overwritten what others have there.
    bool has_left_stack(const Request &q) const {
        const bool may_have =
            population_.threads && q[MOG_Q_STOP] == MOG_STOP_SYS && q[MOG_Q_SP] < population_.threads->stack_of(q[MOG_Q_PE]);
        return may_have && is_below_stack(q);
    }
    bool is_below_stack(const Request &q) const;
    std::span<const Request> end_those_below_stacks(std::span<const Request> requests);
    void conclude(const Request &request, const Call &call, std::int32_t result);
    /// What the PE gets for a handler's result.
    static Answer answer_for(std::uint32_t pe, std::int32_t result) {
        const bool failed = result < 0 && result > -4096;
        return {pe, static_cast<std::uint32_t>(failed ? -result : result), failed};
    }
    /// The time is over, or the run was cancelled: what is left of a round waits, and all that wait are ended.
    bool is_over() const { return clock_.deadline().is_over(); }
    void postpone(const Request &request);
    Result<void> reply();
    Result<void> serve_batch(std::span<const Request> requests);
    Result<void> fetch_inputs();
    Result<void> fetch_paths();
    Result<void> fetch_vectors();
    std::uint32_t plan_fetch(std::uint32_t pe, std::uint32_t address, std::uint32_t length);
    Result<void> handle(Pending &pending);
    Call call_of(const Pending &pending);
    std::span<const std::uint8_t> input_of(const Pending &pending, std::uint32_t n) const;
    void tell_unsupported(const Request &request);
    void trace_call(const Pending &pending, std::size_t first_reply, std::int32_t result, bool returns);
    std::uint64_t cost_of(const Request &request) const;
    bool has_memory(std::uint32_t address, std::uint64_t length) const;

    Device &device_;
    const Image &image_;
    Population &population_;
    Scheduler &scheduler_;
    Ends &ends_;
    const RunClock &clock_;
    HostedGraphs graphs_;
    CallTrace trace_;
    Services services_;
    AnswerRows rows_;
    std::optional<std::uint32_t> thread_pointer_row_;  ///< none: the program has no threads

    // Of the round or batch in progress; kept to use their room again.
    std::vector<Pending> batch_;
    std::vector<Transfer> fetches_;
    std::vector<std::uint8_t> gathered_;
    std::uint64_t planned_ = 0;  ///< bytes of gathered_ that fetches_ will fill
    std::vector<std::string> paths_;
    Replies replies_;
    std::vector<Answer> answers_;
    std::vector<Request> kept_;  ///< of a round, without those that have left their stacks
    std::vector<Request> with_buffers_, blocked_, killed_, native_calls_, mpi_calls_;
    std::vector<std::uint32_t> signals_;  ///< of killed_
    Waits waits_;
    bool told_no_threads_ = false;
};

}  // namespace mog
