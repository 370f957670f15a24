// lanes_decision_test.cpp: when a run has code compiled for lanes, by what went by and where its PEs stand.
#include <doctest/doctest.h>

#include "runtime_host/devices/host/host_lanes.hpp"

using namespace mog;

namespace {

/// The seconds in blocks after which it is due, with PEs so close together; none: not in 100.
std::optional<double> due(std::optional<EngineVerdict> known, double cost, double together, unsigned cores = 1,
                          UnfinishedLanes unfinished = {}) {
    LanesDecision decision(known, cost, cores, unfinished);
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
    // One that is not clear is a reason to wait for a long run.
    CHECK(*due(EngineVerdict{HostEngine::blocks, 1.1}, 2, 1) >= 16);
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

TEST_CASE("a run that ended before its lanes were compiled has the next one begin at once, or not before it has lasted longer") {
    // On two cores, of which the compiler has a third beside two that run PEs, these have spent four seconds when its two are over.
    CHECK(*due({}, 2, 0.6, 2, {1, 4.5}) < 0.1);
    const auto later = due({}, 2, 0.9, 2, {1, 3.5});
    REQUIRE(later);
    CHECK(*later > 3.5);
    CHECK(*later < 4);
    // Where it was begun at once and was not done all the same, a run has to be longer still.
    CHECK(*due({}, 2, 0.6, 2, {2, 4.5}) > 4.5);
    CHECK(*due({}, 2, 0.6, 2, {2, 8.5}) < 0.1);

    LanesDecision decision({}, 2, 2, {1, 3.5});
    decision.ran(3, [] { return 0.9; });
    CHECK_FALSE(decision.is_due());
    CHECK(decision.reason().find("as short a run as the last") == 0);
    CHECK(decision.unfinished().runs == 2);
    CHECK(decision.unfinished().seconds == 3);
}
