// startup_test.cpp: sizes of memory and the start-up block.
#include <doctest/doctest.h>

#include <cstring>

#include "runtime_host/run/startup.hpp"
#include "support/sizes.hpp"
#include "tests/runtime/fake_device.hpp"

using namespace mog;

namespace {

DeviceInfo device_with(std::uint64_t memory, bool maps_by_touch = false) {
    DeviceInfo info;
    info.memory_bytes = memory;
    info.maps_by_touch = maps_by_touch;
    return info;
}

}  // namespace

TEST_CASE("default memory: much for few PEs, less for many, never too little") {
    Image image = test::small_image();
    constexpr std::uint64_t gib = 1u << 30;
    CHECK(*choose_memory(image, device_with(8 * gib), 1, 0) == 16u << 20);
    CHECK(*choose_memory(image, device_with(8 * gib, true), 1, 0) == 256u << 20);
    std::uint32_t many = *choose_memory(image, device_with(8 * gib), 1024, 0);
    CHECK(many >= 3u << 20);
    CHECK(many <= 5u << 20);
    std::uint32_t crowded = *choose_memory(image, device_with(gib), 8192, 0);
    CHECK(crowded >= 64u << 10);
    CHECK(crowded <= 128u << 10);
    CHECK(*choose_memory(image, device_with(gib), 1u << 20, 0) >= 64u << 10);
}

TEST_CASE("default memory: large static data leave as much heap and stack as small ones") {
    Image image = test::small_image();
    constexpr std::uint64_t gib = 1u << 30;
    constexpr std::uint32_t data = 40u << 20;
    image.brk = MOG_DATA_BASE + data;
    CHECK(*choose_memory(image, device_with(8 * gib, true), 1, 0) == data + (256u << 20));
    CHECK(*choose_memory(image, device_with(8 * gib), 180, 0) >= data + (2u << 20));
    CHECK(*choose_memory(image, device_with(8 * gib), 180, 0) <= 8 * gib / 180);
    CHECK(*choose_memory(image, device_with(gib), 100, 0) >= data + (64u << 10));
    image.brk = MOG_DATA_BASE + 0x70000000u;
    CHECK_FALSE(choose_memory(image, device_with(8 * gib), 1, 0));
}

TEST_CASE("sizes in text") {
    CHECK(format_size(100) == "100");
    CHECK(format_size(5 << 10) == "5K");
    CHECK(format_size(1791ull << 20) == "1791M");
    CHECK(format_size(100ull << 30) == "100G");
    CHECK(format_amount(1) == "1 MiB");
    CHECK(format_amount(300ull << 20) == "300 MiB");
    CHECK(format_amount((21ull << 30) - 5) == "21 GiB");
}

TEST_CASE("memory that was asked for") {
    Image image = test::small_image();
    CHECK(*choose_memory(image, device_with(1u << 30), 1, 100'000) == 100'000);
    CHECK(*choose_memory(image, device_with(1u << 30), 1, 100'001) == 100'016);
    CHECK_FALSE(choose_memory(image, device_with(1u << 30), 1, 1000));
    CHECK_FALSE(choose_memory(image, device_with(1u << 30), 1, 1ull << 31));
}

TEST_CASE("the block is laid out as Linux does") {
    const std::vector<std::string> arguments{"./prog", "", "x y"}, environment{"A=1"};
    for (std::uint32_t bytes : {65536u, 65544u}) {
        std::vector<std::uint32_t> block = *make_startup(arguments, environment, bytes);
        CHECK(block.size() % 2 == 0);
        std::uint32_t base = MOG_DATA_BASE + bytes - static_cast<std::uint32_t>(4 * block.size());
        CHECK(base % 16 == 0);
        auto text = [&](std::uint32_t address) { return reinterpret_cast<const char *>(block.data()) + (address - base); };
        CHECK(block[0] == 3);
        CHECK(std::string(text(block[1])) == "./prog");
        CHECK(std::string(text(block[2])) == "");
        CHECK(std::string(text(block[3])) == "x y");
        CHECK(block[4] == 0);
        CHECK(std::string(text(block[5])) == "A=1");
        CHECK(block[6] == 0);
        CHECK(block[7] == 0);  // AT_NULL
    }
}

TEST_CASE("a large environment is left out, large arguments are an error") {
    const std::vector<std::string> small{"p"}, large{std::string(20000, 'x')};
    CHECK((*make_startup(small, large, 65536))[3] == 0);
    Result<std::vector<std::uint32_t>> failed = make_startup(large, small, 65536);
    REQUIRE_FALSE(failed);
    CHECK(failed.error().message.find("raise --mem") != std::string::npos);
}
