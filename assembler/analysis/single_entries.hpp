// single_entries.hpp: a graph with nodes added, so that each loop has one entry.
//
// Of a loop with several entries, the lowest is where its rounds begin. A node of its own comes before it: ways into the loop lead there,
// by whatever entry, and so do those back to the lowest one; and from there to each entry. Other edges in the loop stay as they are. So
// whoever writes the nodes of the loop one after the other from the added one on finds all edges but those back to it going forward.
#pragma once

#include <span>
#include <vector>

#include "assembler/analysis/graph.hpp"

namespace mog {

struct SingleEntries {
    using Node = Graph::Node;

    Graph graph;        ///< nodes keep their numbers and the order of their successors; those that are added come behind them
    Node old_size = 0;  ///< so many there were
    /// By added node: where rounds of its loop begin.
    std::vector<Node> first;

    bool is_added(Node node) const { return node >= old_size; }
    Node first_of(Node added) const { return first[added - old_size]; }
    /// Where an added node leads in the end: entries of its loop, none twice.
    std::vector<Node> entries_of(Node added) const;
};

/// No edge leads to one of `roots`.
SingleEntries with_single_entries(const Graph &graph, std::span<const Graph::Node> roots);

}  // namespace mog
