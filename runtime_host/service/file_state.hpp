// file_state.hpp: what PEs have open, written down and opened again: descriptors, the open files behind them with offsets and flags, what
// is in pipes, the folders that PEs are in, and locks.
//
// Files are opened again by their names, under the policy of the run that goes on (--root, --read-only, --no-files). What has no name by
// which it could be found again is refused with a sentence: sockets, FIFOs, files that were removed while they were open.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime_host/population/population.hpp"
#include "support/archive.hpp"
#include "support/result.hpp"

namespace mog {

/// Error: what cannot be written down, and of which PE.
Result<void> write_files(ArchiveWriter &archive, Population &population);
/// Into a population that has nothing open. Error: what cannot be had again; or the archive is no such state.
Result<void> read_files(ArchiveReader &archive, Population &population);

}  // namespace mog
