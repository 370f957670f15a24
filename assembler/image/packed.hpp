// packed.hpp: image files compressed, as executables carry them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "support/result.hpp"

namespace mog {

/// An image file in less room: "MOGPACK" and a zero, its size, and what zstd makes of it. The same bytes give the same.
std::vector<std::uint8_t> pack_image(std::span<const std::uint8_t> file);

bool is_packed_image(std::span<const std::uint8_t> bytes);

/// The image file again; what is damaged is an error, and takes no more memory than it says. `bytes` is_packed_image().
Result<std::vector<std::uint8_t>> unpack_image(std::span<const std::uint8_t> bytes);

}  // namespace mog
