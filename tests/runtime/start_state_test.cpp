// start_state_test.cpp: the program's data are there for each PE, kept once where that pays, and each PE's own once it writes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime_host/device/host_memory.hpp"
#include "runtime_host/device/start_state.hpp"
#include "runtime_host/devices/host/warp_memory.hpp"
#include "tests/runtime/fake_device.hpp"

using namespace mog;

namespace {

using u32 = std::uint32_t;
constexpr u32 page_words = 1024, pes = 16;

Image image_with(std::size_t bytes) {
    Image image = test::small_image();
    image.data.resize(bytes);
    for (std::size_t i = 0; i < bytes; i++) image.data[i] = static_cast<std::uint8_t>(i * 7 + i / 251);
    return image;
}

/// PEs that have just started with a program's data, 20 pages and a bit.
struct Started {
    static constexpr u32 words = 40 * page_words;
    const Image image = image_with(20 * 4 * page_words + 100);
    Result<HostMemory> memory = HostMemory::allocate(std::uint64_t{4} * words * pes, pes);
    const StartData start{image, pes, words};

    Started() {
        REQUIRE(bool(memory));
        for (u32 pe = 0; pe < pes; pe++) start.write(of(pe));
    }
    u32 *of(u32 pe) { return memory->words() + std::size_t{pe} * words; }
};

bool starts_with_data(const u32 *memory, const Image &image) { return std::memcmp(memory, image.data.data(), image.data.size()) == 0; }

}  // namespace

TEST_CASE("long data are kept once until a PE writes, and end in the middle of a page") {
    Started started;
    CHECK(started.start.words_kept_once() == 20 * page_words);
    u32 *const fifth = started.of(5);
    fifth[3 * page_words] ^= 1;
    fifth[30 * page_words] = 9;  // behind the data
    for (u32 pe = 0; pe < pes; pe++) {
        CHECK(starts_with_data(started.of(pe), started.image) == (pe != 5));
        CHECK(started.of(pe)[30 * page_words] == (pe == 5 ? 9 : 0));
    }
    fifth[3 * page_words] ^= 1;
    CHECK(starts_with_data(fifth, started.image));
}

TEST_CASE("short data, memory that does not begin with pages, and more PEs than the system has mappings: each has its own") {
    CHECK(StartData(image_with(10'000), pes, 40 * page_words).words_kept_once() == 0);
    const Image image = image_with(20 * 4 * page_words);
    CHECK(StartData(image, pes, 40 * page_words + 8).words_kept_once() == 0);
    const StartData start(image, 4'000'000'000u, 40 * page_words);
    CHECK(start.words_kept_once() == 0);
    std::vector<u32> memory(40 * page_words);
    start.write(memory.data());
    CHECK(starts_with_data(memory.data(), image));
}

TEST_CASE("data that are kept once are laid anew, touched or not") {
    Started started;
    constexpr u32 words = Started::words;
    REQUIRE(started.start.words_kept_once() != 0);
    std::vector<u32> expected(std::size_t{words} * pes);
    for (u32 pe = 0; pe < pes; pe++) {
        u32 *const own = expected.data() + std::size_t{pe} * words;
        std::memcpy(own, started.image.data.data(), started.image.data.size());
        for (const u32 word : {2 * page_words + pe, 35 * page_words + pe}) started.of(pe)[word] = own[word] = pe + 1;
    }
    const PageMap pages;
    u32 *const region = started.of(0);
    lay_warp(region, words, pes, WarpLayout::side_by_side, pages, started.start.words_kept_once());
    std::size_t wrong = 0;
    for (u32 pe = 0; pe < pes; pe++)
        for (u32 word = 0; word < words; word++) wrong += region[std::size_t{word} * pes + pe] != expected[std::size_t{pe} * words + word];
    CHECK(wrong == 0);
    lay_warp(region, words, pes, WarpLayout::one_after_other, pages);
    CHECK(std::equal(expected.begin(), expected.end(), region));
}
