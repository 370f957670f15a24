// turns_of_pes.cpp: who is next, which of the cores take turns, and what becomes of a turn.
#include "runtime_host/devices/turns/turns_of_pes.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <utility>

namespace mog {

/// What a taker has taken, and of it those that shall have another turn.
struct TurnsOfPes::Taken {
    std::vector<Turn> turns, back;
    std::uint64_t passes = 0;                        ///< of all of them
    std::uint64_t behind = 0;                        ///< the number of the first turn that was not waiting yet when they were taken
    bool is_long = true, did_little = false;         ///< those before these
    std::chrono::steady_clock::time_point looked{};  ///< at the clock,
    std::size_t turns_since = 0;                     ///< so many turns ago; 0: there is nothing to compare with
    std::uint64_t passes_since = 0;                  ///< that these had
    std::uint64_t brief = 0;                         ///< passes that took some microseconds when this was last known,
    std::size_t at_once = 0;                         ///< and turns that took not many; 0: nothing is known
    bool are_worth_it = false;                       ///< those turns another core, which slows down both
};

/// Threads that can run, in the order in which they have their turns, and how many passes each has left. Any thread of the pool takes
/// the next ones, and sleeps if there are none but others still run, for these may wake some. It sleeps, too, where turns are so short, as
/// of threads that wait for each other, that two cores would take longer for them than one, between whose caches everything goes to and
/// fro. Who has a longer turn while others wait for theirs wakes it, unless all of them have looked in vain since anything has changed:
/// while one core does what takes long, the other would go round among those that wait for it until they sleep, too, which costs each of
/// them two system calls.
class TurnsOfPes::Queue {
public:
    using Clock = std::chrono::steady_clock;
    /// `in_order`: nothing depends on time, and they are taken one by one.
    Queue(std::vector<Turn> turns, unsigned takers, bool in_order) : turns_(std::move(turns)), takers_(takers), in_order_(in_order) {}

    void begin() {
        const std::lock_guard lock(mutex_);
        ++awake_;
        ++long_;
    }
    /// Some more that can run now.
    void add(std::span<const u32> pes, u32 left) {
        if (pes.empty()) return;
        const std::lock_guard lock(mutex_);
        for (const u32 pe : pes) turns_.push_back({pe, left});
        change_before(number_behind());
    }
    /// Somebody sleeps, and is to be told by help() once a turn turns out to be long.
    bool has_sleepers() const { return asleep_ > told_; }
    /// One of those turns is long: what it waited for has come, and may have for those that had waited before; and while it goes on,
    /// `anew`, it may do what the others wait for.
    void help(const Taken &taken, bool anew) {
        const std::lock_guard lock(mutex_);
        change_before(anew ? number_behind() : taken.behind);
        wake_one();
    }
    /// One of those turns is long, and the last `count` of those that were taken have not begun: they are next, for anybody.
    void give_back(Taken &taken, std::size_t count) {
        const std::lock_guard lock(mutex_);
        const auto from = taken.turns.end() - static_cast<std::ptrdiff_t>(count);
        const std::size_t at = first_ >= count ? first_ - count : 0;
        if (first_ < count) turns_.insert(turns_.begin(), count - first_, {});
        std::copy(from, taken.turns.end(), turns_.begin() + static_cast<std::ptrdiff_t>(at));
        first_ = at;
        taken.turns.erase(from, taken.turns.end());
        running_ -= static_cast<u32>(count);
        taken_ -= count;
        taken.turns_since -= std::min(taken.turns_since, count);
    }
    /// The turns of those that were taken are over. Then the next ones are: several, where there are many, for that costs little more
    /// than one. False: no more of this launch.
    bool next(Taken &taken) {
        std::unique_lock lock(mutex_);
        taken.passes_since += taken.passes;
        const bool did_little = taken.did_little = !taken.turns.empty() && taken.passes < little * taken.turns.size();
        const bool was_short = did_little || are_short(taken);
        if (did_little) taken.at_once = most_short_at_once;
        taken.passes = 0;
        tell_long(taken, !was_short);
        running_ -= static_cast<u32>(taken.turns.size());
        taken.turns.clear();
        turns_.insert(turns_.end(), taken.back.begin(), taken.back.end());
        taken.back.clear();
        if (!did_little) change_before(number_behind());
        if (was_short && (awake_ - long_ > 1 || (running_ != 0 && did_little && all_have_looked()))) sleep(lock, taken);
        // Many turns together are worth another core, too.
        else if (!was_short && taken.at_once != 0 && waiting() > taken.at_once && taken.are_worth_it) wake_one();
        while (waiting() == 0 && running_ != 0) sleep(lock, taken);
        if (waiting() == 0 || is_late()) {
            turns_.clear();
            first_ = 0;
            is_hurried_ = true;
            changed_.notify_all();
            tell_long(taken, false);
            --awake_;
            return false;
        }
        // Who has slept is needed for long ones.
        const std::size_t most =
            taken.at_once == 0 ? 1 : std::clamp<std::size_t>(taken.at_once, 1, was_short ? most_short_at_once : most_at_once);
        const std::size_t count = in_order_ ? 1 : std::clamp<std::size_t>(waiting() / (2 * takers_), 1, most);
        const auto first = turns_.begin() + static_cast<std::ptrdiff_t>(first_);
        taken.turns.assign(first, first + static_cast<std::ptrdiff_t>(count));
        first_ += count;
        // What was taken is at the beginning, until that is as much as there is behind it.
        if (first_ > turns_.size() / 2) {
            turns_.erase(turns_.begin(), turns_.begin() + static_cast<std::ptrdiff_t>(first_));
            first_ = 0;
        }
        running_ += static_cast<u32>(count);
        taken_ += count;
        taken.behind = number_behind();
        taken.turns_since += count;
        since_look_ += static_cast<u32>(count);
        return true;
    }
    bool is_over() {
        const std::lock_guard lock(mutex_);
        return ended();
    }
    /// Somebody's call waits for the end of the launch.
    void hurry() {
        const std::lock_guard lock(mutex_);
        end_ = std::min(end_, Clock::now() + patience);
        is_hurried_ = true;
    }

private:
    static constexpr std::chrono::milliseconds longest{50}, patience{1};
    static constexpr u32 most_turns = 1u << 16;  ///< where nothing may depend on time
    static constexpr u32 seldom = 16;            ///< turns: to ask what time it is takes a fifth of a short one
    static constexpr std::size_t most_at_once = 16, most_short_at_once = 64;
    static constexpr u32 little = 512;  ///< passes, which take no longer than to begin and end some turns
    static constexpr std::chrono::nanoseconds short_turn{250}, some_microseconds{4'000}, many_microseconds{50'000};
    bool ended() const { return in_order_ ? taken_ > most_turns : Clock::now() > end_; }
    bool is_late() {
        if (!in_order_ && !is_hurried_ && since_look_ < seldom) return false;
        since_look_ = 0;
        return ended();
    }
    /// Turns are numbered in the order in which they are taken: the first one that waits has the number taken_.
    std::uint64_t number_behind() const { return taken_ + waiting(); }
    /// Those of smaller numbers may go on.
    void change_before(std::uint64_t number) { changed_before_ = std::max(changed_before_, number); }
    /// Whether all that wait have had a turn since anything changed, as far as is known.
    bool all_have_looked() const { return taken_ >= changed_before_; }
    void tell_long(Taken &taken, bool is_long) {
        if (taken.is_long != is_long) long_ += is_long ? 1 : -1;
        taken.is_long = is_long;
    }
    /// Turns of many passes may have taken no time to speak of, for native code does several rounds of a loop at once: all turns since this
    /// was last asked together, so that those which do little need no clock.
    static bool are_short(Taken &taken) {
        const auto now = Clock::now();
        const std::chrono::nanoseconds took = now - std::exchange(taken.looked, now);
        const std::size_t turns = std::exchange(taken.turns_since, 0);
        const std::uint64_t passes = std::exchange(taken.passes_since, 0);
        if (turns == 0 || took.count() <= 0) return false;
        taken.brief = passes * some_microseconds.count() / static_cast<std::uint64_t>(took.count());
        taken.at_once = turns * many_microseconds.count() / static_cast<std::uint64_t>(took.count());
        taken.are_worth_it = took >= 2 * short_turn * turns;
        return took < short_turn * turns;
    }
    /// For what waits, unless all have looked in vain.
    void wake_one() {
        if (waiting() == 0 || all_have_looked() || asleep_ <= told_) return;
        ++told_;
        changed_.notify_one();
    }
    /// Until it is told that there is something to do, or this is over.
    void sleep(std::unique_lock<std::mutex> &lock, Taken &taken) {
        tell_long(taken, false);
        --awake_;
        ++asleep_;
        changed_.wait(lock);
        taken.looked = Clock::now();  // what it slept is no turn's
        taken.turns_since = taken.passes_since = 0;
        taken.at_once = 0;
        --asleep_;
        if (told_ != 0) --told_;
        ++awake_;
        tell_long(taken, true);
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t waiting() const { return turns_.size() - first_; }
    std::vector<Turn> turns_;
    std::size_t first_ = 0;  ///< of these that is there
    u32 running_ = 0, since_look_ = 0;
    std::uint64_t taken_ = 0, changed_before_ = 0;
    int awake_ = 0, long_ = 0;  ///< threads of the pool, and those of them whose last turns were no short ones
    std::atomic<u32> asleep_ = 0, told_ = 0;
    unsigned takers_;
    bool in_order_, is_hurried_ = false;
    Clock::time_point end_ = Clock::now() + longest;
};

TurnsOfPes::TurnsOfPes(std::span<const u32> pes, std::span<const u32> own_passes, const Settings &settings,
                       const Device::ServeAtOnce &serve, std::span<Request> records)
    : settings_(settings), serve_(serve), records_(records) {
    std::vector<Turn> first;
    first.reserve(pes.size());
    for (std::size_t i = 0; i < pes.size(); ++i) first.push_back({pes[i], own_passes.empty() ? settings.passes : own_passes[i]});
    queue_ = std::make_unique<Queue>(std::move(first), settings.takers, settings.in_order);
}
TurnsOfPes::~TurnsOfPes() = default;

std::size_t TurnsOfPes::end() {
    for (const u32 pe : parked_)
        if (settings_.natives->has(pe)) settings_.natives->give_back(pe);
    parked_.clear();
    return stopped_;
}

TurnsOfPes::Taker::Taker(TurnsOfPes &turns) : of_(turns), taken_(std::make_unique<Taken>()) { of_.queue_->begin(); }
TurnsOfPes::Taker::~Taker() {
    const std::lock_guard lock(of_.parking_);
    of_.parked_.insert(of_.parked_.end(), parked_.begin(), parked_.end());
}

/// After so many passes others are told that there may be something for them to run; and if there was nothing, after twice as many.
TurnsOfPes::u32 TurnsOfPes::Taker::brief_passes() const {
    const u32 most = of_.settings_.turn_passes;
    return static_cast<u32>(std::clamp<std::uint64_t>(taken_->brief, most >> 8, most));
}

std::optional<TurnsOfPes::Step> TurnsOfPes::Taker::next() {
    while (!current_) {
        if (left_.empty()) {
            if (!of_.queue_->next(*taken_)) return {};
            left_ = taken_->turns;
        } else if (!of_.settings_.natives || !run_natives()) {
            begin(left_.front());
            left_ = left_.subspan(1);
        }
    }
    Current &now = *current_;
    now.is_brief = now.brief < of_.settings_.turn_passes && is_for_others();
    now.allowed = std::min(now.left, now.is_brief ? now.brief : of_.settings_.turn_passes);
    return Step{now.turn.pe, now.allowed};
}

/// Whether others are to know if a turn is long: those that sleep, or would have those that were taken because turns did little.
bool TurnsOfPes::Taker::is_for_others() const { return of_.queue_->has_sleepers() || (taken_->did_little && left_.size() > 1); }

void TurnsOfPes::Taker::begin(const Turn &turn) {
    NativeTurns *const natives = of_.settings_.natives;
    if (natives && natives->has(turn.pe)) natives->give_back(turn.pe);
    const u32 brief = brief_passes();
    current_ = Current{turn, turn.left, brief, brief};
}

void TurnsOfPes::Taker::ran(const Request *stopped) {
    constexpr u32 calls_between_looks = 16;  // at the clock
    using Served = Device::Served;
    Current &now = *current_;
    now.left -= now.allowed;
    if (stopped) now.left += (*stopped)[MOG_Q_LEFT];
    Served served = Served::runs_on;
    bool was_long = false;
    if (!stopped && now.is_brief) {
        give_back();
        of_.queue_->help(*taken_, now.brief != now.first_brief);
        now.brief *= 2;
    } else {
        was_long = !stopped;
        served = was_long || (*stopped)[MOG_Q_STOP] == MOG_STOP_YIELD ? Served::yields : Served::later;
        if (served == Served::later && of_.serve_) {
            woken_.clear();
            now.has_called = true;
            served = of_.serve_(*stopped, woken_);
            of_.queue_->add(woken_, of_.settings_.passes);
        }
        if (served == Served::later) {
            of_.records_[of_.stopped_++] = *stopped;
            of_.queue_->hurry();
        }
    }
    const bool goes_on = now.left != 0 && Device::goes_on(served) && (++calls_ % calls_between_looks != 0 || !of_.queue_->is_over());
    if (!goes_on) end_turn(served, was_long);
}

void TurnsOfPes::Taker::end_turn(Device::Served served, bool was_long) {
    const Current now = *std::exchange(current_, std::nullopt);
    NativeTurns *const natives = of_.settings_.natives;
    if (now.left != 0 && served == Device::Served::yields) {
        taken_->back.push_back({now.turn.pe, now.left});
        // Who has called the system may do so again: it would be back in the state at once.
        if (natives && !was_long && !now.has_called && natives->take(now.turn.pe)) parked_.push_back(now.turn.pe);
    }
    taken_->passes += now.turn.left - now.left;
    // Those that are left run in the next launch.
    if (was_long && of_.queue_->is_over()) left_ = {};
}

void TurnsOfPes::Taker::give_back() {
    if (left_.empty() || of_.settings_.in_order) return;
    of_.queue_->give_back(*taken_, left_.size());
    left_ = {};
}

/// Turns from the first of those that are left on that native code has alone. False: it has none.
bool TurnsOfPes::Taker::run_natives() {
    const Settings &settings = of_.settings_;
    const u32 allowed = is_for_others() ? brief_passes() : settings.turn_passes;
    std::size_t of_process = settings.processes == 1 ? left_.size() : 1;
    while (of_process < left_.size() && left_[of_process].pe % settings.processes == left_[0].pe % settings.processes) ++of_process;
    const NativeTurns::Ran ran = settings.natives->run(left_.first(of_process), allowed, settings.memory_of(left_[0].pe));
    if (ran.done == 0) return false;
    taken_->passes += ran.passes;
    const bool was_long = !ran.yielded && ran.last > settings.turn_passes / 2;
    const std::size_t kept = ran.yielded || was_long ? ran.done : ran.done - 1;
    for (const Turn &turn : left_.first(kept))
        if (turn.left != 0) taken_->back.push_back(turn);
    const Turn last = left_[ran.done - 1];
    left_ = left_.subspan(ran.done);
    if (kept != ran.done && last.left != 0) {
        if (ran.last >= allowed / 2) give_back();
        begin(last);
    } else if (was_long && of_.queue_->is_over()) left_ = {};
    return true;
}

}  // namespace mog
