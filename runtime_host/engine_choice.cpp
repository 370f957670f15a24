// engine_choice.cpp: trials of the two engines, and what follows from them.
#include "runtime_host/engine_choice.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mog {

namespace {

constexpr std::uint32_t least_passes = 10'000;
/// A guess at what a warp executes in a second, all its lanes together counted once, before one has been tried.
constexpr double first_guess = 1e9;

/// Of so many equal pieces of work at once, how many processors are busy on average.
double busy(std::uint32_t pieces, unsigned cores) {
    const std::uint32_t rounds = (pieces + cores - 1) / cores;
    return pieces / static_cast<double>(rounds);
}

const char *name(HostEngine engine) {
    return engine == HostEngine::blocks ? "blocks" : "lanes";
}

}  // namespace

void EngineChoice::Recent::fade(double part) {
    instructions *= part;
    seconds *= part;
    by_warps *= part;
    passes *= part;
}

/// Instructions of all PEs of `load` for a second of wall time.
double EngineChoice::speed(HostEngine engine, Load load) const {
    if (engine == HostEngine::blocks) return recent(engine).rate() * busy(load.pes, cores_);
    const Recent &lanes = recent(engine);
    if (lanes.seconds <= 0) return 0;
    return lanes.by_warps / lanes.seconds * load.pes / load.warps * busy(load.warps, cores_);
}

void EngineChoice::begin_round(Load load, const std::function<double()> &laying_seconds) {
    if (restless_) {
        engine_ = other();
        return;
    }
    bool ended = false;
    if (trying_ && tried_ >= trial_length_) {
        trying_ = false;
        ended = true;
        trials_++;
        next_trial_ = std::max(next_trial_, spent_ + std::min(spent_, longest_pause * cores_));
    } else if (!trying_ && spent_ >= next_trial_ && (engine_ == HostEngine::lanes || load.pes >= least_lanes * load.warps)) {
        const double there_and_back = 2 * laying_seconds() * sample(load.warps);
        if (there_and_back > laying_part * spent_) next_trial_ = there_and_back / laying_part;
        else begin_trial();
    }
    if (trying_ || (!ended && spent_ < settled_until_) || recent(other()).seconds <= 0) return;
    if (speed(other(), load) > clearly * speed(engine_, load)) engine_ = other();
}

void EngineChoice::begin_trial() {
    trying_ = true;
    tried_ = 0;
    trial_length_ = std::min(trial_part * spent_, longest_trial * cores_);
    // Programs have phases: what is measured now counts most.
    for (Recent &recent : recent_) recent.fade(0.25);
}

std::uint32_t EngineChoice::sample(std::uint32_t warps) const {
    return std::min(warps, std::max(cores_, warps / 16));
}

std::uint32_t EngineChoice::passes(HostEngine engine, Load load, std::uint32_t passes) const {
    // Those that do not try take part in a trial twice as long, for comparison.
    const double seconds = !trying_ ? next_trial_ - spent_ : engine == other() ? trial_length_ - tried_ : 2 * trial_length_;
    if (restless_ || seconds <= 0) return passes;
    const Recent &known = recent(engine);
    const double rate = known.seconds > 0 ? known.passes / known.seconds : first_guess;
    const double wanted = rate * seconds / (engine == HostEngine::lanes ? load.warps : load.pes);
    return static_cast<std::uint32_t>(std::min<double>(passes, std::max<double>(wanted, least_passes)));
}

void EngineChoice::ran(HostEngine engine, Load load, std::uint32_t passes, double instructions, double seconds) {
    Recent &recent = recent_[static_cast<int>(engine)];
    recent.instructions += instructions;
    recent.by_warps += instructions * load.warps / load.pes;
    recent.passes += static_cast<double>(passes) * (engine == HostEngine::lanes ? load.warps : load.pes);
    recent.seconds += seconds;
    executed_[static_cast<int>(engine)] += instructions;
    spent_ += seconds;
    if (trying_ && engine == other()) tried_ += seconds;
    const double lately = std::max(0.01, 0.2 * spent_);
    if (recent.seconds > lately) recent.fade(lately / recent.seconds);
}

void EngineChoice::laid(double seconds) {
    spent_ += seconds;
    next_trial_ = std::max(next_trial_, spent_) + seconds / laying_part;
    settled_until_ = spent_ + seconds / laying_part;
}

DeviceStats::Choice EngineChoice::report() const {
    if (trials_ == 0) return {name(engine_), "it ended before a trial of lanes", 0};
    const auto rate = [&](HostEngine engine) { return fmt::format("{:.2f} G instructions/s of a core in {}", recent(engine).rate() / 1e9, name(engine)); };
    return {name(engine_), fmt::format("{}, {}; lanes executed {:.0f} % of all", rate(HostEngine::blocks), rate(HostEngine::lanes),
                                       100 * executed_[1] / std::max(executed_[0] + executed_[1], 1.0)), trials_};
}

}  // namespace mog
