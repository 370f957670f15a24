// sizes.hpp: amounts of memory, and other numbers, as users read and write them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace mog {

/// All of `text` as a number in the form of C++; nullopt: it is none, or T does not have it.
template <typename T>
std::optional<T> parse_number(std::string_view text) {
    T value{};
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

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
