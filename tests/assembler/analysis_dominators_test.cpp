// analysis_dominators_test.cpp: dominators, post-dominators, frontiers, control dependence.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "assembler/analysis/dominators.hpp"
#include "tests/assembler/analysis_graphs.hpp"

using namespace mog;
using namespace mog::test;

namespace {

constexpr Node none = DominatorTree::none;

/// The immediate dominators of all nodes.
Nodes parents(const Graph &graph, const DominatorTree &tree) {
    Nodes found;
    for (Node node = 0; node < graph.size(); ++node) found.push_back(tree.parent(node));
    return found;
}

}  // namespace

TEST_CASE("dominators of a loop with a branch in it") {
    // 0 -> 1 -> 2 or 3 -> 4 -> 1 or 5; 6 -> 5 is not reached
    const Graph graph(std::vector<Nodes>{{1}, {2, 3}, {4}, {4}, {1, 5}, {}, {5}});
    const DominatorTree tree(graph, Nodes{0});
    CHECK(parents(graph, tree) == Nodes{tree.root(), 0, 1, 1, 1, 4, none});
    CHECK(tree.root() == 7);
    CHECK(tree.dominates(1, 5));
    CHECK(tree.dominates(4, 4));
    CHECK_FALSE(tree.dominates(2, 4));
    CHECK_FALSE(tree.dominates(6, 5));
    CHECK_FALSE(tree.dominates(6, 6));
    CHECK_FALSE(tree.is_reached(6));
    CHECK(tree.common(2, 5) == 1);
    CHECK(tree.depth(5) == 4);
    CHECK(dominance_frontiers(graph, tree) == std::vector<Nodes>{{}, {1}, {4}, {4}, {1}, {}, {}});
}

TEST_CASE("dominators of an irreducible graph, as in figure 4 of Cooper, Harvey and Kennedy") {
    // Two loops, 1 <-> 2 and 2 <-> 3, that are come to at 1, 2 and 3: from 5, or by way of 4
    const Graph graph(std::vector<Nodes>{{5}, {2}, {1, 3}, {2}, {2, 3}, {4, 1}});
    const DominatorTree tree(graph, Nodes{0});
    CHECK(parents(graph, tree) == Nodes{tree.root(), 5, 5, 5, 5, 0});
}

TEST_CASE("several roots: what both lead to has no dominator among the nodes") {
    const Graph graph(std::vector<Nodes>{{2}, {2}, {3, 0}, {}});
    const DominatorTree tree(graph, Nodes{0, 1});
    CHECK(parents(graph, tree) == Nodes{tree.root(), tree.root(), tree.root(), 2});
    CHECK(tree.common(0, 3) == tree.root());
    // A root may be come to again: control meets there what comes from outside.
    CHECK(dominance_frontiers(graph, tree) == std::vector<Nodes>{{2}, {2}, {0}, {}});
}

TEST_CASE("post-dominators of code with an endless loop") {
    // 0 -> 1 (endless, with 2) or 3 -> 4
    const Graph graph(std::vector<Nodes>{{1, 3}, {2}, {1}, {4}, {}});
    Nodes exits = final_nodes(graph);
    CHECK(exits == Nodes{4});
    const DominatorTree ends = post_dominators(graph, exits);
    CHECK(parents(graph, ends) == Nodes{3, none, none, 4, ends.root()});
    CHECK(endless_exits(graph, exits) == Nodes{1});
    exits.push_back(1);
    const DominatorTree all = post_dominators(graph, exits);
    CHECK(parents(graph, all) == Nodes{all.root(), all.root(), 1, 4, all.root()});
    // Without an exit in it, the branch decides nothing but whether there is an end.
    CHECK(control_dependences(graph, ends)[3].empty());
    using Ways = std::vector<ControlDependence>;
    // And where the endless loop is said to end, it is as if it could.
    CHECK(control_dependences(graph, all) == std::vector<Ways>{{}, {{0, 0}, {1, 0}}, {{1, 0}}, {{0, 1}}, {{0, 1}}});
}

TEST_CASE("no exit at all: one node of the loop that everything comes to") {
    const Graph graph(std::vector<Nodes>{{1}, {2, 0}, {2}});
    CHECK(final_nodes(graph).empty());
    CHECK(endless_exits(graph, {}) == Nodes{2});
    CHECK(endless_exits(Graph(std::vector<Nodes>{{1}, {0}}), {}) == Nodes{0});
    CHECK(endless_exits(graph, Nodes{2}).empty());
}

TEST_CASE("control dependence in a loop: its body and its condition depend on it") {
    // 0 -> 1; 1 -> 2 or 3; 2 -> 1
    const Graph graph(std::vector<Nodes>{{1}, {2, 3}, {1}, {}});
    using Ways = std::vector<ControlDependence>;
    CHECK(control_dependences(graph, post_dominators(graph, Nodes{3})) == std::vector<Ways>{{}, {{1, 0}}, {{1, 0}}, {}});
}

TEST_CASE("iterated frontiers: where values meet, and where the meeting ones do") {
    // 0 -> 1, 4; 1 -> 2, 3; 2, 3 -> 5; 4, 5 -> 6
    const Graph graph(std::vector<Nodes>{{1, 4}, {2, 3}, {5}, {5}, {6}, {6}, {}});
    const auto frontiers = dominance_frontiers(graph, DominatorTree(graph, Nodes{0}));
    CHECK(iterated_frontier(frontiers, Nodes{2}) == Nodes{5, 6});
    CHECK(iterated_frontier(frontiers, Nodes{4}) == Nodes{6});
    CHECK(iterated_frontier(frontiers, Nodes{0}).empty());
}

TEST_CASE("random graphs: dominators and frontiers are what trying all ways finds") {
    Random random(2);
    for (int i = 0; i < random_graphs; ++i) {
        const Graph graph = random_graph(random);
        const Nodes roots = random_nodes(graph, random);
        const DominatorTree tree(graph, roots);
        const auto dominates = [&](Node a, Node b) {
            return is_way(graph, roots, a) && is_way(graph, roots, b) && (a == b || !is_way(graph, roots, b, a));
        };
        const auto frontiers = dominance_frontiers(graph, tree);
        for (Node b = 0; b < graph.size(); ++b) {
            REQUIRE(tree.is_reached(b) == is_way(graph, roots, b));
            Nodes above;
            for (Node a = 0; a < graph.size(); ++a) {
                REQUIRE(tree.dominates(a, b) == dominates(a, b));
                if (a != b && dominates(a, b)) above.push_back(a);
                if (!tree.is_reached(a) || !tree.is_reached(b)) continue;
                const Node common = tree.common(a, b);
                for (Node c = 0; c < graph.size(); ++c)
                    if (dominates(c, a) && dominates(c, b)) REQUIRE(dominates(c, common));
                if (common != tree.root()) REQUIRE((dominates(common, a) && dominates(common, b)));
                bool is_frontier = false;
                for (const Node from : graph.predecessors(b)) is_frontier |= dominates(a, from) && (a == b || !dominates(a, b));
                REQUIRE(std::ranges::count(frontiers[a], b) == (is_frontier ? 1 : 0));
            }
            if (!tree.is_reached(b)) continue;
            // The immediate dominator is the one that all others dominate.
            REQUIRE(tree.depth(b) == above.size() + 1);
            if (above.empty()) REQUIRE(tree.parent(b) == tree.root());
            else
                for (const Node a : above) REQUIRE(dominates(a, tree.parent(b)));
        }
        const Nodes start = random_nodes(graph, random);
        std::set<Node> meets;
        for (Node round = 0; round <= graph.size(); ++round) {
            Nodes set(meets.begin(), meets.end());
            set.insert(set.end(), start.begin(), start.end());
            for (const Node node : set) meets.insert(frontiers[node].begin(), frontiers[node].end());
        }
        REQUIRE(iterated_frontier(frontiers, start) == Nodes(meets.begin(), meets.end()));
    }
}

TEST_CASE("random graphs: post-dominators, and control dependence by its definition") {
    Random random(3);
    for (int i = 0; i < random_graphs; ++i) {
        const Graph graph = random_graph(random);
        Nodes exits = final_nodes(graph);
        if (random.below(2)) exits.push_back(random.below(graph.size()));
        const Nodes endless = endless_exits(graph, exits);
        for (Node node = 0; node < graph.size(); ++node) {
            const auto ends = [&](const Nodes &at) {
                return std::ranges::any_of(at, [&](Node exit) { return is_way(graph, {node}, exit); });
            };
            REQUIRE((ends(exits) || ends(endless)));
        }
        if (random.below(2)) exits.insert(exits.end(), endless.begin(), endless.end());
        const DominatorTree tree = post_dominators(graph, exits);
        const auto ends_without = [&](Node node, std::optional<Node> without) {
            return std::ranges::any_of(exits, [&](Node exit) { return is_way(graph, {node}, exit, without); });
        };
        const auto surely = [&](Node from, Node to) {
            return ends_without(from, {}) && ends_without(to, {}) && (from == to || !ends_without(from, to));
        };
        const auto dependences = control_dependences(graph, tree);
        for (Node node = 0; node < graph.size(); ++node) {
            std::vector<ControlDependence> expected;
            for (Node branch = 0; branch < graph.size(); ++branch) {
                REQUIRE(tree.dominates(node, branch) == surely(branch, node));
                const auto ways = graph.successors(branch);
                for (std::uint32_t way = 0; way < ways.size(); ++way)
                    if (surely(ways[way], node) && (branch == node || !surely(branch, node))) expected.push_back({branch, way});
            }
            REQUIRE(dependences[node] == expected);
        }
    }
}
