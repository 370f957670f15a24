// single_entries.cpp: loops from outside to inside, until all have one entry.
#include "assembler/analysis/single_entries.hpp"

#include <algorithm>
#include <utility>

#include "assembler/analysis/loops.hpp"

namespace mog {

std::vector<Graph::Node> SingleEntries::entries_of(Node added) const {
    std::vector<Node> found, work = {added};
    std::vector<bool> seen(graph.size());
    while (!work.empty()) {
        const Node at = work.back();
        work.pop_back();
        for (const Node to : graph.successors(at)) {
            if (seen[to]) continue;
            seen[to] = true;
            (is_added(to) ? work : found).push_back(to);
        }
    }
    return found;
}

SingleEntries with_single_entries(const Graph &graph, std::span<const Graph::Node> roots) {
    SingleEntries result{graph, graph.size(), {}};
    std::vector<std::vector<Graph::Node>> successors(graph.size());
    for (Graph::Node node = 0; node < graph.size(); ++node)
        successors[node].assign(graph.successors(node).begin(), graph.successors(node).end());
    for (;;) {
        const LoopForest forest(result.graph, roots);
        // Those around which nothing has changed in this turn.
        std::vector<bool> changed(forest.loops().size());
        for (std::uint32_t number = 0; number < changed.size(); ++number) {
            const LoopOf &loop = forest.loops()[number];
            changed[number] = loop.parent != LoopForest::none && changed[loop.parent];
            if (changed[number] || loop.is_reducible()) continue;
            changed[number] = true;
            const auto added = static_cast<Graph::Node>(successors.size());
            for (Graph::Node from = 0; from < added; ++from) {
                const bool is_inside = from < result.graph.size() && forest.contains(number, from);
                for (Graph::Node &to : successors[from])
                    if (is_inside ? to == loop.header : std::ranges::binary_search(loop.entries, to)) to = added;
            }
            successors.push_back(loop.entries);
            result.first.push_back(loop.header);
        }
        if (std::ranges::find(changed, true) == changed.end()) return result;
        result.graph = Graph(successors);
    }
}

}  // namespace mog
