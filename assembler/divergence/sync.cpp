// sync.cpp: regions by a walk, joins by dominators from the branch on. Branches in loops are many: nothing is allocated for each
// that is of the size of the graph, and what only depends on the loop is found once.
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
      is_reducible_(loops_.is_reducible()),
      exits_(loops_.loops().size()),
      left_(loops_.loops().size()),
      mark_(graph.size()),
      part_(graph.size()),
      number_(graph.size()),
      parent_(graph.size()) {
    for (std::uint32_t l = 0; l < exits_.size(); ++l) {
        for (const Node from : loops_.loops()[l].nodes)
            for (const Node to : graph_.successors(from))
                if (!loops_.contains(l, to)) exits_[l].push_back(to);
        sort_out(exits_[l]);
    }
}

Node SyncDependence::end_of(Node branch) const {
    const Node end = post_dominators_.parent(branch);
    return end == post_dominators_.root() || end == DominatorTree::none ? Parting::nowhere : end;
}

Parting SyncDependence::part(Node branch) {
    Parting parting;
    parting.end = end_of(branch);
    const Node parts[] = {branch};
    const std::vector<Node> order = walk_from(parts, parting.end);
    for (const Node node : order)
        if (node != parting.end) parting.region.push_back(node);
    // Whoever dominates the branch and comes behind it is in a loop with it.
    std::uint32_t outermost = loops_.innermost(branch);
    while (outermost != LoopForest::none && loops_.loops()[outermost].parent != LoopForest::none)
        outermost = loops_.loops()[outermost].parent;
    if (outermost != LoopForest::none)
        for (Node node = branch; node != dominators_.root() && loops_.contains(outermost, node); node = dominators_.parent(node))
            if (mark_[node] == turn_ && node != parting.end) parting.again.push_back(node);
    add_joins(parts, order, parting.end, parting.joins);
    std::vector<Node> &meetings = parting.meetings;
    for (std::uint32_t l = loops_.innermost(branch); l != LoopForest::none; l = loops_.loops()[l].parent) {
        if (parting.end == Parting::nowhere || !loops_.contains(l, parting.end)) {
            // Lanes may leave the loop in different rounds.
            meetings.insert(meetings.end(), exits_[l].begin(), exits_[l].end());
            const std::vector<Node> &joins = joins_of_loop(l, parting.end);
            parting.joins.insert(parting.joins.end(), joins.begin(), joins.end());
            continue;
        }
        for (const Node from : parting.region)
            for (const Node to : graph_.successors(from))
                if (loops_.contains(l, from) && !loops_.contains(l, to)) meetings.push_back(to);
    }
    const std::uint32_t innermost = loops_.innermost(branch);
    parting.is_of_loop =
        is_reducible_ && innermost != LoopForest::none && (parting.end == Parting::nowhere || !loops_.contains(innermost, parting.end));
    sort_out(parting.joins);
    if (!is_reducible_) meetings.insert(meetings.end(), parting.joins.begin(), parting.joins.end());
    if (parting.end != Parting::nowhere) meetings.push_back(parting.end);
    sort_out(meetings);
    return parting;
}

const std::vector<Node> &SyncDependence::joins_of_loop(std::uint32_t loop, Node end) {
    for (const Left &left : left_[loop])
        if (left.end == end) return left.joins;
    Left &left = left_[loop].emplace_back();
    left.end = end;
    const std::vector<Node> &nodes = loops_.loops()[loop].nodes;
    add_joins(nodes, walk_from(nodes, end), end, left.joins);
    return left.joins;
}

/// The nodes that ways out of `parts` lead to, `end` and parts that they come back to among them, which they do not go on from. In
/// post-order; they are marked with this turn.
std::vector<Node> SyncDependence::walk_from(std::span<const Node> parts, Node end) {
    ++turn_;
    for (const Node node : parts) part_[node] = turn_;
    const bool is_loop = parts.size() > 1;
    std::vector<Node> order;
    struct Step {
        Node node;
        std::size_t next;
    };
    std::vector<Step> path;
    const auto reach = [&](Node node) {
        if (mark_[node] == turn_) return;
        mark_[node] = turn_;
        path.push_back({node, 0});
        while (!path.empty()) {
            Step &step = path.back();
            const bool goes_on = step.node != end && part_[step.node] != turn_;
            const auto to = graph_.successors(step.node);
            if (!goes_on || step.next == to.size()) {
                order.push_back(step.node);
                path.pop_back();
            } else if (const Node next = to[step.next++]; mark_[next] != turn_) {
                mark_[next] = turn_;
                path.push_back({next, 0});
            }
        }
    };
    for (const Node from : parts)
        for (const Node to : graph_.successors(from))
            if (!is_loop || part_[to] != turn_) reach(to);
    return order;
}

/// Adds the joins where lanes part in `parts`: a branch, or a loop, out of which they go. `order`: of walk_from(), whose turn it still is.
void SyncDependence::add_joins(std::span<const Node> parts, const std::vector<Node> &order, Node end, std::vector<Node> &joins) {
    // Dominators by Cooper, Harvey and Kennedy, of the graph in which all of `parts` are one root. A part stands there once more, as a
    // place that lanes may come back to.
    const auto root = static_cast<std::uint32_t>(order.size());
    constexpr Node unknown = 0xffffffff, is_root = 0xfffffffe;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        number_[order[i]] = i;
        parent_[order[i]] = unknown;
    }
    const bool is_loop = parts.size() > 1;
    const auto number = [&](Node node) { return node == is_root ? root : number_[node]; };
    /// As a predecessor: nothing, the root, or a node that the walk came to.
    const auto seen = [&](Node from, Node to) {
        if (part_[from] == turn_) return is_loop && part_[to] == turn_ ? unknown : is_root;
        return mark_[from] != turn_ || from == end ? unknown : from;
    };
    const auto meet = [&](Node a, Node b) {
        while (a != b) {
            Node &lower = number(a) < number(b) ? a : b;
            lower = parent_[lower];
        }
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (auto node = order.rbegin(); node != order.rend(); ++node) {
            Node nearest = unknown;
            for (const Node predecessor : graph_.predecessors(*node)) {
                const Node from = seen(predecessor, *node);
                if (from == unknown || (from != is_root && parent_[from] == unknown)) continue;
                nearest = nearest == unknown ? from : meet(nearest, from);
            }
            changed |= parent_[*node] != nearest;
            parent_[*node] = nearest;
        }
    }
    // Whether all ways from the root to `below` pass `above`.
    const auto dominates = [&](Node above, Node below) {
        while (below != is_root && below != above && number(below) < number(above)) below = parent_[below];
        return below == above;
    };
    for (const Node node : order) {
        if (parent_[node] != is_root) continue;
        // Edges that lanes may come in by without having been here: each node where they part has one.
        Node part = unknown;
        bool is_join = false;
        for (const Node predecessor : graph_.predecessors(node)) {
            const Node from = seen(predecessor, node);
            if (from == unknown) continue;
            if (from != is_root) {
                is_join |= !dominates(node, from);
                continue;
            }
            is_join |= part != unknown && part != predecessor;
            part = predecessor;
        }
        if (!is_join && part == unknown) is_join = true;
        if (is_join) joins.push_back(node);
    }
}

SyncDependence::Readings SyncDependence::readings_of(const Parting &parting, Node defined) const {
    Readings readings;
    readings.defined = defined;
    for (const Node meeting : parting.meetings)
        if (meeting != defined && dominators_.dominates(defined, meeting)) readings.meetings.push_back(meeting);
    // A loop with one entry around both, in which lanes do not meet: whoever comes into it passes `defined` before the reading.
    for (std::uint32_t loop = loops_.innermost(defined); loop != LoopForest::none; loop = loops_.loops()[loop].parent)
        if (loops_.loops()[loop].is_reducible() &&
            std::ranges::none_of(readings.meetings, [&](Node meeting) { return loops_.contains(loop, meeting); }))
            readings.safe_loop = loop;
    return readings;
}

bool SyncDependence::is_temporal(Readings &readings, Node at) {
    if (readings.safe_loop != LoopForest::none && loops_.contains(readings.safe_loop, at)) return false;
    for (const Node meeting : readings.meetings)
        if (dominators_.dominates(meeting, at)) return true;
    if (readings.walked == turn_) return mark_[at] == turn_;
    // On a way from a meeting to `at` that does not define anew, every node is dominated by `defined`: else there were a
    // way to `at` around it.
    readings.walked = ++turn_;
    std::vector<Node> work;
    const auto reach = [&](Node node) {
        if (mark_[node] == turn_ || node == readings.defined || !dominators_.dominates(readings.defined, node)) return;
        mark_[node] = turn_;
        work.push_back(node);
    };
    for (const Node meeting : readings.meetings) reach(meeting);
    while (!work.empty()) {
        const Node node = work.back();
        work.pop_back();
        for (const Node to : graph_.successors(node)) reach(to);
    }
    return mark_[at] == turn_;
}

}  // namespace mog::divergence
