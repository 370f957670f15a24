// deadline.hpp: until when a run may take, for whatever on the host could keep it longer: a round of many calls, a stream that nobody
// reads.
#pragma once

#include <algorithm>
#include <chrono>
#include <climits>

#include "support/cancel.hpp"

namespace mog {

class Deadline {
public:
    using Clock = std::chrono::steady_clock;
    /// What was printed before the end may still be written for so long after it.
    static constexpr std::chrono::seconds grace{1};

    void set_end(Clock::time_point end) { end_ = end; }
    /// Outlives this; none: only the time counts.
    void set_cancel(const Cancel *cancel) { cancel_ = cancel; }

    /// There is an end, or somebody who could ask for one.
    bool is_set() const { return cancel_ || end_ != Clock::time_point::max(); }
    bool is_cancelled() const { return cancel_ && cancel_->is_asked(); }
    bool is_over() const { return is_cancelled() || (end_ != Clock::time_point::max() && Clock::now() >= end_); }

    /// For poll(): how long output may wait; -1: for ever.
    int milliseconds_for_output() const {
        if (end_ == Clock::time_point::max()) return -1;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ + grace - Clock::now()).count();
        return static_cast<int>(std::clamp<std::int64_t>(left, 0, INT_MAX));
    }
    /// Readable once the end was asked for; -1 if nobody can.
    int cancel_fd() const { return cancel_ ? cancel_->fd() : -1; }

private:
    Clock::time_point end_ = Clock::time_point::max();
    const Cancel *cancel_ = nullptr;
};

}  // namespace mog
