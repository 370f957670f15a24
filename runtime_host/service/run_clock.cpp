// run_clock.cpp
#include "runtime_host/service/run_clock.hpp"

#include <cmath>

namespace mog {

namespace {

std::chrono::steady_clock::duration as_duration(double seconds) {
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

void RunClock::go_on(double stretch_seconds) {
    const Clock::time_point now = Clock::now();
    if (is_started_) start_ += now - paused_;
    else start_ = now - as_duration(elapsed_);
    is_started_ = true;
    is_paused_ = false;
    constexpr double most_seconds = 1e9;  // more might not fit a time_point
    if (timeout_ > 0 && timeout_ < most_seconds) deadline_->set_end(start_ + as_duration(timeout_));
    is_bounded_ = stretch_seconds < 1e6;  // more is no bound, and might not fit a time_point
    if (is_bounded_) stretch_end_ = now + as_duration(stretch_seconds);
}

void RunClock::pause() {
    paused_ = Clock::now();
    is_paused_ = true;
}

double RunClock::seconds() const {
    if (!is_started_) return elapsed_;
    return std::chrono::duration<double>((is_paused_ ? paused_ : Clock::now()) - start_).count();
}

double RunClock::seconds_left() const {
    return timeout_ > 0 ? timeout_ - std::chrono::duration<double>(Clock::now() - start_).count() : HUGE_VAL;
}

double RunClock::stretch_left() const {
    return is_bounded_ ? std::chrono::duration<double>(stretch_end_ - Clock::now()).count() : HUGE_VAL;
}

}  // namespace mog
