// sizes.hpp: amounts of memory as users read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mog {

/// Exactly, as --mem takes it: "128K", "16M", "2G", or bytes where none fits.
std::string format_size(std::uint64_t bytes);

/// Roughly: "300 MiB", "21 GiB"; rounded up.
std::string format_amount(std::uint64_t bytes);

/// "64K" -> 65536; suffixes K, M, G.
std::optional<std::uint64_t> parse_size(std::string_view text);

inline constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

}  // namespace mog
