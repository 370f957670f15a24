// loops.hpp: the loops of a graph, one in the other, irreducible ones too.
//
// A loop is a strongly connected component that has an edge in it. One of its entries is its header; what is strongly
// connected without the header are the loops within. So each way round in a loop leads through the headers of it or of
// loops in it, and a loop with one entry is a natural loop: its header dominates it. (Havlak, "Nesting of reducible and
// irreducible loops", 1997; Ramalingam, "On loops, dominators, and dominance frontiers", 2002. LLVM's cycles are the
// same.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assembler/analysis/graph.hpp"

namespace mog {

struct LoopOf {
    Graph::Node header = 0;            ///< the lowest of its entries; of its nodes, if it has none
    std::vector<Graph::Node> entries;  ///< roots, and where edges from outside lead; ascending
    std::vector<Graph::Node> nodes;    ///< those of loops within too; ascending
    std::uint32_t parent = 0;          ///< the loop around it, or LoopForest::none
    std::uint32_t depth = 1;           ///< loops around it, itself counted
    bool is_reducible() const { return entries.size() <= 1; }
};

class LoopForest {
public:
    using Node = Graph::Node;
    static constexpr std::uint32_t none = 0xffffffff;

    /// Control comes to `roots` from outside, which makes entries of them. Code that no root leads to has its loops,
    /// too.
    explicit LoopForest(const Graph &graph, std::span<const Node> roots = {});

    /// Each comes after the loop around it.
    const std::vector<LoopOf> &loops() const { return loops_; }
    /// The innermost loop around a node, or none.
    std::uint32_t innermost(Node node) const { return innermost_[node]; }
    std::uint32_t depth(Node node) const { return innermost_[node] == none ? 0 : loops_[innermost_[node]].depth; }
    bool is_header(Node node) const { return innermost_[node] != none && loops_[innermost_[node]].header == node; }
    /// Whether a loop, by its place in loops(), has the node in it.
    bool contains(std::uint32_t loop, Node node) const;
    /// True if every loop has one entry at most.
    bool is_reducible() const;

private:
    std::vector<LoopOf> loops_;
    std::vector<std::uint32_t> innermost_;
};

}  // namespace mog
