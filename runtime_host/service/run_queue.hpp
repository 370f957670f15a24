// run_queue.hpp: the runs of a sweep, which wait for slots of a device: how each begins, and what is known of it in the end.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime_host/config/sweep.hpp"
#include "runtime_host/devices/slots/slotted_device.hpp"
#include "runtime_host/population/population.hpp"
#include "runtime_host/service/run_clock.hpp"
#include "runtime_host/service/scheduler.hpp"

namespace mog {

/// How a run went; times are seconds since the start of all, of the last attempt.
struct RunRecord {
    double begin = 0, end = 0;
    std::uint32_t attempts = 0;                 ///< 0: it has not begun
    bool has_started = false;                   ///< the last one: its files could be opened
    std::optional<std::uint64_t> instructions;  ///< of MOG; only if they are counted (--count), or limited (--fuel)

    static void carry(auto &self, auto &archive) { archive(self.begin, self.end, self.attempts, self.has_started, self.instructions); }
};

class RunQueue {
public:
    /// Writes a run's own arguments and environment into its memory.
    using Start = std::function<Result<void>(std::uint32_t run)>;

    /// All outlive it.
    RunQueue(const Sweep &sweep, SlottedDevice &device, Population &population, Scheduler &scheduler, const RunClock &clock, Start start);

    /// Between launches: as many begin as there are slots. Those whose files cannot be opened are told to `fails`. Error: the device's.
    Result<void> begin_runs(const std::function<void(std::uint32_t run)> &fails);
    /// In the midst of a launch, in place of one that has ended in it, if there is another and the device can do so.
    void begin_in_place_of(std::uint32_t ended);
    /// One has ended with this status, and is to begin anew: that, and nothing else, is done. False: it has ended for good.
    bool repeats(std::uint32_t run, int status);
    /// What it has used, while its state is still there.
    void ended(std::uint32_t run);

    std::uint32_t not_begun() const { return sweep_.runs() - next_ + static_cast<std::uint32_t>(again_.size()); }
    std::vector<std::uint32_t> waiting() const;
    /// It has begun, and not ended.
    bool has_begun(std::uint32_t run) const { return device_.has_slot(run); }
    const std::vector<RunRecord> &records() const { return records_; }

    /// Which runs have begun, and what is known of them (support/archive.hpp).
    static void carry(auto &self, auto &archive) { archive(self.next_, self.again_, self.unopened_, self.records_); }
    /// Before anything has run, after the states of PEs were read: those that have begun get slots. False: it makes no sense.
    Result<bool> restore();

    /// What a run that could not be started ends with, as from a shell.
    static constexpr int not_started_status = 126;

private:
    std::optional<std::uint32_t> take();
    Result<bool> begin_next();
    std::optional<std::string> open_files(std::uint32_t run);

    const Sweep &sweep_;
    SlottedDevice &device_;
    Population &population_;
    Scheduler &scheduler_;
    const RunClock &clock_;
    Start start_;
    std::uint32_t next_ = 0;               ///< the first that has never begun
    std::deque<std::uint32_t> again_;      ///< to be repeated
    std::vector<std::uint32_t> unopened_;  ///< without the files that they should have: to be ended between launches
    std::vector<RunRecord> records_;
    Result<void> failure_{};  ///< of the device, in the midst of a launch
};

}  // namespace mog
