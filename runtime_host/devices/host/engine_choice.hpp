// engine_choice.hpp: which of the host's two engines runs a program faster, compiled blocks for one PE or lanes for 16 at
// once, found out while it runs: now and then some warps try the other one, for a small part of the time.
//
// The first trial is the program's beginning: some warps begin in lanes, the others in blocks, or the other way round if lanes were
// faster in the last run, until it is clear which is faster. Where one of them was much faster then, it comes later. Nothing of a trial is
// lost: the PEs go on from where they were. What is compared is instructions for a second of a processor, and how many processors either
// engine keeps busy.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>

#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/host/host_pes.hpp"

namespace mog {

/// What trials came to: the faster engine, and how many times faster it was, on average.
struct EngineVerdict {
    HostEngine engine = HostEngine::blocks;
    double times = 1;
};

/// What is known of runs that ended before the code for lanes that they had compiled was there: how many in turn, and what the last of them
/// took without it, in seconds of processors.
struct UnfinishedLanes {
    std::uint32_t runs = 0;
    double seconds = 0;
};

class EngineChoice {
public:
    /// Fewer PEs to a warp than this, and lanes cannot win.
    static constexpr std::uint32_t least_lanes = 4;
    /// A verdict that is clearer than this is not asked for again soon.
    static constexpr double sure = 1.25;

    /// The PEs of a round, and the warps that they stand in.
    struct Load {
        std::uint32_t pes = 0, warps = 0;
    };

    /// `known`: the verdict of the last run, if there is one. `restless`: no trials, but the other engine in every round.
    explicit EngineChoice(unsigned cores, std::optional<EngineVerdict> known = {}, bool restless = false)
        : cores_(cores),
          restless_(restless),
          known_(known),
          engine_(known ? known->engine : HostEngine::blocks),
          next_trial_((is_sure() ? sure_trial : first_trial) * cores) {}

    /// Before the first round, with all PEs: how many of the warps are to begin in the other engine, for the first trial. 0: it comes
    /// later.
    std::uint32_t begin(Load load);
    /// In place of that, where PEs ran in blocks for so many seconds of processors before there was anything to choose from: the first
    /// trial begins with the next round that has lasted long enough for memory to be laid anew.
    void begin_late(double seconds);

    /// Before a round: decides whether to begin or end a trial, and which engine goes on. `relayout_seconds` estimates what it takes
    /// to lay the memory of one warp anew; it is asked before a trial.
    void begin_round(Load load, const std::function<double()> &relayout_seconds);
    HostEngine engine() const { return engine_; }
    HostEngine other() const { return engine_ == HostEngine::blocks ? HostEngine::lanes : HostEngine::blocks; }
    /// Some warps run by the other engine in this round.
    bool trying() const { return trying_; }
    /// How many warps of `warps` try.
    std::uint32_t sample(std::uint32_t warps) const;
    /// The passes of this round, of `passes`, so that trials are short, and begin when they are due. `tried`: by the other engine.
    /// All get the same: whoever runs for longer has more of its memory in the caches.
    std::uint32_t passes(Load tried, Load others, std::uint32_t passes) const;

    /// In a round of so many passes, PEs executed so many instructions, in so many seconds of processors.
    void ran(HostEngine engine, Load load, std::uint32_t passes, double instructions, double seconds);
    /// The memory of warps was laid anew, which took so many seconds of processors.
    void laid(double seconds);

    /// Nothing if nothing was compared.
    std::optional<EngineVerdict> verdict() const;
    /// For --stats.
    DeviceStats::Choice report() const;

private:
    /// Of lately: older figures fade.
    struct Recent {
        double instructions = 0, seconds = 0;
        double by_warps = 0;  ///< of those, what each PE of a warp executed, on average
        double passes = 0;    ///< of all PEs; in lanes, of all warps

        double rate() const { return seconds > 0 ? instructions / seconds : 0; }
        void fade(double part);
    };

    static constexpr double first_trial = 0.003;         ///< seconds on each core to the first trial, where not all begin with one
    static constexpr double sure_trial = 0.25;           ///< the same, where the last run was sure
    static constexpr double beginning = 0.02;            ///< seconds on each core that the trial at the beginning takes at most, but
    static constexpr double start_up = 50e3;             ///< as many instructions as each PE executes until it shows what it will do
    static constexpr double far_better = 1.5;            ///< better by that in two rounds of the beginning, and it is over
    static constexpr double trial_part = 0.02;           ///< of the time so far
    static constexpr double longest_trial = 0.05;        ///< seconds on each core
    static constexpr double longest_pause = 1;           ///< seconds on each core between trials
    static constexpr double relayout_part = 0.03;        ///< of the time: laying memory anew for trials, there and back,
    static constexpr double first_relayout_part = 0.08;  ///< and for the first one, which may show that lanes are several times faster
    static constexpr double clearly = 1.05;              ///< better by less is no reason to change
    static constexpr double much_slower = 0.5;           ///< than when it was chosen: the program does something else now, so try
    static constexpr double patience = 4;                ///< the better an engine is, the later is the next trial: at most so many times

    bool is_sure() const { return known_ && known_->times >= sure; }
    const Recent &recent(HostEngine engine) const { return recent_[static_cast<int>(engine)]; }
    static std::uint32_t sample_of(std::uint32_t warps, std::uint32_t least) { return std::min(warps, std::max(least, warps / 32)); }
    double speed(HostEngine engine, Load load) const;
    /// How many times faster the other engine is.
    double gain(Load load) const { return speed(other(), load) / speed(engine_, load); }
    double lanes_gain(Load load) const { return std::log(speed(HostEngine::lanes, load) / speed(HostEngine::blocks, load)); }
    bool beginning_over(Load load, double relayout_all);
    bool worth_relayout(Load load, double relayout_all) const;
    void begin_trial();
    void end_trial(Load load, double relayout_all);

    unsigned cores_;
    bool restless_;
    std::optional<EngineVerdict> known_;
    HostEngine engine_;
    Recent recent_[2];
    double executed_[2] = {};
    double latest_rate_[2] = {};  ///< of the last round
    double expected_rate_ = 0;    ///< of the engine that was chosen last; 0: none was
    double spent_ = 0, next_trial_ = 0, tried_ = 0, trial_length_ = 0, changed_at_ = 0, laid_for_trials_ = 0;
    bool trying_ = false, beginning_ = false, changing_ = false;
    std::uint32_t trials_ = 0, far_better_rounds_ = 0;
    // Logarithms of how many times faster lanes were:
    double gains_ = 0;                   ///< sum over trials
    std::optional<double> gain_so_far_;  ///< in the trial at the beginning, which goes on while a change would not pay
};

}  // namespace mog
