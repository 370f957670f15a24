// format.hpp: printf as kernels have it: a format, and arguments one behind the other in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace mog::ptx {

/// `arguments`: each aligned to its size: 4 bytes for integers, 8 for long ones, pointers and doubles. %n writes nothing.
std::string format_text(const char *format, const std::byte *arguments);
/// What vprintf returns.
std::uint32_t count_of_arguments(const char *format);

}  // namespace mog::ptx
