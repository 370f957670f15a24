// analysis_data_flow_test.cpp: data flow in both directions, and liveness.
#include <doctest/doctest.h>

#include <array>
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

namespace {

using Code = std::vector<Step<Set>>;
auto by_node(const std::vector<Code> &steps) {
    return [&steps](Node node) -> const Code & { return steps[node]; };
}

}  // namespace

TEST_CASE("what only feeds itself is live, but not strongly") {
    // 0 writes variables 0 to 3; in the loop 1 variable 0 feeds itself, 1 and 2 feed each other, and 3 feeds itself and is stored;
    // 2 leaves.
    const Graph graph(std::vector<Nodes>{{1}, {1, 2}, {}});
    const std::vector<Code> steps = {
        {{{}, 0b1111, false}},
        {{0b0001, 0b0001, false}, {0b0010, 0b0100, false}, {0b0100, 0b0010, false}, {0b1000, 0b1000, false}, {0b1000, {}, true}},
        {}};
    CHECK(solve_strong_liveness<Set>(graph, by_node(steps)).in == Sets{0, 0b1000, 0});
    // Of those who read what is read outside, each is wanted.
    CHECK(solve_strong_liveness<Set>(graph, by_node(steps), Sets{0, 0, 0b0010}).in == Sets{0, 0b1010, 0b0010});
    CHECK(!steps[1][0].is_wanted(0b1000));
    CHECK(steps[1][3].is_wanted(0b1000));
    CHECK(steps[1][4].is_wanted(0));
}

TEST_CASE("random graphs: strongly live is what a way of values leads from to an instruction that matters") {
    Random random(7);
    for (int i = 0; i < random_graphs; ++i) {
        const Graph graph = random_graph(random);
        std::vector<Code> steps(graph.size());
        Sets outside(graph.size());
        for (Node node = 0; node < graph.size(); ++node) {
            for (std::uint32_t count = random.below(4); count != 0; --count) {
                const Set read = random.below(16) & random.below(16), written = 1u << random.below(4);
                steps[node].push_back({read, random.below(8) ? written : Set(), random.below(8) == 0});
            }
            outside[node] = random.below(16) & random.below(16) & random.below(16);
        }
        const auto live = solve_strong_liveness<Set>(graph, by_node(steps), outside);
        // A node for each variable before each instruction and at the end of each of the graph's nodes; from one to what it is
        // part of, and to `matters` where it is seen.
        std::vector<Node> first(graph.size() + 1);
        for (Node node = 0; node < graph.size(); ++node) first[node + 1] = first[node] + 4 * (static_cast<Node>(steps[node].size()) + 1);
        const Node matters = first.back();
        std::vector<Nodes> flows(matters + 1);
        for (Node node = 0; node < graph.size(); ++node) {
            const Node end = first[node + 1] - 4;
            for (Node variable = 0; variable < 4; ++variable) {
                for (Node step = 0; step < steps[node].size(); ++step) {
                    const Step<Set> &what = steps[node][step];
                    Nodes &to = flows[first[node] + 4 * step + variable];
                    if (what.read[variable] && what.matters) to.push_back(matters);
                    for (Node other = 0; other < 4; ++other)
                        if (what.read[variable] && what.written[other]) to.push_back(first[node] + 4 * (step + 1) + other);
                    if (!what.written[variable]) to.push_back(first[node] + 4 * (step + 1) + variable);
                }
                if (outside[node][variable]) flows[end + variable].push_back(matters);
                for (const Node next : graph.successors(node)) flows[end + variable].push_back(first[next] + variable);
            }
        }
        const Graph values(flows);
        for (Node node = 0; node < graph.size(); ++node)
            for (Node variable = 0; variable < 4; ++variable) {
                REQUIRE(live.in[node][variable] == is_way(values, {first[node] + variable}, matters));
                REQUIRE(live.out[node][variable] == is_way(values, {first[node + 1] - 4 + variable}, matters));
            }
    }
}

TEST_CASE("random graphs: without unwanted instructions, those that matter see the same") {
    Random random(8);
    for (int i = 0; i < random_graphs; ++i) {
        const Graph graph = random_graph(random);
        std::vector<Code> steps(graph.size());
        for (Code &code : steps)
            for (std::uint32_t count = random.below(5); count != 0; --count)
                code.push_back({random.below(16) & random.below(16), 1u << random.below(4), random.below(6) == 0});
        const Sets live_at_end = solve_strong_liveness<Set>(graph, by_node(steps)).out;
        std::vector<std::vector<bool>> wanted(graph.size());
        for (Node node = 0; node < graph.size(); ++node) {
            Set live = live_at_end[node];
            wanted[node].resize(steps[node].size());
            for (std::size_t step = steps[node].size(); step-- > 0;) {
                wanted[node][step] = steps[node][step].is_wanted(live);
                steps[node][step].go_before(live);
            }
        }
        // The same walk with and without them. What is written depends on all that is read, and on who writes.
        std::array<std::uint32_t, 4> whole = {1, 2, 3, 4}, reduced = whole;
        Node node = 0;
        for (int walked = 0; walked < 30; ++walked) {
            for (std::size_t step = 0; step < steps[node].size(); ++step) {
                const Step<Set> &what = steps[node][step];
                const auto execute = [&](std::array<std::uint32_t, 4> &variables) {
                    std::uint32_t value = node * 8 + static_cast<std::uint32_t>(step);
                    for (std::size_t variable = 0; variable < 4; ++variable)
                        if (what.read[variable]) value = value * 31 + variables[variable];
                    for (std::size_t variable = 0; variable < 4; ++variable)
                        if (what.written[variable]) variables[variable] = value;
                    return value;
                };
                const std::uint32_t value = execute(whole);
                if (!wanted[node][step]) continue;
                const std::uint32_t value_there = execute(reduced);
                if (what.matters) REQUIRE(value_there == value);
            }
            if (graph.successors(node).empty()) break;
            node = graph.successors(node)[random.below(static_cast<std::uint32_t>(graph.successors(node).size()))];
        }
    }
}
