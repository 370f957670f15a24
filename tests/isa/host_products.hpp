// host_products.hpp: what mogcc adds to an image for the device "host".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/image/image.hpp"
#include "support/compilers/simd.hpp"
#include "support/result.hpp"

namespace mog::test {

/// The instruction sets for lanes that tests name, as --simd does; "generic" is the portable code without instructions of x86.
struct LaneSet {
    Simd simd;
    std::vector<std::string> options;
};
/// Which of the products of a host are compiled: a run in lanes has all that it needs in "lanes".
enum class HostParts : std::uint8_t { all, lanes_alone };

/// The image's products "host" and, if there is code for them, "lanes", compiled as by mogcc; but any warning is an error.
/// `doubles`: native, pair or soft; empty for native. `lanes`: those of the image's code, with more options for the compiler.
Result<void> compile_host(Image &image, std::string_view doubles, const std::optional<LaneSet> &lanes, HostParts parts);

std::optional<LaneSet> lane_set(std::string_view name);
/// True if they run here; else the test is skipped, and it is said why.
bool runs_here(const LaneSet &set);

}  // namespace mog::test
