// ranks.cpp: see ranks.hpp.
#include "runtime_host/output/ranks.hpp"

#include <vector>

#include <fmt/format.h>

namespace mog {

std::string fold_ranks(std::span<const RankRange> ranges, std::size_t limit) {
    std::string text;
    std::uint64_t count = 0;
    for (const RankRange &range : ranges) count += std::uint64_t{range.last} - range.first + 1;
    for (std::size_t i = 0; i < ranges.size(); i++) {
        if (i == limit) return fmt::format("{}, ... ({} in all)", text, count);
        if (!text.empty()) text += ", ";
        const auto [first, last] = ranges[i];
        text += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
    }
    return text;
}

std::string fold_ranks(std::span<const std::uint32_t> ranks, std::size_t limit) {
    std::vector<RankRange> ranges;
    for (const std::uint32_t rank : ranks) {
        if (!ranges.empty() && rank == ranges.back().last + 1) ranges.back().last = rank;
        else ranges.push_back({rank, rank});
    }
    return fold_ranks(ranges, limit);
}

std::string name_ranks(std::span<const std::uint32_t> ranks, std::uint32_t nproc) {
    return nproc == 1 ? "" : fmt::format("PE{} {}: ", ranks.size() > 1 ? "s" : "", fold_ranks(ranks));
}

}  // namespace mog
