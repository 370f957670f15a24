// observer.hpp: those who look on while the engine works: --mpi-stats, --mpi-matrix, --mpi-trace.
#pragma once

#include <memory>
#include <vector>

#include "runtime_host/mpi/pt2pt/messages.hpp"

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
    /// The last call of a PE, a send, is this operation now; numbers are used again after met() or cancelled(). One to another process
    /// (Operation::remote) has its serial number as `payload`, and is met there.
    virtual void sent(u32 operation, const Operation &message) = 0;
    /// A message of another process is this operation now.
    virtual void arrived(u32 /*operation*/, u32 /*process*/, u32 /*serial number there*/, const Operation &) {}
    /// A receive takes a message.
    virtual void met(u32 operation, const Operation &message, const Operation &receive) = 0;
    virtual void cancelled(u32 operation) = 0;
    /// The run is over; nothing else comes.
    virtual void ended(double seconds) = 0;
    /// After that, in several processes: what process 0 is told, and is told by each of the others; and all have told.
    virtual std::vector<u8> report() const { return {}; }
    virtual void take_report(FrameReader) {}
    virtual void completed() {}
};

}  // namespace mog::mpi
