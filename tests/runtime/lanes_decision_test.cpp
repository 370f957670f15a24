// lanes_decision_test.cpp: when a run has code compiled for lanes, by what went by and where its PEs stand.
#include <doctest/doctest.h>

#include "runtime_host/devices/host/host_lanes.hpp"

using namespace mog;

namespace {

/// The seconds in blocks after which it is due, with PEs so close together; none: not in 100.
std::optional<double> due(std::optional<EngineVerdict> known, double cost, double together) {
    LanesDecision decision(known, cost);
    while (decision.spent() < 100) {
        decision.ran(0.01, [&] { return together; });
        if (decision.is_due()) return decision.spent();
    }
    return {};
}

}  // namespace

TEST_CASE("PEs that mostly stand together have lanes when about as much time has gone by as those cost") {
    const auto soon = due({}, 2, 0.6);
    REQUIRE(soon);
    CHECK(*soon >= 2);
    CHECK(*soon < 2.5);
    CHECK(*due({}, 0.5, 0.6) < *soon);
}

TEST_CASE("where all do, lanes win so much that they are begun when a third of it has gone by") {
    const auto sooner = due({}, 2, 0.9);
    REQUIRE(sooner);
    CHECK(*sooner >= 0.5);
    CHECK(*sooner < 0.8);
}

TEST_CASE("of PEs that do not, only a long run asks whether lanes win all the same") {
    const auto late = due({}, 2, 0.2);
    REQUIRE(late);
    CHECK(*late >= 16);
    CHECK(*late < 17);
}

TEST_CASE("what an earlier run has found counts for more than where PEs are") {
    CHECK(*due(EngineVerdict{HostEngine::lanes, 3}, 2, 0.1) < 2.1);
    CHECK_FALSE(due(EngineVerdict{HostEngine::blocks, 3}, 2, 1));
    // A verdict that is not clear is none.
    CHECK(*due(EngineVerdict{HostEngine::blocks, 1.1}, 2, 1) < 2.5);
}

TEST_CASE("the reason for having none") {
    LanesDecision brief({}, 2);
    brief.ran(0.1, [] { return 1.0; });
    CHECK(brief.reason() == "too short a run to compile for lanes");
    LanesDecision apart({}, 2);
    for (int i = 0; i < 10; i++) apart.ran(0.5, [] { return 0.25; });
    CHECK(apart.reason() == "25 % of the PEs of a warp were in one place, too few to compile for lanes yet");
    LanesDecision slow(EngineVerdict{HostEngine::blocks, 2}, 2);
    CHECK(slow.reason() == "blocks were faster in an earlier run");
}
