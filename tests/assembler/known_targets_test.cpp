// known_targets_test.cpp: where jumps through registers are decided by compiled code: cases of a switch, returns, calls through pointers.
#include <doctest/doctest.h>

#include <algorithm>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/blocks/known_targets.hpp"
#include "assembler/profile/execution.hpp"
#include "tests/assembler/image_of.hpp"

using namespace mog;
using mog::test::image_of;

namespace {

using u32 = std::uint32_t;

BlockPlan plan_of(const Image &image) { return plan_blocks(image, static_execution(image), {0, true}); }

/// TEXT indices of the targets, ascending; each has the code address that leads there.
std::vector<u32> targets_of(const Image &image, const BlockPlan &plan, u32 at) {
    std::vector<u32> places;
    for (const CodeAddress &target : known_targets(image, plan, 1, at)) {
        CHECK(image.code_map[(target.address - image.code_base) / 4] == target.to);
        places.push_back(target.to);
    }
    std::ranges::sort(places);
    return places;
}

}  // namespace

TEST_CASE("known targets of a switch: the blocks of its function that have an address, but not what stands behind a call") {
    const Image image = image_of(R"(
.register sp ra x
.symbol main, 0x00400000, 48, code
.symbol leaf, 0x00400030, 8, code
main:
        .at   0x00400000
        li    back
        sr    $ra
        ja    leaf
back:   .map  0x00400010
        .at   0x00400010
        lr    $x
        j
one:    .map  0x00400018
        .at   0x00400018
        brk   1
two:    .map  0x0040001c
        .at   0x0040001c
        brk   2
none:
        .at   0x00400020
        brk   3
leaf:   .map  0x00400030
        .at   0x00400030
        lr    $ra
        j
)");
    const BlockPlan plan = plan_of(image);
    REQUIRE(plan.groups.size() == 1);
    const u32 the_switch = 4, one = 5, two = 6;
    // Not `back`, a return address; nor `none`, to which no code address leads; nor `leaf`, another function.
    CHECK(targets_of(image, plan, the_switch) == std::vector<u32>{one, two});
}

TEST_CASE("known targets of a return: behind the calls of its own function, and behind those through pointers if it has an address") {
    const Image image = image_of(R"(
.register sp ra p
.symbol main, 0x00400000, 64, code
.symbol named, 0x00400040, 8, code
.symbol pointed, 0x00400048, 8, code
main:
        .at   0x00400000
        li    first
        sr    $ra
        ja    named
first:  .map  0x00400010
        .at   0x00400010
        li    second
        sr    $ra
        ja    named
second: .map  0x00400020
        .at   0x00400020
        li    third
        sr    $ra
        lr    $p
        j
third:  .map  0x00400030
        .at   0x00400030
        brk   0
named:
        .at   0x00400040
        lr    $ra
        j
pointed: .map 0x00400048
        .at   0x00400048
        lr    $ra
        j
)");
    const BlockPlan plan = plan_of(image);
    REQUIRE(plan.groups.size() == 1);
    const u32 first = 3, second = 6, call_through_pointer = 9, third = 10, named = 11, pointed = 13;
    CHECK(targets_of(image, plan, named + 1) == std::vector<u32>{first, second});
    CHECK(targets_of(image, plan, pointed + 1) == std::vector<u32>{third});
    CHECK(targets_of(image, plan, call_through_pointer) == std::vector<u32>{pointed});
    const auto function_at = [&](u32 at) { return plan.code.function[plan.code.block_of[at]]; };
    CHECK(has_address(plan.code, function_at(pointed)));
    CHECK_FALSE(has_address(plan.code, function_at(named)));
}

TEST_CASE("known targets are bounded") {
    std::string text =
        ".register sp ra x\n.symbol main, 0x00400000, 4096, code\nmain:\n        .at   0x00400000\n        lr    $x\n        j\n";
    for (u32 i = 0; i < 400; i++) {
        char line[120];
        std::snprintf(line, sizeof line, "c%u:     .map  0x%08x\n        .at   0x%08x\n        brk   %u\n", i, 0x400008 + 4 * i,
                      0x400008 + 4 * i, i % 8);
        text += line;
    }
    const Image image = image_of(text);
    const BlockPlan plan = plan_of(image);
    REQUIRE(!plan.groups.empty());
    const std::size_t count = known_targets(image, plan, plan.group_of[plan.code.block_of[1]], 1).size();
    CHECK(count > 0);
    CHECK(count <= 256);
}
