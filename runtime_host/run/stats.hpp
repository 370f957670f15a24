// stats.hpp: what --stats prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime_host/device/device.hpp"
#include "runtime_host/graphs/hosted_graphs.hpp"
#include "runtime_host/service/code_samples.hpp"
#include "runtime_host/service/service_loop.hpp"

namespace mog {

struct RunStats {
    DeviceInfo device;
    DeviceStats engine;
    RunResult run;
    std::uint32_t nproc = 0;
    std::uint32_t data_bytes = 0;
    std::uint64_t bytes_per_pe = 0;
    MemoryUse memory;                            ///< of that, what PEs have used
    std::optional<InterpretedCode> interpreted;  ///< where the engine has compiled blocks
    std::optional<ChannelCounts> channels;       ///< where some are counted
    double startup_seconds = 0;                  ///< from the start of the run to the first launch, building included
};

std::string stats_as_text(const RunStats &stats);
std::string stats_as_json(const RunStats &stats);

}  // namespace mog
