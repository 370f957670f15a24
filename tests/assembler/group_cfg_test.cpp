// group_cfg_test.cpp: where it is asked in a group of compiled blocks whether a slice is over, and where control comes in.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/blocks/group_cfg.hpp"
#include "assembler/blocks/pass_counts.hpp"
#include "assembler/image/encode.hpp"
#include "assembler/profile/execution.hpp"
#include "tests/assembler/image_of.hpp"
#include "tests/assembler/random_program.hpp"

using namespace mog;
using mog::test::image_of;

namespace {

using u32 = std::uint32_t;
using Places = std::set<u32>;

BlockPlan plan_of(const Image &image) { return plan_blocks(image, static_execution(image), {0, true}); }

Places entries_of(const BlockPlan &plan) {
    Places places;
    for (const BlockPlan::Entry &entry : plan.entries) places.insert(entry.at);
    return places;
}

/// TEXT indices of heads.
Places heads_of(const Image &image, const BlockPlan &plan, u32 group) {
    const GroupCfg flow(image, plan, group);
    Places places;
    for (const u32 block : flow.heads()) places.insert(plan.code.start[block]);
    return places;
}

// An interpreter's loop: a table of two cases, one of which comes back to where the other one begins.
constexpr const char *interpreter = R"(
.register sp ra x
.symbol main, 0x00400000, 64, code
main:
        .at   0x00400000
        li    1
        sr    $x
loop:   lr    $x
        j
one:    .map  0x00400010
        .at   0x00400010
        addi  1
        ja    next
two:    .map  0x00400018
        .at   0x00400018
        addi  2
next:
        .at   0x0040001c
        sr    $x
        jt    loop
        brk   0
)";

}  // namespace

TEST_CASE("a loop with a switch is asked about once, and its cases are no entries") {
    const Image image = image_of(interpreter);
    const BlockPlan plan = plan_of(image);
    REQUIRE(plan.groups.size() == 1);
    const u32 loop = 2;
    CHECK(heads_of(image, plan, 1) == Places{loop});
    CHECK(entries_of(plan) == Places{0, loop});
    const GroupCfg flow(image, plan, 1);
    const u32 decides = plan.code.block_of[loop];
    CHECK(flow.successors(decides, GroupCfg::Ways::in_function).size() == 2);
    // Counted at the head: the likely case, to the end of the loop.
    const PassCounts counts(image, plan, 1, flow);
    CHECK(counts.asks(decides));
    CHECK(counts.needed(decides) == 2 + 2 + 2 + 1);
    CHECK(counts.due(decides, std::nullopt) == 2 - static_cast<std::int32_t>(counts.counted(decides)));
}

TEST_CASE("a call in a loop is followed, and back; a function that calls itself is asked about") {
    const Image image = image_of(R"(
.register sp ra x
.symbol main, 0x00400000, 32, code
.symbol leaf, 0x00400020, 16, code
.symbol again, 0x00400030, 32, code
main:
        .at   0x00400000
        li    1
        sr    $x
loop:   li    back
        sr    $ra
        ja    leaf
back:   .map  0x00400010
        .at   0x00400010
        jt    loop
        li    end
        sr    $ra
        ja    again
end:    .map  0x0040001c
        .at   0x0040001c
        brk   0
leaf:
        .at   0x00400020
        lr    $ra
        j
again:
        .at   0x00400030
        li    behind
        sr    $ra
        ja    again
behind: .map  0x00400040
        .at   0x00400040
        lr    $ra
        j
)");
    const BlockPlan plan = plan_of(image);
    REQUIRE(plan.groups.size() == 1);
    const auto block_at = [&](u32 at) { return plan.code.block_of[at]; };
    const u32 loop = 2, back = 5, leaf = 10, again = 12, behind = 15;
    // Behind the call in `again` a return may lead to behind the call, and so on.
    CHECK(heads_of(image, plan, 1) == Places{loop, again, behind});
    const GroupCfg flow(image, plan, 1);
    CHECK(flow.successors(block_at(loop), GroupCfg::Ways::in_function) == std::vector<u32>{block_at(back)});
    CHECK(flow.successors(block_at(loop), GroupCfg::Ways::calls) == std::vector<u32>{block_at(leaf), block_at(back)});
    CHECK(flow.successors(block_at(loop), GroupCfg::Ways::calls_only) == std::vector<u32>{block_at(leaf)});
    CHECK(flow.successors(block_at(leaf), GroupCfg::Ways::all) == std::vector<u32>{block_at(back)});
    CHECK(flow.successors(block_at(leaf), GroupCfg::Ways::calls).empty());
    // Control that comes in where it is not asked is asked there.
    CHECK(entries_of(plan).contains(back));
    const PassCounts counts(image, plan, 1, flow);
    CHECK_FALSE(counts.asks(block_at(back)));
    // The leaf and what follows it are counted with the call.
    CHECK(counts.counted(block_at(loop)) == 3 + 2 + 1);
}

TEST_CASE("a call through a pointer may lead to functions that have an address, and comes back") {
    const Image image = image_of(R"(
.register sp ra x p
.symbol main, 0x00400000, 32, code
.symbol one, 0x00400020, 8, code
.symbol two, 0x00400028, 8, code
.symbol plain, 0x00400030, 8, code
main:
        .at   0x00400000
        li    back
        sr    $ra
        lr    $p
        j
back:   .map  0x00400010
        .at   0x00400010
        ja    plain
one:    .map  0x00400020
        .at   0x00400020
        lr    $ra
        j
two:    .map  0x00400028
        .at   0x00400028
        lr    $ra
        j
plain:
        .at   0x00400030
        lr    $ra
        j
)");
    const BlockPlan plan = plan_of(image);
    REQUIRE(plan.groups.size() == 1);
    const auto block_at = [&](u32 at) { return plan.code.block_of[at]; };
    const u32 back = 4, one = 5, two = 7, plain = 9;
    const GroupCfg flow(image, plan, 1);
    CHECK(flow.successors(0, GroupCfg::Ways::in_function) == std::vector<u32>{block_at(back)});
    CHECK(flow.successors(0, GroupCfg::Ways::calls_only) == std::vector<u32>{block_at(one), block_at(two)});
    for (const u32 called : {one, two}) CHECK(flow.successors(block_at(called), GroupCfg::Ways::all) == std::vector<u32>{block_at(back)});
    CHECK(flow.successors(block_at(plain), GroupCfg::Ways::all).empty());
}

TEST_CASE("what is counted in a loop is another round, where nothing is known of how often it goes round") {
    const std::string out = "out: lr $b\n sr $a\n brk 0\n", on = "on: lr $a\n addi -1\n sr $a\n ja loop\n";
    for (const std::string &rest : {" jt out\n" + on + out, " jt on\n" + out + on}) {
        const Image image = image_of(".register a b\n li 10\n sr $a\nloop: lr $b\n" + rest);
        BlockPlan plan = plan_of(image);
        std::ranges::fill(plan.executed, 0);
        REQUIRE(plan.groups.size() == 1);
        const GroupCfg flow(image, plan, 1);
        const PassCounts counts(image, plan, 1, flow);
        const auto block_at = [&](std::string_view name) {
            const auto label = std::ranges::find(image.labels, name) - image.labels.begin();
            return plan.code.block_of[image.label_at[static_cast<std::size_t>(label)]];
        };
        const u32 asks = block_at("loop");
        CHECK(counts.asks(asks));
        CHECK(counts.counted(asks) == 2 + 4);
        CHECK(counts.due(asks, block_at("on")) == 0);
        CHECK(counts.due(block_at("on"), asks) == 0);
        CHECK(counts.due(asks, block_at("out")) == 3 - 4);
    }
}

TEST_CASE("no way goes round without a question, and counts agree on all ways") {
    Random random(7);
    u32 groups = 0;
    for (int i = 0; i < 60; ++i) {
        const auto encoded = encode(mog::test::random_program(random, 3 + random.below(40)));
        REQUIRE(bool(encoded));
        const Image &image = *encoded;
        const BlockPlan plan = plan_of(image);
        for (u32 group = 1; group <= plan.groups.size(); ++group, ++groups) {
            const GroupCfg flow(image, plan, group);
            const PassCounts counts(image, plan, group, flow);
            // By `order`, ways that are not asked about lead forward.
            std::map<u32, std::size_t> place;
            for (const u32 block : flow.order()) place.emplace(block, place.size());
            REQUIRE(place.size() == plan.groups[group - 1].blocks.size());
            for (const u32 block : flow.order())
                for (const u32 next : flow.successors(block, GroupCfg::Ways::all)) {
                    const auto size = static_cast<std::int32_t>(plan.code.end(image, block) - plan.code.start[block]);
                    const std::int32_t left = static_cast<std::int32_t>(counts.counted(block)) - size + counts.due(block, next);
                    if (counts.asks(next)) {
                        CHECK(left == 0);
                        continue;
                    }
                    CHECK(place[block] < place[next]);
                    CHECK(left == static_cast<std::int32_t>(counts.counted(next)));
                    CHECK(counts.needed(block) >= static_cast<u32>(size) + counts.needed(next));
                }
        }
    }
    CHECK(groups > 20);
}
