// hash.hpp: FNV-1a, for checksums and cache keys. It finds damage; it does not keep out an adversary.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace mog {

inline constexpr std::uint64_t fnv1a_start = 0xcbf29ce484222325u;

/// FNV-1a, 64 bits. Every change of a single byte changes it. `state` continues an earlier one.
std::uint64_t fnv1a(std::span<const std::uint8_t> bytes, std::uint64_t state = fnv1a_start);
std::uint64_t fnv1a(std::string_view text, std::uint64_t state = fnv1a_start);

/// Sixteen lower-case hexadecimal digits.
std::string hex16(std::uint64_t value);

}  // namespace mog
