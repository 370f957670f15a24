// launcher.hpp: whether mpirun or its like started this process as one of several, and the way to the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime_host/mpi/transport/transport.h"
#include "support/result.hpp"

namespace mog::mpi {

/// What the environment says.
struct Launch {
    std::uint32_t process = 0, processes = 1;
    std::string variable;  ///< that says how many: "OMPI_COMM_WORLD_SIZE"
};

/// Null: this process is alone, whoever started it.
std::optional<Launch> find_launch();

/// Loads the system's MPI, and joins the others. Error: what is missing or does not fit.
Result<const mog_transport *> join_launch(const Launch &launch);

}  // namespace mog::mpi
