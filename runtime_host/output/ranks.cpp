// ranks.cpp: see ranks.hpp.
#include "runtime_host/output/ranks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "support/sizes.hpp"

namespace mog {

namespace {

constexpr std::uint64_t most_ranks = 1u << 20;

}  // namespace

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

std::optional<std::vector<std::uint32_t>> parse_ranks(std::string_view text) {
    std::vector<std::uint32_t> ranks;
    for (;;) {
        std::size_t comma = text.find(',');
        std::string_view piece = text.substr(0, comma);
        std::size_t dash = piece.find('-');
        std::optional<std::uint32_t> first = parse_number<std::uint32_t>(piece.substr(0, dash));
        std::optional<std::uint32_t> last = dash == std::string_view::npos ? first : parse_number<std::uint32_t>(piece.substr(dash + 1));
        if (!first || !last || *last < *first || *last - *first > most_ranks) return {};
        for (std::uint64_t rank = *first; rank <= *last; rank++) ranks.push_back(static_cast<std::uint32_t>(rank));
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

}  // namespace mog
