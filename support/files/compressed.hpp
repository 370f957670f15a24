// compressed.hpp: bytes in less room, by zstd, and back.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mog {

/// What zstd makes of them, the same for the same bytes; none where that is as large, or so small that unpack() would refuse it.
std::optional<std::vector<std::uint8_t>> pack(std::span<const std::uint8_t> bytes);

/// The `size` bytes that pack() was given; none if `packed` holds something else, or would be so small that it cannot be from pack(): what
/// is damaged takes little memory.
std::optional<std::vector<std::uint8_t>> unpack(std::span<const std::uint8_t> packed, std::uint64_t size);

}  // namespace mog
