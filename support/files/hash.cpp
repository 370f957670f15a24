// hash.cpp: FNV-1a.
#include "support/files/hash.hpp"

#include <fmt/format.h>

#include "support/files/files.hpp"

namespace mog {

std::uint64_t fnv1a(std::span<const std::uint8_t> bytes, std::uint64_t state) {
    for (const std::uint8_t byte : bytes) state = (state ^ byte) * 0x100000001b3u;
    return state;
}

std::uint64_t fnv1a(std::string_view text, std::uint64_t state) { return fnv1a(as_byte_span(text), state); }

std::string hex16(std::uint64_t value) { return fmt::format("{:016x}", value); }

}  // namespace mog
