// collator_test.cpp: equal lines of PEs become one, and each PE's lines stay in their order.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "runtime_host/output/collator.hpp"

using mog::Collator;

namespace {

std::string all_of(Collator &collator) {
    std::string text;
    collator.take([&](int stream, std::string_view line) { text += (stream == 2 ? "2>" : "") + std::string(line); });
    return text;
}

std::uint32_t number(const std::string &text) { return static_cast<std::uint32_t>(std::stoul(text)); }

/// What one PE printed, of the lines that were folded. Only where all names of ranks are written out.
std::string of_rank(const std::string &all, std::uint32_t rank) {
    std::string text;
    for (std::size_t at = 0; at < all.size();) {
        const std::string line = all.substr(at, all.find('\n', at) - at);
        at += line.size() + 1;
        const std::size_t colon = line.find(": ");
        std::string ranks = line.substr(line.find(' ') + 1, colon - line.find(' ') - 1) + ",";
        for (std::size_t end; (end = ranks.find(',')) != std::string::npos; ranks.erase(0, end + 1)) {
            const std::string range = ranks.substr(0, end);
            const std::size_t dash = range.find('-');
            const std::uint32_t first = number(range), last = dash == std::string::npos ? first : number(range.substr(dash + 1));
            if (rank >= first && rank <= last) text += line.substr(colon + 2) + "\n";
        }
    }
    return text;
}

}  // namespace

TEST_CASE("equal lines are one, and what differs stands where it belongs") {
    Collator collator({.world = 4}, 4, 0);
    for (const std::uint32_t rank : {0, 1, 2, 3}) {
        collator.add(rank, 1, "a\n");
        if (rank == 2) collator.add(rank, 1, "only 2\n");
        collator.add(rank, 1, "b\nb\n");
    }
    CHECK(all_of(collator) == "PEs 0-3: a\nPE 2: only 2\nPEs 0-3: b\nPEs 0-3: b\n");
    CHECK(all_of(collator).empty());
    CHECK(collator.bytes() == 0);
}

TEST_CASE("streams are apart, ranks begin where they are said to, and come in any order") {
    Collator collator({.world = 100}, 4, 20);
    collator.add(3, 1, "x\n");
    collator.add(1, 2, "x\n");
    collator.add(0, 1, "x\n");
    collator.add(2, 1, "x\n");
    CHECK(all_of(collator) == "PEs 20, 22-23: x\n2>PE 21: x\n");
}

TEST_CASE("a line in pieces is one if nothing comes between") {
    Collator collator({.world = 2}, 2, 0);
    collator.add(0, 1, "ab");
    collator.add(0, 1, "cd\nrest");
    collator.add(0, 2, "error\n");
    collator.add(1, 1, "abcd\n");
    CHECK(all_of(collator) == "PEs 0-1: abcd\nPE 0: rest\n2>PE 0: error\n");
}

TEST_CASE("lines wait as long as they are allowed to") {
    Collator soon({.world = 2, .patience = std::chrono::milliseconds(0)}, 2, 0),
        never({.world = 2, .patience = std::chrono::milliseconds(-1)}, 2, 0);
    CHECK_FALSE(soon.is_due());
    soon.add(0, 1, "x\n");
    never.add(0, 1, "x\n");
    while (!soon.is_due()) {
    }
    CHECK_FALSE(never.is_due());
    all_of(soon);
    CHECK_FALSE(soon.is_due());
}

TEST_CASE("whatever PEs print, each has its lines in its order") {
    constexpr std::uint32_t pes = 7;
    std::mt19937 random(1);
    for (int round = 0; round < 300; round++) {
        Collator collator({.world = pes}, pes, 0);
        std::vector<std::string> wanted(pes);
        for (int i = 0; i < 60; i++) {
            const auto rank = static_cast<std::uint32_t>(random() % pes);
            std::string text;
            for (auto lines = random() % 4; lines-- > 0;) text += "line " + std::to_string(random() % 5) + "\n";
            collator.add(rank, 1, text);
            wanted[rank] += text;
        }
        const std::string all = all_of(collator);
        for (std::uint32_t rank = 0; rank < pes; rank++) REQUIRE(of_rank(all, rank) == wanted[rank]);
        CHECK(collator.bytes() == 0);
    }
}

TEST_CASE("there is always room between two lines") {
    // Each PE has a line of its own before one that all have: places halve, until all get new ones.
    constexpr std::uint32_t pes = 200;
    Collator collator({.world = pes}, pes, 0);
    std::string wanted;
    for (std::uint32_t rank = 0; rank < pes; rank++) {
        collator.add(rank, 1, std::to_string(rank) + "\nall\n");
        wanted += "PE " + std::to_string(rank) + ": " + std::to_string(rank) + "\n";
    }
    CHECK(all_of(collator) == wanted + "PEs 0-199: all\n");
}
