// mpi_port.cpp
#include "runtime_host/service/mpi_port.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include <fmt/format.h>

#include "abi/linux.hpp"
#include "abi/mpi_call.h"
#include "runtime_host/mpi/engine.hpp"
#include "runtime_host/mpi/tools/statistics.hpp"
#include "runtime_host/mpi/tools/trace.hpp"

namespace mog {

namespace {

/// While all processes come to a mark nobody does anything else.
constexpr std::chrono::microseconds longest_at_mark{400};

}  // namespace

Result<void> DeviceOfRanks::answer(std::span<const Answer> answers, AnswerRows rows) {
    answers_.assign(answers.begin(), answers.end());
    for (Answer &answer : answers_) answer.pe = callers_[answer.pe];
    return device_.answer(answers_, rows);
}

std::span<const Transfer> DeviceOfRanks::of_callers(std::span<const Transfer> transfers) {
    transfers_.assign(transfers.begin(), transfers.end());
    for (Transfer &transfer : transfers_) transfer.pe = callers_[transfer.pe];
    return transfers_;
}

namespace {

/// Before anybody has called: the first thread of each.
std::vector<std::uint32_t> first_threads(const Population &population) {
    std::vector<std::uint32_t> pes(population.threads ? population.config.nproc : 0);
    std::iota(pes.begin(), pes.end(), 0u);
    return pes;
}

}  // namespace

MpiPort::MpiPort(Device &device, const Image &image, Population &population, Scheduler &scheduler, Ends &ends, const RunClock &clock)
    : device_(device),
      ranks_(device, first_threads(population)),
      image_(image),
      population_(population),
      scheduler_(scheduler),
      ends_(ends),
      clock_(clock),
      is_calling_(population.threads ? population.config.nproc : 0) {}

Result<void> MpiPort::start() {
    const RunConfig &config = population_.config;
    if (config.sweep)
        return Error{
            "the program calls MPI, whose ranks run at the same time; those of a sweep (--args-file, --runs, ...) know nothing of each "
            "other"};
    const mpi::Settings &settings = config.options.mpi;
    const auto row_of = [&](Role role) { return MOG_S_REGS + image_.roles[static_cast<std::size_t>(role)]; };
    mpi::Host host{config.say, [this](std::uint32_t pe) { return ends_.place_of(caller_of(pe)); },
                   [this](std::uint32_t pe, std::uint32_t descriptor) {
                       const std::vector<Descriptor> &open = population_.processes[pe].descriptors;
                       return descriptor < open.size() ? open[descriptor].file : nullptr;
                   },
                   [this] { return clock_.seconds() + clock_offset_; },
                   [this] { return clock_.seconds_left() <= 0 || (population_.config.cancel && population_.config.cancel->is_asked()); }};
    population_.mpi =
        std::make_unique<mpi::Engine>(population_.threads ? static_cast<Device &>(ranks_) : device_, config.nproc, config.addresses(),
                                      AnswerRows{row_of(Role::v0), row_of(Role::a3)}, settings, std::move(host), config.bridge,
                                      sends_within_launches() ? device_.mailboxes() : nullptr);
    if (settings.keeps_statistics()) {
        auto statistics = std::make_unique<mpi::Statistics>(population_.mpi->world());
        statistics_ = statistics.get();
        population_.mpi->watch(std::move(statistics));
    }
    if (!settings.trace.empty()) {
        if (config.bridge) {
            const Result<double> offset = config.bridge->measure_clock([this] { return clock_.seconds(); });
            if (!offset) return offset.error();
            clock_offset_ = *offset;
        }
        Result<std::unique_ptr<mpi::Observer>> trace = mpi::Trace::to_file(settings.trace, config.mpi_trace ? config.mpi_trace->get() : -1,
                                                                           population_.mpi->world(), settings.trace_ranks, config.say);
        if (!trace) return trace.error();
        population_.mpi->watch(*std::move(trace));
    }
    return {};
}

/// Not where somebody wants to see each message or call, or where the order in which messages come is to be the same each time.
bool MpiPort::sends_within_launches() const {
    const RunConfig &config = population_.config;
    const mpi::Settings &settings = config.options.mpi;
    return !settings.keeps_statistics() && settings.trace.empty() && !settings.check && !config.collector && !config.debugger &&
           !config.options.deterministic && !config.options.fuel && !config.options.schedule;
}

Result<void> MpiPort::launched(std::span<const Request> stopped, std::size_t ran) {
    if (!population_.mpi) return {};
    const auto waits = [](const Request &q) { return q[MOG_Q_STOP] == MOG_STOP_YIELD; };
    const auto asks = [](const Request &q) {
        return q[MOG_Q_STOP] == MOG_STOP_SYS && q[MOG_Q_INFO] == 0 && q[MOG_Q_NUMBER] == guest::call_mog_mpi &&
               (q[MOG_Q_ARG] >> 8 & MOG_MPI_ASKS_ON) != 0;
    };
    asking_.clear();
    if (stopped.size() == ran && std::ranges::all_of(stopped, asks)) {
        for (const Request &q : stopped) asking_.push_back(q[MOG_Q_PE]);
        asked_++;
    } else {
        asked_ = 0;
    }
    return population_.mpi->launched(stopped.size() == ran && std::ranges::all_of(stopped, waits));
}

bool MpiPort::is_sound() const {
    const RunConfig &config = population_.config;
    const std::uint32_t ranks = population_.threads ? config.nproc : 0;
    return is_calling_.size() == ranks && ranks_.is_sound(ranks, config.pes()) && std::ranges::all_of(held_, [&](const Request &call) {
               const SyscallRow *const row = find_syscall(call[MOG_Q_NUMBER]);
               return call[MOG_Q_PE] < config.pes() && call[MOG_Q_STOP] == MOG_STOP_SYS && row && row->name == "mog_mpi";
           });
}

Result<void> MpiPort::serve(std::vector<Request> &calls) {
    if (!population_.mpi)
        if (Result<void> started = start(); !started) return started;
    if (population_.threads) {
        std::vector<Request> turns;
        for (Request call : calls)
            if (takes_turn(call)) turns.push_back(call);
        calls.swap(turns);
    }
    for (const Request &q : calls) population_.states[caller_of(q[MOG_Q_PE])] = PeState::Calls;
    resumed_.clear();
    if (Result<void> served = population_.mpi->serve(calls, resumed_); !served) return served;
    resume_parked();
    for (const Request &q : calls)
        if (const std::uint32_t pe = caller_of(q[MOG_Q_PE]); population_.states[pe] == PeState::Calls)
            scheduler_.stop(pe, PeState::Parked, WaitFor::mpi);
    calls.clear();
    return {};
}

/// A thread's call becomes its rank's, if none of that is under way; else false, and it is held until it can.
bool MpiPort::takes_turn(Request &call) {
    const std::uint32_t pe = call[MOG_Q_PE], rank = population_.config.process_of(pe);
    if (is_calling_[rank]) {
        held_.push_back(call);
        scheduler_.stop(pe, PeState::Parked, WaitFor::mpi);
        return false;
    }
    is_calling_[rank] = true;
    ranks_.calls(rank, pe);
    call[MOG_Q_PE] = rank;
    return true;
}

/// Those in resumed_ run on.
void MpiPort::resume_parked() {
    for (const std::uint32_t rank : resumed_) {
        const std::uint32_t pe = caller_of(rank);
        if (population_.threads) is_calling_[rank] = false;
        const PeState state = population_.states[pe];
        if (state == PeState::Parked) scheduler_.resume(pe);
        else if (state != PeState::Ended) scheduler_.resume_called(pe);
    }
}

Result<bool> MpiPort::end_round() {
    resumed_.clear();
    if (Result<void> done = population_.mpi->resume_others(resumed_); !done) return done.error();
    resume_parked();
    while (!held_.empty()) {
        std::vector<Request> calls;
        std::erase_if(held_, [&](const Request &call) {
            const std::uint32_t pe = call[MOG_Q_PE];
            const bool has_ended = population_.states[pe] == PeState::Ended;
            const bool may =
                !has_ended && !is_calling_[population_.config.process_of(pe)] && std::ranges::none_of(calls, [&](const Request &other) {
                    return population_.config.process_of(other[MOG_Q_PE]) == population_.config.process_of(pe);
                });
            if (may) calls.push_back(call);
            return may || has_ended;
        });
        if (calls.empty()) break;
        MOG_TRY(serve(calls));
    }
    if (!population_.mpi->aborted()) return false;
    const auto &[rank, code, why] = *population_.mpi->aborted();
    const std::uint32_t pe = caller_of(rank);
    const int status = (code & 0xff) != 0 || code == 0 ? code & 0xff : 1;
    const Ending ending{Ending::By::Abort, 0, 0, 0, why.empty() ? fmt::format("MPI_Abort with code {}", code) : why, {}, status};
    if (Result<void> ended = ends_.end_where_they_stand({&ending, 1}, {&pe, 1}); !ended) return ended.error();
    ends_.end_all(EndedBy::OthersFault, status);
    population_.output.flush();
    population_.faults.tell_all();
    population_.result.status = status;
    if (population_.config.bridge) population_.mpi->ending().end_all(status);
    return true;
}

Result<void> MpiPort::end_deadlocked() {
    std::vector<Ending> endings;
    std::vector<std::uint32_t> pes;
    std::vector<std::uint32_t> ranks;
    for (const std::uint32_t pe : asking_) ranks.push_back(population_.config.process_of(pe));
    std::ranges::sort(ranks);
    std::vector<mpi::Blocked> stuck = population_.mpi->blocked(ranks);
    std::ranges::sort(stuck, {}, &mpi::Blocked::pe);
    for (const mpi::Blocked &one : stuck) {
        endings.push_back({Ending::By::Deadlock, 0, 0, 0, one.text, one.peer, deadlock_status});
        pes.push_back(caller_of(one.pe));
    }
    // Of others, nothing is known but where they are.
    std::vector<bool> is_told(population_.config.nproc);
    for (const mpi::Blocked &one : stuck) is_told[one.pe] = true;
    for (const std::uint32_t pe : asking_) {
        const std::uint32_t process = population_.config.process_of(pe);
        if (is_told[process]) continue;
        is_told[process] = true;
        endings.push_back({Ending::By::Deadlock, 0, 0, 0, "waits in MPI for what nobody does", {}, deadlock_status});
        pes.push_back(pe);
    }
    asking_.clear();
    asked_ = 0;
    population_.output.flush();
    return ends_.end_where_they_stand(endings, pes);
}

// ---- a world of several processes (mpi/bridge.hpp) ----------------------------------------------------------------------

Result<bool> MpiPort::meet_others() {
    resumed_.clear();
    const Result<bool> came = population_.mpi->serve_others(resumed_);
    if (!came) return came.error();
    resume_parked();
    if (*came || scheduler_.has_active() || scheduler_.has_woken()) rests_.begin_anew();
    mpi::WorldEnding &ending = population_.mpi->ending();
    if (!rests_.has_begun()) ending.set_idle(false);
    if (ending.ended_with()) {
        // MPI_Abort, or --on-fault=abort, in another process, which tells why.
        ends_.end_all(EndedBy::OthersFault, *ending.ended_with());
        population_.result.status = *ending.ended_with();
        return true;
    }
    if (ending.take_deadlock())
        if (Result<void> ended = end_deadlocked(); !ended) return ended.error();
    return false;
}

void MpiPort::rest_until_others() {
    if (!population_.waiting.empty() || scheduler_.has_changed()) return;
    if (rests_.is_long() && !population_.mpi->is_busy()) population_.mpi->ending().set_idle(true);
    rests_.wait();
}

bool MpiPort::has_marks() const { return population_.mpi->marks().has_news(); }

Result<bool> MpiPort::serve_only_others(const std::function<bool()> &is_enough) {
    ShortWaits waits;
    const bool was_over = population_.all_ended();
    while (!is_enough()) {
        const std::uint64_t received = population_.config.bridge->received();
        const Result<bool> over = meet_others();
        if (!over || (*over && !was_over)) return over;
        scheduler_.update();
        if (population_.config.bridge->received() != received) waits.begin_anew();
        if (!population_.mpi->is_busy()) population_.mpi->marks().rests();
        MOG_TRY(population_.config.bridge->flush());
        if (is_enough()) break;
        waits.wait(longest_at_mark);
    }
    return false;
}

Result<bool> MpiPort::wait_for_world(const std::function<bool()> &pauses) {
    population_.faults.tell_all();
    mpi::WorldEnding &ending = population_.mpi->ending();
    ending.tell_done();
    // What this process says last has to go, too.
    do {
        const Result<bool> over = meet_others();
        if (!over) return over.error();
        if (!*over && pauses()) return false;
        scheduler_.update();
        rest_until_others();
    } while (!ending.may_quit());
    return true;
}

}  // namespace mog
