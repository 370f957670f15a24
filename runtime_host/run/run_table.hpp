// run_table.hpp: what became of the runs of a sweep, as a table for other programs.
#pragma once

#include <string>

#include "runtime_host/config/sweep.hpp"
#include "runtime_host/service/service_loop.hpp"

namespace mog {

/// Comma-separated values (RFC 4180) with a line of names, or an array of objects if the file's name ends in ".json".
std::string run_table(const ServiceLoop &loop, const Sweep &sweep);

/// How many runs failed, with which status, in a sentence; empty: none did.
std::string failed_runs(const RunResult &result);

}  // namespace mog
