// analysis_graph_test.cpp: graphs, walks over them, strongly connected components.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "tests/assembler/analysis_graphs.hpp"

using namespace mog;
using namespace mog::test;

namespace {

Nodes list(std::span<const Node> nodes) { return {nodes.begin(), nodes.end()}; }

}  // namespace

TEST_CASE("a graph knows both ends of its edges") {
    const Graph graph(std::vector<Nodes>{{2, 1}, {1, 2}, {}, {0, 0}});
    CHECK(graph.size() == 4);
    CHECK(list(graph.successors(0)) == Nodes{2, 1});
    CHECK(list(graph.predecessors(2)) == Nodes{0, 1});
    CHECK(list(graph.predecessors(1)) == Nodes{0, 1});
    CHECK(list(graph.predecessors(0)) == Nodes{3, 3});
    CHECK(graph.predecessors(3).empty());
    const Graph back = graph.reversed();
    CHECK(list(back.successors(2)) == Nodes{0, 1});
    CHECK(list(back.predecessors(2)).empty());
    CHECK(list(back.predecessors(0)) == Nodes{1, 2});
    CHECK(Graph().size() == 0);
}

TEST_CASE("a walk takes successors in order, and what no root leads to is not in it") {
    const Graph graph(std::vector<Nodes>{{1, 2}, {3}, {3}, {1}, {0}});
    CHECK(post_order(graph, Nodes{0}) == Nodes{3, 1, 2, 0});
    CHECK(post_order(graph) == Nodes{3, 1, 2, 0, 4});
    CHECK(post_order(graph, Nodes{3, 4}) == Nodes{1, 3, 2, 0, 4});
    CHECK(reached_from(graph, Nodes{1}) == std::vector<bool>{false, true, false, true, false});
}

TEST_CASE("components come after those that they lead to") {
    // 0 <-> 1 -> 2 -> 3 <-> 4, 2 -> 2, 5 alone
    const Graph graph(std::vector<Nodes>{{1}, {0, 2}, {2, 3}, {4}, {3}, {}});
    CHECK(strong_components(graph) == std::vector<Nodes>{{3, 4}, {2}, {0, 1}, {5}});
    std::vector<std::uint32_t> scratch(graph.size());
    CHECK(strong_components(graph, Nodes{1, 2, 3}, scratch) == std::vector<Nodes>{{3}, {2}, {1}});
    CHECK(scratch == std::vector<std::uint32_t>(graph.size()));
}

TEST_CASE("a way of a million nodes is no deeper than others") {
    const Node size = 1'000'000;
    const Graph graph(size, [](Node node) { return node + 1 < size ? Nodes{node + 1} : Nodes{}; });
    CHECK(post_order(graph).front() == size - 1);
    CHECK(strong_components(graph).size() == size);
}

TEST_CASE("random graphs: predecessors, reach and components are what trying all ways finds") {
    Random random(1);
    for (int i = 0; i < random_graphs; ++i) {
        const Graph graph = random_graph(random);
        for (Node a = 0; a < graph.size(); ++a)
            for (Node b = 0; b < graph.size(); ++b)
                REQUIRE(std::ranges::count(graph.successors(a), b) == std::ranges::count(graph.predecessors(b), a));
        const Nodes roots = random_nodes(graph, random);
        const std::vector<bool> reached = reached_from(graph, roots);
        const Nodes order = post_order(graph, roots);
        for (Node node = 0; node < graph.size(); ++node) {
            REQUIRE(reached[node] == is_way(graph, roots, node));
            REQUIRE(std::ranges::count(order, node) == (reached[node] ? 1 : 0));
        }
        std::vector<std::size_t> component_of(graph.size(), 1000);
        const auto components = strong_components(graph);
        for (std::size_t c = 0; c < components.size(); ++c)
            for (const Node node : components[c]) component_of[node] = c;
        for (Node a = 0; a < graph.size(); ++a) {
            REQUIRE(component_of[a] < components.size());
            for (Node b = 0; b < graph.size(); ++b) {
                REQUIRE((component_of[a] == component_of[b]) == (is_way(graph, {a}, b) && is_way(graph, {b}, a)));
                if (is_way(graph, {a}, b)) REQUIRE(component_of[b] <= component_of[a]);
            }
        }
    }
}
