// dominators.cpp: dominators by Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm" (2001): sweeps in
// reverse post-order that shorten guesses until they agree. Frontiers are from the same paper.
#include "assembler/analysis/dominators.hpp"

#include <algorithm>

namespace mog {

using Node = Graph::Node;

DominatorTree::DominatorTree(const Graph &graph, std::span<const Node> roots) {
    const Node top = graph.size();
    parent_.assign(top + 1, none);
    depth_.assign(top + 1, 0);
    from_.assign(top + 1, 0);
    to_.assign(top + 1, 0);
    const std::vector<Node> order = post_order(graph, roots);
    std::vector<std::uint32_t> number(top + 1, none);  // post-order; of the top the highest
    for (std::uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
    number[top] = static_cast<std::uint32_t>(order.size());
    std::vector<bool> is_root(top);
    for (const Node root : roots) {
        is_root[root] = true;
        parent_[root] = top;
    }
    const auto meet = [&](Node a, Node b) {
        while (a != b) (number[a] < number[b] ? a : b) = parent_[number[a] < number[b] ? a : b];
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (auto node = order.rbegin(); node != order.rend(); ++node) {
            if (is_root[*node]) continue;
            Node nearest = none;
            for (const Node from : graph.predecessors(*node))
                if (parent_[from] != none) nearest = nearest == none ? from : meet(nearest, from);
            changed |= parent_[*node] != nearest;
            parent_[*node] = nearest;
        }
    }
    // Parents have higher post-order numbers, so one walk down the numbers sets depths, and one up them sizes; with
    // both, times.
    std::vector<std::uint32_t> nodes_below(top + 1, 1);
    for (const Node node : order) nodes_below[parent_[node]] += nodes_below[node];
    std::vector<std::uint32_t> next_time(top + 1);
    to_[top] = nodes_below[top];
    next_time[top] = 1;
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
        const Node parent = parent_[*node];
        depth_[*node] = depth_[parent] + 1;
        from_[*node] = next_time[parent];
        to_[*node] = from_[*node] + nodes_below[*node];
        next_time[parent] = to_[*node];
        next_time[*node] = from_[*node] + 1;
    }
}

bool DominatorTree::dominates(Node a, Node b) const { return is_reached(a) && is_reached(b) && from_[a] <= from_[b] && to_[b] <= to_[a]; }

Node DominatorTree::common(Node a, Node b) const {
    while (a != b) (depth_[a] > depth_[b] ? a : b) = parent_[depth_[a] > depth_[b] ? a : b];
    return a;
}

DominatorTree post_dominators(const Graph &graph, std::span<const Node> exits) { return DominatorTree(graph.reversed(), exits); }

std::vector<Node> final_nodes(const Graph &graph) {
    std::vector<Node> nodes;
    for (Node node = 0; node < graph.size(); ++node)
        if (graph.successors(node).empty()) nodes.push_back(node);
    return nodes;
}

std::vector<Node> endless_exits(const Graph &graph, std::span<const Node> exits) {
    std::vector<bool> is_exit(graph.size());
    for (const Node exit : exits) is_exit[exit] = true;
    std::vector<Node> found;
    for (const std::vector<Node> &component : strong_components(graph)) {
        const bool ends = std::ranges::any_of(component, [&](Node node) {
            return is_exit[node] ||
                   std::ranges::any_of(graph.successors(node), [&](Node to) { return !std::ranges::binary_search(component, to); });
        });
        if (!ends) found.push_back(component.front());
    }
    std::ranges::sort(found);
    return found;
}

std::vector<std::vector<Node>> dominance_frontiers(const Graph &graph, const DominatorTree &tree) {
    std::vector<std::vector<Node>> frontiers(graph.size());
    for (Node node = 0; node < graph.size(); ++node) {
        if (!tree.is_reached(node)) continue;
        for (const Node from : graph.predecessors(node)) {
            if (!tree.is_reached(from)) continue;
            for (Node above = from; above != tree.parent(node); above = tree.parent(above))
                if (frontiers[above].empty() || frontiers[above].back() != node) frontiers[above].push_back(node);
        }
    }
    return frontiers;
}

std::vector<Node> iterated_frontier(const std::vector<std::vector<Node>> &frontiers, std::span<const Node> nodes) {
    std::vector<Node> work(nodes.begin(), nodes.end()), found;
    std::vector<bool> met(frontiers.size());
    while (!work.empty()) {
        const Node node = work.back();
        work.pop_back();
        for (const Node at : frontiers[node]) {
            if (met[at]) continue;
            met[at] = true;
            found.push_back(at);
            work.push_back(at);
        }
    }
    std::ranges::sort(found);
    return found;
}

std::vector<std::vector<ControlDependence>> control_dependences(const Graph &graph, const DominatorTree &tree) {
    std::vector<std::vector<ControlDependence>> dependences(graph.size());
    for (Node branch = 0; branch < graph.size(); ++branch) {
        if (!tree.is_reached(branch)) continue;
        const auto ways = graph.successors(branch);
        for (std::uint32_t way = 0; way < ways.size(); ++way) {
            if (!tree.is_reached(ways[way])) continue;
            for (Node node = ways[way]; node != tree.parent(branch); node = tree.parent(node)) dependences[node].push_back({branch, way});
        }
    }
    return dependences;
}

}  // namespace mog
