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

std::uint32_t first_slice(const DeviceInfo &device) { return device.is_gpu ? first_slice_of_gpu : least_slice; }

}  // namespace

Scheduler::Scheduler(const DeviceInfo &device, Population &population)
    : device_(device),
      population_(population),
      slice_(population.config.options.slice ? population.config.options.slice : first_slice(device)) {
    start_anew();
}

void Scheduler::start_anew() {
    active_.clear();
    woken_.clear();
    for (std::uint32_t pe = 0; pe < population_.config.nproc; pe++)
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

std::span<const std::uint32_t> Scheduler::next_launch() {
    constexpr std::uint32_t most_rounds = 64;
    const std::uint32_t near = device_.near_pes;
    if (!population_.mpi || near == 0 || active_.size() <= near || population_.config.options.fuel || !population_.waiting.empty())
        return active_;
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

// ---- fuel: a pass is one instruction, and each PE has as many as it has left -------------------------------------------

std::span<const std::uint32_t> Scheduler::plan_passes() {
    passes_.clear();
    if (population_.config.options.fuel)
        for (const std::uint32_t pe : active_)
            passes_.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(slice_, population_.fuel_left[pe])));
    return passes_;
}

void Scheduler::use_fuel(std::span<const Request> stopped) {
    if (!population_.config.options.fuel) return;
    auto request = stopped.begin();
    for (std::size_t i = 0; i < active_.size(); i++) {
        const std::uint32_t pe = active_[i];
        population_.fuel_left[pe] -= passes_[i];
        if (request == stopped.end() || (*request)[MOG_Q_PE] != pe) continue;
        population_.fuel_left[pe] += (*request)[MOG_Q_LEFT];
        ++request;
    }
}

std::vector<std::uint32_t> Scheduler::without_fuel() const {
    std::vector<std::uint32_t> pes;
    if (!population_.config.options.fuel) return pes;
    for (std::uint32_t pe = 0; pe < population_.config.nproc; pe++)
        if (population_.states[pe] == PeState::Runs && population_.fuel_left[pe] == 0) pes.push_back(pe);
    return pes;
}

// ---- the length of launches ---------------------------------------------------------------------------------------------

void Scheduler::adapt_slice(double seconds, double target, double left) {
    if (population_.config.options.slice) return;
    if (std::isfinite(left)) target = std::min(target, std::max(0.005, left / 4));
    const double factor = std::clamp(target / std::max(seconds, 1e-6), 0.25, 4.0);
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
