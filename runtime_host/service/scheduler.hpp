// scheduler.hpp: which PEs run next, for how many passes; and who of them runs at all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "runtime_host/population/population.hpp"
#include "runtime_host/profile/collector.hpp"

namespace mog {

class Scheduler {
public:
    /// Both outlive it. All PEs of the population that run are active.
    Scheduler(const DeviceInfo &device, Population &population);

    // ---- who runs

    /// A PE waits for something, or has ended.
    void stop(std::uint32_t pe, PeState why, WaitFor what = WaitFor::calls) {
        population_.states[pe] = why;
        has_changed_ = true;
        if (collector_) note_stop(pe, why, what);
    }
    /// It runs on.
    void resume(std::uint32_t pe) {
        if (population_.states[pe] == PeState::Runs || population_.states[pe] == PeState::Ended) return;
        population_.states[pe] = PeState::Runs;
        woken_.push_back(pe);
        has_changed_ = true;
        if (collector_) collector_->goes_on(pe);
    }
    /// The same for one whose call was served within its round: it has never stopped being active.
    void resume_called(std::uint32_t pe) { population_.states[pe] = PeState::Runs; }

    /// PEs that stopped are no longer active, those that were woken are: at the cost of those that change.
    void update();
    /// Finds out from the states alone who is active.
    void start_anew();
    /// Nobody runs, and so it stays until somebody is woken.
    bool is_idle() const { return active_.empty() && !has_changed_; }
    bool has_active() const { return !active_.empty(); }
    bool has_woken() const { return !woken_.empty(); }
    /// Somebody has stopped or was woken since update().
    bool has_changed() const { return has_changed_; }

    // ---- the next launch

    /// The PEs of the next launch. All that are active; or, where caches make a difference, some: if PEs send each other messages those
    /// with neighbouring numbers, for some rounds before it is the next ones' turn; else as many as a launch has time for, if each of them
    /// is to run for so long that it is worth while to have its memory in the caches. `enough`: Device::enough_pes(). Valid until update().
    std::span<const std::uint32_t> next_launch(std::uint32_t enough = UINT32_MAX);
    /// The last launch need not have had all that are active: who asked for something waits for others' turns anyway.
    bool takes_turns() const { return takes_turns_; }
    /// With --fuel, the passes of each PE of the launch; else none.
    std::span<const std::uint32_t> plan_passes();
    /// Passes through the interpreter in the next launch.
    std::uint32_t slice() const { return slice_; }

    /// With --fuel: what the launch has used up. `stopped`: those that stopped in it, ascending.
    void use_fuel(std::span<const Request> stopped);
    /// PEs that run and have no fuel left.
    std::vector<std::uint32_t> without_fuel() const;

    /// How long a launch had better be, if somebody waits for the host until it is over, or nobody does.
    double wanted_seconds(bool somebody_waits) const;
    /// Launches of about `target` seconds. The last one took `seconds`; `all_stopped`: each PE before its slice was over; `left`: until
    /// somebody looks at the clock. Launches of about 100 ms cost nothing and keep --timeout and sleeping PEs on time; while some PEs wait
    /// for the host, shorter ones make them wait less for those that compute.
    void adapt_launch(double seconds, double target, double left, bool all_stopped);
    /// --deterministic: the longer nobody asks for something, the longer are slices.
    void lengthen_slice(bool anyone_stopped);

    /// What the next launches depend on, of all that went before (support/archive.hpp); who runs, the states of PEs say.
    static void carry(auto &self, auto &archive) {
        archive(self.slice_, self.first_neighbour_, self.rounds_of_neighbours_, self.pes_, self.next_);
    }
    /// False: no launches lead to this.
    bool is_sound() const { return slice_ != 0 && first_neighbour_ < population_.states.size() && next_ <= population_.states.size(); }

private:
    std::span<const std::uint32_t> next_turn(std::uint32_t enough);
    void note_stop(std::uint32_t pe, PeState why, WaitFor what);
    std::uint64_t fuel_of(std::uint32_t pe) const;
    bool runs(std::uint32_t process) const;

    const DeviceInfo &device_;
    Population &population_;
    ProfileCollector *const collector_;
    std::vector<std::uint32_t> active_;  ///< ascending
    std::vector<std::uint32_t> woken_;   ///< PEs that run again and are not in active_ yet
    bool has_changed_ = false;
    std::span<const std::uint32_t> launch_;  ///< part of active_
    std::vector<std::uint32_t> passes_;      ///< of each PE of the launch, with --fuel
    std::uint32_t slice_;
    bool takes_turns_ = false;            ///< PEs do, if not all find a place in a launch
    std::uint32_t pes_ = 0, enough_ = 0;  ///< in a launch then: how many, and the fewest
    std::uint32_t next_ = 0;              ///< whose turn it is: that PE's, or the next one's that is active
    std::uint32_t first_neighbour_ = 0, rounds_of_neighbours_ = 0;
};

}  // namespace mog
