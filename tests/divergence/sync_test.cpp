// sync_test.cpp: regions, joins and meetings, against their definitions by trying all ways.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "assembler/divergence/sync.hpp"
#include "tests/assembler/analysis_graphs.hpp"

using namespace mog;
using namespace mog::test;
using divergence::Parting;
using divergence::SyncDependence;

namespace {

constexpr Node entry[] = {0};

/// A way out of `parts`: where it begins there, what it passes, where it ends.
struct Way {
    Node source;
    Nodes passes;
    Node end;
};

/// All simple ways that leave `parts` and pass neither those nor `stop`.
std::vector<Way> ways_from(const Graph &graph, const Nodes &parts, Node stop, bool is_loop) {
    std::vector<Way> ways, open;
    const auto is_part = [&](Node node) { return std::ranges::count(parts, node) != 0; };
    for (const Node source : parts)
        for (const Node to : graph.successors(source))
            if (!is_loop || !is_part(to)) open.push_back({source, {}, to});
    while (!open.empty()) {
        const Way way = open.back();
        open.pop_back();
        ways.push_back(way);
        if (is_part(way.end) || way.end == stop) continue;
        for (const Node to : graph.successors(way.end)) {
            if (std::ranges::count(way.passes, to) != 0 || to == way.end) continue;
            Way longer = way;
            longer.passes.push_back(way.end);
            longer.end = to;
            open.push_back(longer);
        }
    }
    return ways;
}

/// Nodes in which two ways end that have no node in common but that one; two edges of one node are one way.
std::set<Node> joins_of(const Graph &graph, const Nodes &parts, Node stop, bool is_loop) {
    const std::vector<Way> ways = ways_from(graph, parts, stop, is_loop);
    std::set<Node> joins;
    for (const Way &a : ways)
        for (const Way &b : ways) {
            if (a.end != b.end || joins.contains(a.end)) continue;
            const bool is_one = a.passes.empty() && b.passes.empty() && a.source == b.source;
            const auto in_b = [&](Node node) { return std::ranges::count(b.passes, node) != 0; };
            if (!is_one && std::ranges::none_of(a.passes, in_b)) joins.insert(a.end);
        }
    return joins;
}

bool is_temporal(SyncDependence &sync, const Parting &parting, Node defined, Node at) {
    SyncDependence::Readings readings = sync.readings_of(parting, defined);
    return sync.is_temporal(readings, at);
}

Nodes sorted(Nodes nodes) {
    std::ranges::sort(nodes);
    return nodes;
}

}  // namespace

TEST_CASE("the end of a region, and the join in it") {
    // 0 -> 1; 1 -> 2, 3; 2 -> 4; 3 -> 4
    const Graph graph(std::vector<Nodes>{{1}, {2, 3}, {4}, {4}, {}});
    const DominatorTree tree(graph, entry);
    const Parting parting = SyncDependence(graph, tree).part(1);
    CHECK(parting.end == 4);
    CHECK(sorted(parting.region) == Nodes{2, 3});
    CHECK(parting.joins == Nodes{4});
    CHECK(parting.again.empty());
}

TEST_CASE("an unstructured branch has joins before its region ends") {
    // 1 -> 2, 3; 2 -> 4, 5; 3 -> 4; 4 -> 6; 5 -> 6: lanes may meet in 4, which post-dominates neither.
    const Graph graph(std::vector<Nodes>{{1}, {2, 3}, {4, 5}, {4}, {6}, {6}, {}});
    const DominatorTree tree(graph, entry);
    SyncDependence sync(graph, tree);
    CHECK(sync.part(1).end == 6);
    CHECK(sync.part(1).joins == Nodes{4, 6});
    CHECK(sync.part(2).joins == Nodes{6});
}

TEST_CASE("a loop that is left in different rounds") {
    // 1 is the header: -> 2, 3; 2 -> 1; behind it 3
    const Graph graph(std::vector<Nodes>{{1}, {2, 3}, {1}, {}});
    const DominatorTree tree(graph, entry);
    SyncDependence sync(graph, tree);
    const Parting parting = sync.part(1);
    CHECK(parting.end == 3);
    CHECK(sorted(parting.region) == Nodes{1, 2});
    CHECK(parting.joins.empty());
    CHECK(parting.again == Nodes{1});
    CHECK(parting.meetings == Nodes{3});
    CHECK(is_temporal(sync, parting, 1, 3));
    CHECK_FALSE(is_temporal(sync, parting, 1, 2));
}

TEST_CASE("lanes that go round while others wait, inside the loop") {
    // 1 defines, 2 parts: -> 1 again, or 3, which goes back to 1 or leaves to 4. Whoever waits in 3 has an older value of 1.
    const Graph graph(std::vector<Nodes>{{1}, {2}, {1, 3}, {1, 4}, {}});
    const DominatorTree tree(graph, entry);
    SyncDependence sync(graph, tree);
    const Parting parting = sync.part(2);
    CHECK(parting.end == 3);
    CHECK(is_temporal(sync, parting, 1, 3));
    CHECK_FALSE(is_temporal(sync, parting, 1, 2));
}

TEST_CASE("lanes that leave a loop by several edges meet with what each brought") {
    // The loop 1, 2, 3, 4; 2 parts lanes (-> 4, 3), 3 and 4 leave to 5 and 6, which meet in 7.
    const Graph graph(std::vector<Nodes>{{1}, {2, 7}, {4, 3}, {4, 5}, {1, 6}, {7}, {7}, {}});
    const DominatorTree tree(graph, entry);
    const Parting parting = SyncDependence(graph, tree).part(2);
    CHECK(parting.end == 7);
    CHECK(std::ranges::count(parting.joins, 7u) == 1);
    CHECK(std::ranges::count(parting.meetings, 5u) == 1);
    CHECK(std::ranges::count(parting.meetings, 6u) == 1);
}

TEST_CASE("an irreducible loop, and one without end") {
    // 1 -> 2, 3; 2 -> 3; 3 -> 2, 4
    const Graph crossed(std::vector<Nodes>{{1}, {2, 3}, {3}, {2, 4}, {}});
    const DominatorTree tree(crossed, entry);
    SyncDependence sync(crossed, tree);
    CHECK(sync.part(1).end == 3);
    CHECK(sync.part(1).joins == Nodes{3});
    CHECK(sync.part(3).end == 4);
    const Graph endless(std::vector<Nodes>{{1}, {2, 3}, {2}, {}});
    const DominatorTree endless_tree(endless, entry);
    CHECK(SyncDependence(endless, endless_tree).part(1).end == Parting::nowhere);
}

TEST_CASE("random graphs: joins are where two ways end that meet nowhere else") {
    Random random(7);
    std::size_t partings = 0, joins = 0, irreducible = 0, temporal = 0;
    for (int i = 0; i < 4 * random_graphs; ++i) {
        const Graph graph = random_graph(random);
        const DominatorTree tree(graph, entry);
        SyncDependence sync(graph, tree);
        for (Node branch = 0; branch < graph.size(); ++branch) {
            if (!tree.is_reached(branch) || graph.successors(branch).size() < 2) continue;
            const Parting parting = sync.part(branch);
            ++partings;
            std::set<Node> wanted = joins_of(graph, {branch}, parting.end, false);
            std::set<Node> meetings;
            if (parting.end != Parting::nowhere) meetings.insert(parting.end);
            const LoopForest &loops = sync.loops();
            for (std::uint32_t l = loops.innermost(branch); l != LoopForest::none; l = loops.loops()[l].parent) {
                const Nodes &nodes = loops.loops()[l].nodes;
                for (const Node from : parting.region)
                    for (const Node to : graph.successors(from))
                        if (loops.contains(l, from) && !loops.contains(l, to)) meetings.insert(to);
                if (parting.end != Parting::nowhere && loops.contains(l, parting.end)) continue;
                const std::set<Node> more = joins_of(graph, nodes, parting.end, nodes.size() > 1);
                wanted.insert(more.begin(), more.end());
                irreducible += !loops.loops()[l].is_reducible();
            }
            if (!loops.is_reducible()) meetings.insert(wanted.begin(), wanted.end());
            REQUIRE(std::set<Node>(parting.joins.begin(), parting.joins.end()) == wanted);
            REQUIRE(std::set<Node>(parting.meetings.begin(), parting.meetings.end()) == meetings);
            joins += wanted.size();
            for (Node node = 0; node < graph.size(); ++node) {
                const auto after = graph.successors(branch);
                const Nodes begins(after.begin(), after.end());
                const bool inside = node != parting.end && is_way(graph, begins, node, parting.end);
                REQUIRE(inside == (std::ranges::count(parting.region, node) == 1));
                REQUIRE((inside && tree.dominates(node, branch)) == (std::ranges::count(parting.again, node) == 1));
            }
            for (const Node defined : parting.again)
                for (Node at = 0; at < graph.size(); ++at) {
                    if (!tree.dominates(defined, at) || at == defined) continue;
                    bool wanted_temporal = false;
                    for (const Node meeting : meetings)
                        wanted_temporal |= meeting != defined && tree.dominates(defined, meeting) && is_way(graph, {meeting}, at, defined);
                    REQUIRE(is_temporal(sync, parting, defined, at) == wanted_temporal);
                    temporal += wanted_temporal;
                }
        }
    }
    CHECK(partings > 3000);
    CHECK(joins > 2000);
    CHECK(irreducible > 50);
    CHECK(temporal > 100);
}
