// sizes.cpp: binary multiples in text.
#include "support/sizes.hpp"

#include <fmt/format.h>

namespace mog {

std::string format_size(std::uint64_t bytes) {
    std::string suffix;
    for (char next : {'K', 'M', 'G'}) {
        if (bytes == 0 || bytes % 1024 != 0) break;
        bytes /= 1024;
        suffix = next;
    }
    return fmt::format("{}{}", bytes, suffix);
}

std::string format_amount(std::uint64_t bytes) {
    constexpr std::uint64_t mebi = 1u << 20, gibi = 1u << 30;
    return bytes >= 10 * gibi ? fmt::format("{} GiB", (bytes + gibi - 1) / gibi) : fmt::format("{} MiB", (bytes + mebi - 1) / mebi);
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
    unsigned shift = 0;
    if (!text.empty()) {
        switch (text.back()) {
            case 'k':
            case 'K': shift = 10; break;
            case 'm':
            case 'M': shift = 20; break;
            case 'g':
            case 'G': shift = 30; break;
            default: break;
        }
        if (shift) text.remove_suffix(1);
    }
    const std::optional<std::uint64_t> value = parse_number<std::uint64_t>(text);
    if (!value || *value > (UINT64_MAX >> shift)) return {};
    return *value << shift;
}

}  // namespace mog
