// run_options.hpp: what users ask of runs by MOGCUDA_CHECK and its like, and what is counted.
#pragma once

#include "runtime_host/ptx/engine.hpp"

namespace mog::cuda {

/// Options of a launch. Findings of checks go to standard error as they are made.
ptx::LaunchOptions run_options(const ptx::KernelInfo &kernel);
/// Whether this thread's last launch had findings.
bool was_found();
void count_launch(const ptx::KernelInfo &kernel, const ptx::LaunchCounts &counts);
/// What $MOGCUDA_STATS wants to be told at the end, once.
void show_statistics();

}  // namespace mog::cuda
