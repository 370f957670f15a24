// pe_memory.hpp: the host's way to the memory of PEs for others than system calls: many pieces at once, checked.
#pragma once

#include <cstdint>
#include <span>

#include "runtime_host/device/addresses.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/include/mog.h"

namespace mog {

/// Why pieces could not be transferred, with the code of mog.h that says whose mistake it is.
struct MemoryError {
    mog_code code = MOG_OK;
    Error error{};
};

class PeMemory {
public:
    PeMemory(Device &device, std::uint32_t nproc, const Addresses &addresses) : device_(&device), nproc_(nproc), addresses_(addresses) {}

    /// Code MOG_OK: done. Nothing was transferred if a piece is wrong.
    MemoryError read(std::span<const mog_piece> pieces);
    MemoryError write(std::span<const mog_piece> pieces);

private:
    MemoryError check(std::span<const mog_piece> pieces) const;
    template <typename Move>
    MemoryError in_batches(std::span<const mog_piece> pieces, Move move);

    Device *device_;
    std::uint32_t nproc_;
    Addresses addresses_;
};

}  // namespace mog
