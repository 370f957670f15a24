// service_mpi.cpp: PEs that call MPI. The engine (mpi/engine.hpp) keeps those that wait; here they come and go.
#include <algorithm>

#include <fmt/format.h>

#include "runtime_host/mpi/engine.hpp"
#include "runtime_host/mpi/tools/statistics.hpp"
#include "runtime_host/mpi/tools/trace.hpp"
#include "runtime_host/service/service_loop.hpp"

namespace mog {

/// Somebody has called MPI for the first time.
Result<void> ServiceLoop::start_mpi() {
    const mpi::Settings &settings = config_.options.mpi;
    mpi_ = std::make_unique<mpi::Engine>(device_, config_.nproc, services_.data_bytes,
                                         AnswerRows{result_row(Role::v0), result_row(Role::a3)}, settings,
                                         mpi::Host{config_.say, [this](std::uint32_t pe) { return place_of(pe); },
                                                   [this](std::uint32_t pe, std::uint32_t descriptor) {
                                                       const std::vector<Descriptor> &open = processes_[pe].descriptors;
                                                       return descriptor < open.size() ? open[descriptor].file : nullptr;
                                                   },
                                                   [this] { return progress().seconds + clock_offset_; },
                                                   [this] { return seconds_left() <= 0 || (config_.cancel && config_.cancel->is_asked()); }},
                                         config_.bridge);
    if (settings.statistics != mpi::Settings::Statistics::None || !settings.matrix.empty()) {
        auto statistics = std::make_unique<mpi::Statistics>(mpi_->world());
        mpi_statistics_ = statistics.get();
        mpi_->watch(std::move(statistics));
    }
    if (!settings.trace.empty()) {
        if (config_.bridge) {
            const Result<double> offset = config_.bridge->measure_clock([this] { return progress().seconds; });
            if (!offset) return offset.error();
            clock_offset_ = *offset;
        }
        Result<std::unique_ptr<mpi::Observer>> trace =
            mpi::Trace::to_file(settings.trace, config_.mpi_trace ? config_.mpi_trace->get() : -1, mpi_->world(), settings.trace_ranks, config_.say);
        if (!trace) return trace.error();
        mpi_->watch(*std::move(trace));
    }
    return {};
}

/// The calls of a round, all at once.
Result<void> ServiceLoop::serve_mpi() {
    if (!mpi_)
        if (Result<void> started = start_mpi(); !started) return started;
    for (const Request &q : mpi_calls_) states_[q[MOG_Q_PE]] = PeState::Calls;
    resumed_.clear();
    if (Result<void> served = mpi_->serve(mpi_calls_, resumed_); !served) return served;
    resume_parked();
    for (const Request &q : mpi_calls_)
        if (states_[q[MOG_Q_PE]] == PeState::Calls) {
            states_[q[MOG_Q_PE]] = PeState::Parked;
            active_changed_ = true;
        }
    mpi_calls_.clear();
    return {};
}

/// Those in resumed_ run on.
void ServiceLoop::resume_parked() {
    for (const std::uint32_t pe : resumed_) {
        if (states_[pe] == PeState::Parked) {
            woken_.push_back(pe);
            active_changed_ = true;
        }
        if (states_[pe] != PeState::Ended) states_[pe] = PeState::Runs;
    }
}

/// After a round: PEs that had to wait for others to end, and MPI_Abort. True: the run is over.
Result<bool> ServiceLoop::end_mpi_round() {
    resumed_.clear();
    if (Result<void> done = mpi_->resume_others(resumed_); !done) return done.error();
    resume_parked();
    if (!mpi_->aborted()) return false;
    const auto &[pe, code, why] = *mpi_->aborted();
    const int status = (code & 0xff) != 0 || code == 0 ? code & 0xff : 1;
    const Ending ending{
        Ending::By::Abort, 0, 0, 0, why.empty() ? fmt::format("MPI_Abort with code {}", code) : why, {}, status};
    if (Result<void> ended = end_where_they_stand({&ending, 1}, {&pe, 1}); !ended) return ended.error();
    for (const std::uint32_t other : all_running()) end(other, EndedBy::OthersFault, status);
    waiting_.clear();
    output_.flush();
    faults_.tell_all();
    result_.status = status;
    if (config_.bridge) mpi_->ending().end_all(status);
    return true;
}

/// Nothing runs and nothing can come: all that is left waits for each other.
Result<void> ServiceLoop::end_deadlocked() {
    std::vector<Ending> endings;
    std::vector<std::uint32_t> pes;
    std::vector<mpi::Stuck> stuck = mpi_->stuck();
    std::ranges::sort(stuck, {}, &mpi::Stuck::pe);
    for (const mpi::Stuck &one : stuck) {
        endings.push_back({Ending::By::Deadlock, 0, 0, 0, one.text, one.peer, deadlock_status});
        pes.push_back(one.pe);
    }
    output_.flush();
    return end_where_they_stand(endings, pes);
}

/// PEs in active_ that stopped leave it, PEs that were woken come in: in the order of ranks, at the cost of those that change.
void ServiceLoop::update_active() {
    const auto rests = [&](std::uint32_t pe) { return states_[pe] != PeState::Runs; };
    std::erase_if(active_, rests);
    if (!woken_.empty()) {
        std::erase_if(woken_, rests);
        std::ranges::sort(woken_);
        const auto middle = static_cast<std::ptrdiff_t>(active_.size());
        active_.insert(active_.end(), woken_.begin(), woken_.end());
        std::inplace_merge(active_.begin(), active_.begin() + middle, active_.end());
        active_.erase(std::unique(active_.begin(), active_.end()), active_.end());
        woken_.clear();
    }
    active_changed_ = false;
}

/// The PEs of the next launch: all that are active; or, where caches make a difference and PEs send each other messages, some with
/// neighbouring numbers, for some rounds, before it is the next ones' turn.
std::span<const std::uint32_t> ServiceLoop::neighbours() {
    constexpr std::uint32_t most_rounds = 64;
    const std::uint32_t near = device_.info().near_pes;
    if (!mpi_ || near == 0 || active_.size() <= near || config_.options.fuel || !waiting_.empty()) return active_;
    const auto from = [&](std::uint32_t pe) { return std::ranges::lower_bound(active_, pe); };
    auto begin = from(first_neighbour_);
    if (++rounds_of_neighbours_ > most_rounds || begin == active_.end() || *begin >= first_neighbour_ + near) {
        begin = from(first_neighbour_ + near);
        if (begin == active_.end()) begin = active_.begin();
        first_neighbour_ = *begin / near * near;
        rounds_of_neighbours_ = 1;
    }
    return {begin, from(first_neighbour_ + near)};
}

}  // namespace mog
