// scheduler.cpp
#include "runtime_host/service/scheduler.hpp"

#include <algorithm>
#include <cmath>

namespace mog {

namespace {

constexpr std::uint32_t least_slice = 10'000, most_slice = 1u << 30;
/// The first on a GPU, whose lanes end a slice at different places, and have less in common from then on.
constexpr std::uint32_t first_slice_of_gpu = 1u << 18;
/// Of those whose length does not depend on time, some tens of ms of a CPU.
constexpr std::uint32_t longest_blind_slice = 1u << 22;
/// Where PEs take turns: how many passes one has at first, and in the end, before it is others' turn, for what it has in a cache is gone by
/// then: some milliseconds, and tens of them. With slices of 0.1 ms programs of others took up to twice as long.
constexpr std::uint32_t first_turn = 1u << 22, long_turn = 1u << 27;

std::uint32_t first_slice(const DeviceInfo &device) { return device.is_gpu ? first_slice_of_gpu : least_slice; }

}  // namespace

Scheduler::Scheduler(const DeviceInfo &device, Population &population)
    : device_(device),
      population_(population),
      collector_(population.config.collector),
      slice_(population.config.options.slice ? population.config.options.slice : first_slice(device)) {
    start_anew();
}

void Scheduler::note_stop(std::uint32_t pe, PeState why, WaitFor what) {
    if (why == PeState::Ended || why == PeState::Free) collector_->leaves(pe);
    else collector_->waits(pe, what);
}

void Scheduler::start_anew() {
    active_.clear();
    woken_.clear();
    for (std::uint32_t pe = 0; pe < population_.states.size(); pe++)
        if (population_.states[pe] == PeState::Runs) active_.push_back(pe);
    has_changed_ = false;
}

void Scheduler::update() {
    if (!has_changed_) return;
    const auto rests = [&](std::uint32_t pe) { return population_.states[pe] != PeState::Runs; };
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
    has_changed_ = false;
}

std::span<const std::uint32_t> Scheduler::next_launch(std::uint32_t enough) {
    constexpr std::uint32_t most_rounds = 64;
    const std::uint32_t near = device_.near_pes;
    const Options &options = population_.config.options;
    const bool took_turns = takes_turns_;
    takes_turns_ = !population_.mpi && !population_.threads && enough != UINT32_MAX && !options.slice && !options.deterministic;
    if (takes_turns_ && !took_turns) slice_ = std::max(slice_, first_turn);
    if (takes_turns_) return launch_ = next_turn(enough);
    launch_ = active_;
    if (!population_.mpi || near == 0 || active_.size() <= near || options.fuel || !population_.waiting.empty()) return launch_;
    const auto from = [&](std::uint32_t pe) { return std::ranges::lower_bound(active_, pe); };
    auto begin = from(first_neighbour_);
    if (++rounds_of_neighbours_ > most_rounds || begin == active_.end() || *begin >= first_neighbour_ + near) {
        begin = from(first_neighbour_ + near);
        if (begin == active_.end()) begin = active_.begin();
        first_neighbour_ = *begin / near * near;
        rounds_of_neighbours_ = 1;
    }
    return launch_ = {begin, from(first_neighbour_ + near)};
}

std::span<const std::uint32_t> Scheduler::next_turn(std::uint32_t enough) {
    // More than before share a launch, which takes no longer for that: lanes, say, that were compiled meanwhile are tried soon.
    const auto share = static_cast<std::uint32_t>(std::min<std::size_t>(enough, active_.size()));
    if (enough_ != 0 && enough > enough_ && share > pes_)
        slice_ = std::max(least_slice, static_cast<std::uint32_t>(std::uint64_t{slice_} * pes_ / share));
    enough_ = enough;
    pes_ = std::max(pes_, enough);
    auto begin = std::ranges::lower_bound(active_, next_);
    if (begin == active_.end()) begin = active_.begin();
    const auto left = static_cast<std::size_t>(active_.end() - begin);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min<std::size_t>(left, pes_));
    next_ = end == active_.end() ? 0 : *end;
    return {begin, end};
}

// ---- fuel: a pass is one instruction, and each PE has as many as it has left -------------------------------------------

/// A process's threads share what it has left.
std::uint64_t Scheduler::fuel_of(std::uint32_t pe) const {
    const std::uint32_t process = population_.config.process_of(pe);
    const std::uint64_t left = population_.fuel_left[process];
    return population_.threads ? std::max<std::uint64_t>(1, left / population_.threads->alive(process)) : left;
}

/// A thread of the process does.
bool Scheduler::runs(std::uint32_t process) const {
    return std::ranges::any_of(population_.threads_of(process),
                               [this](std::uint32_t pe) { return population_.states[pe] == PeState::Runs; });
}

std::span<const std::uint32_t> Scheduler::plan_passes() {
    passes_.clear();
    if (population_.config.options.fuel)
        for (const std::uint32_t pe : launch_) passes_.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(slice_, fuel_of(pe))));
    return passes_;
}

void Scheduler::use_fuel(std::span<const Request> stopped) {
    if (!population_.config.options.fuel) return;
    auto request = stopped.begin();
    for (std::size_t i = 0; i < launch_.size(); i++) {
        const std::uint32_t pe = launch_[i];
        std::uint64_t &left = population_.fuel_left[population_.config.process_of(pe)];
        left -= std::min<std::uint64_t>(left, passes_[i]);
        if (request == stopped.end() || (*request)[MOG_Q_PE] != pe) continue;
        left += (*request)[MOG_Q_LEFT];
        ++request;
    }
}

std::vector<std::uint32_t> Scheduler::without_fuel() const {
    std::vector<std::uint32_t> pes;
    if (!population_.config.options.fuel) return pes;
    for (std::uint32_t pe = 0; pe < population_.config.nproc; pe++)
        if (population_.fuel_left[pe] == 0 && runs(pe)) pes.push_back(pe);
    return pes;
}

// ---- the length of launches ---------------------------------------------------------------------------------------------

/// Threads that wait for each other are woken between launches, so each lock that goes from hand to hand waits for those that compute. On
/// CPUs a launch of PoCL's costs 0.13 ms.
double Scheduler::wanted_seconds(bool somebody_waits) const {
    constexpr double usual = 0.1, with_waiters = 0.02, with_threads = 0.005;
    if (!somebody_waits) return usual;
    return population_.threads && !device_.is_gpu ? with_threads : with_waiters;
}

void Scheduler::adapt_launch(double seconds, double target, double left, bool all_stopped) {
    if (population_.config.options.slice) return;
    if (std::isfinite(left)) target = std::min(target, std::max(0.005, left / 4));
    double factor = std::clamp(target / std::max(seconds, 1e-6), 0.25, 4.0);
    if (takes_turns_) {
        // First the slice comes nearer to a long turn, then there are more PEs or fewer; what is left is the slice's again.
        const double ran = static_cast<double>(launch_.size()), all = static_cast<double>(active_.size());
        const double least = std::min<double>(enough_, all);
        const double to_long_turn =
            all_stopped ? 1.0 : std::clamp(static_cast<double>(long_turn) / slice_, std::min(factor, 1.0), std::max(factor, 1.0));
        const double pes = std::clamp(ran * factor / to_long_turn, least, all);
        factor *= ran / pes;
        pes_ = static_cast<std::uint32_t>(pes);
    }
    if (all_stopped) return;  // which says nothing about how long a slice takes
    slice_ = static_cast<std::uint32_t>(std::clamp<double>(slice_ * factor, least_slice, most_slice));
}

void Scheduler::lengthen_slice(bool anyone_stopped) {
    if (population_.config.options.slice) return;
    const std::uint32_t first = first_slice(device_);
    // Of many PEs each gets less: a slice with a limit on time has to end.
    constexpr std::uint64_t most_passes = 1u << 28;  // of all together, some seconds of the slowest engine
    const auto longest = static_cast<std::uint32_t>(std::min<std::uint64_t>(longest_blind_slice, most_passes / population_.config.nproc));
    slice_ = anyone_stopped ? first : std::min(2 * slice_, std::max(first, longest));
}

}  // namespace mog
