// loops.cpp: components, then those of each without its header, until none is left. Time: edges times the depth of
// loops.
#include "assembler/analysis/loops.hpp"

#include <algorithm>

namespace mog {

LoopForest::LoopForest(const Graph &graph, std::span<const Node> roots) : innermost_(graph.size(), none) {
    std::vector<bool> is_root(graph.size());
    for (const Node root : roots) is_root[root] = true;
    std::vector<std::uint32_t> scratch(graph.size());
    const auto add = [&](std::vector<Node> component, std::uint32_t parent) {
        const auto inside = [&](Node node) { return std::ranges::binary_search(component, node); };
        const Node first = component.front();
        if (component.size() == 1 && std::ranges::find(graph.successors(first), first) == graph.successors(first).end()) return;
        LoopOf loop;
        for (const Node node : component)
            if (is_root[node] || !std::ranges::all_of(graph.predecessors(node), inside)) loop.entries.push_back(node);
        loop.header = loop.entries.empty() ? first : loop.entries.front();
        loop.parent = parent;
        loop.depth = parent == none ? 1 : loops_[parent].depth + 1;
        for (const Node node : component) innermost_[node] = static_cast<std::uint32_t>(loops_.size());
        loop.nodes = std::move(component);
        loops_.push_back(std::move(loop));
    };
    for (std::vector<Node> &component : strong_components(graph)) add(std::move(component), none);
    std::vector<Node> rest;
    for (std::uint32_t i = 0; i < loops_.size(); ++i) {
        rest.clear();
        for (const Node node : loops_[i].nodes)
            if (node != loops_[i].header) rest.push_back(node);
        for (std::vector<Node> &component : strong_components(graph, rest, scratch)) add(std::move(component), i);
    }
}

bool LoopForest::contains(std::uint32_t loop, Node node) const {
    std::uint32_t around = innermost_[node];
    while (around != none && around > loop) around = loops_[around].parent;
    return around == loop;
}

bool LoopForest::is_reducible() const { return std::ranges::all_of(loops_, &LoopOf::is_reducible); }

}  // namespace mog
