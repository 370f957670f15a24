// rounds.hpp: in which round of each loop around it a thread is.
//
// Loops that share a header are one to LoopForest, but each has rounds of its own: where lanes that part in the loop meet again in it, and
// some come to the header before that. Which way back is which one's nobody can say of a graph, so there threads are in the same round if
// they have come back by the same ways, in the same order. And if a loop has several entries, those that came in by the same.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "assembler/divergence/analysis.hpp"

namespace mog::test {

/// Of a kernel: which loops are several that share a header.
class LoopRounds {
public:
    explicit LoopRounds(const divergence::Analysis &analysis) : loops(analysis.sync().loops()), shares_(loops.loops().size()) {
        const Graph &graph = analysis.form().graph;
        for (std::uint32_t l = 0; l < shares_.size(); ++l)
            for (const Graph::Node branch : loops.loops()[l].nodes) {
                if (!analysis.form().is_reached(branch) || graph.successors(branch).size() < 2) continue;
                const Graph::Node end = analysis.sync().end_of(branch), header = loops.loops()[l].header;
                if (end == divergence::Parting::nowhere || end == header || !loops.contains(l, end)) continue;
                std::vector<Graph::Node> met, work(graph.successors(branch).begin(), graph.successors(branch).end());
                while (!work.empty() && !shares_[l]) {
                    const Graph::Node at = work.back();
                    work.pop_back();
                    if (at == end || !loops.contains(l, at) || std::ranges::find(met, at) != met.end()) continue;
                    met.push_back(at);
                    shares_[l] = at == header;
                    work.insert(work.end(), graph.successors(at).begin(), graph.successors(at).end());
                }
            }
    }

    const LoopForest &loops;
    bool shares_header(std::uint32_t loop) const { return shares_[loop]; }

private:
    std::vector<bool> shares_;
};

class Rounds {
public:
    /// By loop, from inside to outside: how often its header was come to since control came into it; or a number for the ways there.
    using Counts = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

    void come_to(const LoopRounds &of, Graph::Node block) {
        constexpr std::uint64_t mixes = 0x9e3779b97f4a7c15;  // an odd number with as many ones as zeroes
        Counts counts;
        for (std::uint32_t l = of.loops.innermost(block); l != LoopForest::none; l = of.loops.loops()[l].parent) {
            // Rounds of a loop that was left and of loops within one whose header is come to begin anew.
            const bool is_new = !of.loops.contains(l, last_);
            std::uint64_t count = is_new && !of.loops.loops()[l].is_reducible() ? (block + 1) * mixes : 0;
            if (!is_new)
                for (const auto &[loop, counted] : counts_)
                    if (loop == l) count = counted;
            if (of.loops.loops()[l].header == block) count = is_new || !of.shares_header(l) ? count + 1 : (count + 1 + last_) * mixes;
            counts.emplace_back(l, count);
        }
        counts_ = std::move(counts);
        last_ = block;
    }
    const Counts &counts() const { return counts_; }

private:
    Counts counts_;
    Graph::Node last_ = 0;
};

}  // namespace mog::test
