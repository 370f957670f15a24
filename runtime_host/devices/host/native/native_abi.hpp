// native_abi.hpp: how the generated interpreter and native code call each other, and what is where in between.
#pragma once

#include <cstdint>

#include "interp_templates/launch_abi.h"

namespace mog {

/// What compiled blocks take over from the interpreter, and give back: blocks.c's structure of this name.
struct MogBlocks {
    using u32 = std::uint32_t;
    using u64 = std::uint64_t;
#define MOG_FIELD(type, name) type name;
    MOG_BLOCKS_FIELDS(MOG_FIELD)
#undef MOG_FIELD
};

/// What a library that mogcc made lets others set: its `mog_native`.
struct NativeHook {
    /// Goes on at blocks->pc, with a PE's registers and memory. Sets blocks->cold if the interpreter is to do the instruction there.
    void (*run)(void *code, MogBlocks *blocks, std::uint32_t *registers, std::uint32_t *mem);
    void *code;
};

}  // namespace mog
