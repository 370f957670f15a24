// run_clock.hpp: the time of a run, which stands still in its pauses, and how much of it is left.
#pragma once

#include <chrono>
#include <memory>

#include "support/deadline.hpp"

namespace mog {

class RunClock {
public:
    using Clock = std::chrono::steady_clock;

    /// `timeout`: seconds until the run is over; 0: it never is. `deadline` is told when that is.
    RunClock(double timeout, std::shared_ptr<Deadline> deadline) : timeout_(timeout), deadline_(std::move(deadline)) {}

    /// The run begins, or goes on after a pause, for so many seconds until the next one; HUGE_VAL: there need not be one.
    void go_on(double stretch_seconds);
    void pause();
    /// Before it begins: so many seconds of it have gone by already.
    void set_elapsed(double seconds) { elapsed_ = seconds; }

    /// Since the run's start, pauses apart; 0 before it.
    double seconds() const;
    /// Until the timeout, and until the next pause; HUGE_VAL where there is none.
    double seconds_left() const;
    double stretch_left() const;
    /// When it would have started if there had been no pauses.
    Clock::time_point start() const { return start_; }
    /// The time is up, or somebody has cancelled the run.
    const Deadline &deadline() const { return *deadline_; }

private:
    double timeout_, elapsed_ = 0;
    std::shared_ptr<Deadline> deadline_;
    Clock::time_point start_ = Clock::now(), stretch_end_, paused_;
    bool is_started_ = false, is_paused_ = false, is_bounded_ = false;
};

}  // namespace mog
