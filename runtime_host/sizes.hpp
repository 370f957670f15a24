// sizes.hpp: amounts of memory as users read them.
#pragma once

#include <cstdint>
#include <string>

namespace mog {

/// Exactly, as --mem takes it: "128K", "16M", "2G", or bytes where none fits.
std::string format_size(std::uint64_t bytes);

/// Roughly: "300 MiB", "21 GiB"; rounded up.
std::string format_amount(std::uint64_t bytes);

}  // namespace mog
