// population_state.hpp: a population written to a stream, and read into a fresh process, which goes on from there.
//
// The form (docs/population-state.md says it in full): eight bytes that name it, a version, then sections, each with a name, its length,
// and a checksum (FNV-1a) behind it:
//
//     HEAD  whose state it is: the program, how many PEs, how much memory
//     PES   what PEs are but for memory: who runs and who waits, ends, output that is not out yet, what was told; descriptors and files
//     RUNS  of a sweep: which runs have begun
//     MPI   the engine's: communicators, messages, collectives, windows, file pointers; only if MPI was called
//     MEM   memory and registers, of some PEs or some of one PE; many of these
//     END   nothing: whoever finds it has all
//
// Values are as support/archive.hpp writes them. A reader believes no length beyond the bytes that come, and no number that points
// anywhere; what does not fit together is an error, and so is the state of another program.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "runtime_host/population/population.hpp"
#include "runtime_host/service/mpi_port.hpp"
#include "runtime_host/service/run_clock.hpp"
#include "runtime_host/service/scheduler.hpp"
#include "support/result.hpp"

namespace mog {

/// What a state is made of, between two launches.
struct StateParts {
    Device &device;
    const Image &image;
    Population &population;
    Scheduler &scheduler;
    RunClock &clock;
    MpiPort &mpi;
};

/// Bytes of DATA of some processes, from an offset on.
struct MemoryExtent {
    std::uint32_t first = 0, processes = 0, offset = 0, bytes = 0;
};
/// All of DATA, of so many bytes for each process, in order: of several processes each, or where these have more than `at_once`, of a part
/// of one.
std::vector<MemoryExtent> memory_extents(std::uint32_t processes, std::uint32_t bytes, std::uint32_t at_once);

/// Where memory and registers are: in the state, or with somebody who carries them beside it (checkpoint/).
enum class StateMemory : std::uint8_t { Within, Apart };

/// Why a run, whatever it does, cannot be written down or gone on with.
Result<void> check_run(const RunConfig &config, StateMemory memory);

/// Error: what cannot be written (sockets, worlds of several processes, ...), or the stream or the device failed.
Result<void> write_state(std::ostream &out, const StateParts &parts, StateMemory memory = StateMemory::Within);

/// Into parts that are loaded and have not run: with the same program, as many PEs, and as much memory. `make_mpi` is called before the
/// engine's state is read, and makes it. Error: what is wrong with the state or this run; both are of no use then.
Result<void> read_state(std::istream &in, const StateParts &parts, const std::function<Result<void>()> &make_mpi,
                        StateMemory memory = StateMemory::Within);

/// Whether there is a state of such a run; nothing is read into it. Error: it is none, or another's.
Result<void> check_state(std::istream &in, const StateParts &parts, StateMemory memory);

/// Rows of a PE's state: its registers among them.
std::uint32_t state_rows(const Image &image);

}  // namespace mog
