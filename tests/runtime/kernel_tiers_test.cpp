// kernel_tiers_test.cpp: which kernels a run has, where its driver links.
#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "assembler/image/facts.hpp"
#include "runtime_host/devices/tiers/kernel_tiers.hpp"
#include "tests/assembler/image_of.hpp"

using namespace mog;

TEST_CASE("kernels: a run begins in parts, and once it has gone on for as long as a kernel of its own costs has that") {
    Image image = test::image_of(
        "        .register sp ra x\n"
        "        .symbol main, 0x00400000, 16, code\n"
        "        .at 0x00400000\n"
        "main:   .map 0x00400000\n"
        "        lr    $x\n        addi  3\n        sr    $x\n        jt    main\n        brk   0\n");
    std::vector<std::uint8_t> slots;  // any order
    for (const Op op : used_ops(image)) slots.push_back(static_cast<std::uint8_t>(op));
    image.products.set(ProductKind::slots, std::move(slots));
    std::vector<std::size_t> parts;  // of what was built; by the thread that builds, which ends before it is taken
    const KernelTiers::Driver driver{Dialect::cuda, ProductKind::cuda, DriverCosts::cuda(), true, false, RunSizes{1, 0}};
    // Nothing is known of it from earlier runs of this test.
    const std::string names = std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
    KernelTiers tiers(image, driver, names, [&parts](const TierSource &source) -> Result<std::unique_ptr<BuiltTier>> {
        parts.push_back(source.parts.size());
        return std::make_unique<BuiltTier>();
    });
    const TierSource *const first = tiers.begin(false);
    REQUIRE(first != nullptr);
    CHECK_FALSE(first->parts.empty());
    tiers.has_begun(0.1);
    const auto take = [&] {
        Result<std::unique_ptr<BuiltTier>> taken = tiers.take();
        REQUIRE(taken);
        return *std::move(taken);
    };
    // Not after a moment.
    tiers.ran(0.01);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(take() == nullptr);
    CHECK(parts.empty());
    tiers.ran(5);
    std::unique_ptr<BuiltTier> next;
    for (int i = 0; i < 2000 && !next; i++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        next = take();
    }
    REQUIRE(next != nullptr);
    REQUIRE(parts.size() == 1);
    CHECK(parts.front() == 0);
    // That is what it stays with, as long as it lacks nothing.
    tiers.ran(50);
    tiers.end();
    CHECK(parts.size() == 1);
}
