// engine_choice_test.cpp: what trials lead to, on an imagined machine whose engines have known speeds.
#include <doctest/doctest.h>

#include "runtime_host/devices/host/engine_choice.hpp"

using namespace mog;

namespace {

struct Machine {
    unsigned cores = 2;
    EngineChoice::Load load{256, 16};
    double blocks = 4e9;     ///< instructions of a PE for a second of a core
    double lanes = 2e9;      ///< of a warp
    double occupancy = 1;    ///< PEs of a warp that take part in one, of those that run
    double laying = 100e-6;  ///< seconds, for a warp
    EngineChoice choice{cores};
    double spent = 0, tried = 0, laid = 0;  ///< seconds of cores
    std::uint32_t in_other = 0;             ///< warps whose memory lies for the other engine than the first

    void run(HostEngine engine, EngineChoice::Load some, std::uint32_t passes, bool trial) {
        double seconds = 0, instructions = 0;
        if (engine == HostEngine::blocks) {
            instructions = double(passes) * some.pes;
            seconds = instructions / blocks;
        } else {
            seconds = double(passes) * some.warps / lanes;
            instructions = double(passes) * some.pes * occupancy;
        }
        choice.ran(engine, some, passes, instructions, seconds);
        spent += seconds;
        if (trial) tried += seconds;
    }

    /// As host_device.cpp does, until so many seconds of cores are spent.
    void run_until(double end) {
        while (spent < end) {
            choice.begin_round(load, [&] { return laying; });
            const std::uint32_t sample = choice.trying() ? choice.sample(load.warps) : 0;
            const std::uint32_t in_lanes = choice.engine() == HostEngine::lanes ? load.warps - sample : sample;
            const std::uint32_t moved = in_lanes > in_other ? in_lanes - in_other : in_other - in_lanes;
            if (moved) choice.laid(moved * laying), laid += moved * laying, spent += moved * laying;
            in_other = in_lanes;
            const EngineChoice::Load few{load.pes / load.warps * sample, sample}, others{load.pes - few.pes, load.warps - sample};
            const std::uint32_t passes = choice.passes(few, others, 1'000'000);
            if (sample) run(choice.other(), few, passes, true);
            if (sample < load.warps) run(choice.engine(), others, passes, false);
        }
    }
};

}  // namespace

TEST_CASE("a short program runs without a trial") {
    Machine machine;
    machine.run_until(0.005);
    CHECK(machine.choice.engine() == HostEngine::blocks);
    CHECK(machine.tried == 0);
    CHECK(machine.choice.report().trials == 0);
    CHECK(machine.choice.report().reason == "it ended before blocks and lanes were compared");
}

TEST_CASE("a program of many warps begins with the first trial, for which nothing is laid anew") {
    for (const double occupancy : {0.05, 1.0}) {
        Machine machine;
        machine.occupancy = occupancy;
        machine.in_other = machine.choice.begin(machine.load);
        CHECK(machine.in_other == 2);
        machine.run_until(0.001);
        CHECK(machine.laid == 0);
        CHECK(machine.tried > 0);
        for (double end = 0; machine.choice.report().trials == 0 && end < 0.1; end += 0.001) machine.run_until(end);
        CHECK(machine.choice.engine() == (occupancy == 1 ? HostEngine::lanes : HostEngine::blocks));
        machine.run_until(machine.spent + 1e-9);
        CHECK(machine.choice.report().trials == 1);
        // Either the sample or all others were laid anew, once.
        CHECK(machine.laid == doctest::Approx((occupancy == 1 ? 14 : 2) * machine.laying));
        CHECK(machine.tried < 0.006);
    }
}

TEST_CASE("what was picked in the last run begins, and changes if it is worse now") {
    for (const double occupancy : {0.05, 1.0}) {
        Machine machine;
        machine.occupancy = occupancy;
        machine.choice = EngineChoice(machine.cores, EngineVerdict{HostEngine::lanes, 1.1});
        CHECK(machine.choice.engine() == HostEngine::lanes);
        CHECK(machine.choice.report().reason == "as in the last run; it ended before blocks and lanes were compared");
        machine.in_other = machine.load.warps - machine.choice.begin(machine.load);
        CHECK(machine.in_other == 14);
        for (double end = 0; !machine.choice.verdict() && end < 0.1; end += 0.001) machine.run_until(end);
        CHECK(machine.choice.verdict());
        CHECK(machine.choice.engine() == (occupancy == 1 ? HostEngine::lanes : HostEngine::blocks));
    }
}

TEST_CASE("what was much faster in the last run has no trial soon, but has one") {
    for (const double occupancy : {0.05, 1.0}) {
        Machine machine;
        machine.occupancy = occupancy;
        machine.choice = EngineChoice(machine.cores, EngineVerdict{HostEngine::lanes, 1.5});
        CHECK(machine.choice.begin(machine.load) == 0);
        machine.in_other = machine.load.warps;
        machine.run_until(0.4);
        CHECK(machine.tried == 0);
        machine.run_until(3);
        CHECK(machine.tried > 0);
        CHECK(machine.choice.engine() == (occupancy == 1 ? HostEngine::lanes : HostEngine::blocks));
    }
}

TEST_CASE("the verdict is what was faster, also where a change did not pay") {
    Machine machine;
    machine.occupancy = 0.15;  // 4.8 G/s in lanes, 4 in blocks
    machine.laying = 1;
    machine.in_other = machine.choice.begin(machine.load);
    machine.run_until(1);
    CHECK(machine.choice.engine() == HostEngine::blocks);
    REQUIRE(machine.choice.verdict());
    CHECK(machine.choice.verdict()->engine == HostEngine::lanes);
    CHECK(machine.choice.verdict()->times == doctest::Approx(1.2).epsilon(0.01));
}

TEST_CASE("a beginning that tells little is not a decision") {
    Machine machine;
    machine.in_other = machine.choice.begin(machine.load);
    machine.occupancy = 0.05;
    machine.run_until(0.015);
    machine.occupancy = 1;
    machine.run_until(0.05);
    CHECK(machine.choice.engine() == HostEngine::lanes);
    CHECK(machine.choice.report().trials == 1);
}

TEST_CASE("two warps on two cores cannot begin with a trial") {
    EngineChoice choice(2);
    CHECK(choice.begin({32, 2}) == 0);
    CHECK(!choice.trying());
}

TEST_CASE("lanes are picked soon where they are faster") {
    Machine machine;
    machine.run_until(0.05);
    CHECK(machine.choice.engine() == HostEngine::lanes);
    CHECK(machine.choice.report().engine == "lanes");
    CHECK(machine.choice.report().trials == 1);
}

TEST_CASE("where blocks are faster they stay, and trials cost little") {
    for (const double occupancy : {0.05, 0.1}) {
        Machine machine;
        machine.occupancy = occupancy;
        machine.run_until(10);
        CHECK(machine.choice.engine() == HostEngine::blocks);
        CHECK(machine.choice.report().trials > 3);
        CHECK(machine.tried < 0.03 * machine.spent);
        CHECK(machine.laid < 0.04 * machine.spent);
    }
}

TEST_CASE("a program may change its ways") {
    Machine machine;
    machine.run_until(1);
    CHECK(machine.choice.engine() == HostEngine::lanes);
    machine.occupancy = 0.05;
    machine.run_until(5);
    CHECK(machine.choice.engine() == HostEngine::blocks);
    machine.occupancy = 1;
    machine.run_until(20);
    CHECK(machine.choice.engine() == HostEngine::lanes);
}

TEST_CASE("a warp alone cannot keep many cores busy") {
    Machine machine;
    machine.load = {16, 1};
    machine.cores = 16;
    machine.choice = EngineChoice(16);
    machine.run_until(1);
    CHECK(machine.choice.engine() == HostEngine::blocks);  // 16 cores at 4 G/s, against one at 32
    machine.load = {256, 16};
    machine.run_until(2);
    CHECK(machine.choice.engine() == HostEngine::lanes);
}

TEST_CASE("warps of few PEs do not try") {
    Machine machine;
    machine.load = {32, 16};
    machine.run_until(2);
    CHECK(machine.tried == 0);
    CHECK(machine.laid == 0);
}

TEST_CASE("much memory waits for a trial until it has run long enough") {
    Machine machine;
    machine.laying = 0.5;
    machine.run_until(10);
    CHECK(machine.laid == 0);
    machine.run_until(110);
    CHECK(machine.choice.engine() == HostEngine::lanes);
}

TEST_CASE("a run that had no lanes before tries them as soon as they are there, and compares them with what blocks did") {
    for (const double occupancy : {0.1, 1.0}) {
        Machine machine;
        machine.load = {32, 2};  // no more than try at a time
        machine.occupancy = occupancy;
        machine.choice.ran(HostEngine::blocks, machine.load, 1'000'000, 32e6, 32e6 / machine.blocks);
        machine.choice.begin_late(0.05);
        machine.spent = 0.05;
        machine.run_until(0.3);
        CHECK(machine.choice.report().trials > 0);
        CHECK(machine.choice.engine() == (occupancy < 1 ? HostEngine::blocks : HostEngine::lanes));
    }
}
