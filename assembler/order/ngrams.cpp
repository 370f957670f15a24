// ngrams.cpp: all ways of some length through the flow that are not too rare, added up by their kinds.
#include "assembler/order/ngrams.hpp"

#include <algorithm>
#include <map>

namespace mog {

std::vector<Ngram> frequent_ngrams(const MarkovChain &flow, std::size_t length, std::size_t most) {
    constexpr double rarest = 1e-6;
    std::map<std::vector<std::uint32_t>, double> sums;
    std::vector<std::uint32_t> kinds;
    const auto follow = [&](const auto &self, std::uint32_t node, double frequency) -> void {
        if (frequency < rarest) return;
        kinds.push_back(flow.kind_of[node]);
        if (kinds.size() == length) sums[kinds] += frequency;
        else
            for (const auto &[next, share] : flow.successors[node]) self(self, next, frequency * share);
        kinds.pop_back();
    };
    for (std::uint32_t node = 0; node < flow.nodes(); ++node) follow(follow, node, flow.frequency[node]);
    std::vector<Ngram> result;
    for (auto &[sequence, frequency] : sums) result.push_back({sequence, frequency});
    // Equal ones in the order of their kinds, on every machine.
    std::stable_sort(result.begin(), result.end(), [](const Ngram &a, const Ngram &b) { return a.frequency > b.frequency; });
    if (result.size() > most) result.resize(most);
    return result;
}

}  // namespace mog
