// ends.hpp: how PEs end: by their own exit, by faults and signals, by limits, with others; and what is kept of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime_host/faults/stopped_pe.hpp"
#include "runtime_host/population/places.hpp"
#include "runtime_host/population/population.hpp"
#include "runtime_host/service/call_trace.hpp"
#include "runtime_host/service/memory_use.hpp"
#include "runtime_host/service/scheduler.hpp"

namespace mog {

class Ends {
public:
    Ends(Device &device, const Image &image, Population &population, Scheduler &scheduler)
        : device_(device),
          image_(image),
          population_(population),
          scheduler_(scheduler),
          places_(device, image, population),
          gauge_(device, image, population),
          trace_(population) {}

    // Errors are the device's.

    /// A PE is no more: what it has printed goes out, what it has open is closed, its locks are free.
    void end(std::uint32_t pe, EndedBy by, int status, std::uint32_t signal = 0);
    /// Its own exit.
    void end_by_exit(std::uint32_t pe, std::uint32_t status);
    /// PEs that faulted or got a signal, as they stopped. `signals`: 0 for a fault.
    Result<void> end_faulty(std::span<const Request> faults, std::span<const std::uint32_t> signals);
    /// PEs that stand between two launches, or wait for a system call.
    Result<void> end_where_they_stand(std::span<const Ending> endings, std::span<const std::uint32_t> pes);
    /// All that are left, of whom nothing is told.
    void end_all(EndedBy by, int status);

    // The end of a run, with a status of its own.
    Result<void> end_all_by_timeout();
    /// Nobody waits for their results any more; at an interrupt it is told where they stood.
    Result<void> end_all_by_cancel();
    /// --on-fault=abort: the others end with the first that went wrong.
    void end_all_for_fault();
    bool is_over_for_fault() const { return population_.config.options.abort_on_fault && population_.fault_status != 0; }

    /// Processes all of whose threads wait for each other.
    Result<void> end_deadlocked_threads();
    /// --fuel: those that have none.
    Result<void> end_those_without_fuel();
    /// Every PE has ended, in so many seconds: what comes of it.
    void finish(double seconds);

    /// Every PE has ended: what they have used of their memory.
    Result<MemoryUse> memory_use() { return gauge_.read(); }

    /// Of a PE that stands in a call: "in main at t.c:7"; empty if nothing is known.
    std::string place_of(std::uint32_t pe) { return places_.place_of(pe); }
    /// Writes the core of a process of which nobody runs, as it stands; where.
    Result<std::string> write_core_of(std::uint32_t process);
    /// --check-races: what was found since it was told last.
    void tell_races();
    /// --check=memory: the same; `all`: also what may be found of more PEs.
    void tell_memory(bool all);

private:
    void end_threads(std::uint32_t process);
    Result<void> end_by_limit(Ending::By limit, std::span<const std::uint32_t> processes);
    Result<void> end_with(std::span<const Ending> endings, std::span<StoppedPe::Facts> facts);
    Result<void> end_some_with(std::span<const Ending> endings, std::span<StoppedPe::Facts> facts);
    void dump_core(const Ending &ending, bool is_first, StoppedPe &pe);
    void tell_cores();

    Device &device_;
    const Image &image_;
    Population &population_;
    Scheduler &scheduler_;
    Places places_;
    MemoryGauge gauge_;
    CallTrace trace_;
};

}  // namespace mog
