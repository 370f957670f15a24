// warp_memory_test.cpp: laying the memory of a warp anew loses nothing, touches nothing else, and gives pages back.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "runtime_host/device/host_memory.hpp"
#include "runtime_host/devices/host/warp_memory.hpp"

using namespace mog;

namespace {

using u32 = std::uint32_t;
constexpr u32 lanes = 16;

std::size_t pages_held(const PageMap &pages, const u32 *region, std::size_t words) {
    std::size_t held = 0;
    for (const PageRun &run : pages.touched(region, 4 * words)) held += run.end - run.begin;
    return held;
}

}  // namespace

TEST_CASE("the memory of a warp is laid anew and back") {
    const PageMap pages;
    // Sizes that fit pages, and ones that fit nothing; places on a page likewise.
    for (const u32 words : {2u, 62u, 64u, 1024u, 1030u, 20'002u, 65'536u})
        for (const std::size_t before : {std::size_t{0}, std::size_t{16}, std::size_t{1022}}) {
            CAPTURE(words);
            CAPTURE(before);
            const std::size_t all = std::size_t{words} * lanes;
            Result<HostMemory> memory = HostMemory::allocate(4 * (before + all + 2000), lanes);
            REQUIRE(bool(memory));
            u32 *region = memory->words() + before;
            std::fill(memory->words(), region, 0xaaaaaaaau);
            std::fill(region + all, region + all + 2000, 0xbbbbbbbbu);
            // A little at the beginning and at the end of each PE, as data and stack are, and something in between of one.
            std::vector<u32> expected(all);
            std::mt19937 random(words);
            for (u32 pe = 0; pe < lanes; pe++)
                for (u32 i = 0; i < std::min(words, 100u); i++)
                    for (const u32 word : {i, words - 1 - i}) expected[std::size_t{pe} * words + word] = static_cast<u32>(random());
            for (u32 i = 0; i < words / 4; i++) expected[5 * std::size_t{words} + words / 3 + i] = static_cast<u32>(random() % 3);
            for (std::size_t i = 0; i < all; i++)
                if (expected[i] != 0) region[i] = expected[i];

            lay_warp(region, words, lanes, WarpLayout::side_by_side, pages);
            std::size_t wrong = 0;
            for (u32 pe = 0; pe < lanes; pe++)
                for (u32 word = 0; word < words; word++)
                    wrong += region[std::size_t{word} * lanes + pe] != expected[std::size_t{pe} * words + word];
            CHECK(wrong == 0);
            lay_warp(region, words, lanes, WarpLayout::one_after_other, pages);
            CHECK(std::equal(expected.begin(), expected.end(), region));
            CHECK(std::all_of(memory->words(), region, [](u32 word) { return word == 0xaaaaaaaau; }));
            CHECK(std::all_of(region + all, region + all + 2000, [](u32 word) { return word == 0xbbbbbbbbu; }));
        }
}

TEST_CASE("only the last PEs of a warp have touched something: the next warp's memory stays out of it") {
    const PageMap pages;
    constexpr u32 words = 20'002;
    constexpr std::size_t all = std::size_t{words} * lanes;
    for (const u32 first : {13u, 14u, 15u}) {
        CAPTURE(first);
        Result<HostMemory> memory = HostMemory::allocate(4 * (all + 4096), lanes);
        REQUIRE(bool(memory));
        u32 *region = memory->words();
        std::fill(region + all, region + all + 4096, 0xbbbbbbbbu);
        for (u32 pe = first; pe < lanes; pe++)
            for (u32 word = 0; word < 64; word++) region[std::size_t{pe} * words + word] = 1000 * pe + word;
        region[all - 1] = 7;  // on the page where the next warp's memory begins
        lay_warp(region, words, lanes, WarpLayout::side_by_side, pages);
        std::size_t wrong = 0;
        for (u32 pe = 0; pe < lanes; pe++)
            for (u32 word = 0; word < words; word++) {
                const u32 expected = pe == lanes - 1 && word == words - 1 ? 7 : pe >= first && word < 64 ? 1000 * pe + word : 0;
                wrong += region[std::size_t{word} * lanes + pe] != expected;
            }
        CHECK(wrong == 0);
    }
}

TEST_CASE("both ways to ask the system say which pages were touched") {
    const PageMap newer, older(false);
    constexpr u32 pages = 1000, words = 1024;
    Result<HostMemory> memory = HostMemory::allocate(std::uint64_t{4} * words * pages, pages);
    REQUIRE(bool(memory));
    std::vector<std::size_t> expected;
    std::mt19937 random(1);
    for (std::size_t page = 0; page < pages; page += 1 + random() % 4 * (random() % 9)) {
        memory->words()[page * words + random() % words] = 1;
        expected.push_back(page);
    }
    for (const PageMap *map : {&newer, &older}) {
        std::vector<std::size_t> found;
        for (const PageRun &run : map->touched(memory->words(), std::size_t{4} * words * pages))
            for (std::size_t page = run.begin; page < run.end; page++) found.push_back(page);
        if (found.size() == pages) MESSAGE("this system does not tell which pages are held");
        else CHECK(found == expected);
    }
}

TEST_CASE("memory that is laid anew does not grow") {
    const PageMap pages;
    constexpr u32 words = 1u << 20;
    Result<HostMemory> memory = HostMemory::allocate(std::uint64_t{4} * words * lanes, lanes);
    REQUIRE(bool(memory));
    for (u32 pe = 0; pe < lanes; pe++)
        for (u32 word = 0; word < 2048; word++) memory->words()[std::size_t{pe} * words + word] = 1;
    memory->words()[5 * std::size_t{words} + words / 2] = 7;
    const std::size_t before = pages_held(pages, memory->words(), std::size_t{words} * lanes);
    if (before == std::size_t{words} * lanes / 1024) {
        MESSAGE("this system does not tell which pages are held");
        return;
    }
    CHECK(before == 2 * lanes + 1);
    lay_warp(memory->words(), words, lanes, WarpLayout::side_by_side, pages);
    CHECK(pages_held(pages, memory->words(), std::size_t{words} * lanes) == before);
    lay_warp(memory->words(), words, lanes, WarpLayout::one_after_other, pages);
    CHECK(pages_held(pages, memory->words(), std::size_t{words} * lanes) == before);
    CHECK(relayout_seconds(memory->words(), words, lanes, pages) < 1);
}

TEST_CASE("the first word that is not zero is found without the pages before it") {
    const PageMap pages;
    constexpr std::size_t words = 4 << 20;
    Result<HostMemory> memory = HostMemory::allocate(4 * words, 1);
    REQUIRE(bool(memory));
    u32 *const region = memory->words();
    for (const std::size_t stride : {std::size_t{1}, std::size_t{16}})
        for (const std::size_t begin : {std::size_t{0}, std::size_t{3}, std::size_t{1030}}) {
            CAPTURE(stride);
            CAPTURE(begin);
            const std::size_t count = (words - begin) / stride;
            CHECK(first_not_zero(region + begin, stride, count, pages) == count);
            for (const std::size_t word : {std::size_t{0}, std::size_t{1}, std::size_t{100'000}, count - 1}) {
                // One of another PE first, on the same page or one before.
                if (stride > 1) region[begin + word * stride + 1] = 7;
                region[begin + word * stride] = 1;
                CHECK(first_not_zero(region + begin, stride, count, pages) == word);
                CHECK(first_not_zero(region + begin, stride, word, pages) == word);
                region[begin + word * stride] = 0;
                if (stride > 1) region[begin + word * stride + 1] = 0;
            }
        }
    CHECK(first_not_zero(region, 1, 0, pages) == 0);
    const std::size_t held = pages_held(PageMap(false), region, words);
    if (held == words / 1024) MESSAGE("this system does not tell which pages are held");
    else CHECK(held < 30);
}
