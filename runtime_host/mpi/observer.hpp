// observer.hpp: those who look on while the engine works: --mpi-stats, --mpi-matrix, --mpi-trace.
#pragma once

#include <memory>
#include <vector>

#include "runtime_host/mpi/messages.hpp"

namespace mog::mpi {

/// Times are seconds since the program's start, of the host's rounds: all calls of a round come at its begin, and PEs
/// go on at its end.
class Observer {
public:
    virtual ~Observer() = default;
    /// A PE calls.
    virtual void called(const MpiCall &call, double seconds) = 0;
    /// What a PE had called gives its result: it goes on.
    virtual void resumed(u32 pe, double seconds) = 0;
    /// The last call of a PE, a send, is this operation now; numbers are used again after met() or forgotten().
    virtual void sent(u32 operation, const Operation &message) = 0;
    /// A receive takes a message.
    virtual void met(u32 operation, const Operation &message, const Operation &receive) = 0;
    virtual void cancelled(u32 operation) = 0;
    /// The run is over; nothing else comes.
    virtual void ended(double seconds) = 0;
};

}  // namespace mog::mpi
