// world_reader.hpp: the checkpoint that a world of several processes goes on from: the last one of which all have their part.
#pragma once

#include <filesystem>
#include <memory>

#include "runtime_host/checkpoint/checkpoint_file.hpp"
#include "runtime_host/mpi/transport/bridge.hpp"
#include "support/result.hpp"

namespace mog {

/// This process's part of it; all processes ask together, before they agree on anything else. Error, for all: there is none, or it is of
/// another number of processes, or a part cannot be read. The others are left then, and all but the first one get an error without text.
Result<std::unique_ptr<CheckpointReader>> open_world_checkpoint(const std::filesystem::path &checkpoint, mpi::Bridge &bridge);

}  // namespace mog
