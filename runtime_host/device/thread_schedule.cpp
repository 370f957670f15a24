// thread_schedule.cpp
#include "runtime_host/device/thread_schedule.hpp"

#include <algorithm>

namespace mog {

namespace {

/// The longest turn of a launch is drawn among these powers of two, and lengths of turns are spread evenly over those up to it: errors may
/// want a few instructions of another thread in between, again and again, or thousands.
constexpr std::uint32_t least_longest_bits = 3, most_longest_bits = 16;
/// Now and then one thread gets most turns for a while, so that others are late: those that it has just started, for example.
constexpr std::uint32_t turns_of_favour = 64, favoured_of_turns = 8;
constexpr std::uint32_t most_turns = 1u << 12;  ///< of a launch: some tenths of a second, so that limits of time are kept
constexpr std::uint32_t most_turns_after_call = 8;

}  // namespace

std::uint32_t ThreadSchedule::turn_length(u32 longest_bits) {
    const u32 power = 1u << below(longest_bits + 1);
    return power + below(power);
}

/// One of them, or nobody.
void ThreadSchedule::draw_favoured(std::span<const Turn> ready) {
    favoured_.reset();
    if (const u32 which = below(2 * static_cast<u32>(ready.size())); which < ready.size()) favoured_ = ready[which].pe;
}

void ThreadSchedule::run(std::span<const u32> pes, u32 passes, std::span<const u32> own_passes, const RunTurn &run_turn,
                         const Device::ServeAtOnce &serve, std::vector<Request> &stopped) {
    using Served = Device::Served;
    std::vector<Turn> ready;
    for (std::size_t i = 0; i < pes.size(); i++) ready.push_back({pes[i], own_passes.empty() ? passes : own_passes[i]});
    const u32 longest_bits = least_longest_bits + below(most_longest_bits - least_longest_bits + 1);
    draw_favoured(ready);
    std::vector<u32> woken;
    Request record;
    for (u32 turns_left = most_turns; !ready.empty() && turns_left != 0; --turns_left) {
        if (below(turns_of_favour) == 0) draw_favoured(ready);
        auto at = std::ranges::find(ready, favoured_, &Turn::pe);
        if (at == ready.end() || below(favoured_of_turns) == 0) at = ready.begin() + below(static_cast<u32>(ready.size()));
        Turn turn = *at;
        ready.erase(at);
        u32 length = turn_length(longest_bits);
        for (bool goes_on = true; goes_on;) {
            const u32 allowed = std::min(turn.left, length);
            const bool has_stopped = run_turn(turn.pe, allowed, record);
            const u32 used = has_stopped ? allowed - record[MOG_Q_LEFT] : allowed;
            turn.left -= used;
            length -= used;
            if (told_) told_(turn.pe, used);
            Served served = has_stopped ? Served::later : Served::yields;
            if (has_stopped && serve) {
                woken.clear();
                served = serve(record, woken);
                for (const u32 pe : woken) ready.push_back({pe, passes});
            }
            goes_on = Device::goes_on(served) && turn.left != 0 && length != 0;
            if (served == Served::later) {
                stopped.push_back(record);
                turns_left = std::min(turns_left, 1 + below(most_turns_after_call));
            } else if (!goes_on && served != Served::rests && turn.left != 0) {
                ready.push_back(turn);
            }
        }
    }
}

}  // namespace mog
