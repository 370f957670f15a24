// sizes.cpp: binary multiples in text.
#include "runtime_host/sizes.hpp"

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
    return bytes >= 10 * gibi ? fmt::format("{} GiB", (bytes + gibi - 1) / gibi)
                              : fmt::format("{} MiB", (bytes + mebi - 1) / mebi);
}

}  // namespace mog
