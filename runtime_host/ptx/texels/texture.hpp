// texture.hpp: textures and surfaces: where their texels are, and what kernels find at coordinates. A handle of a kernel is a pointer to
// one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace mog::ptx {

/// Texels in memory: 1 to 3 dimensions, or layers of 1 or 2.
struct Texels {
    enum class Kind : std::uint8_t { natural, integer, real };
    std::byte *begin = nullptr;
    std::uint64_t width = 1, height = 1, depth = 1;  ///< in texels; depth: or layers
    std::uint64_t row_bytes = 0, slice_bytes = 0;    ///< from row to row, from layer to layer
    std::uint8_t channels = 1, channel_bytes = 4;    ///< 1, 2 or 4 of 1, 2 or 4 bytes
    Kind kind = Kind::natural;
    std::uint32_t texel_bytes() const { return std::uint32_t{channels} * channel_bytes; }
};

/// What is outside of a texture.
enum class Outside : std::uint8_t { wrap, clamp, mirror, border };

struct Texture {
    /// Behind a handle that is a texture's or a surface's.
    static constexpr std::uint64_t mark_of_all = 0x6d6f672d74657831;
    std::uint64_t mark = mark_of_all;
    Texels texels;
    std::array<Outside, 3> outside{Outside::clamp, Outside::clamp, Outside::clamp};
    bool is_normalized = false;  ///< coordinates go from 0 to 1
    bool is_linear = false;      ///< what is between texels is a mean of them
    bool gives_numbers = false;  ///< integers are given as floats from 0 or -1 to 1
    std::array<float, 4> border{};

    /// Wraps and mirrors are of normalized coordinates: others are clamped.
    Outside outside_in(std::size_t dimension) const;
};

/// Four channels, as bits of the type that the texture gives.
using Texel = std::array<std::uint32_t, 4>;

/// What is at coordinates; `layer`: of layers, else 0. Dimensions are those that the texture is asked in.
Texel texel_at(const Texture &texture, unsigned dimensions, const std::array<float, 3> &at, std::uint32_t layer);
/// The same of coordinates that are numbers of texels.
Texel texel_at(const Texture &texture, unsigned dimensions, const std::array<std::int32_t, 3> &at, std::uint32_t layer);

/// The bytes of a surface at coordinates, of which x counts bytes; nullptr: `bytes` from there are not all in it.
std::byte *bytes_at(const Texture &surface, const std::array<std::int32_t, 3> &at, unsigned bytes);

}  // namespace mog::ptx
