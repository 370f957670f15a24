// counted_loops_test.cpp: which loops are known to go round how often, and which of their accesses go on by as much.
#include <doctest/doctest.h>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/blocks/counted_loops.hpp"
#include "assembler/profile/execution.hpp"
#include "tests/assembler/image_of.hpp"

using namespace mog;
using mog::test::image_of;

namespace {

using u32 = std::uint32_t;
using Goes = CountedLoop::Goes;

/// The loop of a program that has nothing else but an instruction before it.
struct Found {
    explicit Found(const std::string &body)
        : image(image_of(
              ".register sp ra v0 a0 p q sum end x n\n.symbol main, 0x00400000, 256, code\nmain:\n .at 0x00400000\n li 0\n sr $sum\n"
              "loop: " +
              body + "\n brk 0\n")),
          plan(plan_blocks(image, static_execution(image), {0, true})),
          group(image, plan, 1, EnteredAt::entries),
          loops(find_counted_loops(group)) {
        if (const auto found = loops.find(plan.code.block_of[2]); found != loops.end()) loop = found->second;
    }

    std::string name(u32 r) const { return r == CountedLoop::none ? "" : image.register_names[r]; }
    /// As "p + q + 4".
    std::string text(const CountedLoop::Sum &sum) const {
        std::string text;
        for (const u32 r : sum.registers) text += r == CountedLoop::none ? "" : name(r) + " + ";
        return text + std::to_string(static_cast<std::int32_t>(sum.constant));
    }
    std::string step(const CountedLoop::Step &step) const {
        return step.in == CountedLoop::none ? std::to_string(step.constant) : name(step.in);
    }

    Image image;
    BlockPlan plan;
    GroupPlan group;
    std::map<u32, CountedLoop> loops;
    std::optional<CountedLoop> loop;
};

const std::string next_p = " lr $p\n addi 4\n sr $p\n", load_p = " lr $p\n lw\n add $sum\n sr $sum\n";

}  // namespace

TEST_CASE("from one pointer to another: as often as they are apart when they are compared") {
    const Found found(load_p + next_p + " xor $end\n jt loop");
    REQUIRE(found.loop);
    CHECK(found.loop->goes == Goes::while_different);
    CHECK(found.text(found.loop->low) == "p + 4");
    CHECK(found.text(found.loop->high) == "end + 0");
    CHECK(found.step(found.loop->step) == "4");
    REQUIRE(found.loop->streams.size() == 1);
    CHECK(found.text(found.loop->streams[0].address) == "p + 0");
    CHECK(found.step(found.loop->streams[0].step) == "4");
    CHECK(found.loop->streams[0].shift == 2);
    CHECK_FALSE(found.loop->streams[0].stores);
    CHECK_FALSE(found.loop->leaves);
    // Until they are the same is another thing.
    CHECK_FALSE(Found(load_p + next_p + " xor $end\n jf loop").loop);
}

TEST_CASE("counters: down to nothing, up to a bound, signed and not, or as long as they are not below") {
    const auto goes = [](const std::string &end) { return Found(load_p + next_p + end); };
    const Found down = goes(" lr $n\n addi -1\n sr $n\n lr $n\n jt loop");
    REQUIRE(down.loop);
    CHECK(down.loop->goes == Goes::while_different);
    CHECK(down.text(down.loop->low) == "0");
    CHECK(down.text(down.loop->high) == "n + -1");
    CHECK(down.step(down.loop->step) == "1");
    const Found up = goes(" lr $n\n addi 3\n sr $n\n sltu $end\n jt loop");
    REQUIRE(up.loop);
    CHECK(up.loop->goes == Goes::while_less);
    CHECK(up.text(up.loop->low) == "n + 3");
    CHECK(up.step(up.loop->step) == "3");
    CHECK(goes(" lr $n\n addi 3\n sr $n\n slti 500\n jt loop").loop->goes == Goes::while_less_signed);
    const Found not_below = goes(" lr $n\n addi -2\n sr $n\n slt $end\n jf loop");
    REQUIRE(not_below.loop);
    CHECK(not_below.loop->goes == Goes::while_not_more_signed);
    CHECK(not_below.text(not_below.loop->low) == "end + 0");
    CHECK(not_below.text(not_below.loop->high) == "n + -2");
    // What goes away from its bound goes on until it has come round.
    CHECK_FALSE(goes(" lr $n\n addi 3\n sr $n\n sltu $end\n jf loop").loop);
    CHECK_FALSE(goes(" lr $n\n addi -3\n sr $n\n sltu $end\n jt loop").loop);
    // As does what does not move, or both.
    CHECK_FALSE(goes(" lr $n\n sltu $end\n jt loop").loop);
    CHECK_FALSE(goes(" lr $n\n addi 1\n sr $n\n lr $end\n addi 2\n sr $end\n lr $n\n xor $end\n jt loop").loop);
}

TEST_CASE("steps that are a register's, and addresses of two registers") {
    const Found found(" lr $p\n lwx $x\n add $sum\n sr $sum\n lr $p\n add $q\n sr $p\n lr $n\n add $q\n sr $n\n sltu $end\n jt loop");
    REQUIRE(found.loop);
    CHECK(found.step(found.loop->step) == "q");
    REQUIRE(found.loop->streams.size() == 1);
    CHECK(found.text(found.loop->streams[0].address) == "p + x + 0");
    CHECK(found.step(found.loop->streams[0].step) == "q");
    // One that the loop changes is none.
    CHECK_FALSE(Found(" lr $p\n lw\n sr $q\n lr $p\n add $q\n sr $p\n xor $end\n jt loop").loop);
}

TEST_CASE("accesses: those that go on by whole elements; others ask for themselves, and then all rounds are counted one by one") {
    const Found mixed(" lr $p\n lw\n sr $q\n lr $q\n lw\n add $sum\n sr $sum\n" + next_p + " xor $end\n jt loop");
    REQUIRE(mixed.loop);
    CHECK(mixed.loop->accesses == std::map<u32, u32>{{3, 0}});
    CHECK(mixed.loop->leaves);
    // There is nothing to win where all do.
    CHECK_FALSE(Found(" lr $q\n lw\n sr $q\n lr $n\n addi -1\n sr $n\n jt loop").loop);
    CHECK_FALSE(Found(" lr $p\n lw\n lr $p\n addi 2\n sr $p\n xor $end\n jt loop").loop);
    // A store and a load of the same place are one stream.
    const Found both(" lr $p\n lw\n addi 1\n sr $x\n lr $p\n stw $x\n" + next_p + " xor $end\n jt loop");
    REQUIRE(both.loop);
    REQUIRE(both.loop->streams.size() == 1);
    CHECK(both.loop->streams[0].stores);
    CHECK(both.loop->accesses.size() == 2);
    // Without accesses there are still rounds to count.
    const Found pure(" lr $sum\n mul $x\n sr $sum\n lr $n\n addi -1\n sr $n\n jt loop");
    REQUIRE(pure.loop);
    CHECK(pure.loop->streams.empty());
}

TEST_CASE("a table, at the place that some bits say") {
    const Found found(" lr $x\n andi 255\n slli 2\n add $q\n lw\n xor $x\n sr $x\n lr $n\n addi -1\n sr $n\n jt loop");
    REQUIRE(found.loop);
    CHECK_FALSE(found.loop->leaves);
    REQUIRE(found.loop->streams.size() == 1);
    CHECK(found.text(found.loop->streams[0].address) == "q + 0");
    CHECK(found.loop->streams[0].address.more == 1020);
    CHECK(found.loop->streams[0].step.is_zero());
    CHECK_FALSE(found.loop->streams[0].has_place());
    // By bytes a word need not be one; and many bits are no place.
    CHECK_FALSE(Found(" lr $x\n andi 255\n add $q\n lw\n xor $x\n sr $x\n lr $n\n addi -1\n sr $n\n jt loop").loop);
    CHECK_FALSE(Found(" lr $x\n srli 2\n slli 2\n add $q\n lw\n xor $x\n sr $x\n lr $n\n addi -1\n sr $n\n jt loop").loop);
    // Nor does a bound come nearer by it.
    CHECK_FALSE(Found(load_p + next_p + " lr $x\n andi 7\n xor $end\n jt loop").loop);
}

TEST_CASE("ways out of the midst, and blocks behind them from which control comes back") {
    const Found found(" lr $p\n lw\n jf out\n add $sum\n sr $sum\n" + next_p + " xor $end\n jt loop\nout: li 1\n sr $v0");
    REQUIRE(found.loop);
    CHECK(found.loop->blocks.size() == 2);
    CHECK(found.loop->leaves);
    CHECK(found.loop->all.size() == 2);
    const Found back(" lr $p\n lw\n jf rare\n add $sum\n sr $sum\nnext: " + next_p +
                     " xor $end\n jt loop\n ja out\nrare: li 7\n sr $sum\n ja next\n"
                     "out: li 1\n sr $v0");
    REQUIRE(back.loop);
    CHECK(back.loop->blocks.size() == 3);
    CHECK(back.loop->all.size() == 4);
    // A way to a block of the loop, past another one.
    CHECK_FALSE(Found(" lr $p\n lw\n jf next\n add $sum\n sr $sum\nnext: " + next_p + " xor $end\n jt loop").loop);
}

TEST_CASE("a loop in which others have their turn, or which compares what it loads, is none") {
    CHECK_FALSE(Found(load_p + " yield\n" + next_p + " xor $end\n jt loop").loop);
    CHECK_FALSE(Found(" lr $p\n lw\n xor $end\n jt loop").loop);
    CHECK_FALSE(Found(" lr $p\n lw\n sr $p\n xor $end\n jt loop").loop);
}
