// host_code.cpp: a shared object is loaded from memory.
#include "runtime_host/devices/host/host_code.hpp"

#include <fmt/format.h>

namespace mog {

Result<void> HostCode::open(std::span<const std::uint8_t> bytes) {
    Result<SharedObject> loaded = SharedObject::load(bytes);
    if (!loaded) return Error{fmt::format("cannot load the program's interpreter: {}", loaded.error().text())};
    library_ = *std::move(loaded);
    init = reinterpret_cast<Init *>(library_.symbol("mog_init"));
    run = reinterpret_cast<Run *>(library_.symbol("mog_run"));
    run_blocks = reinterpret_cast<RunBlocks *>(library_.symbol("mog_run"));
    run_lanes = reinterpret_cast<RunLanes *>(library_.symbol("mog_run_lanes"));
    run_spaces = reinterpret_cast<RunSpaces *>(library_.symbol("mog_run"));
    run_blocks_spaces = reinterpret_cast<RunBlocksSpaces *>(library_.symbol("mog_run"));
    run_lanes_spaces = reinterpret_cast<RunLanesSpaces *>(library_.symbol("mog_run_lanes"));
    native = reinterpret_cast<NativeHook *>(library_.symbol("mog_native"));
    if (!init || !run) return Error{"the program's interpreter for the device \"host\" lacks a kernel"};
    return {};
}

void HostCode::use(const LinkedKernels &kernels) {
    init = reinterpret_cast<Init *>(kernels.init);
    run = reinterpret_cast<Run *>(kernels.run);
    run_blocks = reinterpret_cast<RunBlocks *>(kernels.run);
    run_lanes = reinterpret_cast<RunLanes *>(kernels.run);
    run_spaces = reinterpret_cast<RunSpaces *>(kernels.run);
    run_blocks_spaces = reinterpret_cast<RunBlocksSpaces *>(kernels.run);
    run_lanes_spaces = reinterpret_cast<RunLanesSpaces *>(kernels.run);
}

}  // namespace mog
