// system_mpi.hpp: the system's MPI, found when a program runs: nothing of ours is compiled for one maker's.
#pragma once

#include <string>

#include "runtime_host/mpi/transport/transport.h"
#include "support/result.hpp"

namespace mog::mpi {

/// Loads the system's MPI: Open MPI's library, or one with MPICH's binary interface. The first of `names` that is there, and of the
/// maker whose launcher started this process if `wants_open_mpi` says; if there is none of that, of another. Error: which were looked for.
Result<const mog_transport *> load_system_mpi(bool wants_open_mpi);

}  // namespace mog::mpi
