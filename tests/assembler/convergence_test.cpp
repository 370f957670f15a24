// convergence_test.cpp: graphs of few blocks: through which heads control comes in, and where lanes that stop wait for others.
#include <doctest/doctest.h>

#include <map>

#include "assembler/blocks/convergence.hpp"

using mog::Convergence;

namespace {

using u32 = std::uint32_t;

/// Blocks 0, 1, ... with the blocks that may follow each; those of `out` may also leave.
Convergence of(std::vector<std::vector<u32>> after, std::set<u32> entries, std::set<u32> out = {}, std::set<u32> calls = {},
               bool has_hub = false) {
    Convergence::Graph graph;
    for (u32 b = 0; b < after.size(); b++) graph.blocks.push_back(b);
    graph.entries = std::move(entries);
    graph.successors = [after](u32 b) { return after[b]; };
    graph.leaves = [out, calls](u32 b) { return out.contains(b) || calls.contains(b); };
    graph.calls = [calls](u32 b) { return calls.contains(b); };
    graph.has_hub = has_hub;
    return Convergence(graph);
}

using Led = std::map<u32, u32>;
using Targets = std::set<Convergence::Target>;

Convergence::Place at(u32 block) { return {block}; }
Convergence::Place bottom(u32 head) { return {head, true}; }

}  // namespace

TEST_CASE("a loop is entered by its head, and who stops in it waits where it ends") {
    // 0 -> 1 -> 2 -> 1 or 3
    const Convergence c = of({{1}, {2}, {1, 3}, {}}, {0, 1, 2});
    CHECK(c.way_in(0) == 0);
    CHECK(c.way_in(1) == 1);
    CHECK(c.way_in(2) == 1);
    REQUIRE(c.led_from(1));
    CHECK(*c.led_from(1) == Led{{2, 2}});
    CHECK_FALSE(c.led_from(2));
    CHECK(c.landing(1) == at(3));
    CHECK(c.landing(2) == at(3));
    CHECK(c.is_landing(3));
    CHECK_FALSE(c.landing(0));
    CHECK_FALSE(c.landing(3));
}

TEST_CASE("the head of a loop is where it is entered, not its lowest address") {
    // 0 jumps to the test at the end, 2; 2 -> 1 or 3; 1 -> 2 or, out of the loop early, 3.
    const Convergence c = of({{2}, {2, 3}, {1, 3}, {}}, {0, 1});
    CHECK(c.way_in(1) == 2);
    REQUIRE(c.led_from(2));
    CHECK(*c.led_from(2) == Led{{1, 1}});
    CHECK(c.landing(1) == at(3));
    CHECK(c.landing(2) == at(3));
}

TEST_CASE("loops within loops: from head to head, and from end to end") {
    // 1 { 2 { 3 } 4 } 5
    const Convergence c = of({{1}, {2}, {3}, {3, 4}, {1, 5}, {}}, {0, 3, 4});
    CHECK(c.way_in(3) == 1);
    CHECK(c.way_in(4) == 1);
    REQUIRE(c.led_from(1));
    CHECK(*c.led_from(1) == Led{{3, 3}, {4, 4}});
    CHECK(c.landing(3) == at(4));  // itself, then where it ends
    CHECK(c.landing(4) == at(5));
    CHECK(c.landing(2) == at(4));  // where those join who are led from 1
    CHECK_FALSE(c.landing(5));

    // The inner loop has a body of two, entered in the middle.
    const Convergence d = of({{1}, {2}, {3}, {2, 4}, {1, 5}, {}}, {0, 3});
    CHECK(d.way_in(3) == 1);
    CHECK(*d.led_from(1) == Led{{3, 2}});
    CHECK(*d.led_from(2) == Led{{3, 3}});
}

TEST_CASE("the sides of an if join") {
    const Convergence c = of({{1, 2}, {3}, {3}, {}}, {0});
    CHECK(c.landing(1) == at(3));
    CHECK(c.landing(2) == at(3));
    CHECK_FALSE(c.landing(0));
    CHECK(c.is_landing(3));
    // Within a loop: first where the if ends, then where the loop ends.
    const Convergence d = of({{1, 2}, {3}, {3}, {0, 4}, {}}, {0});
    CHECK(d.landing(1) == at(3));
    CHECK(d.landing(3) == at(4));
    CHECK(d.landing(0) == at(4));
}

TEST_CASE("where ways lead out of the group, lanes join at its end alone") {
    const Convergence c = of({{1}, {2}, {1, 3}, {}}, {0}, {1});
    CHECK_FALSE(c.landing(1));
    CHECK_FALSE(c.landing(2));
    CHECK_FALSE(c.is_landing(3));
}

TEST_CASE("a loop with two ways in stays as it is, and one without an end is no trouble") {
    const Convergence c = of({{1, 2}, {2}, {1, 3}, {}}, {0, 1});
    CHECK(c.way_in(1) == 1);
    CHECK_FALSE(c.leads());
    const Convergence d = of({{1}, {2}, {1}}, {0, 2});
    CHECK(d.way_in(2) == 1);
    CHECK_FALSE(d.landing(2));
}

TEST_CASE("sides that go round a loop by ways of their own, and leave it so, come together at its bottom") {
    // 0 { 1 or 2; each goes round or to 3 }, as collatz has it: without one, sides would meet at 3.
    const Convergence c = of({{1, 2}, {0, 3}, {0, 3}, {}}, {0});
    REQUIRE(c.bottoms().size() == 1);
    CHECK(c.bottoms().at(0) == Targets{0, 3});
    CHECK(c.by_bottom(at(1), 0) == 0);
    CHECK(c.by_bottom(at(2), 3) == 0);
    CHECK_FALSE(c.by_bottom(at(0), 1));
    CHECK_FALSE(c.by_bottom(bottom(0), 0));
    CHECK_FALSE(c.by_bottom(bottom(0), 3));
    CHECK_FALSE(c.by_bottom(at(1), 0, [](u32 head) { return head == 0; }));
    CHECK(c.landing(1) == bottom(0));
    CHECK(c.landing(bottom(0)) == at(3));
    CHECK(c.is_landing(bottom(0)));
    CHECK_FALSE(c.is_landing(0));
}

TEST_CASE("a loop whose sides meet in it has no bottom, nor has one with several ways in") {
    CHECK(of({{1, 2}, {3}, {3}, {0, 4}, {}}, {0}).bottoms().empty());
    CHECK(of({{1}, {1, 2}, {}}, {0}).bottoms().empty());
    // Its head decides whether it is left: one side goes on in it.
    CHECK(of({{1, 2}, {0}, {}}, {0}).bottoms().empty());
    // 1 and 2 are both entered from 0.
    CHECK(of({{1, 2}, {2, 3}, {1, 3}, {}}, {0}).bottoms().empty());
}

TEST_CASE("who leaves two loops at once passes the bottoms of both; who leaves the group, too") {
    // 0 { 1 { 2 or 3; each goes round, or to 4, or away } 4 } 5; 2 goes to 5, and 3 out of the group.
    const Convergence c = of({{1}, {2, 3}, {1, 4, 5}, {1, 4}, {0, 5}, {}}, {0}, {3});
    REQUIRE(c.bottoms().size() == 2);
    CHECK(c.bottoms().at(1) == Targets{std::nullopt, 1, 4, 5});
    CHECK(c.bottoms().at(0) == Targets{std::nullopt, 0, 5});
    CHECK(c.by_bottom(at(2), 5) == 1);
    CHECK(c.by_bottom(bottom(1), 5) == 0);
    CHECK(c.by_bottom(bottom(1), std::nullopt) == 0);
    CHECK_FALSE(c.by_bottom(bottom(0), 5));
    CHECK_FALSE(c.by_bottom(bottom(1), 4));
    CHECK(c.by_bottom(at(4), 0) == 0);
    // A copy of the inner loop is left by the outer one's bottom.
    CHECK(c.by_bottom(at(2), 5, [](u32 head) { return head == 1; }) == 0);
    CHECK(c.landing(2) == bottom(1));
    CHECK(c.landing(4) == bottom(0));
}

TEST_CASE("a loop with a call in it is one loop, entered by its head also by who comes back from the call") {
    // 0 -> 1 { 1 or 2, which calls; 3, behind the call, goes round or to 4 }
    const Convergence c = of({{1}, {2, 3}, {3}, {1, 4}, {}}, {0, 3}, {}, {2});
    CHECK(c.way_in(3) == 1);
    REQUIRE(c.led_from(1));
    CHECK(*c.led_from(1) == Led{{3, 3}});
    // Who calls leaves the loop for that, by its bottom, where those meet who go on.
    CHECK(c.bottoms().at(1) == Targets{std::nullopt, 1, 4});
    CHECK(c.by_bottom(at(2), std::nullopt) == 1);
    CHECK(c.landing(2) == bottom(1));
    CHECK_FALSE(c.landing(bottom(1)));
}

TEST_CASE("calls, returns and ways out meet at the hub, and so does who stops and waits for nobody nearer") {
    // A function, 0 { 1 or 2, which calls it; 3, behind the call, goes round or to 4, which returns }, and one that calls it, 5 and 6.
    const std::vector<std::vector<u32>> after = {{1, 2}, {3}, {3}, {0, 4}, {}, {6}, {}};
    const Convergence c = of(after, {3, 5, 6}, {4, 6}, {2, 5}, true);
    CHECK(c.way_in(3) == 0);
    CHECK(c.bottoms().at(0) == Targets{std::nullopt, 0, 4});
    CHECK(c.by_bottom(at(2), std::nullopt) == 0);
    CHECK_FALSE(c.by_bottom(at(4), std::nullopt));
    const Convergence::Place hub = Convergence::hub();
    CHECK(c.landing(2) == bottom(0));
    CHECK(c.landing(3) == bottom(0));  // it is led there by the head
    CHECK(c.landing(bottom(0)) == hub);
    CHECK(c.landing(5) == hub);
    CHECK_FALSE(c.landing(hub));
    // Without one, those who wait for nobody nearer do so at the end.
    CHECK_FALSE(of(after, {3, 5, 6}, {4, 6}, {2, 5}).landing(5));
}
