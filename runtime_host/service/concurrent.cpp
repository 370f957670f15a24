// concurrent.cpp: calls are served while other PEs run, on devices that have several launches at a time. A PE that stopped is
// served as soon as its call is worth it, and goes on in a new launch beside those that are under way.
//
// How long it may take depends on the call (syscalls.def). One that somebody waits for is served at once, or as soon as those before it
// have been. Others are collected, for many at once cost less each: until an eighth of the PEs have called, or for a millisecond. Where
// there are as many launches as there may be, the one in which fewest PEs still run is asked to end early; where a PE with an urgent call
// waits too long for a place on the device, all are. Not sooner, for lanes that end a slice at different places have less in common from
// then on.
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <thread>
#include <utility>

#include "abi/mpi_call.h"
#include "runtime_host/service/code_samples.hpp"
#include "runtime_host/service/service_loop.hpp"

namespace mog {

namespace {

using u32 = std::uint32_t;

/// Milliseconds. An urgent call waits no longer than serving the last ones took: meanwhile others come that are served with it.
constexpr double call_may_wait = 1, waiting_call_is_tried_after = 1;
/// Until a PE that could run is launched beside others, though few could with it; and until the smallest launch ends early for it, where
/// there are as many as there may be.
constexpr double wait_for_company = 1, wait_for_company_if_urgent = 0.1, wait_for_end = 0.5;
/// Until a launch for urgent calls of which nothing is heard has all others make room for it.
constexpr double wait_for_news = 5, ask_again_after = 5;
constexpr u32 worth_an_eighth = 8;

/// PEs that can be launched, in order.
class PeSet {
public:
    explicit PeSet(u32 nproc) : words_(nproc / 64 + 1) {}
    void add(u32 pe) {
        words_[pe / 64] |= std::uint64_t{1} << pe % 64;
        count_++;
    }
    u32 size() const { return count_; }
    void take_all(std::vector<u32> &into) {
        into.clear();
        for (std::size_t i = 0; i < words_.size(); i++)
            for (std::uint64_t left = std::exchange(words_[i], 0); left != 0; left &= left - 1)
                into.push_back(static_cast<u32>(64 * i) + static_cast<u32>(std::countr_zero(left)));
        count_ = 0;
    }

private:
    std::vector<std::uint64_t> words_;
    u32 count_ = 0;
};

}  // namespace

class ServiceLoop::Overlap {
public:
    Overlap(ServiceLoop &loop, ConcurrentLaunches &launches) : loop_(loop), launches_(launches), ready_(loop.config_.nproc) {
        for (u32 pe = 0; pe < loop.config_.nproc; pe++)
            if (loop.population_.states[pe] == PeState::Runs) set_ready(pe, false);
    }

    /// True: no PE is left.
    Result<bool> run(const Stretch &stretch);
    /// A PE called MPI: it has been served, and nothing runs.
    bool wants_rounds() const { return wants_rounds_; }

private:
    static double ms_since(Clock::time_point then) { return std::chrono::duration<double, std::milli>(Clock::now() - then).count(); }
    bool idle() const { return under_way_ == 0 && ready_.size() == 0 && calls_.empty(); }
    Result<bool> must_stop(const Stretch &stretch);
    Result<void> stop(bool serves);
    Result<bool> take_news();
    void learn(const ConcurrentLaunches::Over &over);
    void note(const Request &call);
    bool worth_serving() const;
    Result<void> serve();
    void set_ready(u32 pe, bool urgent);
    bool worth_launching() const;
    Result<void> launch();
    Result<void> make_room();
    void rest();

    ServiceLoop &loop_;
    ConcurrentLaunches &launches_;
    ConcurrentLaunches::News news_;
    std::vector<Request> calls_;  ///< that have come
    bool calls_urgent_ = false;
    PeSet ready_;
    bool ready_urgent_ = false;
    std::vector<u32> list_;
    u32 running_ = 0, under_way_ = 0;  ///< PEs, launches
    std::uint64_t slices_before_ = loop_.population_.result.slices;
    bool waits_for_news_ = false, wants_rounds_ = false;
    double served_in_ = 0;  ///< ms, the last calls
    unsigned quiet_ = 0;    ///< times nothing happened, one after the other
    Clock::time_point calls_since_, ready_since_, tried_, asked_, ended_one_, urgent_launch_, busy_since_;
};

// ---- the calls ------------------------------------------------------------------------------------------------------

void ServiceLoop::Overlap::note(const Request &call) {
    const SyscallRow *row = call[MOG_Q_STOP] == MOG_STOP_SYS ? find_syscall(call[MOG_Q_NUMBER]) : nullptr;
    calls_urgent_ = calls_urgent_ || call[MOG_Q_STOP] != MOG_STOP_SYS || (row && row->urgency != Urgency::later);
    wants_rounds_ = wants_rounds_ || (row && row->number == guest::call_mog_mpi);
}

/// True if there was any.
Result<bool> ServiceLoop::Overlap::take_news() {
    news_.stopped.clear();
    news_.others.clear();
    news_.over.clear();
    if (Result<void> taken = launches_.take(news_); !taken) return taken.error();
    const auto stopped = static_cast<u32>(news_.stopped.size());
    if (stopped != 0 && calls_.empty()) calls_since_ = Clock::now();
    for (const Request &call : news_.stopped) note(call);
    if (calls_.empty()) calls_.swap(news_.stopped);
    else calls_.insert(calls_.end(), news_.stopped.begin(), news_.stopped.end());
    running_ -= stopped + static_cast<u32>(news_.others.size());
    for (const u32 pe : news_.others) set_ready(pe, false);
    if (loop_.config_.samples && !news_.others.empty()) {
        std::ranges::sort(news_.others);
        if (Result<void> looked = loop_.config_.samples->look(loop_.device_, news_.others, loop_.scheduler_.slice()); !looked)
            return looked.error();
    }
    for (const ConcurrentLaunches::Over &over : news_.over) learn(over);
    if (!news_.over.empty() && loop_.config_.progress) loop_.config_.progress(loop_.progress());
    const bool any = stopped != 0 || !news_.over.empty();
    if (any) waits_for_news_ = false;
    return any;
}

/// Launches last about 100 ms, like those without calls (adapt_launch).
void ServiceLoop::Overlap::learn(const ConcurrentLaunches::Over &over) {
    under_way_--;
    if (under_way_ == 0) loop_.population_.result.device_seconds += ms_since(busy_since_) / 1000;
    if (!over.early && over.stopped != over.pes) loop_.scheduler_.adapt_launch(over.seconds, 0.1, loop_.time_left(), false);
}

bool ServiceLoop::Overlap::worth_serving() const {
    if (!loop_.population_.waiting.empty() && (ms_since(tried_) >= waiting_call_is_tried_after || idle())) return true;
    if (calls_.empty()) return false;
    if (running_ == 0 || calls_.size() >= running_ / worth_an_eighth) return true;
    return ms_since(calls_since_) >= (calls_urgent_ ? std::min(served_in_, call_may_wait) : call_may_wait);
}

Result<void> ServiceLoop::Overlap::serve() {
    // Those that could not be done are tried again from time to time only.
    std::vector<Request> kept;
    const bool tries_waiting = idle() || ms_since(tried_) >= waiting_call_is_tried_after;
    if (tries_waiting) {
        tried_ = Clock::now();
        calls_.insert(calls_.end(), loop_.population_.waiting.begin(), loop_.population_.waiting.end());
    } else {
        kept.swap(loop_.population_.waiting);
    }
    const Clock::time_point begin = Clock::now();
    if (Result<void> served = loop_.serve(calls_); !served) return served;
    served_in_ = ms_since(begin);
    loop_.population_.waiting.insert(loop_.population_.waiting.end(), kept.begin(), kept.end());
    for (const Request &call : calls_)
        if (loop_.population_.states[call[MOG_Q_PE]] == PeState::Runs) set_ready(call[MOG_Q_PE], calls_urgent_);
    calls_.clear();
    calls_urgent_ = false;
    loop_.population_.output.flush();
    if (loop_.config_.progress) loop_.config_.progress(loop_.progress());
    if (!loop_.ends_.is_over_for_fault()) loop_.population_.faults.tell_early();
    return {};
}

// ---- the launches ---------------------------------------------------------------------------------------------------

void ServiceLoop::Overlap::set_ready(u32 pe, bool urgent) {
    if (ready_.size() == 0 || (urgent && !ready_urgent_)) ready_since_ = Clock::now();
    ready_.add(pe);
    ready_urgent_ = ready_urgent_ || urgent;
}

bool ServiceLoop::Overlap::worth_launching() const {
    if (ready_.size() == 0 || under_way_ == launches_.most()) return false;
    return running_ == 0 || ready_.size() >= running_ / worth_an_eighth ||
           ms_since(ready_since_) >= (ready_urgent_ ? wait_for_company_if_urgent : wait_for_company);
}

Result<void> ServiceLoop::Overlap::launch() {
    ready_.take_all(list_);
    if (under_way_ == 0) busy_since_ = Clock::now();
    if (Result<void> started = launches_.start(list_, loop_.scheduler_.slice()); !started) return started;
    loop_.population_.result.slices++;
    under_way_++;
    running_ += static_cast<u32>(list_.size());
    if (ready_urgent_ && under_way_ > 1) {
        waits_for_news_ = true;
        urgent_launch_ = Clock::now();
    }
    ready_urgent_ = false;
    return {};
}

/// For PEs that have waited long enough.
Result<void> ServiceLoop::Overlap::make_room() {
    const bool wants_end = under_way_ == launches_.most() && ready_.size() != 0 && ms_since(ready_since_) >= wait_for_end;
    if (wants_end && ms_since(ended_one_) >= wait_for_end) {
        ended_one_ = Clock::now();
        return launches_.end_smallest();
    }
    if (!waits_for_news_ || ms_since(urgent_launch_) < wait_for_news || ms_since(asked_) < ask_again_after) return {};
    asked_ = Clock::now();
    waits_for_news_ = false;
    return launches_.end_all();
}

// ---- the loop -------------------------------------------------------------------------------------------------------

/// Ends all launches; what has come is served.
Result<void> ServiceLoop::Overlap::stop(bool serves) {
    for (asked_ = {}; under_way_ != 0;) {
        if (ms_since(asked_) >= ask_again_after) {
            asked_ = Clock::now();
            if (Result<void> asked = launches_.end_all(); !asked) return asked;
        }
        const Result<bool> any = take_news();
        if (!any) return any.error();
        if (!*any) rest();
        else quiet_ = 0;
    }
    return serves ? serve() : Result<void>();
}

/// True: the run, or the stretch, is over; the run if no PE is left.
Result<bool> ServiceLoop::Overlap::must_stop(const Stretch &stretch) {
    ServiceLoop &loop = loop_;
    if (loop.ends_.is_over_for_fault()) {
        if (Result<void> stopped = stop(false); !stopped) return stopped.error();
        loop.ends_.end_all_for_fault();
        return true;
    }
    if (loop.config_.cancel && loop.config_.cancel->is_asked()) {
        if (Result<void> stopped = stop(false); !stopped) return stopped.error();
        MOG_TRY(loop.end_all_by_cancel());
        return true;
    }
    if (loop.is_watched()) {
        if (Result<void> stopped = stop(false); !stopped) return stopped.error();
        MOG_TRY(loop.tell_whereabouts());
    }
    const bool late = loop.clock_.seconds_left() <= 0;
    const bool pauses = loop.config_.pause && loop.config_.pause->is_asked();
    if (!late && !pauses && loop.population_.result.slices - slices_before_ < stretch.slices && loop.clock_.stretch_left() > 0)
        return false;
    if (Result<void> stopped = stop(true); !stopped) return stopped.error();
    if (late && !loop.population_.all_ended())
        if (Result<void> ended = loop.ends_.end_all_by_timeout(); !ended) return ended.error();
    return true;
}

/// Others have the processor, longer if nothing happens for long.
void ServiceLoop::Overlap::rest() {
    constexpr unsigned patience = 50, longest = 10;
    quiet_++;
    if (quiet_ < patience) std::this_thread::yield();
    else usleep(20 * std::min(quiet_ - patience + 1, longest));
}

Result<bool> ServiceLoop::Overlap::run(const Stretch &stretch) {
    for (;;) {
        if (idle() && loop_.population_.waiting.empty()) return true;
        const Result<bool> stops = must_stop(stretch);
        if (!stops) return stops.error();
        if (*stops) return loop_.population_.all_ended();
        Result<bool> any = take_news();
        if (!any) return any.error();
        if (wants_rounds_) {
            if (Result<void> stopped = stop(true); !stopped) return stopped.error();
            return false;
        }
        if (worth_serving()) {
            const bool nothing_else = idle();
            if (Result<void> served = serve(); !served) return served.error();
            if (nothing_else && idle() && !loop_.population_.waiting.empty()) loop_.wait_for_progress();
            *any = true;
        }
        if (worth_launching()) {
            if (Result<void> launched = launch(); !launched) return launched.error();
            *any = true;
        } else if (Result<void> made = make_room(); !made) {
            return made.error();
        }
        if (*any) quiet_ = 0;
        else rest();
    }
}

Result<bool> ServiceLoop::run_overlapped(ConcurrentLaunches &launches, Stretch stretch) {
    RunResult &result = population_.result;
    const std::uint64_t slices_before = result.slices;
    Overlap overlap(*this, launches);
    Result<bool> over = overlap.run(stretch);
    if (!over || *over || !overlap.wants_rounds()) return over;
    result.concurrent = false;
    if (population_.mpi)
        if (over = mpi_.end_round(); !over || *over) return over;
    scheduler_.start_anew();
    stretch.slices -= std::min(stretch.slices, result.slices - slices_before);
    return run_rounds(stretch);
}

}  // namespace mog
