// mpi_port.hpp: PEs that call MPI come to the engine (mpi/engine.hpp) and leave it here; so does what comes from the other processes of
// their world, where there are some.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime_host/service/ends.hpp"
#include "runtime_host/service/run_clock.hpp"

namespace mog {

namespace mpi {
class Statistics;
}

class MpiPort {
public:
    /// All outlive it. The engine is Population::mpi.
    MpiPort(Device &device, const Image &image, Population &population, Scheduler &scheduler, Ends &ends, const RunClock &clock)
        : device_(device), image_(image), population_(population), scheduler_(scheduler), ends_(ends), clock_(clock) {}

    // Errors are the device's, or of a file for the trace.

    /// Makes the engine: somebody has called MPI for the first time, or there are other processes.
    Result<void> start();
    /// The calls of a round, all at once. PEs whose calls are not done are parked. The list is empty afterwards.
    Result<void> serve(std::vector<Request> &calls);
    /// After a round: PEs that had to wait for others to end, and MPI_Abort. True: the run is over.
    Result<bool> end_round();
    /// Nothing runs and nothing can come: all that is left waits for each other, and ends.
    Result<void> end_deadlocked();
    /// With --mpi-stats or --mpi-matrix, once MPI was called; null otherwise.
    const mpi::Statistics *statistics() const { return statistics_; }

    // A world of several processes.

    /// What has come from the others. True: one of them has ended the run.
    Result<bool> meet_others();
    /// No PE can run before something comes. Transports have nothing to wait at, so this is a little sleep; PEs that wait for descriptors
    /// or the time have their own.
    void rest_until_others();
    /// All PEs here have ended: others may not, and want answers of this process.
    Result<void> wait_for_world();

private:
    void resume_parked();

    Device &device_;
    const Image &image_;
    Population &population_;
    Scheduler &scheduler_;
    Ends &ends_;
    const RunClock &clock_;
    const mpi::Statistics *statistics_ = nullptr;
    double clock_offset_ = 0;             ///< seconds: what the clock of process 0 shows more
    std::uint32_t rests_ = 0;             ///< since something could run here, or came from elsewhere
    std::vector<std::uint32_t> resumed_;  ///< PEs whose MPI calls are done
};

}  // namespace mog
