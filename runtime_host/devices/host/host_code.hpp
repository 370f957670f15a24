// host_code.hpp: the native code that mogcc put into an image, loaded.
#pragma once

#include <cstdint>
#include <span>

#include "assembler/image/image.hpp"
#include "runtime_host/devices/host/native/native_abi.hpp"
#include "support/compilers/shared_object.hpp"
#include "support/result.hpp"

namespace mog {

/// The kernels of a shared object. They are interpreter.c's and lanes.c's, as dialect_host.h declares them: the
/// last parameter of most is the work-item.
class HostCode {
public:
    using u32 = std::uint32_t;
    using Init = void(const u32 *image, u32 image_words, const u32 *startup, u32 startup_words, u32 *data, u32 data_words, u32 *state,
                      u32 stride, u32 nproc, u32 entry, u32 count, u32 work_item);
    using Run = void(const std::uint16_t *text, const u32 *cpool, const u32 *code_map, u32 *data, u32 data_words, u32 *state, u32 stride,
                     u32 *requests, u32 *nrequests, const u32 *active, u32 passes, u32 first, u32 count, u32 work_item);
    using RunBlocks = void(const std::uint16_t *text, const u32 *cpool, const u32 *code_map, u32 *data, u32 data_words, u32 *state,
                           u32 stride, u32 *requests, u32 *nrequests, const u32 *active, u32 passes, u32 first, u32 count,
                           const u32 *entry_of, u32 work_item);
    using RunLanes = void(const std::uint16_t *text, const u32 *cpool, const u32 *code_map, u32 *data, u32 data_words, u32 *state,
                          u32 stride, u32 *requests, u32 *nrequests, u32 warp, u32 running, u32 passes, const u32 *entry_of, u32 divergence,
                          std::uint64_t *counts);
    /// The same of a program with other spaces than "private" (assembler/image/spaces.hpp).
    using RunSpaces = void(const std::uint16_t *text, const u32 *cpool, const u32 *code_map, u32 *data, u32 data_words, u32 *state,
                           u32 stride, u32 *requests, u32 *nrequests, const u32 *active, u32 passes, u32 first, u32 count, u32 *spaces,
                           u32 work_item);
    using RunBlocksSpaces = void(const std::uint16_t *text, const u32 *cpool, const u32 *code_map, u32 *data, u32 data_words, u32 *state,
                                 u32 stride, u32 *requests, u32 *nrequests, const u32 *active, u32 passes, u32 first, u32 count,
                                 const u32 *entry_of, u32 *spaces, u32 work_item);
    using RunLanesSpaces = void(const std::uint16_t *text, const u32 *cpool, const u32 *code_map, u32 *data, u32 data_words, u32 *state,
                                u32 stride, u32 *requests, u32 *nrequests, u32 warp, u32 running, u32 passes, const u32 *entry_of,
                                u32 divergence, std::uint64_t *counts, u32 *spaces);

    /// Loads the shared object. Error: why that cannot be.
    Result<void> open(std::span<const std::uint8_t> bytes);
    /// Takes kernels that need not be loaded.
    void use(const LinkedKernels &kernels);
    bool is_open() const { return run != nullptr; }

    Init *init = nullptr;
    Run *run = nullptr;               ///< of a program without compiled blocks
    RunBlocks *run_blocks = nullptr;  ///< of one with them: the same symbol
    RunLanes *run_lanes = nullptr;    ///< "lanes" only
    RunSpaces *run_spaces = nullptr;  ///< with other spaces, again the same symbols
    RunBlocksSpaces *run_blocks_spaces = nullptr;
    RunLanesSpaces *run_lanes_spaces = nullptr;
    NativeHook *native = nullptr;  ///< where native code can be hooked in; none: it cannot

private:
    SharedObject library_;
};

}  // namespace mog
