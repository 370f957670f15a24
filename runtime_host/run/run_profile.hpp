// run_profile.hpp: what --profile-report says about a run, beside where PEs were.
#pragma once

#include "runtime_host/profile/report.hpp"
#include "runtime_host/run/stats.hpp"

namespace mog {

/// `statistics` of MPI, if there are some. `counts`: of each TEXT index, if the device has counted.
profile::RunFacts profile_facts(const Image &image, const RunStats &stats, const mpi::Statistics *statistics,
                                std::span<const std::string> arguments, std::vector<std::uint64_t> counts);

}  // namespace mog
