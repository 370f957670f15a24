// start_state.hpp: what a PE finds when it starts, for devices whose PEs live in the host's memory word after word. The kernel mog_init
// does the same where memory is the device's own, or interleaved.
#pragma once

#include <cstddef>
#include <cstdint>

#include "assembler/image.hpp"
#include "runtime_host/device.hpp"

namespace mog {

/// Writes DATA of PE `pe`, and row r of its state at `state[r * stride]`. Both are zero before.
void write_start_state(const Image &image, const LoadConfig &config, std::uint32_t pe, std::uint32_t *memory, std::uint32_t *state,
                       std::size_t stride);

}  // namespace mog
