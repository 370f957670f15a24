// dominators.hpp: which nodes all ways to a node lead through, and what follows from it: post-dominators, dominance
// frontiers, control dependence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assembler/analysis/graph.hpp"

namespace mog {

/// Node a dominates node b if every way from a root to b leads through a; a node dominates itself. There may be several
/// roots: they hang below one root of the tree that is no node of the graph.
class DominatorTree {
public:
    using Node = Graph::Node;
    static constexpr Node none = 0xffffffff;

    DominatorTree(const Graph &graph, std::span<const Node> roots);

    /// The immediate dominator: of those that dominate the node, itself left out, the nearest. root() if there are
    /// none; `none` for the root and for nodes that no root leads to.
    Node parent(Node node) const { return parent_[node]; }
    /// The number of the tree's root: one above the graph's nodes.
    Node root() const { return static_cast<Node>(parent_.size() - 1); }
    bool is_reached(Node node) const { return depth_[node] != 0 || node == root(); }
    /// Steps to the root; 0 for what is not reached.
    std::uint32_t depth(Node node) const { return depth_[node]; }
    /// Whether all ways to `b` lead through `a`. False if one of them is not reached.
    bool dominates(Node a, Node b) const;
    /// The nearest node that dominates both, or root(). Both are reached.
    Node common(Node a, Node b) const;

private:
    std::vector<Node> parent_;  // also of the root
    std::vector<std::uint32_t> depth_;
    std::vector<std::uint32_t> from_, to_;  // a walk over the tree meets the node first and last at these times
};

/// Node a post-dominates b if every way from b to an exit leads through a. That is said of the ways that end: nodes
/// from which no exit can be reached are not in the tree (is_reached() is false), and what they lead to does not count.
/// Whoever wants them in it adds endless_exits() to the exits.
DominatorTree post_dominators(const Graph &graph, std::span<const Graph::Node> exits);
/// The nodes without successors.
std::vector<Graph::Node> final_nodes(const Graph &graph);
/// Where code that never comes to one of `exits` may be said to end: for each strongly connected component that nothing
/// leaves and that has no exit, its lowest node. With these, every node reaches an exit.
std::vector<Graph::Node> endless_exits(const Graph &graph, std::span<const Graph::Node> exits);

/// By node: where its dominance ends, ascending: the nodes that it does not strictly dominate, but a predecessor of
/// which it dominates. Empty for nodes that are not reached.
std::vector<std::vector<Graph::Node>> dominance_frontiers(const Graph &graph, const DominatorTree &tree);
/// The frontier of a set of nodes, of that and the set together, and so on until it does not grow; ascending. Where
/// values that are set in `nodes` meet, or ways that part there. (Cytron, Ferrante, Rosen, Wegman and Zadeck,
/// "Efficiently computing static single assignment form and the control dependence graph", 1991.)
std::vector<Graph::Node> iterated_frontier(const std::vector<std::vector<Graph::Node>> &frontiers, std::span<const Graph::Node> nodes);

/// A node depends on a branch if one way out of the branch surely leads to it (or to an exit by way of it) and another
/// may not.
struct ControlDependence {
    Graph::Node branch = 0;
    std::uint32_t way = 0;  ///< which of the branch's successors
    bool operator==(const ControlDependence &) const = default;
};
/// By node: what it depends on, by branch and then by way. `tree`: the post-dominators of the graph; branches and nodes
/// that are not in it have no dependences. (Ferrante, Ottenstein and Warren, "The program dependence graph and its use
/// in optimization", 1987.)
std::vector<std::vector<ControlDependence>> control_dependences(const Graph &graph, const DominatorTree &tree);

}  // namespace mog
