// flow.cpp: chains from counts.
#include "assembler/flow.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "assembler/constants.hpp"

namespace mog {
namespace {

/// Makes the frequencies those of the chain: iterated from what they are, every step half of the chain's, for a chain
/// that goes in a circle would swing for ever. Counts of a run are stationary already, up to what its end cut off.
void settle(Flow &flow) {
    constexpr int most_rounds = 400;
    constexpr double enough = 1e-9;
    std::vector<double> next(flow.nodes());
    for (int round = 0; round < most_rounds; ++round) {
        std::fill(next.begin(), next.end(), 0.0);
        for (std::size_t t = 0; t < flow.nodes(); ++t)
            for (const auto &[node, share] : flow.successors[t]) next[node] += flow.frequency[t] * share;
        double change = 0;
        for (std::size_t t = 0; t < flow.nodes(); ++t) {
            change += std::abs(next[t] - flow.frequency[t]);
            flow.frequency[t] = (flow.frequency[t] + next[t]) / 2;
        }
        if (change < enough) break;
    }
    double total = 0;
    for (const double frequency : flow.frequency) total += frequency;
    if (total > 0)
        for (double &frequency : flow.frequency) frequency /= total;
}

}  // namespace

std::vector<double> Flow::kind_frequency() const {
    std::vector<double> result(kinds.size());
    for (std::size_t t = 0; t < nodes(); ++t) result[kind_of[t]] += frequency[t];
    return result;
}

std::vector<Kind> kinds_of(const Image &image) {
    bool used[256] = {};
    for (const std::uint16_t word : image.text) used[word >> 8] = true;
    std::vector<Kind> kinds;
    for (const OpInfo &row : isa)
        if (used[static_cast<std::uint8_t>(row.op)])
            kinds.push_back({row.op, std::string(row.name), static_cast<double>(row.cost)});
    return kinds;
}

Flow flow_of(const Image &image, const Execution &execution) {
    Flow flow;
    flow.kinds = kinds_of(image);
    std::uint32_t number[256] = {};
    for (std::uint32_t k = 0; k < flow.kinds.size(); ++k) number[static_cast<std::uint8_t>(flow.kinds[k].op)] = k;
    constexpr std::uint32_t none = 0xffffffff;
    std::vector<std::uint32_t> node_at(image.text.size(), none);
    for (std::size_t i = 0; i < image.text.size(); ++i) {
        if (execution.count[i] <= 0) continue;
        node_at[i] = static_cast<std::uint32_t>(flow.nodes());
        flow.kind_of.push_back(number[image.text[i] >> 8]);
        flow.frequency.push_back(execution.count[i]);
    }
    flow.successors.resize(flow.nodes());
    auto jump = execution.jumps.begin();
    for (std::size_t i = 0; i < image.text.size(); ++i) {
        std::vector<Flow::Successor> next;
        double gone = 0;
        for (; jump != execution.jumps.end() && jump->from == i; ++jump) {
            gone += jump->count;
            if (node_at[jump->to] != none && jump->count > 0) next.push_back({node_at[jump->to], jump->count});
        }
        if (node_at[i] == none) continue;
        const bool falls = !ends_block(static_cast<Op>(image.text[i] >> 8)) && i + 1 < image.text.size();
        double left = std::max(0.0, execution.count[i] - gone);
        if (falls && left > 0 && node_at[i + 1] != none) {
            const double on = std::min(left, execution.count[i + 1]);
            next.push_back({node_at[i + 1], on});
            left -= on;
        }
        // PEs that ended here: in a machine that is always full others begin.
        if ((next.empty() || left > 1e-6 * execution.count[i]) && node_at[image.entry] != none)
            next.push_back({node_at[image.entry], next.empty() ? 1 : left});
        double sum = 0;
        for (const auto &successor : next) sum += successor.share;
        for (auto &successor : next) successor.share /= sum;
        flow.successors[node_at[i]] = std::move(next);
    }
    double total = 0;
    for (const double frequency : flow.frequency) total += frequency;
    if (total > 0)
        for (double &frequency : flow.frequency) frequency /= total;
    return flow;
}

Flow flow_of_counts(std::vector<Kind> kinds, const std::vector<double> &counts) {
    Flow flow;
    const std::size_t n = kinds.size();
    flow.kinds = std::move(kinds);
    flow.successors.resize(n);
    double total = 0;
    for (const double count : counts) total += count;
    for (std::uint32_t a = 0; a < n; ++a) {
        flow.kind_of.push_back(a);
        double sum = 0;
        for (std::size_t b = 0; b < n; ++b) sum += counts[a * n + b];
        flow.frequency.push_back(total > 0 ? sum / total : 0);
        for (std::uint32_t b = 0; b < n; ++b)
            if (counts[a * n + b] > 0) flow.successors[a].push_back({b, counts[a * n + b] / sum});
    }
    settle(flow);
    return flow;
}

Flow digrams_of(const Flow &flow) {
    const std::size_t n = flow.kinds.size();
    std::vector<double> counts(n * n);
    for (std::size_t t = 0; t < flow.nodes(); ++t)
        for (const auto &[node, share] : flow.successors[t])
            counts[flow.kind_of[t] * n + flow.kind_of[node]] += flow.frequency[t] * share;
    return flow_of_counts(flow.kinds, counts);
}

Flow without_rare(const Flow &flow, double least) {
    Flow result = flow;
    for (std::size_t t = 0; t < flow.nodes(); ++t) {
        auto &successors = result.successors[t];
        double kept = 0;
        std::erase_if(successors, [&](const auto &s) { return flow.frequency[t] * s.share < least; });
        if (successors.empty()) successors = flow.successors[t];
        for (const auto &successor : successors) kept += successor.share;
        for (auto &successor : successors) successor.share /= kept;
    }
    settle(result);
    return result;
}

}  // namespace mog
