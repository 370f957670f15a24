// engine_choice.cpp: trials of the two engines, and what follows from them.
#include "runtime_host/devices/host/engine_choice.hpp"

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

std::uint32_t EngineChoice::begin(Load load) {
    const std::uint32_t sample = sample_of(load.warps, cores_);
    if (restless_ || is_sure() || load.pes < least_lanes * load.warps || load.warps < 2 * sample) return 0;
    trying_ = beginning_ = true;
    return sample;
}

void EngineChoice::begin_late(double seconds) {
    spent_ = seconds;
    if (!is_sure()) next_trial_ = seconds;
}

/// Whether so many seconds, to lay all memory anew, pay. The future is as long as the past, for all we know: what the slower
/// engine has lost since the last change is what the faster one will gain. Half of it is asked for, since programs that run for
/// longer gain again and again.
bool EngineChoice::worth_relayout(Load load, double relayout_all) const {
    return gain(load) > clearly && (spent_ - changed_at_) * (1 - 1 / gain(load)) > relayout_all / 2;
}

/// After a round of the beginning, or before the first.
bool EngineChoice::beginning_over(Load load, double relayout_all) {
    if (recent(engine_).seconds <= 0 || recent(other()).seconds <= 0) return false;
    far_better_rounds_ = gain(load) > far_better ? far_better_rounds_ + 1 : 0;
    const bool started = spent_ >= beginning * cores_ && executed_[0] + executed_[1] >= start_up * load.pes;
    if (started) gain_so_far_ = lanes_gain(load);
    // What starts up is other code than what was compared in the last run.
    if (((far_better_rounds_ >= 2 && !known_) || started) && (gain(load) <= clearly || worth_relayout(load, relayout_all))) return true;
    // Each round counts for itself: all programs start up the same way.
    for (Recent &recent : recent_) recent.fade(0.1);
    return false;
}

void EngineChoice::begin_round(Load load, const std::function<double()> &relayout_seconds) {
    if (restless_) {
        engine_ = other();
        return;
    }
    changing_ = false;
    if (trying_) {
        if (!beginning_ && tried_ < trial_length_) return;
        const double relayout_all = relayout_seconds() * load.warps;
        if (!beginning_ || beginning_over(load, relayout_all)) end_trial(load, relayout_all);
        return;
    }
    const double rate = latest_rate_[static_cast<int>(engine_)];
    if (rate < much_slower * expected_rate_) {
        expected_rate_ = rate;
        next_trial_ = spent_;
    }
    if (spent_ < next_trial_ || (engine_ == HostEngine::blocks && load.pes < least_lanes * load.warps)) return;
    const double part = trials_ == 0 ? first_relayout_part : relayout_part;
    const double soonest = (laid_for_trials_ + 2 * relayout_seconds() * sample(load.warps)) / part;
    if (spent_ < soonest) next_trial_ = soonest;
    else begin_trial();
}

void EngineChoice::end_trial(Load load, double relayout_all) {
    trying_ = beginning_ = false;
    trials_++;
    gains_ += lanes_gain(load);
    changing_ = worth_relayout(load, relayout_all);
    const double worse = 1 / gain(load);
    if (changing_) {
        engine_ = other();
        changed_at_ = spent_;
    }
    expected_rate_ = recent(engine_).rate();
    next_trial_ = spent_ + std::min(spent_ * std::clamp(changing_ ? 1 / worse : worse, 1.0, patience), longest_pause * cores_);
    // The other one is better, but not for long enough yet.
    if (!changing_ && worse * clearly < 1) next_trial_ = std::min(next_trial_, changed_at_ + relayout_all / 2 / (1 - worse));
}

void EngineChoice::begin_trial() {
    trying_ = true;
    tried_ = 0;
    trial_length_ = std::min(trial_part * spent_, longest_trial * cores_);
    // Programs have phases: what both do now is compared, and the past only tells how long a round takes.
    for (Recent &recent : recent_) recent.fade(0.02);
}

std::uint32_t EngineChoice::sample(std::uint32_t warps) const {
    // Before it is known that lanes may be worth anything, one warp's memory is enough to lay anew.
    return sample_of(warps, trials_ == 0 && !beginning_ ? 1 : cores_);
}

std::uint32_t EngineChoice::passes(Load tried, Load others, std::uint32_t passes) const {
    if (restless_) return passes;
    // In so many seconds.
    const auto at_most = [&](HostEngine engine, Load load, double seconds) {
        if (seconds <= 0 || load.pes == 0) return;
        const Recent &known = recent(engine);
        const double rate = known.seconds > 0 ? known.passes / known.seconds : first_guess;
        const double wanted = rate * seconds / (engine == HostEngine::lanes ? load.warps : load.pes);
        passes = static_cast<std::uint32_t>(std::min<double>(passes, std::max<double>(wanted, least_passes)));
    };
    if (beginning_) {  // has eight rounds
        const double second_of_pe = beginning * cores_ / 8 / (tried.pes + others.pes);
        at_most(other(), tried, second_of_pe * tried.pes);
        at_most(engine_, others, second_of_pe * others.pes);
    } else if (trying_) {
        at_most(other(), tried, trial_length_ - tried_);
    } else {
        at_most(engine_, others, next_trial_ - spent_);
    }
    return passes;
}

void EngineChoice::ran(HostEngine engine, Load load, std::uint32_t passes, double instructions, double seconds) {
    Recent &recent = recent_[static_cast<int>(engine)];
    recent.instructions += instructions;
    recent.by_warps += instructions * load.warps / load.pes;
    recent.passes += static_cast<double>(passes) * (engine == HostEngine::lanes ? load.warps : load.pes);
    recent.seconds += seconds;
    executed_[static_cast<int>(engine)] += instructions;
    spent_ += seconds;
    latest_rate_[static_cast<int>(engine)] = seconds > 0 ? instructions / seconds : 0;
    if (trying_ && engine == other()) tried_ += seconds;
    const double lately = std::max(0.01, 0.2 * spent_);
    if (recent.seconds > lately) recent.fade(lately / recent.seconds);
}

void EngineChoice::laid(double seconds) {
    spent_ += seconds;
    if (!changing_) laid_for_trials_ += seconds;
}

std::optional<EngineVerdict> EngineChoice::verdict() const {
    const std::optional<double> gain = trials_ != 0 ? gains_ / trials_ : gain_so_far_;
    if (!gain || !std::isfinite(*gain)) return {};
    EngineVerdict verdict{*gain > 0 ? HostEngine::lanes : HostEngine::blocks, std::exp(std::abs(*gain))};
    // A short run may have shown little but how the program starts up.
    if (spent_ < 2 * sure_trial * cores_) {
        if (is_sure() && known_->engine == verdict.engine) return known_;
        verdict.times = std::min(verdict.times, 0.99 * sure);
    }
    return verdict;
}

DeviceStats::Choice EngineChoice::report() const {
    const std::string engine(name_of(engine_)), before = known_ ? "as in the last run; " : "";
    if (trials_ == 0) return {engine, before + "it ended before blocks and lanes were compared", 0};
    const auto rate = [&](HostEngine of) {
        return fmt::format("{:.2f} G instructions/s of a core in {}", recent(of).rate() / 1e9, name_of(of));
    };
    return {engine,
            fmt::format("{}, {}; lanes executed {:.0f} % of all", rate(HostEngine::blocks), rate(HostEngine::lanes),
                        100 * executed_[1] / std::max(executed_[0] + executed_[1], 1.0)),
            trials_};
}

}  // namespace mog
