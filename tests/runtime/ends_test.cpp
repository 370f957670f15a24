// ends_test.cpp: how PEs end, without a loop around them.
#include <doctest/doctest.h>

#include "runtime_host/service/ends.hpp"
#include "tests/runtime/fake_device.hpp"

using namespace mog;
using namespace mog::test;

namespace {

struct Fixture {
    explicit Fixture(
        std::uint32_t nproc, void (*change)(Options &) = [](Options &) {})
        : device(nproc, 4096), config(changed(config_for(nproc, 4096, seen), change)) {}

    static RunConfig changed(RunConfig config, void (*change)(Options &)) {
        change(config.options);
        return config;
    }

    Transcript seen;
    FakeDevice device;
    Image image = small_image();
    RunConfig config;
    Population population{image, config};
    Scheduler scheduler{device.info(), population};
    Ends ends{device, image, population, scheduler};
};

}  // namespace

TEST_CASE("a PE that exits leaves its line, its files and its launches") {
    Fixture f(2);
    f.population.output.write(1, 1, "half a line");
    f.population.processes[1].has_descriptors = true;
    f.population.processes[1].descriptors.push_back({f.population.files.standard_output(1)});
    f.ends.end_by_exit(1, 7);
    f.population.output.flush();
    CHECK(f.seen.out == "half a line");
    CHECK(f.population.processes[1].descriptors.empty());
    CHECK(f.population.states[1] == PeState::Ended);
    CHECK(f.population.ends[1].by == EndedBy::Exit);
    CHECK(f.population.ends[1].status == 7);
    CHECK(f.population.ended == 1);
    f.scheduler.update();
    CHECK(f.scheduler.next_launch().size() == 1);
    CHECK(f.seen.said.empty());
}

TEST_CASE("the status of a run is that of the lowest rank whose is not 0") {
    Fixture f(4);
    for (const std::uint32_t pe : {3u, 0u, 2u, 1u}) f.ends.end_by_exit(pe, pe == 0 ? 0 : 10 - pe);
    REQUIRE(f.population.all_ended());
    f.ends.finish(1.5);
    CHECK(f.population.result.status == 9);
    CHECK(f.population.result.seconds == 1.5);
    CHECK(f.population.result.ranks_by_status.at(0) == std::vector<std::uint32_t>{0});
    CHECK(f.population.result.ranks_by_status.at(8) == std::vector<std::uint32_t>{2});
}

TEST_CASE("PEs with the same fault at the same place are told of together, with the status of the signal") {
    Fixture f(3);
    const Request faults[] = {fault(0, MOG_STOP_DIVIDE, 0), fault(2, MOG_STOP_DIVIDE, 0)};
    const std::uint32_t signals[] = {0, 0};
    REQUIRE(f.ends.end_faulty(faults, signals));
    CHECK(f.population.ends[0].by == EndedBy::Fault);
    CHECK(f.population.ends[2].status == 128 + 8);
    CHECK(f.population.fault_status == 128 + 8);
    CHECK(f.population.all_running() == std::vector<std::uint32_t>{1});
    f.ends.end_by_exit(1, 0);
    f.ends.finish(0);
    REQUIRE(f.seen.said.size() == 1);
    CHECK(f.seen.said.front().find("PEs 0, 2: divides by zero") == 0);
}

TEST_CASE("limits end those that are left, with a status of the run's own") {
    SUBCASE("time") {
        Fixture f(2, [](Options &options) { options.timeout = 1; });
        f.ends.end_by_exit(0, 3);
        REQUIRE(f.ends.end_all_by_timeout());
        CHECK(f.population.ends[1].by == EndedBy::Timeout);
        f.ends.finish(1);
        CHECK(f.population.result.status == 124);
    }
    SUBCASE("fuel ends those only that have none") {
        Fixture f(3, [](Options &options) { options.fuel = 50; });
        f.population.fuel_left[1] = 0;
        REQUIRE(f.ends.end_those_without_fuel());
        CHECK(f.population.ends[1].by == EndedBy::Fuel);
        CHECK(f.population.ended == 1);
    }
    SUBCASE("a cancelled run tells nothing") {
        Fixture f(2);
        f.population.waiting.emplace_back();
        REQUIRE(f.ends.end_all_by_cancel());
        CHECK(f.population.all_ended());
        CHECK(f.population.waiting.empty());
        CHECK(f.population.result.status == 143);
        CHECK(f.seen.said.empty());
    }
    SUBCASE("--on-fault=abort ends the others with the first that went wrong") {
        Fixture f(3, [](Options &options) { options.abort_on_fault = true; });
        CHECK_FALSE(f.ends.is_over_for_fault());
        const Request one = fault(1, MOG_STOP_DIVIDE, 0);
        const std::uint32_t signal = 0;
        REQUIRE(f.ends.end_faulty({&one, 1}, {&signal, 1}));
        CHECK(f.ends.is_over_for_fault());
        f.ends.end_all_for_fault();
        CHECK(f.population.ends[0].by == EndedBy::OthersFault);
        CHECK(f.population.result.status == 128 + 8);
        CHECK(f.seen.said.back().find("PEs 0, 2: ended, for another went wrong") == 0);
    }
}

TEST_CASE("a device that fails when its PEs are looked at ends the run with its error") {
    Fixture f(1);
    f.device.gather_fails = true;
    CHECK_FALSE(f.ends.end_all_by_timeout());
}
