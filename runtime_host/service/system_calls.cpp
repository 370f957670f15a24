// system_calls.cpp: the calls of one round. Those without buffers are answered one after the other, from their records alone; the others
// in batches (call_batches.cpp).
#include "runtime_host/service/system_calls.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "runtime_host/watch/watch.hpp"

namespace mog {

namespace {

std::uint32_t pe_of(const Request &q) { return q[MOG_Q_PE]; }

}  // namespace

SystemCalls::SystemCalls(Device &device, const Image &image, Population &population, Scheduler &scheduler, Ends &ends,
                         const RunClock &clock)
    : device_(device),
      image_(image),
      population_(population),
      scheduler_(scheduler),
      ends_(ends),
      clock_(clock),
      graphs_(device, image, population.config.addresses()),
      trace_(population),
      services_{
          population.output,
          population.files,
          population.config.addresses(),
          clock.start(),
          population.config.natives,
          [this](std::uint32_t pe, std::uint32_t bytes) { population_.faults.lacks_memory(pe, bytes, population_.config.data_bytes()); },
          population.config.owns_process,
          population.host_pid,
          [this](std::uint32_t process) { tell_no_threads(process); },
          population.threads ? &*population.threads : nullptr},
      rows_{MOG_S_REGS + image.roles[static_cast<std::size_t>(Role::v0)], MOG_S_REGS + image.roles[static_cast<std::size_t>(Role::a3)]} {
    if (const auto pointer = thread_pointer_register(image)) thread_pointer_row_ = MOG_S_REGS + *pointer;
}

/// Said once: programs are told by EAGAIN, and their users want to know why.
void SystemCalls::tell_no_threads(std::uint32_t process) {
    if (std::exchange(told_no_threads_, true)) return;
    const RunConfig &config = population_.config;
    population_.output.flush();
    config.say(
        fmt::format("{}all {} thread{} of the process are in use, so that it cannot start another; --threads says how many it may have",
                    name_ranks(population_.world_ranks({process}), config.world()), config.threads, config.threads == 1 ? "" : "s"));
}

Result<void> SystemCalls::expire_waits() {
    if (!has_waits()) return {};
    for (const std::uint32_t pe : population_.threads->expired(Clock::now())) {
        answers_.push_back(answer_for(pe, failure(ETIMEDOUT)));
        scheduler_.resume(pe);
    }
    return reply();
}

Result<void> SystemCalls::schedule_graphs(std::vector<std::uint32_t> &woken) {
    if (!graphs_.are_possible() || !population_.threads) return {};
    MOG_TRY(graphs_.look([&](std::uint32_t address) {
        for (const std::uint32_t pe : population_.threads->wake(0, address, UINT32_MAX, UINT32_MAX)) {
            answers_.push_back(answer_for(pe, 0));
            scheduler_.resume(pe);
            woken.push_back(pe);
        }
    }));
    return reply();
}

Result<void> SystemCalls::serve(std::span<const Request> requests) {
    // Data of a batch passes through staging memory, which has to stay within bounds.
    constexpr std::uint64_t batch_bytes = 64u << 20;
    blocked_.clear();
    waits_.clear();
    serve_plain(end_those_below_stacks(requests));
    // In the order of ranks, as what they print comes out. Records come in any order while PEs run.
    if (!std::ranges::is_sorted(with_buffers_, {}, pe_of)) std::ranges::sort(with_buffers_, {}, pe_of);
    const std::span<const Request> others = with_buffers_;
    for (std::size_t begin = 0; begin < others.size();) {
        if (is_over()) {
            for (const Request &q : others.subspan(begin)) postpone(q);
            break;
        }
        std::uint64_t bytes = cost_of(others[begin]);
        std::size_t last = begin + 1;
        while (last < others.size() && bytes + cost_of(others[last]) <= batch_bytes) bytes += cost_of(others[last++]);
        if (Result<void> served = serve_batch(others.subspan(begin, last - begin)); !served) return served;
        begin = last;
    }
    // With nothing else in the round.
    if (Result<void> done = reply(); !done) return done;
    if (!std::ranges::is_sorted(blocked_, {}, pe_of)) std::ranges::sort(blocked_, {}, pe_of);
    if (population_.threads)  // those whose process has ended meanwhile
        std::erase_if(blocked_, [this](const Request &q) { return population_.states[pe_of(q)] == PeState::Ended; });
    population_.waiting.swap(blocked_);
    return {};
}

bool SystemCalls::is_below_stack(const Request &q) const {
    const Transfer transfer{q[MOG_Q_PE], MOG_DATA_BASE + 4 * MOG_CB_BRK, 4, 0, false};
    std::uint32_t brk = 0;
    return device_.gather({&transfer, 1}, {reinterpret_cast<std::uint8_t *>(&brk), sizeof brk}) &&
           population_.threads->has_left_stack(q[MOG_Q_PE], q[MOG_Q_SP], brk);
}

/// They end as by a fault at the call.
std::span<const Request> SystemCalls::end_those_below_stacks(std::span<const Request> requests) {
    if (std::ranges::none_of(requests, [this](const Request &q) { return has_left_stack(q); })) return requests;
    kept_.clear();
    for (const Request &q : requests) {
        if (!has_left_stack(q)) {
            kept_.push_back(q);
            continue;
        }
        Request fault = q;
        fault[MOG_Q_STOP] = MOG_STOP_STACK;
        fault[MOG_Q_INFO] = q[MOG_Q_SP];
        if (fault[MOG_Q_PC] != 0) --fault[MOG_Q_PC];
        killed_.push_back(fault);
        signals_.push_back(0);
    }
    return kept_;
}

/// Leaves a call for a next round, which comes only if there is still time. One that a fault stopped ends by it all the same.
void SystemCalls::postpone(const Request &q) {
    const std::uint32_t pe = q[MOG_Q_PE];
    if (q[MOG_Q_STOP] != MOG_STOP_SYS) {
        killed_.push_back(q);
        signals_.push_back(0);
        return;
    }
    blocked_.push_back(q);
    if (population_.states[pe] == PeState::Runs) scheduler_.stop(pe, PeState::Waits);
}

/// Tens of thousands of PEs may do nothing else in a round, so this is short. With --strace, calls are shown in the order of ranks: then
/// all go the long way.
void SystemCalls::serve_plain(std::span<const Request> requests) {
    with_buffers_.clear();
    if (requests.empty()) return;
    answers_.resize(requests.size());
    Answer *next = answers_.data();
    const PeState *const states = population_.states.data();
    const SyscallRow *const rows = syscall_rows().data();
    RunResult &told = population_.result;
    Call call{services_, nullptr, 0, nullptr, replies_, std::span<const std::uint32_t, 8>(requests.front().data() + MOG_Q_ARG, 8)};
    constexpr std::size_t calls_between_looks = 16;  // at the clock; some take milliseconds (fsync)
    for (std::size_t i = 0; i < requests.size(); i++) {
        const Request &q = requests[i];
        if (clock_.deadline().is_set() && i % calls_between_looks == 0 && is_over()) {
            // Among those in batches nobody is served any more either.
            with_buffers_.insert(with_buffers_.end(), requests.begin() + static_cast<std::ptrdiff_t>(i), requests.end());
            break;
        }
        const SyscallRow *row = q[MOG_Q_STOP] == MOG_STOP_SYS && q[MOG_Q_INFO] == 0 ? find_syscall(q[MOG_Q_NUMBER]) : nullptr;
        if (!row || !row->is_plain || trace_.is_on()) {
            with_buffers_.push_back(q);
            continue;
        }
        const std::uint32_t pe = q[MOG_Q_PE];
        const bool runs = states[pe] == PeState::Runs;
        if (runs) {
            told.calls++;
            told.calls_by_row[static_cast<std::size_t>(row - rows)]++;
        }
        if (states[pe] == PeState::Ended) continue;  // with its process, by another call of the round
        call.process = &population_.process_of(pe);
        call.pe = pe;
        call.wake = &population_.wake_of(pe);
        call.args = std::span<const std::uint32_t, 8>(q.data() + MOG_Q_ARG, 8);
        const std::int32_t result = row->handler(call);
        if (call.outcome == Outcome::Resume || call.outcome == Outcome::Yield) {
            *next++ = answer_for(pe, result);
            if (!runs) scheduler_.resume(pe);
        } else {
            conclude(q, call, result);
            call.waits.clear();
        }
        call.outcome = Outcome::Resume;
    }
    answers_.resize(static_cast<std::size_t>(next - answers_.data()));
}

/// What comes of a call that its handler has seen.
void SystemCalls::conclude(const Request &q, const Call &call, std::int32_t result) {
    const std::uint32_t pe = q[MOG_Q_PE];
    switch (call.outcome) {
        case Outcome::Resume:
        case Outcome::Yield:  // others have had their turn
            answers_.push_back(answer_for(pe, result));
            scheduler_.resume(pe);
            break;
        case Outcome::Park: scheduler_.stop(pe, PeState::Parked, WaitFor::threads); break;
        case Outcome::ThreadExit: end_thread(pe); break;
        case Outcome::Exit: ends_.end_by_exit(population_.config.process_of(pe), call.exit_status); break;
        case Outcome::Signal:
            killed_.push_back(q);
            signals_.push_back(call.signal);
            break;
        case Outcome::Native: native_calls_.push_back(q); break;
        case Outcome::Mpi: mpi_calls_.push_back(q); break;
        case Outcome::Block:
            for (const struct pollfd &wait : call.waits) waits_.add(wait);
            if (const Clock::time_point wake = population_.wake_of(pe); wake != Clock::time_point{})
                waits_.wake = std::min(waits_.wake, wake);
            postpone(q);
    }
}

/// PEs get what the calls served so far gave, or are ended by it.
Result<void> SystemCalls::reply() {
    if (!replies_.transfers().empty())
        if (Result<void> done = device_.scatter(replies_.transfers(), replies_.staging()); !done) return done;
    replies_.clear();
    if (!answers_.empty())
        if (Result<void> done = device_.answer(answers_, rows_); !done) return done;
    answers_.clear();
    if (killed_.empty()) return {};
    Result<void> ended = ends_.end_faulty(killed_, signals_);
    killed_.clear();
    signals_.clear();
    return ended;
}

void SystemCalls::Waits::clear() {
    for (const int fd : fds) events[static_cast<std::size_t>(fd)] = 0;
    fds.clear();
    wake = Clock::time_point::max();
}

/// What nobody can wait at, for there is no descriptor of the host behind it, never comes.
void SystemCalls::Waits::add(const struct pollfd &wait) {
    if (wait.fd < 0) return;
    const auto at = static_cast<std::size_t>(wait.fd);
    if (at >= events.size()) events.resize(at + 1);
    if (events[at] == 0) fds.push_back(wait.fd);
    // POLLHUP and POLLERR come unasked; as a mark that the descriptor is wanted, one of them changes nothing.
    events[at] = static_cast<short>(events[at] | wait.events | POLLERR);
}

void SystemCalls::wait_for_progress(double seconds) const {
    if (has_waits()) seconds = std::min(seconds, std::chrono::duration<double>(*population_.threads->next_expiry() - Clock::now()).count());
    if (waits_.wake != Clock::time_point::max())
        seconds = std::min(seconds, std::chrono::duration<double>(waits_.wake - Clock::now()).count());
    std::vector<struct pollfd> fds;
    if (const Cancel *const cancel = population_.config.cancel) fds.push_back({cancel->fd(), POLLIN, 0});
    if (const Watch *const watch = population_.config.watch) fds.push_back({watch->fd(), POLLIN, 0});
    if (const Cancel *const pause = population_.config.pause) fds.push_back({pause->fd(), POLLIN, 0});
    for (const int fd : waits_.fds) fds.push_back({fd, waits_.events[static_cast<std::size_t>(fd)], 0});
    const int milliseconds = static_cast<int>(std::ceil(std::max(0.0, seconds) * 1000));
    poll(fds.data(), fds.size(), milliseconds);
}

}  // namespace mog
