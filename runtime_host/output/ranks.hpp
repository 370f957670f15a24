// ranks.hpp: many numbers of PEs as people read them: "0-65534", "3, 7-9".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mog {

/// The ranks from `first` to `last`, both included.
struct RankRange {
    std::uint32_t first, last;
};

/// "3, 7-9" for {3, 7, 8, 9}; `ranks` ascending. After `limit` pieces the rest is only counted.
std::string fold_ranks(std::span<const std::uint32_t> ranks, std::size_t limit = 16);
/// The same of ranges, which are ascending and neither touch nor overlap.
std::string fold_ranks(std::span<const RankRange> ranges, std::size_t limit = 16);
/// "PE 3: ", "PEs 3, 7-9: "; empty if there is only one PE anyway.
std::string name_ranks(std::span<const std::uint32_t> ranks, std::uint32_t nproc);

/// "0,3-5" -> {0, 3, 4, 5}, ascending. nullopt: it is no such list.
std::optional<std::vector<std::uint32_t>> parse_ranks(std::string_view text);

}  // namespace mog
