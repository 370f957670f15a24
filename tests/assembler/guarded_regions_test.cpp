// guarded_regions_test.cpp: which loops get a copy for lanes that are together, and what is asked before.
#include <doctest/doctest.h>

#include <map>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/blocks/guarded_regions.hpp"
#include "assembler/profile/execution.hpp"
#include "tests/assembler/image_of.hpp"

using namespace mog;
using mog::test::image_of;

namespace {

using u32 = std::uint32_t;

/// The regions of the group that the program is, with names of what is asked at each head, by TEXT index.
struct Found {
    explicit Found(const std::string &text)
        : image(image_of(text)),
          plan(plan_blocks(image, static_execution(image), {0, true})),
          group(image, plan, 1, EnteredAt::any_block),
          regions(find_guarded_regions(group, CopiesFor::lanes)) {}

    std::map<u32, std::string> asked(std::size_t region = 0) const {
        std::map<u32, std::string> found;
        for (const GuardedRegion::Block &block : regions.at(region).blocks) {
            if (!block.is_head) continue;
            std::string &names = found[group.begin(block.block)];
            for (u32 r = 0; r < image.register_names.size(); ++r)
                if (block.asked[r]) names += image.register_names[r] + ' ';
            if (block.asked[acc_variable]) names += "ACC ";
        }
        return found;
    }

    Image image;
    BlockPlan plan;
    GroupPlan group;
    std::vector<GuardedRegion> regions;
};

/// From one element of an array to the next; leaves in ACC whether that is the end.
const std::string to_next = "        lr    $p\n        addi  4\n        sr    $p\n        xor   $end\n";
const std::string head = ".register sp ra v0 a0 p q sum end x\n.symbol main, 0x00400000, 256, code\nmain:\n .at 0x00400000\n";

}  // namespace

TEST_CASE("a loop over an array: its pointer and its end are asked") {
    const Found found(head + R"(
        li    0
        sr    $sum
loop:   lr    $p
        lw
        add   $sum
        sr    $sum
        lr    $p
        addi  4
        sr    $p
        lr    $end
        xor   $p
        jt    loop
        brk   0
)");
    REQUIRE(found.regions.size() == 1);
    CHECK(found.asked() == std::map<u32, std::string>{{2, "p end "}});
    const GuardedRegion::Block &block = found.regions[0].blocks.at(0);
    CHECK(block.scalars == 7);  // lr, and from the second lr on
    CHECK(!found.regions[0].has_some());
    CHECK(found.regions[0].written[found.image.text[3 + 2] & 0xffu]);
}

TEST_CASE("two loops, one in the other, are one region with two heads") {
    const Found found(head + R"(
outer:  lr    $end
        addi  0xffffff00
        sr    $p
inner:  lr    $p
        lw
        add   $sum
        sr    $sum
)" + to_next + R"(        jt    inner
        lr    $q
        addi  0xffffffff
        sr    $q
        jt    outer
        brk   0
)");
    REQUIRE(found.regions.size() == 2);
    CHECK(found.asked() == std::map<u32, std::string>{{0, "q end "}, {3, "p q end "}});
    // Where rows are in different places, the inner one still may be together.
    CHECK(found.asked(1) == std::map<u32, std::string>{{3, "p end "}});
    CHECK(find_guarded_regions(found.group, CopiesFor::warps).size() == 1);
}

TEST_CASE("a loop's bound that is in the frame is confirmed each time, what is in an array is not, nor what decides nothing") {
    const std::string loops = head + R"(
outer:  li    16
        lwx   $sp
        sr    $end
inner:  lr    $p
        lw
        add   $sum
        sr    $sum
        li    20
        lwx   $sp
        add   $sum
        sr    $sum
)" + to_next + R"(        jt    inner
        lr    $q
        addi  0xffffffff
        sr    $q
        jt    outer
        brk   0
)";
    const Found found(loops);
    REQUIRE(found.regions.size() == 2);
    CHECK(found.asked()[0] == "sp p q ");
    CHECK(found.regions[0].confirmed == std::vector<u32>{1});
    CHECK(found.regions[1].confirmed.empty());
    // A warp cannot leave in the middle: only the inner loop stays together.
    const auto of_warps = find_guarded_regions(found.group, CopiesFor::warps);
    REQUIRE(of_warps.size() == 1);
    CHECK(of_warps[0].blocks.size() == 1);
    CHECK(of_warps[0].confirmed.empty());
    std::string in_array = loops;
    in_array.replace(in_array.find("li    16\n        lwx   $sp"), 26, "lr    $q\n        lw");
    CHECK(Found(in_array).regions.at(0).blocks.size() == 1);
}

TEST_CASE("what some of the lanes skip is executed by the others; a load that decides parts them") {
    const std::string clamp = head + R"(
loop:   lr    $p
        lw
        sr    $x
        slti  100
        jt    small
        li    100
        sr    $x
small:  lr    $x
        add   $sum
        sr    $sum
)" + to_next + R"(        jt    loop
        brk   0
)";
    const Found found(clamp);
    REQUIRE(found.regions.size() == 1);
    CHECK(found.regions[0].has_some());
    CHECK(found.regions[0].blocks.at(1).joins == found.regions[0].blocks.at(2).block);
    CHECK(found.regions[0].blocks.at(1).scalars == 0);
    CHECK(found.asked() == std::map<u32, std::string>{{0, "p end "}});
    // Doubles are not kept for the others.
    std::string doubles = clamp;
    doubles.replace(doubles.find("li    100\n"), 10, "lrd   $v0\n srd $v0\n li 100\n");
    CHECK(Found(doubles).regions.empty());
    // Two ways of which neither leads out and neither is rare.
    std::string ways = clamp;
    ways.replace(ways.find("small:"), 6, "        ja    both\nsmall:  li    7\n        sr    $v0\nboth: ");
    CHECK(Found(ways).regions.empty());
}

TEST_CASE("lanes that find what they look for leave the loop, and the copy with it") {
    const Found found(head + R"(
loop:   lr    $p
        lbu
        sr    $x
        jf    found
        lr    $p
        addi  1
        sr    $p
        ja    loop
found:  brk   0
)");
    REQUIRE(found.regions.size() == 1);
    CHECK(found.asked() == std::map<u32, std::string>{{0, "p "}});
    CHECK(!found.regions[0].has_some());
}

TEST_CASE("a call leaves the copy, and what is behind it is a head; it has to be worth that") {
    const std::string accesses = "        lr    $p\n        lw\n        add   $sum\n        sr    $sum\n";
    const auto program = [&](int before_call) {
        std::string text = ".marked\n" + head + "loop:   lr $p\n";
        for (int i = 0; i < before_call; ++i) text += accesses;
        return text + R"(
        li    0x00400040
        sr    $ra
        ja    leaf .call
back:   .map  0x00400040, return
        .at   0x00400040
)" + to_next + R"(        jt    loop
        brk   0
.symbol leaf, 0x00400080, 16, code
leaf:   .at   0x00400080
        lr    $ra
        j     .return
)";
    };
    const Found found(program(12));
    REQUIRE(found.regions.size() == 1);
    CHECK(found.asked().size() == 2);
    CHECK(found.asked().rbegin()->second == "p end ");
    CHECK(Found(program(0)).regions.empty());
}

TEST_CASE("where lanes read constants that all have once there are copies, and where they share memory there are none") {
    const std::string loop = head +
                             "loop:   lr    $p\n        lw\n        add $sum\n        sr $sum\n        lr    $end\n        xor   $p\n" +
                             "        jt    loop\n        brk   0\n";
    CHECK(Found(loop + ".constants\n        .word 1, 2\n").regions.size() == 1);
    CHECK(Found(loop + ".shared 64\n").regions.empty());
}

TEST_CASE("a stack that grows in a loop, and jumps through registers, have no copy") {
    const std::string end = "        lr    $end\n        xor   $p\n        jt    loop\n        brk   0\n";
    const std::string begin = head + "loop:   lr    $p\n        lw\n        add $sum\n        sr $sum\n";
    CHECK(Found(begin + end).regions.size() == 1);
    CHECK(Found(begin + "        srsp  $sp\n" + end).regions.empty());
    CHECK(Found(begin + "        sys   0\n" + end).regions.empty());
}
