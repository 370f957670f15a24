// analysis_graphs.hpp: small random graphs, and ways in them by trying all, to compare the analyses with.
#pragma once

#include <optional>
#include <vector>

#include "assembler/analysis/graph.hpp"
#include "support/random.hpp"

namespace mog::test {

using Node = Graph::Node;
using Nodes = std::vector<Node>;

/// Of 1 to 9 nodes with 0 to 3 edges from each: unreachable nodes, loops on themselves, doubled edges, irreducible and
/// endless ones come up.
inline Graph random_graph(Random &random) {
    const Node size = 1 + random.below(9);
    const std::uint32_t most = 1 + random.below(3);
    std::vector<Nodes> successors(size);
    for (Nodes &to : successors)
        for (std::uint32_t edges = random.below(most + 1); edges != 0; --edges) to.push_back(random.below(size));
    return Graph(successors);
}

/// One or two nodes; the second may be the first.
inline Nodes random_nodes(const Graph &graph, Random &random) {
    Nodes nodes = {random.below(graph.size())};
    if (random.below(2)) nodes.push_back(random.below(graph.size()));
    return nodes;
}

/// Whether there is a way from one of `from` to `to`, of no edge or more, that does not touch `without`, at its ends
/// neither.
inline bool is_way(const Graph &graph, const Nodes &from, Node to, std::optional<Node> without = {}) {
    std::vector<bool> met(graph.size());
    for (const Node node : from) met[node] = node != without;
    for (Node round = 0; round < graph.size(); ++round)
        for (Node node = 0; node < graph.size(); ++node)
            for (const Node next : graph.successors(node))
                if (met[node] && next != without) met[next] = true;
    return met[to];
}

constexpr int random_graphs = 3000;

}  // namespace mog::test
