// parked_pe.hpp: what native code knows of a PE whose turn it is not.
#pragma once

#include <cstdint>

#include "runtime_host/devices/host/native/native_abi.hpp"

namespace mog {

/// What stands before the place where a PE goes on behind `yield`.
struct Yield {
    std::uint32_t behind;  ///< TEXT index of the next instruction
    std::int32_t counted;  ///< instructions from there on that the PE has been charged for
};

/// A PE between two turns, with all of it that native code wants to go on; behind it its registers.
struct alignas(8) ParkedPe {
    MogBlocks blocks;
    const void *behind;  ///< the `yield` with which its last turn ended
    std::uint32_t *registers() { return reinterpret_cast<std::uint32_t *>(this + 1); }
};

}  // namespace mog
