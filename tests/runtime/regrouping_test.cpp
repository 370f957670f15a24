// regrouping_test.cpp: in which order PEs come to lanes, and that launches decide whether it pays.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "runtime_host/devices/tiers/regrouping.hpp"

using namespace mog;

namespace {

constexpr std::uint32_t lanes = 32;

/// Functions f, of TEXT indices 0 to 9, and g, 10 to 19, of whose last two nothing is known.
Image two_functions() {
    Image image;
    image.text.resize(20);
    for (std::uint32_t at = 0; at < 20; ++at) image.source_address.push_back(at < 18 ? 0x400000 + 4 * at : 0);
    image.symbols = {{"f", 0x400000, 40, true}, {"numbers", 0x400004, 4, false}, {"g", 0x400028, 40, true}};
    return image;
}

/// Launches of PEs that take `usual` seconds, or `regrouped`: how many of them were regrouped.
int launches(Regrouping &regrouping, std::size_t pes, int count, double usual, double regrouped) {
    const std::vector<std::uint32_t> rows(pes, 0);
    std::vector<std::uint32_t> active(pes);
    std::iota(active.begin(), active.end(), 0u);
    int with = 0;
    for (int i = 0; i < count; ++i) {
        const bool wants = regrouping.wants_places(pes);
        if (wants) CHECK(regrouping.order(active, rows, rows).size() == pes);
        with += wants;
        regrouping.ran(1'000'000, wants ? regrouped : usual, 0);
    }
    return with;
}

}  // namespace

TEST_CASE("regrouping: lanes of a warp are in one function, as deep in calls, at one place") {
    // Four kinds of PEs, and one of each in each four; half of them run.
    constexpr std::uint32_t pes = 256;
    constexpr std::array<std::uint32_t, 4> place_of_kind{3, 15, 19, 5}, kinds{0, 3, 1, 2};
    const Image image = two_functions();
    Regrouping regrouping;
    regrouping.start(image, Regroup::Always, true, pes, lanes);
    CHECK_FALSE(regrouping.wants_places(pes));  // all of them begin
    REQUIRE(regrouping.wants_places(pes / 2));
    std::vector<std::uint32_t> active, places(pes), stacks(pes);
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
        if (pe / 4 % 2 == 0) active.push_back(pe);
        places[pe] = place_of_kind[pe % 4];
        stacks[pe] = pe % 4 == 1 ? 700 : 800;
    }
    const std::span<const std::uint32_t> order = regrouping.order(active, places, stacks);
    REQUIRE(order.size() == active.size());
    CHECK(std::set<std::uint32_t>(order.begin(), order.end()).size() == order.size());
    // f's by place, then g's by depth; and who is at the same place as before.
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        CHECK(active[order[i]] % 4 == kinds[i / lanes]);
        if (i % lanes != 0) CHECK(order[i - 1] < order[i]);
    }
    REQUIRE(regrouping.stats());
    CHECK(regrouping.stats()->launches == 2);
    CHECK(regrouping.stats()->regrouped == 1);
    CHECK(regrouping.stats()->moves > pes / 4);
    // Who has not moved meanwhile stays where he is; those of f that are at one place now as they were ordered.
    const std::uint64_t moves = regrouping.stats()->moves;
    std::ranges::replace(places, 5u, 3u);
    REQUIRE(regrouping.wants_places(pes / 2));
    const std::vector<std::uint32_t> before(order.begin(), order.end());
    CHECK(std::ranges::equal(regrouping.order(active, places, stacks), before));
    CHECK(regrouping.stats()->moves == moves);
}

TEST_CASE("regrouping: stacks and places of any size are in order") {
    constexpr std::uint32_t pes = 5000;
    Image image;  // without functions
    image.text.resize(1 << 20);
    Regrouping regrouping;
    regrouping.start(image, Regroup::Always, false, pes, lanes);
    (void)regrouping.wants_places(pes);
    std::mt19937 random(1);
    std::vector<std::uint32_t> active(pes), places(pes), stacks(pes), expected(pes);
    std::iota(active.begin(), active.end(), 0u);
    std::iota(expected.begin(), expected.end(), 0u);
    for (int round = 0; round < 3; ++round) {
        for (std::uint32_t &place : places) place = random() % image.text.size() & ~0xffu;
        for (std::uint32_t &stack : stacks) stack = random() & 0xe000e000;
        // Those that are equal in all are in the order of the last round.
        std::ranges::stable_sort(expected, {}, [&](std::uint32_t pe) { return std::pair(stacks[pe], places[pe]); });
        REQUIRE(regrouping.wants_places(pes));
        CHECK(std::ranges::equal(regrouping.order(active, places, stacks), expected));
    }
}

TEST_CASE("regrouping: it goes on where launches are faster with it, and is tried again where they are not") {
    const Image image = two_functions();
    Regrouping regrouping;
    regrouping.start(image, Regroup::Auto, false, 64, lanes);
    CHECK(launches(regrouping, 64, 100, 0.1, 0.1) < 10);
    CHECK(regrouping.stats()->gain == doctest::Approx(1));
    CHECK(regrouping.stats()->trials > 2);
    // What the program does has changed: soon after the next trial it pays, and then it does not.
    CHECK(launches(regrouping, 64, 200, 0.1, 0.05) > 120);
    CHECK(regrouping.stats()->gain == doctest::Approx(2));
    CHECK(launches(regrouping, 64, 200, 0.05, 0.1) < 80);
    CHECK(regrouping.stats()->gain == doctest::Approx(0.5));
}

TEST_CASE("regrouping: not where it is off, nor for one warp, nor by the clock where nothing may depend on it") {
    const Image image = two_functions();
    const auto regrouped = [&](Regroup how, bool deterministic, std::uint32_t pes, double seconds) {
        Regrouping regrouping;
        regrouping.start(image, how, deterministic, pes, lanes);
        return launches(regrouping, pes, 50, seconds, seconds / 2);
    };
    CHECK(regrouped(Regroup::Always, false, 64, 0.1) == 49);
    CHECK(regrouped(Regroup::Always, true, 64, 0.1) == 49);
    CHECK(regrouped(Regroup::Always, false, 32, 0.1) == 0);
    CHECK(regrouped(Regroup::Auto, false, 64, 0.1) > 40);
    CHECK(regrouped(Regroup::Auto, false, 64, 0.0001) == 0);  // too short to tell
    CHECK(regrouped(Regroup::Auto, true, 64, 0.1) == 0);
    CHECK(regrouped(Regroup::Off, false, 64, 0.1) == 0);
    Regrouping off;
    off.start(image, Regroup::Off, false, 64, lanes);
    (void)launches(off, 64, 3, 0.1, 0.1);
    CHECK_FALSE(off.stats());
}
