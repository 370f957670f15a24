// scheduler_test.cpp: who runs next, and for how long; the clock of a run.
#include <doctest/doctest.h>

#include <thread>

#include "runtime_host/mpi/engine.hpp"
#include "runtime_host/service/run_clock.hpp"
#include "runtime_host/service/scheduler.hpp"
#include "tests/runtime/fake_device.hpp"

using namespace mog;
using namespace mog::test;

namespace {

using Pes = std::vector<std::uint32_t>;

struct Fixture {
    explicit Fixture(std::uint32_t nproc, DeviceInfo device_ = {}) : device(std::move(device_)), config(config_for(nproc, 4096, seen)) {}
    Population &population() {
        if (!population_) population_.emplace(image, config);
        return *population_;
    }
    Scheduler &scheduler() {
        if (!scheduler_) scheduler_.emplace(device, population());
        return *scheduler_;
    }
    Pes launch(std::uint32_t enough = UINT32_MAX) {
        scheduler().update();
        const std::span<const std::uint32_t> pes = scheduler().next_launch(enough);
        return {pes.begin(), pes.end()};
    }

    Transcript seen;
    DeviceInfo device;
    Image image = small_image();
    RunConfig config;

private:
    std::optional<Population> population_;
    std::optional<Scheduler> scheduler_;
};

}  // namespace

TEST_CASE("PEs that stop leave the launches, and come back in the order of ranks") {
    Fixture f(5);
    CHECK(f.launch() == Pes{0, 1, 2, 3, 4});
    f.scheduler().stop(3, PeState::Waits);
    f.scheduler().stop(0, PeState::Parked);
    f.scheduler().stop(4, PeState::Ended);
    CHECK(f.scheduler().has_changed());
    CHECK(f.launch() == Pes{1, 2});
    f.scheduler().resume(3);
    f.scheduler().resume(0);
    f.scheduler().resume(1);  // runs anyway
    CHECK(f.launch() == Pes{0, 1, 2, 3});
    // Woken and stopped again before anything ran.
    f.scheduler().stop(2, PeState::Waits);
    f.scheduler().resume(2);
    f.scheduler().stop(2, PeState::Waits);
    CHECK(f.launch() == Pes{0, 1, 3});
    for (const std::uint32_t pe : {0u, 1u, 3u}) f.scheduler().stop(pe, PeState::Ended);
    CHECK_FALSE(f.scheduler().is_idle());
    CHECK(f.launch().empty());
    CHECK(f.scheduler().is_idle());
}

TEST_CASE("the states alone say who is active") {
    Fixture f(4);
    f.scheduler().stop(1, PeState::Parked);
    f.population().states[2] = PeState::Ended;
    f.scheduler().start_anew();
    CHECK_FALSE(f.scheduler().has_changed());
    CHECK(f.launch() == Pes{0, 3});
}

TEST_CASE("fuel: each PE has as many passes as it has left, and gets back what it did not use") {
    Fixture f(3);
    f.config.options.fuel = 100;
    f.config.options.slice = 60;
    REQUIRE(f.launch().size() == 3);
    const auto passes = [&] {
        const std::span<const std::uint32_t> all = f.scheduler().plan_passes();
        return Pes(all.begin(), all.end());
    };
    CHECK(passes() == Pes{60, 60, 60});
    Request stopped{};
    stopped[MOG_Q_PE] = 1;
    stopped[MOG_Q_LEFT] = 50;  // after ten
    f.scheduler().use_fuel({&stopped, 1});
    CHECK(passes() == Pes{40, 60, 40});
    f.scheduler().use_fuel({});
    CHECK(f.scheduler().without_fuel() == Pes{0, 2});
    f.scheduler().stop(0, PeState::Ended);
    CHECK(f.scheduler().without_fuel() == Pes{2});
}

TEST_CASE("without fuel there are no passes of each") {
    Fixture f(2);
    f.launch();
    CHECK(f.scheduler().plan_passes().empty());
    CHECK(f.scheduler().without_fuel().empty());
}

TEST_CASE("while PEs wait for the host launches are shorter, and of threads on CPUs, which wait for each other, the more so") {
    const auto wanted = [](std::uint32_t threads, bool is_gpu, bool somebody_waits) {
        DeviceInfo device;
        device.is_gpu = is_gpu;
        Fixture f(4, device);
        f.config.threads = threads;
        return f.scheduler().wanted_seconds(somebody_waits);
    };
    CHECK(wanted(1, false, true) < wanted(1, false, false));
    CHECK(wanted(2, false, true) <= wanted(1, false, true) / 4);
    CHECK(wanted(2, true, true) == wanted(1, true, true));
    CHECK(wanted(2, false, false) == wanted(1, false, false));
}

TEST_CASE("launches become as long as they are wanted to be, but not longer than the time that is left") {
    Fixture f(1);
    const std::uint32_t first = f.scheduler().slice();
    f.scheduler().adapt_launch(0.001, 0.1, HUGE_VAL, false);
    CHECK(f.scheduler().slice() == 4 * first);  // by four at most
    f.scheduler().adapt_launch(0.2, 0.1, HUGE_VAL, false);
    CHECK(f.scheduler().slice() == 2 * first);
    f.scheduler().adapt_launch(0.1, 0.1, 0.2, false);  // a quarter of it
    CHECK(f.scheduler().slice() == first);
    f.scheduler().adapt_launch(10, 0.1, HUGE_VAL, false);
    CHECK(f.scheduler().slice() == first);  // not below
    f.scheduler().adapt_launch(0.001, 0.1, HUGE_VAL, true);
    CHECK(f.scheduler().slice() == first);  // of PEs that all stopped nothing is learnt
}

TEST_CASE("a length that was asked for stays") {
    Fixture f(1);
    f.config.options.slice = 77;
    f.scheduler().adapt_launch(0.001, 0.1, HUGE_VAL, false);
    f.scheduler().lengthen_slice(false);
    CHECK(f.scheduler().slice() == 77);
}

TEST_CASE("--deterministic: launches grow while nobody asks, whatever the clock says") {
    Fixture f(2);
    const std::uint32_t first = f.scheduler().slice();
    f.scheduler().lengthen_slice(false);
    f.scheduler().lengthen_slice(false);
    CHECK(f.scheduler().slice() == 4 * first);
    f.scheduler().lengthen_slice(true);
    CHECK(f.scheduler().slice() == first);
    for (int i = 0; i < 40; i++) f.scheduler().lengthen_slice(false);
    CHECK(f.scheduler().slice() == 1u << 22);
}

TEST_CASE("where few PEs are enough, they take turns that are long") {
    constexpr std::uint32_t first = 1u << 22, turn = 1u << 27;
    Fixture f(100);
    CHECK(f.launch(4) == Pes{0, 1, 2, 3});
    CHECK(f.scheduler().slice() == first);
    f.scheduler().adapt_launch(0.025, 0.1, HUGE_VAL, false);
    CHECK(f.scheduler().slice() == 4 * first);
    CHECK(f.launch(4) == Pes{4, 5, 6, 7});
    f.scheduler().adapt_launch(0.025, 0.1, HUGE_VAL, false);
    CHECK(f.scheduler().slice() == turn / 2);
    CHECK(f.launch(4) == Pes{8, 9, 10, 11});
    f.scheduler().stop(12, PeState::Waits);
    // Nobody runs for longer than a long turn; then there is time for more PEs.
    f.scheduler().adapt_launch(0.025, 0.1, HUGE_VAL, false);
    CHECK(f.scheduler().slice() == turn);
    CHECK(f.launch(4) == Pes{13, 14, 15, 16, 17, 18, 19, 20});
    // Too many, even if all stop; but never fewer than are enough.
    f.scheduler().adapt_launch(0.4, 0.1, HUGE_VAL, true);
    CHECK(f.launch(4) == Pes{21, 22, 23, 24});
    // Then the slices are shorter, and are the first to grow again.
    f.scheduler().adapt_launch(0.2, 0.1, HUGE_VAL, false);
    CHECK(f.scheduler().slice() == turn / 2);
    CHECK(f.launch(4).size() == 4);
    f.scheduler().adapt_launch(0.025, 0.1, HUGE_VAL, false);
    CHECK(f.scheduler().slice() == turn);
    CHECK(f.launch(4).size() == 8);
}

TEST_CASE("turns: where more PEs are enough than before, each has as much less, so that the launch takes no longer") {
    Fixture f(100);
    CHECK(f.launch(4).size() == 4);
    const std::uint32_t slice = f.scheduler().slice();
    CHECK(f.launch(16).size() == 16);
    CHECK(f.scheduler().slice() == slice / 4);
    CHECK(f.launch(16).size() == 16);
    CHECK(f.scheduler().slice() == slice / 4);
}

TEST_CASE("turns: everybody's comes, those behind the last one's are the first ones', and who is alone runs on") {
    Fixture f(10);
    Pes all;
    for (int launch = 0; launch < 3; launch++)
        for (const std::uint32_t pe : f.launch(4)) all.push_back(pe);
    CHECK(all == Pes{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(f.launch(4) == Pes{0, 1, 2, 3});
    for (std::uint32_t pe = 0; pe < 10; pe++)
        if (pe != 2) f.scheduler().stop(pe, PeState::Ended);
    for (int launch = 0; launch < 3; launch++) CHECK(f.launch(4) == Pes{2});
    // All have a place: then slices grow, however many would have been enough.
    const std::uint32_t slice = f.scheduler().slice();
    f.scheduler().adapt_launch(0.025, 0.1, HUGE_VAL, false);
    CHECK(f.launch(128) == Pes{2});
    CHECK(f.scheduler().slice() == 4 * slice);
    for (int launch = 0; launch < 3; launch++) f.scheduler().adapt_launch(0.025, 0.1, HUGE_VAL, false);
    CHECK(f.scheduler().slice() == 256 * slice);
}

TEST_CASE("no turns where the length of launches was asked for, or may not depend on the clock; fuel is of those whose turn it is") {
    Fixture f(10);
    SUBCASE("--slice") {
        f.config.options.slice = 50;
        CHECK(f.launch(4).size() == 10);
        CHECK(f.scheduler().slice() == 50);
    }
    SUBCASE("--deterministic") {
        f.config.options.deterministic = true;
        CHECK(f.launch(4).size() == 10);
    }
    SUBCASE("fuel") {
        f.config.options.fuel = 100;
        f.launch(4);
        CHECK(f.launch(4) == Pes{4, 5, 6, 7});
        CHECK(f.scheduler().plan_passes().size() == 4);
        Request stopped{};
        stopped[MOG_Q_PE] = 5;
        stopped[MOG_Q_LEFT] = 30;
        f.scheduler().use_fuel({&stopped, 1});
        CHECK(f.population().fuel_left == std::vector<std::uint64_t>{100, 100, 100, 100, 0, 30, 0, 0, 100, 100});
    }
}

TEST_CASE("where caches make a difference, neighbours that send each other messages have their turns") {
    DeviceInfo device;
    device.near_pes = 2;
    Fixture f(5, device);
    CHECK(f.launch().size() == 5);  // without MPI all
    FakeDevice fake(5, 4096);
    f.population().mpi = std::make_unique<mpi::Engine>(fake, 5, Addresses{4096}, AnswerRows{}, f.config.options.mpi, mpi::Host{}, nullptr);
    for (int round = 0; round < 64; round++) CHECK(f.launch() == Pes{0, 1});
    CHECK(f.launch() == Pes{2, 3});
    f.scheduler().stop(2, PeState::Parked);
    f.scheduler().stop(3, PeState::Parked);
    CHECK(f.launch() == Pes{4});  // as soon as none of them runs
    f.population().waiting.emplace_back();
    CHECK(f.launch() == Pes{0, 1, 4});
}

TEST_CASE("the clock of a run stands still in pauses") {
    using namespace std::chrono_literals;
    const auto deadline = std::make_shared<Deadline>();
    RunClock clock(5, deadline);
    CHECK(clock.seconds() == 0);
    clock.set_elapsed(2);
    CHECK(clock.seconds() == 2);
    clock.go_on(HUGE_VAL);
    CHECK(clock.stretch_left() == HUGE_VAL);
    CHECK(clock.seconds() >= 2);
    CHECK(clock.seconds_left() <= 3);
    CHECK(deadline->is_set());
    clock.pause();
    const double before = clock.seconds();
    std::this_thread::sleep_for(500ms);
    CHECK(clock.seconds() == before);
    clock.go_on(50);
    CHECK(clock.seconds() < before + 0.5);  // a busy machine may take some of it between the two lines
    CHECK(clock.stretch_left() > 0);
    CHECK(clock.stretch_left() <= 50);
    CHECK(RunClock(0, deadline).seconds_left() == HUGE_VAL);
}
