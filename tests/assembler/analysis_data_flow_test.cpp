// analysis_data_flow_test.cpp: data flow in both directions, and liveness.
#include <doctest/doctest.h>

#include <bitset>
#include <ostream>

#include "assembler/analysis/data_flow.hpp"
#include "tests/assembler/analysis_graphs.hpp"

using namespace mog;
using namespace mog::test;

namespace {

using Set = std::bitset<4>;
using Sets = std::vector<Set>;

}  // namespace

TEST_CASE("liveness round a loop, and where control leaves") {
    // 0: writes 0, 1. 1: reads 0, writes 2. 2: reads 2, writes 0; to 1 or 3. 3: leaves, where 1 is read. 4: reads 3,
    // not reached.
    const Graph graph(std::vector<Nodes>{{1}, {2}, {1, 3}, {}, {0}});
    const std::vector<Uses<Set>> uses = {{{}, 0b0011}, {0b0001, 0b0100}, {0b0100, 0b0001}, {}, {0b1000, {}}};
    const auto live = solve_liveness<Set>(graph, uses, Sets{0, 0, 0, 0b0010, 0});
    CHECK(live.in == Sets{0, 0b0011, 0b0110, 0b0010, 0b1000});
    CHECK(live.out == Sets{0b0011, 0b0110, 0b0011, 0b0010, 0});
}

TEST_CASE("liveness in an irreducible loop and in one that never ends") {
    // 0 -> 1, 2; 1 <-> 2; 1 reads 0, 2 writes 0; 3 -> 3 reads 1
    const Graph graph(std::vector<Nodes>{{1, 2}, {2}, {1, 3}, {3}});
    const std::vector<Uses<Set>> uses = {{}, {0b0001, {}}, {{}, 0b0001}, {0b0010, {}}};
    const auto live = solve_liveness<Set>(graph, uses);
    CHECK(live.in == Sets{0b0011, 0b0011, 0b0010, 0b0010});
    CHECK(live.out[3] == 0b0010);
}

TEST_CASE("what a node reads after it wrote it is not read by the node") {
    Uses<Set> uses;
    uses.add(0b0001, 0b0010);
    uses.add(0b0110, 0b0001);
    CHECK(uses.read == 0b0101);
    CHECK(uses.written == 0b0011);
    CHECK(live_before<Set>(0b0101, 0b0011, 0b1010) == 0b1101);
}

TEST_CASE("random graphs: a variable is live where a way leads to a node that reads it before one that writes it") {
    Random random(5);
    for (int i = 0; i < random_graphs; ++i) {
        const Graph graph = random_graph(random);
        std::vector<Uses<Set>> uses(graph.size());
        Sets outside(graph.size());
        for (Node node = 0; node < graph.size(); ++node) {
            uses[node] = {random.below(16) & random.below(16), random.below(16) & random.below(16)};
            outside[node] = random.below(16) & random.below(16) & random.below(16);
        }
        const auto live = solve_liveness<Set>(graph, uses, outside);
        for (std::size_t variable = 0; variable < 4; ++variable) {
            // Where the variable goes: edges that leave a node which does not write it.
            const Graph kept(graph.size(), [&](Node node) {
                const auto to = graph.successors(node);
                return uses[node].written[variable] ? Nodes() : Nodes(to.begin(), to.end());
            });
            for (Node node = 0; node < graph.size(); ++node) {
                bool in = false, out = outside[node][variable];
                for (Node reader = 0; reader < graph.size(); ++reader) {
                    const bool reads = uses[reader].read[variable] || (outside[reader][variable] && !uses[reader].written[variable]);
                    in |= reads && is_way(kept, {node}, reader);
                    const auto next = graph.successors(node);
                    out |= reads && is_way(kept, Nodes(next.begin(), next.end()), reader);
                }
                REQUIRE(live.in[node][variable] == in);
                REQUIRE(live.out[node][variable] == out);
            }
        }
    }
}

TEST_CASE("random graphs: forward, the writes that may reach a node") {
    Random random(6);
    for (int i = 0; i < random_graphs; ++i) {
        const Graph graph = random_graph(random);
        // Each node below 16 makes its own fact and takes away those of one other node.
        using Facts = std::bitset<16>;
        std::vector<Node> ends(graph.size());
        for (Node &end : ends) end = random.below(graph.size());
        std::vector<Facts> outside(graph.size());
        outside[random.below(graph.size())].set(15);
        const auto facts = solve_forward<Facts>(
            graph, [&](Node node, Facts in) { return in.reset(ends[node]).set(node); }, outside);
        for (Node from = 0; from < graph.size(); ++from) {
            const Graph kept(graph.size(), [&](Node node) {
                const auto to = graph.successors(node);
                return ends[node] == from && node != from ? Nodes() : Nodes(to.begin(), to.end());
            });
            const auto next = graph.successors(from);
            for (Node to = 0; to < graph.size(); ++to) REQUIRE(facts.in[to][from] == is_way(kept, Nodes(next.begin(), next.end()), to));
        }
        for (Node to = 0; to < graph.size(); ++to)
            for (Node from = 0; from < graph.size(); ++from)
                if (outside[from].test(15)) REQUIRE(facts.in[to].test(15) == is_way(graph, {from}, to));
    }
}
