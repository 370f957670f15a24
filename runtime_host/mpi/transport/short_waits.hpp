// short_waits.hpp: waiting for what no descriptor tells of, and what mostly comes soon.
//
// At first others have the processor for a moment. Where more want to run than there are processors, that is no moment: whoever yields is
// put behind all of them, and is back after a turn of each, some hundredths of a second, while whoever sleeps is woken in about the time it
// has asked for. So one that came back late sleeps from then on, for a while.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

namespace mog {

class ShortWaits {
public:
    static constexpr std::chrono::microseconds longest_sleep{1000};

    /// What was waited for has come.
    void begin_anew() { waits_ = 0; }
    bool has_begun() const { return waits_ != 0; }
    /// It has waited so often that others may count on its going on.
    bool is_long() const { return waits_ >= yields + 20; }

    /// A little. Sleeps are longer the longer it takes, up to `most`.
    void wait(std::chrono::microseconds most = longest_sleep) {
        if (waits_ < yields && yield()) {
            ++waits_;
            return;
        }
        waits_ = std::max(waits_ + 1, yields);
        std::this_thread::sleep_for(std::min(most, std::chrono::microseconds(20) * std::min(waits_ - yields + 1, most_steps)));
    }
    /// Others have the processor for a moment. False: it would be no moment, or was none.
    bool yield() {
        constexpr Clock::duration moment = std::chrono::milliseconds(1), how_long = std::chrono::seconds(1);
        const Clock::time_point begin = Clock::now();
        if (begin < crowded_until_) return false;
        std::this_thread::yield();
        const Clock::time_point end = Clock::now();
        if (end - begin < moment) return true;
        crowded_until_ = end + how_long;
        return false;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint32_t yields = 30, most_steps = 1000;

    std::uint32_t waits_ = 0;
    Clock::time_point crowded_until_{};
};

}  // namespace mog
