// turns_of_pes_test.cpp: who is next among PEs that may wait for each other, and for how long.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "runtime_host/devices/turns/turns_of_pes.hpp"

using namespace mog;

namespace {

using u32 = std::uint32_t;
using Served = Device::Served;

struct Fixture {
    Device::ServeAtOnce serve;
    std::vector<Request> records = std::vector<Request>(64);
    std::vector<u32> order;
    TurnsOfPes::Settings settings{.passes = 1000, .turn_passes = 256, .in_order = true};
    /// How a PE's step goes that has so many passes: nothing if it uses all of them, else why it stops.
    using Run = std::function<std::optional<u32>(u32 pe, u32 passes)>;

    /// The turns of one core, and how many PEs have stopped.
    std::size_t go(std::span<const u32> pes, const Run &run, std::span<const u32> own_passes = {}) {
        TurnsOfPes turns(pes, own_passes, settings, serve, records);
        {
            TurnsOfPes::Taker taker(turns);
            while (const auto step = taker.next()) {
                order.push_back(step->pe);
                const std::optional<u32> stop = run(step->pe, step->passes);
                Request record{};
                record[MOG_Q_PE] = step->pe;
                record[MOG_Q_STOP] = stop.value_or(0);
                record[MOG_Q_LEFT] = step->passes - 1;  // whoever stops does so at once
                taker.ran(stop ? &record : nullptr);
            }
        }
        return turns.end();
    }
};

}  // namespace

TEST_CASE("who yields has its next turn behind the others") {
    Fixture f;
    std::map<u32, int> turns;
    const u32 pes[] = {3, 1, 2};
    const std::size_t stopped = f.go(pes, [&](u32 pe, u32) { return std::optional<u32>(++turns[pe] < 3 ? MOG_STOP_YIELD : MOG_STOP_SYS); });
    CHECK(f.order == std::vector<u32>{3, 1, 2, 3, 1, 2, 3, 1, 2});
    REQUIRE(stopped == 3);  // nobody serves, so these calls are records
    CHECK(f.records[0][MOG_Q_PE] == 3);
    CHECK(f.records[2][MOG_Q_PE] == 2);
}

TEST_CASE("a PE has as many passes as it may have, none of its turns more than one may have") {
    Fixture f;
    std::map<u32, u32> used, most;
    const u32 pes[] = {0, 1}, own[] = {1000, 300};
    const auto run = [&](u32 pe, u32 passes) {
        used[pe] += passes;
        most[pe] = std::max(most[pe], passes);
        return std::optional<u32>();
    };
    CHECK(f.go(pes, run, own) == 0);
    CHECK(used == std::map<u32, u32>{{0, 1000}, {1, 300}});
    CHECK(most == std::map<u32, u32>{{0, 256}, {1, 256}});
    CHECK(f.order == std::vector<u32>{0, 1, 0, 1, 0, 0});
}

TEST_CASE("who is served goes on; who rests does not, until somebody wakes it") {
    Fixture f;
    std::vector<u32> calls;
    f.serve = [&](const Request &call, std::vector<u32> &woken) {
        calls.push_back(call[MOG_Q_PE]);
        if (call[MOG_Q_PE] == 0) return calls.size() == 1 ? Served::rests : Served::later;  // its second call is the host's
        if (calls.size() < 4) return Served::runs_on;
        woken.push_back(0);
        return Served::rests;
    };
    const u32 pes[] = {0, 1};
    CHECK(f.go(pes, [](u32, u32) { return std::optional<u32>(MOG_STOP_SYS); }) == 1);
    CHECK(calls == std::vector<u32>{0, 1, 1, 1, 0});
    CHECK(f.order == calls);
    CHECK(f.records[0][MOG_Q_PE] == 0);
}

TEST_CASE("several cores: each turn is had once") {
    Fixture f;
    f.settings.in_order = false;
    f.settings.takers = 3;
    constexpr u32 count = 40, rounds = 200;
    f.settings.passes = 2 * rounds;
    std::vector<std::atomic<u32>> turns(count), inside(count);
    std::vector<u32> pes;
    for (u32 pe = 0; pe < count; pe++) pes.push_back(pe);
    TurnsOfPes all(pes, {}, f.settings, f.serve, f.records);
    std::atomic<bool> twice = false;
    const auto take = [&] {
        TurnsOfPes::Taker taker(all);
        while (const auto step = taker.next()) {
            if (inside[step->pe]++ != 0) twice = true;
            Request record{};
            record[MOG_Q_PE] = step->pe;
            record[MOG_Q_STOP] = ++turns[step->pe] < rounds ? u32{MOG_STOP_YIELD} : u32{MOG_STOP_SYS};
            record[MOG_Q_LEFT] = step->passes - 1;
            --inside[step->pe];
            taker.ran(&record);
        }
    };
    {
        std::jthread a(take), b(take);
        take();
    }
    CHECK(all.end() == count);
    CHECK(!twice);
    for (const auto &each : turns) CHECK(each == rounds);
}

namespace {

/// That a turn ended by yielding, after so many passes.
void yields(TurnsOfPes::Taker &taker, const TurnsOfPes::Step &step, u32 passes) {
    Request record{};
    record[MOG_Q_PE] = step.pe;
    record[MOG_Q_STOP] = MOG_STOP_YIELD;
    record[MOG_Q_LEFT] = step.passes - passes;
    taker.ran(&record);
}

std::vector<u32> first(u32 count) {
    std::vector<u32> pes;
    for (u32 pe = 0; pe < count; pe++) pes.push_back(pe);
    return pes;
}

constexpr u32 plenty = 100'000'000;

}  // namespace

TEST_CASE("several are taken at once where turns are short; if one is long, others may have the rest of them") {
    Fixture f;
    f.settings = {.passes = plenty, .turn_passes = 1 << 16, .takers = 2};
    constexpr u32 count = 40;
    TurnsOfPes turns(first(count), {}, f.settings, f.serve, f.records);
    TurnsOfPes::Taker one(turns);
    std::optional<TurnsOfPes::Step> step;
    // Behind those that did little, turns are cut short to see whether they are long.
    for (u32 i = 0; (step = one.next()) && step->passes == f.settings.turn_passes; i++) {
        REQUIRE(i < count);
        CHECK(step->pe == i);
        yields(one, *step, 10);
    }
    REQUIRE(step);
    one.ran(nullptr);
    TurnsOfPes::Taker other(turns);
    const auto next = other.next();
    REQUIRE(next);
    CHECK(next->pe == (step->pe + 1) % count);
}

TEST_CASE("a core that sleeps, for turns were short, is woken for many that are not, though each of them is over soon") {
    bool has_woken = false;
    // A launch is over after some time, in which this machine may do something else.
    for (int tries = 0; tries < 50 && !has_woken; tries++) {
        Fixture f;
        f.settings = {.passes = plenty, .turn_passes = 1 << 24, .takers = 2};
        TurnsOfPes turns(first(64), {}, f.settings, f.serve, f.records);
        std::jthread other([&] {
            TurnsOfPes::Taker taker(turns);
            while (const auto step = taker.next()) yields(taker, *step, 10);
        });
        TurnsOfPes::Taker one(turns);
        bool was_alone = false;
        while (const auto step = one.next()) {
            // While somebody sleeps, turns are cut short to see which are long.
            if (step->passes == f.settings.turn_passes) {
                has_woken |= was_alone;
                yields(one, *step, 10);
                continue;
            }
            was_alone = true;
            const auto begin = std::chrono::steady_clock::now();
            while (std::chrono::steady_clock::now() - begin < std::chrono::microseconds(20)) {
            }
            yields(one, *step, 10'000);
        }
    }
    CHECK(has_woken);
}
