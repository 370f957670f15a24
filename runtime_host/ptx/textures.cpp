// textures.cpp: textures and surfaces asked by lanes, one after the other.
#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime_host/ptx/code.hpp"
#include "runtime_host/ptx/texels/texture.hpp"

namespace mog::ptx {
namespace {

template <typename T>
T of_lane(const Machine &machine, std::uint32_t offset, unsigned lane) {
    T value{};
    if (offset != no_offset) std::memcpy(&value, machine.frame + offset + std::size_t{lane} * sizeof value, sizeof value);
    return value;
}
template <typename T>
void give_lane(const Machine &machine, std::uint32_t offset, unsigned lane, T value) {
    std::memcpy(machine.frame + offset + std::size_t{lane} * sizeof value, &value, sizeof value);
}

/// What is behind a handle. One that is none is an address where nothing is, as far as the launch is concerned.
const Texture &texture_of(const Machine &machine, const Op &op, unsigned lane) {
    const auto *texture = reinterpret_cast<const Texture *>(of_lane<std::uint64_t>(machine, op.a, lane));
    // Read in any case: that it is read at all makes the fault.
    const volatile std::uint64_t mark = reinterpret_cast<std::uintptr_t>(texture) % alignof(Texture) == 0 ? texture->mark : 0;
    if (mark != Texture::mark_of_all) {
        const auto *const volatile nowhere = static_cast<const volatile std::uint64_t *>(nullptr);
        static_cast<void>(*nowhere);
    }
    return *texture;
}

template <typename Do>
void each_lane(std::uint32_t mask, Do each) {
    for (std::uint32_t left = mask; left != 0; left &= left - 1) each(static_cast<unsigned>(std::countr_zero(left)));
}

template <typename Coordinate, unsigned dimensions>
void fetch(Machine &machine, const Op &op, std::uint32_t mask) {
    each_lane(mask, [&](unsigned lane) {
        const Texture &texture = texture_of(machine, op, lane);
        const std::array<Coordinate, 3> at = {of_lane<Coordinate>(machine, op.b, lane),
                                              dimensions > 1 ? of_lane<Coordinate>(machine, op.c, lane) : Coordinate{},
                                              dimensions > 2 ? of_lane<Coordinate>(machine, op.e, lane) : Coordinate{}};
        const std::uint32_t layer = dimensions < 3 ? of_lane<std::uint32_t>(machine, op.e, lane) : 0;
        const Texel texel = texel_at(texture, dimensions, at, layer);
        for (std::uint32_t channel = 0; channel < 4; ++channel)
            give_lane(machine, op.d + channel * warp_lanes * std::uint32_t{sizeof(std::uint32_t)}, lane, texel[channel]);
    });
}

template <Word what>
void query(Machine &machine, const Op &op, std::uint32_t mask) {
    each_lane(mask, [&](unsigned lane) {
        const Texels &texels = texture_of(machine, op, lane).texels;
        const std::uint64_t answer = what == Word::width ? texels.width : what == Word::height ? texels.height : texels.depth;
        give_lane(machine, op.d, lane, static_cast<std::uint32_t>(answer));
    });
}

/// Where a lane's bytes of a surface are; outside: as the instruction says. nullptr: nothing is read or written.
std::byte *bytes_of_lane(const Machine &machine, const Op &op, unsigned lane) {
    const Texture &surface = texture_of(machine, op, lane);
    std::array<std::int32_t, 3> at = {of_lane<std::int32_t>(machine, op.b, lane), of_lane<std::int32_t>(machine, op.c, lane),
                                      of_lane<std::int32_t>(machine, op.e, lane)};
    const unsigned bytes = op.bytes * op.lane_bytes;
    if (op.word == Word::clamp) {
        const Texels &texels = surface.texels;
        const std::array<std::int64_t, 3> most = {static_cast<std::int64_t>(texels.width * texels.texel_bytes()) - bytes,
                                                  static_cast<std::int64_t>(texels.height) - 1,
                                                  static_cast<std::int64_t>(texels.depth) - 1};
        for (std::size_t dimension = 0; dimension < 3; ++dimension)
            at[dimension] = static_cast<std::int32_t>(std::max<std::int64_t>(0, std::min<std::int64_t>(at[dimension], most[dimension])));
    }
    std::byte *const place = bytes_at(surface, at, bytes);
    if (place == nullptr && op.word == Word::trap) {
        const auto *const volatile nowhere = static_cast<const volatile std::uint64_t *>(nullptr);
        static_cast<void>(*nowhere);
    }
    return place;
}

template <bool is_load>
void surface(Machine &machine, const Op &op, std::uint32_t mask) {
    each_lane(mask, [&](unsigned lane) {
        std::byte *const place = bytes_of_lane(machine, op, lane);
        for (std::uint32_t element = 0; element < op.lane_bytes; ++element) {
            const std::uint32_t in_frame = op.d + element * warp_lanes * std::uint32_t{sizeof(std::uint64_t)};
            std::uint64_t bits = is_load ? 0 : of_lane<std::uint64_t>(machine, in_frame, lane);
            if (is_load && place != nullptr) std::memcpy(&bits, place + std::size_t{element} * op.bytes, op.bytes);
            if (is_load) give_lane(machine, in_frame, lane, bits);
            else if (place != nullptr) std::memcpy(place + std::size_t{element} * op.bytes, &bits, op.bytes);
        }
    });
}

template <typename Coordinate>
Handler fetch_of(unsigned dimensions) {
    return dimensions == 1 ? &fetch<Coordinate, 1> : dimensions == 2 ? &fetch<Coordinate, 2> : &fetch<Coordinate, 3>;
}

}  // namespace

Handler texture_handler(const Opcode &opcode, unsigned dimensions) {
    switch (opcode.action()) {
        case Action::texture: return opcode.type == Type::f32 ? fetch_of<float>(dimensions) : fetch_of<std::int32_t>(dimensions);
        case Action::texture_query:
            return opcode.mode == Word::width    ? &query<Word::width>
                   : opcode.mode == Word::height ? &query<Word::height>
                                                 : &query<Word::depth>;
        case Action::surface_load: return &surface<true>;
        default: return &surface<false>;
    }
}

}  // namespace mog::ptx
