// service_round.cpp: the calls of one round. Those without buffers are answered one after the other, from their records alone; the others
// in batches (service_batch.cpp).
#include <algorithm>

#include <fmt/format.h>

#include "runtime_host/service/service_loop.hpp"

namespace mog {

namespace {

std::uint32_t pe_of(const Request &q) {
    return q[MOG_Q_PE];
}

}  // namespace

Result<void> ServiceLoop::serve(std::span<const Request> requests) {
    // Data of a batch passes through staging memory, which has to stay within bounds.
    constexpr std::uint64_t batch_bytes = 64u << 20;
    blocked_.clear();
    waits_.clear();
    serve_plain(requests);
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
    waiting_.swap(blocked_);
    if (!mpi_calls_.empty())
        if (Result<void> served = serve_mpi(); !served) return served;
    return native_calls_.empty() ? Result<void>() : serve_natives();
}

/// Leaves a call for a next round, which comes only if there is still time. One that a fault stopped ends by it all the same.
void ServiceLoop::postpone(const Request &q) {
    const std::uint32_t pe = q[MOG_Q_PE];
    if (q[MOG_Q_STOP] != MOG_STOP_SYS) {
        killed_.push_back(q);
        signals_.push_back(0);
        return;
    }
    blocked_.push_back(q);
    if (states_[pe] != PeState::Runs) return;
    states_[pe] = PeState::Waits;
    active_changed_ = true;
}

/// Tens of thousands of PEs may do nothing else in a round, so this is short. With --strace, calls are shown in the order of ranks: then
/// all go the long way.
void ServiceLoop::serve_plain(std::span<const Request> requests) {
    with_buffers_.clear();
    if (requests.empty()) return;
    answers_.resize(requests.size());
    Answer *next = answers_.data();
    Call call{services_, nullptr, replies_, std::span<const std::uint32_t, 8>(requests.front().data() + MOG_Q_ARG, 8)};
    constexpr std::size_t calls_between_looks = 16;  // at the clock; some take milliseconds (fsync)
    for (std::size_t i = 0; i < requests.size(); i++) {
        const Request &q = requests[i];
        if (deadline_->is_set() && i % calls_between_looks == 0 && is_over()) {
            // Among those in batches nobody is served any more either.
            with_buffers_.insert(with_buffers_.end(), requests.begin() + static_cast<std::ptrdiff_t>(i), requests.end());
            break;
        }
        const SyscallRow *row = q[MOG_Q_STOP] == MOG_STOP_SYS && q[MOG_Q_INFO] == 0 ? find_syscall(q[MOG_Q_NUMBER]) : nullptr;
        if (!row || !row->is_plain || config_.options.strace) {
            with_buffers_.push_back(q);
            continue;
        }
        const std::uint32_t pe = q[MOG_Q_PE];
        count(pe, row);
        call.process = &processes_[pe];
        call.args = std::span<const std::uint32_t, 8>(q.data() + MOG_Q_ARG, 8);
        const std::int32_t result = row->handler(call);
        if (call.outcome == Outcome::Resume) {
            *next++ = answer_for(pe, result);
            goes_on(pe);
        } else {
            conclude(q, call, result);
            call.outcome = Outcome::Resume;
            call.waits.clear();
        }
    }
    answers_.resize(static_cast<std::size_t>(next - answers_.data()));
}

/// What comes of a call that its handler has seen.
void ServiceLoop::conclude(const Request &q, const Call &call, std::int32_t result) {
    const std::uint32_t pe = q[MOG_Q_PE];
    switch (call.outcome) {
        case Outcome::Resume:
            answers_.push_back(answer_for(pe, result));
            goes_on(pe);
            break;
        case Outcome::Exit:
            trace(pe, fmt::format("+++ exited with {} +++", call.exit_status));
            end(pe, EndedBy::Exit, static_cast<int>(call.exit_status));
            break;
        case Outcome::Signal:
            killed_.push_back(q);
            signals_.push_back(call.signal);
            break;
        case Outcome::Native:
            native_calls_.push_back(q);
            break;
        case Outcome::Mpi:
            mpi_calls_.push_back(q);
            break;
        case Outcome::Block:
            for (const struct pollfd &wait : call.waits) waits_.add(wait);
            if (processes_[pe].wake != Clock::time_point{}) waits_.wake = std::min(waits_.wake, processes_[pe].wake);
            postpone(q);
    }
}

/// PEs get what the calls served so far gave, or are ended by it.
Result<void> ServiceLoop::reply() {
    if (!replies_.transfers().empty())
        if (Result<void> done = device_.scatter(replies_.transfers(), replies_.staging()); !done) return done;
    replies_.clear();
    if (!answers_.empty())
        if (Result<void> done = device_.answer(answers_, {result_row(Role::v0), result_row(Role::a3)}); !done) return done;
    answers_.clear();
    if (killed_.empty()) return {};
    Result<void> ended = end_faulty(killed_, signals_);
    killed_.clear();
    signals_.clear();
    return ended;
}

}  // namespace mog
