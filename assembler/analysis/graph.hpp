// graph.hpp: a directed graph, as the analyses of this folder see a program.
//
// Nodes are numbers from 0 on; what they stand for (blocks, instructions, functions) is the business of whoever makes
// the graph. So code of any front end can be presented: numbers its blocks in program order and gives the successors of
// each. Ways that many nodes share, such as returns to any of the return points, become nodes of their own. Edges may
// stand there twice, and a node may be its own successor.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mog {

class Graph {
public:
    using Node = std::uint32_t;

    Graph() = default;
    /// `successors_of(node)` gives a range of nodes, whose order is kept.
    template <typename SuccessorsOf>
    Graph(Node nodes, SuccessorsOf successors_of) {
        begins_.reserve(nodes + 1);
        for (Node node = 0; node < nodes; ++node) {
            for (const Node to : successors_of(node)) successors_.push_back(to);
            begins_.push_back(static_cast<std::uint32_t>(successors_.size()));
        }
        find_predecessors();
    }
    explicit Graph(const std::vector<std::vector<Node>> &successors)
        : Graph(static_cast<Node>(successors.size()), [&](Node node) -> const std::vector<Node> & { return successors[node]; }) {}

    Node size() const { return static_cast<Node>(begins_.size() - 1); }
    std::span<const Node> successors(Node node) const { return part(successors_, begins_, node); }
    /// Ascending; one of a doubled edge stands there twice.
    std::span<const Node> predecessors(Node node) const { return part(predecessors_, predecessors_begin_, node); }

    /// The same nodes with all edges turned round.
    Graph reversed() const;

private:
    using Nodes = std::vector<Node>;
    static std::span<const Node> part(const Nodes &nodes, const std::vector<std::uint32_t> &begins, Node node) {
        return std::span(nodes).subspan(begins[node], begins[node + 1] - begins[node]);
    }
    void find_predecessors();

    // Each node's neighbours follow those of the node before it; where they begin, and where the last ones end.
    Nodes successors_, predecessors_;
    std::vector<std::uint32_t> begins_ = {0}, predecessors_begin_ = {0};
};

/// The nodes that are reached from `roots`, each after all that are first reached from it by a depth-first walk that
/// takes successors in their order.
std::vector<Graph::Node> post_order(const Graph &graph, std::span<const Graph::Node> roots);
/// Of all nodes: those not reached from node 0 are walked to from the lowest of them, and so on.
std::vector<Graph::Node> post_order(const Graph &graph);
/// By node: whether there is a way to it from one of `roots`, of any length.
std::vector<bool> reached_from(const Graph &graph, std::span<const Graph::Node> roots);

/// The strongly connected components: two nodes are in one if each can be reached from the other. Each component comes
/// after those that it leads to; in each the nodes ascend. (Tarjan, "Depth-first search and linear graph algorithms",
/// 1972.)
std::vector<std::vector<Graph::Node>> strong_components(const Graph &graph);
/// The same of the graph that is left with only `nodes`. `number` has one entry for each node of the graph, all of them
/// 0 before and after; it spares repeated calls the setting up.
std::vector<std::vector<Graph::Node>> strong_components(const Graph &graph, std::span<const Graph::Node> nodes,
                                                        std::vector<std::uint32_t> &number);

}  // namespace mog
