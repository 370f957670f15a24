// sync.cpp: regions by a walk, joins by dominators from the branch on.
#include "assembler/divergence/sync.hpp"

#include <algorithm>
#include <utility>

namespace mog::divergence {
namespace {

using Node = Graph::Node;

constexpr Node entry[] = {0};

DominatorTree with_all_ends(const Graph &graph) {
    std::vector<Node> exits = final_nodes(graph);
    const std::vector<Node> endless = endless_exits(graph, exits);
    exits.insert(exits.end(), endless.begin(), endless.end());
    return post_dominators(graph, exits);
}

void sort_out(std::vector<Node> &nodes) {
    std::ranges::sort(nodes);
    const auto doubled = std::ranges::unique(nodes);
    nodes.erase(doubled.begin(), doubled.end());
}

}  // namespace

SyncDependence::SyncDependence(const Graph &graph, const DominatorTree &dominators)
    : graph_(graph),
      dominators_(dominators),
      loops_(graph, entry),
      post_dominators_(with_all_ends(graph)),
      mark_(graph.size()),
      number_(graph.size()) {}

Node SyncDependence::end_of(Node branch) const {
    const Node end = post_dominators_.parent(branch);
    return end == post_dominators_.root() || end == DominatorTree::none ? Parting::nowhere : end;
}

Parting SyncDependence::part(Node branch) const {
    Parting parting;
    parting.end = end_of(branch);
    ++turn_;
    std::vector<Node> work;
    const auto reach = [&](Node node) {
        if (mark_[node] == turn_ || node == parting.end) return;
        mark_[node] = turn_;
        parting.region.push_back(node);
        work.push_back(node);
    };
    for (const Node to : graph_.successors(branch)) reach(to);
    while (!work.empty()) {
        const Node node = work.back();
        work.pop_back();
        for (const Node to : graph_.successors(node)) reach(to);
    }
    std::ranges::sort(parting.region);
    for (const Node node : parting.region)
        if (dominators_.dominates(node, branch)) parting.again.push_back(node);
    add_joins({branch}, parting);
    std::vector<Node> &meetings = parting.meetings;
    for (std::uint32_t l = loops_.innermost(branch); l != LoopForest::none; l = loops_.loops()[l].parent) {
        const LoopOf &loop = loops_.loops()[l];
        for (const Node from : parting.region)
            for (const Node to : graph_.successors(from))
                if (loops_.contains(l, from) && !loops_.contains(l, to)) meetings.push_back(to);
        if (parting.end == Parting::nowhere || !loops_.contains(l, parting.end)) add_joins(loop.nodes, parting);
    }
    sort_out(parting.joins);
    meetings.insert(meetings.end(), parting.joins.begin(), parting.joins.end());
    if (parting.end != Parting::nowhere) meetings.push_back(parting.end);
    sort_out(meetings);
    return parting;
}

/// Adds the joins of the region where lanes part in `parts`: a branch, or a loop, out of which they go.
void SyncDependence::add_joins(const std::vector<Node> &parts, Parting &parting) const {
    // A graph of its own: 0 is where lanes part, and then comes the region, and its end. The nodes where they part stand
    // there once more, as places that lanes may come back to.
    std::vector<Node> nodes = {parts.front()};
    nodes.insert(nodes.end(), parting.region.begin(), parting.region.end());
    if (parting.end != Parting::nowhere) nodes.push_back(parting.end);
    for (std::uint32_t i = 1; i < nodes.size(); ++i) number_[nodes[i]] = i;
    const auto is_part = [&](Node node) { return std::ranges::binary_search(parts, node); };
    const bool is_loop = parts.size() > 1;
    std::vector<Node> targets;
    std::vector<std::uint32_t> sources(nodes.size()), last_source(nodes.size(), 0xffffffff);
    const Graph part(static_cast<Node>(nodes.size()), [&](Node node) -> const std::vector<Node> & {
        targets.clear();
        if (node == 0) {
            for (const Node from : parts)
                for (const Node to : graph_.successors(from)) {
                    if (number_[to] == 0 || (is_loop && is_part(to))) continue;
                    targets.push_back(number_[to]);
                    if (std::exchange(last_source[number_[to]], from) != from) ++sources[number_[to]];
                }
        } else if (nodes[node] != parting.end && !is_part(nodes[node])) {
            for (const Node to : graph_.successors(nodes[node]))
                if (number_[to] != 0) targets.push_back(number_[to]);
        }
        return targets;
    });
    const DominatorTree tree(part, entry);
    for (Node node = 1; node < part.size(); ++node) {
        if (tree.parent(node) != 0) continue;
        // Edges that lanes may come in by without having been here: each node where they part has one.
        const auto is_other = [&](Node from) { return from != 0 && tree.is_reached(from) && !tree.dominates(node, from); };
        if (sources[node] > 1 || std::ranges::any_of(part.predecessors(node), is_other)) parting.joins.push_back(nodes[node]);
    }
    for (const Node node : nodes) number_[node] = 0;
}

bool SyncDependence::is_temporal(const Parting &parting, Node defined, Node at) const {
    // On a way from a meeting to `at` that does not define anew, every node is dominated by `defined`: else there were a
    // way to `at` around it.
    const auto counts = [&](Node meeting) { return meeting != defined && dominators_.dominates(defined, meeting); };
    for (const Node meeting : parting.meetings)
        if (counts(meeting) && dominators_.dominates(meeting, at)) return true;
    // A loop with one entry around both, in which lanes do not meet: whoever comes into it passes `defined` first.
    for (std::uint32_t loop = loops_.innermost(defined); loop != LoopForest::none; loop = loops_.loops()[loop].parent) {
        if (!loops_.contains(loop, at) || !loops_.loops()[loop].is_reducible()) continue;
        const auto inside = [&](Node meeting) { return counts(meeting) && loops_.contains(loop, meeting); };
        if (std::ranges::none_of(parting.meetings, inside)) return false;
    }
    ++turn_;
    std::vector<Node> work;
    const auto reach = [&](Node node) {
        if (mark_[node] == turn_ || !counts(node)) return;
        mark_[node] = turn_;
        work.push_back(node);
    };
    for (const Node meeting : parting.meetings) reach(meeting);
    while (!work.empty()) {
        const Node node = work.back();
        work.pop_back();
        if (node == at) return true;
        for (const Node to : graph_.successors(node)) reach(to);
    }
    return false;
}

}  // namespace mog::divergence
