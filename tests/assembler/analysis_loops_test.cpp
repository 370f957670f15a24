// analysis_loops_test.cpp: loops, natural and irreducible, and nodes that make them natural.
#include <doctest/doctest.h>

#include <algorithm>

#include "assembler/analysis/dominators.hpp"
#include "assembler/analysis/loops.hpp"
#include "assembler/analysis/single_entries.hpp"
#include "tests/assembler/analysis_graphs.hpp"

using namespace mog;
using namespace mog::test;

namespace {

constexpr std::uint32_t none = LoopForest::none;

/// Whether each way round leads through a node that dominates the nodes of it: without the edges to what dominates
/// their beginning, nothing goes round. (Hecht and Ullman.)
bool is_reducible(const Graph &graph, const Nodes &roots) {
    const DominatorTree tree(graph, roots);
    const Graph rest(graph.size(), [&](Node node) {
        Nodes left;
        for (const Node to : graph.successors(node))
            if (tree.is_reached(node) && !tree.dominates(to, node)) left.push_back(to);
        return left;
    });
    return strong_components(rest).size() == graph.size();
}

}  // namespace

TEST_CASE("a loop in a loop, and a node that is its own") {
    // 0 -> 1 -> 2 -> 3; 3 -> 2, 4; 4 -> 1, 5; 5 -> 5, 6
    const Graph graph(std::vector<Nodes>{{1}, {2}, {3}, {2, 4}, {1, 5}, {5, 6}, {}});
    const LoopForest forest(graph, Nodes{0});
    REQUIRE(forest.loops().size() == 3);
    CHECK(forest.is_reducible());
    const std::uint32_t outer = forest.innermost(1), inner = forest.innermost(2), own = forest.innermost(5);
    CHECK(forest.loops()[outer].nodes == Nodes{1, 2, 3, 4});
    CHECK(forest.loops()[outer].header == 1);
    CHECK(forest.loops()[outer].parent == none);
    CHECK(forest.loops()[inner].nodes == Nodes{2, 3});
    CHECK(forest.loops()[inner].parent == outer);
    CHECK(forest.loops()[own].nodes == Nodes{5});
    CHECK(forest.innermost(4) == outer);
    CHECK(forest.innermost(0) == none);
    CHECK(forest.innermost(6) == none);
    CHECK(forest.depth(3) == 2);
    CHECK(forest.depth(6) == 0);
    CHECK(forest.is_header(2));
    CHECK_FALSE(forest.is_header(3));
    CHECK(forest.contains(outer, 3));
    CHECK_FALSE(forest.contains(inner, 4));
}

TEST_CASE("two ways back to one header are one loop") {
    const Graph graph(std::vector<Nodes>{{1}, {2, 3}, {1}, {1, 4}, {}});
    const LoopForest forest(graph, Nodes{0});
    REQUIRE(forest.loops().size() == 1);
    CHECK(forest.loops()[0].nodes == Nodes{1, 2, 3});
}

TEST_CASE("a loop with two entries has a header all the same") {
    // 0 -> 1, 2; 1 -> 2; 2 -> 1, 3
    const Graph graph(std::vector<Nodes>{{1, 2}, {2}, {1, 3}, {}});
    const LoopForest forest(graph, Nodes{0});
    REQUIRE(forest.loops().size() == 1);
    CHECK(forest.loops()[0].entries == Nodes{1, 2});
    CHECK(forest.loops()[0].header == 1);
    CHECK_FALSE(forest.is_reducible());
}

TEST_CASE("an irreducible loop with a natural one in it") {
    // 0 -> 1, 3; 1 -> 2; 2 -> 2, 3; 3 -> 1
    const Graph graph(std::vector<Nodes>{{1, 3}, {2}, {2, 3}, {1}});
    const LoopForest forest(graph, Nodes{0});
    REQUIRE(forest.loops().size() == 2);
    CHECK(forest.loops()[0].entries == Nodes{1, 3});
    CHECK(forest.loops()[1].nodes == Nodes{2});
    CHECK(forest.loops()[1].is_reducible());
    CHECK(forest.depth(2) == 2);
}

TEST_CASE("where control comes from outside, or from nowhere") {
    const Graph graph(std::vector<Nodes>{{1}, {2}, {0}});
    CHECK(LoopForest(graph, Nodes{1}).loops()[0].header == 1);
    CHECK(LoopForest(graph, Nodes{2, 1}).loops()[0].entries == Nodes{1, 2});
    CHECK(LoopForest(graph).loops()[0].entries.empty());
    CHECK(LoopForest(graph).loops()[0].header == 0);
    CHECK(LoopForest(Graph()).loops().empty());
}

TEST_CASE("random graphs: loops are what their definition says, and reducible where dominators say so") {
    Random random(4);
    for (int i = 0; i < random_graphs; ++i) {
        const Graph graph = random_graph(random);
        const Nodes roots = random_nodes(graph, random);
        const LoopForest forest(graph, roots);
        // Two nodes are in one loop if there are ways between them without the headers of the loops around.
        const auto goes_round = [&](Node a, Node b, std::uint32_t around) {
            const Graph rest(graph.size(), [&](Node node) {
                Nodes left;
                for (const Node to : graph.successors(node)) {
                    bool counts = true;
                    for (std::uint32_t loop = around; loop != none; loop = forest.loops()[loop].parent)
                        counts &= forest.contains(loop, node) && forest.loops()[loop].header != to;
                    if (counts) left.push_back(to);
                }
                return left;
            });
            const auto after = rest.successors(a);
            return is_way(rest, Nodes(after.begin(), after.end()), b) && is_way(rest, {b}, a);
        };
        for (std::uint32_t l = 0; l < forest.loops().size(); ++l) {
            const LoopOf &loop = forest.loops()[l];
            REQUIRE((loop.parent == none || loop.parent < l));
            REQUIRE(loop.depth == (loop.parent == none ? 1 : forest.loops()[loop.parent].depth + 1));
            for (Node node = 0; node < graph.size(); ++node) {
                const bool inside = forest.contains(l, node);
                REQUIRE(inside == goes_round(loop.header, node, loop.parent));
                bool is_entry = inside && std::ranges::count(roots, node) != 0;
                for (const Node from : graph.predecessors(node)) is_entry |= inside && !forest.contains(l, from);
                REQUIRE(is_entry == (std::ranges::count(loop.entries, node) != 0));
                if (inside && loop.parent != none) REQUIRE(forest.contains(loop.parent, node));
            }
            REQUIRE(loop.header == (loop.entries.empty() ? loop.nodes : loop.entries).front());
        }
        for (Node node = 0; node < graph.size(); ++node) {
            const std::uint32_t inner = forest.innermost(node);
            if (inner != none) REQUIRE(forest.contains(inner, node));
            // No loop is missing: without the headers around, nothing goes round.
            if (!forest.is_header(node)) REQUIRE_FALSE(goes_round(node, node, inner));
        }
        bool all_reached = true;
        for (Node node = 0; node < graph.size(); ++node) all_reached &= is_way(graph, roots, node);
        if (all_reached) REQUIRE(forest.is_reducible() == is_reducible(graph, roots));
    }
}

TEST_CASE("entries of loops made single") {
    // A loop of 1 to 4 that is come into at 1 and 2, and in it one of 3 and 4 that is come into at both.
    const Graph two({{1, 2}, {2, 5}, {1, 3, 4}, {4}, {3, 1}, {}});
    constexpr Node roots[] = {0};
    const SingleEntries made = with_single_entries(two, roots);
    REQUIRE(made.graph.size() == 8);
    CHECK(made.first == Nodes{1, 3});
    CHECK(made.entries_of(6) == Nodes{1, 2});
    CHECK(made.entries_of(7) == Nodes{3, 4});
    CHECK(Nodes(made.graph.successors(0).begin(), made.graph.successors(0).end()) == Nodes{6, 6});
    CHECK(Nodes(made.graph.successors(1).begin(), made.graph.successors(1).end()) == Nodes{2, 5});
    CHECK(Nodes(made.graph.successors(2).begin(), made.graph.successors(2).end()) == Nodes{6, 7, 7});
    CHECK(Nodes(made.graph.successors(3).begin(), made.graph.successors(3).end()) == Nodes{4});

    Random random(5);
    std::size_t added = 0;
    for (int i = 0; i < random_graphs; ++i) {
        const Graph inner = random_graph(random);
        const Nodes begins = random_nodes(inner, random);
        const Graph graph(inner.size() + 1, [&](Node node) {
            Nodes to;
            if (node == 0) to = begins;
            else to.assign(inner.successors(node - 1).begin(), inner.successors(node - 1).end());
            for (Node &one : to) ++one;
            return to;
        });
        const SingleEntries single = with_single_entries(graph, roots);
        REQUIRE(LoopForest(single.graph, roots).is_reducible());
        added += single.first.size();
        if (LoopForest(graph, roots).is_reducible()) REQUIRE(single.first.empty());
        for (Node node = 0; node < graph.size(); ++node) {
            const auto old = graph.successors(node), now = single.graph.successors(node);
            REQUIRE(old.size() == now.size());
            for (std::size_t way = 0; way < old.size(); ++way) {
                const bool is_added = single.is_added(now[way]);
                const Nodes entries = is_added ? single.entries_of(now[way]) : Nodes{now[way]};
                REQUIRE(std::ranges::count(entries, old[way]) == 1);
                if (is_added) REQUIRE(std::ranges::count(entries, single.first_of(now[way])) == 1);
            }
        }
    }
    CHECK(added > 100);
}
