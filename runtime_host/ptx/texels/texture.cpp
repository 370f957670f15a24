// texture.cpp: textures by the formulas of CUDA's programming guide ("Texture Fetching").
#include "runtime_host/ptx/texels/texture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace mog::ptx {
namespace {

float half_as_float(std::uint32_t half) {
    const std::uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, rest = half & 0x3ff;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000 | rest << 13);
    if (exponent == 0) return std::copysign(std::ldexp(static_cast<float>(rest), -24), std::bit_cast<float>(sign));
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | rest << 13);
}

std::int32_t with_sign(std::uint32_t bits, unsigned bytes) {
    const unsigned above = 32 - 8 * bytes;
    return static_cast<std::int32_t>(bits << above) >> above;
}

/// A channel as it is in memory, as 32 bits of its type.
std::uint32_t channel_of(const Texels &texels, const std::byte *texel, unsigned channel) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, texel + std::size_t{channel} * texels.channel_bytes, texels.channel_bytes);
    if (texels.kind == Texels::Kind::integer) return static_cast<std::uint32_t>(with_sign(bits, texels.channel_bytes));
    if (texels.kind == Texels::Kind::real && texels.channel_bytes == 2) return std::bit_cast<std::uint32_t>(half_as_float(bits));
    return bits;
}

bool gives_floats(const Texture &texture) { return texture.texels.kind == Texels::Kind::real || texture.gives_numbers; }

/// What the texture gives of a channel.
std::uint32_t given(const Texture &texture, std::uint32_t bits) {
    const Texels &texels = texture.texels;
    if (!texture.gives_numbers || texels.kind == Texels::Kind::real) return bits;
    const float most = static_cast<float>((1u << (8 * texels.channel_bytes - (texels.kind == Texels::Kind::integer ? 1 : 0))) - 1);
    const float number =
        texels.kind == Texels::Kind::integer ? static_cast<float>(static_cast<std::int32_t>(bits)) : static_cast<float>(bits);
    return std::bit_cast<std::uint32_t>(std::max(number / most, -1.0f));
}

Texel border_of(const Texture &texture) {
    Texel result{};
    for (std::size_t channel = 0; channel < texture.texels.channels; ++channel) {
        const float colour = texture.border[channel];
        result[channel] =
            gives_floats(texture)
                ? std::bit_cast<std::uint32_t>(colour)
                : static_cast<std::uint32_t>(static_cast<std::int64_t>(std::fmin(std::fmax(colour, -2147483648.0f), 4294967040.0f)));
    }
    return result;
}

/// A texel by its numbers; those that are outside after all are the border's.
Texel texel_number(const Texture &texture, const std::array<std::int64_t, 3> &at) {
    const Texels &texels = texture.texels;
    const std::array<std::uint64_t, 3> sizes = {texels.width, texels.height, texels.depth};
    for (std::size_t dimension = 0; dimension < 3; ++dimension)
        if (at[dimension] < 0 || static_cast<std::uint64_t>(at[dimension]) >= sizes[dimension]) return border_of(texture);
    const std::byte *const texel = texels.begin + static_cast<std::uint64_t>(at[2]) * texels.slice_bytes +
                                   static_cast<std::uint64_t>(at[1]) * texels.row_bytes +
                                   static_cast<std::uint64_t>(at[0]) * texels.texel_bytes();
    Texel result{};
    for (unsigned channel = 0; channel < texels.channels; ++channel) result[channel] = given(texture, channel_of(texels, texel, channel));
    return result;
}

/// The number of a texel, brought inside as the texture says.
std::int64_t brought_inside(Outside outside, std::int64_t number, std::int64_t size) {
    switch (outside) {
        case Outside::border: return number;
        case Outside::wrap: return (number % size + size) % size;
        default: return std::clamp<std::int64_t>(number, 0, size - 1);  // a mirrored coordinate is at most one texel off
    }
}

/// A coordinate in texels.
double in_texels(const Texture &texture, Outside outside, float coordinate, std::uint64_t size) {
    double x = coordinate;
    if (!(std::fabs(x) < 1e18)) x = std::isnan(x) ? 0 : std::copysign(1e18, x);
    if (!texture.is_normalized) return x;
    const double below = std::floor(x);
    if (outside == Outside::wrap) x -= below;
    if (outside == Outside::mirror) x = std::fmod(below, 2) == 0 ? x - below : 1 - (x - below);
    // A product in floats, as coordinates are.
    return static_cast<float>(x) * static_cast<float>(size);
}

std::int64_t whole(double x) { return static_cast<std::int64_t>(std::clamp(std::floor(x), -1e15, 1e15)); }

}  // namespace

Outside Texture::outside_in(std::size_t dimension) const {
    const Outside wanted = outside[dimension];
    return !is_normalized && (wanted == Outside::wrap || wanted == Outside::mirror) ? Outside::clamp : wanted;
}

Texel texel_at(const Texture &texture, unsigned dimensions, const std::array<float, 3> &at, std::uint32_t layer) {
    const std::array<std::uint64_t, 3> sizes = {texture.texels.width, texture.texels.height, texture.texels.depth};
    const bool is_mean = texture.is_linear && gives_floats(texture);
    std::array<std::int64_t, 3> first{}, second{};
    std::array<double, 3> part{};  // of the second
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
        const auto size = static_cast<std::int64_t>(sizes[dimension]);
        const Outside outside = texture.outside_in(dimension);
        double x = in_texels(texture, outside, at[dimension], sizes[dimension]);
        if (is_mean) x -= 0.5;
        first[dimension] = brought_inside(outside, whole(x), size);
        second[dimension] = brought_inside(outside, whole(x) + 1, size);
        // 8 bits of a fraction, of which 1 is one, too.
        if (is_mean && std::fabs(x) < 1e15) part[dimension] = std::floor((x - std::floor(x)) * 256 + 0.5) / 256;
    }
    if (dimensions < 3) first[2] = second[2] = std::min<std::int64_t>(layer, static_cast<std::int64_t>(texture.texels.depth) - 1);
    if (!is_mean) return texel_number(texture, first);
    std::array<double, 4> sums{};
    for (unsigned corner = 0; corner < 1u << dimensions; ++corner) {
        std::array<std::int64_t, 3> place = first;
        double weight = 1;
        for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
            const bool is_second = (corner >> dimension & 1) != 0;
            if (is_second) place[dimension] = second[dimension];
            weight *= is_second ? part[dimension] : 1 - part[dimension];
        }
        // What has no weight may be no number.
        if (weight == 0) continue;
        const Texel texel = texel_number(texture, place);
        for (std::size_t channel = 0; channel < 4; ++channel)
            sums[channel] += weight * static_cast<double>(std::bit_cast<float>(texel[channel]));
    }
    Texel result{};
    for (std::size_t channel = 0; channel < texture.texels.channels; ++channel)
        result[channel] = std::bit_cast<std::uint32_t>(static_cast<float>(sums[channel]));
    return result;
}

Texel texel_at(const Texture &texture, unsigned dimensions, const std::array<std::int32_t, 3> &at, std::uint32_t layer) {
    const std::array<std::uint64_t, 3> sizes = {texture.texels.width, texture.texels.height, texture.texels.depth};
    std::array<std::int64_t, 3> place{};
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension)
        place[dimension] = brought_inside(texture.outside[dimension] == Outside::border ? Outside::border : Outside::clamp, at[dimension],
                                          static_cast<std::int64_t>(sizes[dimension]));
    if (dimensions < 3) place[2] = std::min<std::int64_t>(layer, static_cast<std::int64_t>(texture.texels.depth) - 1);
    return texel_number(texture, place);
}

std::byte *bytes_at(const Texture &surface, const std::array<std::int32_t, 3> &at, unsigned bytes) {
    const Texels &texels = surface.texels;
    const std::uint64_t row = texels.width * texels.texel_bytes();
    if (at[0] < 0 || at[1] < 0 || at[2] < 0 || static_cast<std::uint64_t>(at[0]) + bytes > row ||
        static_cast<std::uint64_t>(at[1]) >= texels.height || static_cast<std::uint64_t>(at[2]) >= texels.depth)
        return nullptr;
    return texels.begin + static_cast<std::uint64_t>(at[2]) * texels.slice_bytes + static_cast<std::uint64_t>(at[1]) * texels.row_bytes +
           static_cast<std::uint64_t>(at[0]);
}

}  // namespace mog::ptx
