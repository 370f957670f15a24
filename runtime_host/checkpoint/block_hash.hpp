// block_hash.hpp: a hash of a block of memory, as fast as memory is read: whether a page is as it was, whether a record is whole.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace mog {

/// 64 bits. Each step can be undone if the rest is known, so that a block in which one word differs has another hash. It finds changes and
/// damage; it does not keep out an adversary.
inline std::uint64_t block_hash(std::span<const std::uint8_t> bytes, std::uint64_t seed = 0) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15u, start = 0xd1b54a32d192ed03u;
    constexpr std::size_t lanes = 4, step = lanes * sizeof(std::uint64_t);
    std::array<std::uint64_t, lanes> state{};
    for (std::size_t lane = 0; lane < lanes; ++lane) state[lane] = (seed + lane + 1) * start;
    const auto add = [](std::uint64_t to, std::uint64_t word) { return std::rotl(to ^ word, 29) * odd; };
    const std::uint8_t *at = bytes.data(), *const end = at + bytes.size() / step * step;
    for (; at != end; at += step) {
        std::array<std::uint64_t, lanes> words;
        std::memcpy(words.data(), at, step);
        for (std::size_t lane = 0; lane < lanes; ++lane) state[lane] = add(state[lane], words[lane]);
    }
    std::uint64_t hash = bytes.size() * start;
    for (std::size_t rest = bytes.size() % step; rest != 0;) {
        std::uint64_t word = 0;
        const std::size_t size = rest < sizeof word ? rest : sizeof word;
        std::memcpy(&word, at, size);
        hash = add(hash, word);
        at += size;
        rest -= size;
    }
    for (const std::uint64_t lane : state) {
        hash = add(hash, lane);
        hash ^= hash >> 32;
    }
    return hash;
}

}  // namespace mog
