// round_end.hpp: whether a round is to be left at once, for the run's time is up or somebody has cancelled it. What PEs ask for may take
// long however it is bounded, so all that is long asks.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace mog::mpi {

class RoundEnd {
public:
    /// `ask`: true when the run is to end, and from then on; empty: it never is. It looks at a clock, so it is not asked at each step.
    explicit RoundEnd(std::function<bool()> ask) : ask_(std::move(ask)) {}

    /// After a step that took about as long as copying so many bytes. True: leave everything as it is, for all PEs will be ended.
    bool is_due_after(std::uint64_t bytes) {
        done_ += bytes;
        if (done_ < bytes_between_looks) return is_due_;
        done_ = 0;
        return is_due();
    }
    bool is_due() { return is_due_ || (ask_ && (is_due_ = ask_())); }
    bool was_due() const { return is_due_; }

private:
    static constexpr std::uint64_t bytes_between_looks = 4u << 20;

    std::function<bool()> ask_;
    std::uint64_t done_ = 0;
    bool is_due_ = false;
};

}  // namespace mog::mpi
