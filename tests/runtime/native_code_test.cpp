// native_code_test.cpp: what code that is compiled while it runs is made of: units and their entries, accumulators that are read later,
// registers with homes. What it does, tests/isa/ compares with the reference machine.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>

#include "assembler/blocks/group_plan.hpp"
#include "assembler/image/read_only.hpp"
#include "runtime_host/devices/host/native/jump_table.hpp"
#include "runtime_host/devices/host/native/native_turns.hpp"
#include "runtime_host/devices/host/native/native_units.hpp"
#include "runtime_host/devices/host/native/register_homes.hpp"
#include "tests/assembler/image_of.hpp"

using namespace mog;
using mog::test::image_of;

namespace {

constexpr std::string_view head = ".register a b c p q f g x\n.role sp $a\n.code 0x00400000, 64\n";

Image program(std::string_view text) { return image_of(std::string(head) + std::string(text)); }

std::uint32_t at_label(const Image &image, std::string_view name) {
    for (std::size_t i = 0; i < image.labels.size(); ++i)
        if (image.labels[i] == name) return image.label_at[i];
    FAIL("no label " << name);
    return 0;
}

std::uint32_t block_at(const NativeUnits &units, std::string_view name) {
    return units.plan().code.block_of[at_label(units.image(), name)];
}

/// As function_compiler.cpp has them, of code without a switch.
std::vector<std::uint32_t> successors(const GroupPlan &group, std::uint32_t block) {
    const std::uint32_t last = group.end(block) - 1;
    std::vector<std::uint32_t> found;
    if (const auto named = named_block(group.image, group.plan.code, last); named && group.here(*named)) found.push_back(*named);
    if (!ends_block(op_at(group.image, last)) && block + 1 < group.plan.code.start.size() && group.here(block + 1))
        found.push_back(block + 1);
    return found;
}

constexpr std::uint32_t a = 0, b = 1, c = 2, p = 3, q = 4, f = 5, g = 6, x = 7;

constexpr std::string_view loop =
    "start: li 10\n sr $b\n li 0\n sr $c\n"
    "again: lr $c\n add $b\n sr $c\n lr $f\n mulf $f\n sr $f\n lr $b\n addi -1\n sr $b\n jt again\n"
    "out: lr $c\n sr $x\n brk 0\n";

}  // namespace

TEST_CASE("native code is entered where control comes from elsewhere, and where it goes round") {
    const Image image = program("start: lr $a\n jf there\nhere: li 1\n sr $a\n jt start\nthere: lr $a\n jt far\n brk 1\nfar: brk 2\n");
    const NativeUnits units(image, {}, {});
    CHECK(units.count() == 1);
    CHECK(units.entered()[at_label(image, "start")]);
    CHECK_FALSE(units.entered()[at_label(image, "here")]);
    CHECK_FALSE(units.entered()[at_label(image, "far")]);
    const NativeUnits all(image, {}, {}, true);
    for (const char *name : {"start", "here", "there", "far"}) CHECK(all.entered()[at_label(image, name)]);
}

TEST_CASE("what mogcc compiled is in no unit, and the way out of it leads into one") {
    const Image image = program("start: lr $a\n jf there\nhere: li 1\n sr $a\n ja far\nthere: brk 1\nfar: brk 2\n");
    std::vector<std::uint8_t> compiled(8);
    for (std::uint32_t at = at_label(image, "here"); at < at_label(image, "there"); ++at) compiled[at / 8] |= 1u << at % 8;
    const NativeUnits units(image, {}, compiled);
    CHECK(units.unit_at(at_label(image, "here")) == NativeUnits::none);
    CHECK(units.unit_at(at_label(image, "start")) != NativeUnits::none);
    CHECK(units.entered()[at_label(image, "far")]);
    CHECK_FALSE(units.entered()[at_label(image, "here")]);
}

TEST_CASE("an accumulator is live where it is read before it is written, on some way") {
    const Image image = program(
        "start: lr $a\n jf sets\nreads: addi 1\n sr $b\n"
        "sets: li 3\n lrd $p\n ja later\n"
        "later: srd $f\n brk 0\n");
    const NativeUnits units(image, {}, {});
    CHECK(units.acc_is_live(block_at(units, "reads")));
    CHECK_FALSE(units.acc_is_live(block_at(units, "sets")));
    CHECK(units.d_is_live(block_at(units, "later")));
    CHECK_FALSE(units.d_is_live(block_at(units, "sets")));
    CHECK_FALSE(units.d_is_live(block_at(units, "start")));
    CHECK(units.acc_is_live(block_at(units, "later")));  // for who stops there shows it
}

TEST_CASE("what a loop uses has a home; floats have theirs among doubles, and pairs, whoever looks at their halves") {
    const Image image = program(loop);
    const NativeUnits units(image, {}, {});
    const GroupPlan group(image, units.plan(), 1, EnteredAt::entries);
    const auto next = [&](std::uint32_t block) { return successors(group, block); };
    const RegisterHomes chosen(group, {}, next);
    const RegisterHomes::Assignment &homes = chosen.of(block_at(units, "again"));
    CHECK(homes.integer(b) != RegisterHomes::nowhere);
    CHECK(homes.integer(c) != RegisterHomes::nowhere);
    CHECK(homes.integer(c) != homes.integer(b));
    CHECK(homes.register_in_integer(homes.integer(b)) == b);
    CHECK(homes.integer(f) == RegisterHomes::nowhere);
    REQUIRE(homes.single(f) != RegisterHomes::nowhere);
    CHECK(homes.has_float(homes.single(f)));
    CHECK(homes.integer(x) == RegisterHomes::nowhere);  // once, outside of the loop
    // Nothing has been changed when the code is entered; in the loop the three of it may have been, and are wanted there.
    const auto bits = RegisterHomes::bit_of_integer(homes.integer(b)) | RegisterHomes::bit_of_integer(homes.integer(c)) |
                      RegisterHomes::bit_of_double(homes.single(f));
    CHECK(chosen.changed(block_at(units, "start")) == 0);
    CHECK((chosen.changed(block_at(units, "again")) & bits) == bits);
    CHECK((chosen.wanted(block_at(units, "again")) & bits) == bits);
    // b and c are set first; f comes from memory.
    CHECK(chosen.wanted(block_at(units, "start")) == RegisterHomes::bit_of_double(homes.single(f)));

    // f and g are three times a pair and twice half of one; b and c once, and their halves are put there.
    const Image pairs = program(
        "start: lrd $p\n addd $p\n srd $p\n lr $x\n jt start\n"
        "halves: lrd $f\n muld $f\n srd $f\n lr $f\n addi 1\n sr $g\n lr $x\n jt halves\n li 1\n sr $b\n lr $x\n sr $c\n lrd $b\n brk 0\n");
    const NativeUnits of_pairs(pairs, {}, {});
    const GroupPlan with_pairs(pairs, of_pairs.plan(), 1, EnteredAt::entries);
    const RegisterHomes chosen_pairs(with_pairs, {}, [&](std::uint32_t block) { return successors(with_pairs, block); });
    const RegisterHomes::Assignment &of = chosen_pairs.of(block_at(of_pairs, "start"));
    CHECK(of.pair(p) != RegisterHomes::nowhere);
    CHECK_FALSE(of.has_float(of.pair(p)));
    CHECK(of.half(p) == of.pair(p));
    REQUIRE(of.pair(f) != RegisterHomes::nowhere);
    CHECK(of.single(f) == RegisterHomes::nowhere);
    CHECK(of.integer(f) == RegisterHomes::nowhere);
    CHECK(of.half(f) == of.pair(f));
    CHECK_FALSE(of.is_high(f));
    CHECK(of.half(f + 1) == of.pair(f));
    CHECK(of.is_high(f + 1));
    // Who changes a half keeps the other one: the pair is wanted where the loop begins, and changed from then on.
    const auto of_f = RegisterHomes::bit_of_double(of.pair(f));
    CHECK((chosen_pairs.wanted(block_at(of_pairs, "halves")) & of_f) == of_f);
    CHECK((chosen_pairs.changed(block_at(of_pairs, "halves")) & of_f) == of_f);
    // Where a pair is put by halves and read once, memory would make the processor wait.
    CHECK(of.pair(b) != RegisterHomes::nowhere);
    CHECK(of.integer(b) == RegisterHomes::nowhere);
    CHECK(of.integer(a) == RegisterHomes::nowhere);

    // A word is loaded and stored by either kind of register: one look at it as a float makes it one, and none does not.
    const Image moved = program(
        "start: lr $a\n lw\n sr $g\n lr $f\n addf $g\n sr $f\n lr $a\n lw\n sr $c\n lr $b\n stw $c\n lr $a\n addi -4\n sr $a\n jt start\n "
        "brk 0\n");
    const NativeUnits of_moved(moved, {}, {});
    const GroupPlan with_moved(moved, of_moved.plan(), 1, EnteredAt::entries);
    const RegisterHomes chosen_words(with_moved, {}, [&](std::uint32_t block) { return successors(with_moved, block); });
    const RegisterHomes::Assignment &of_words = chosen_words.of(block_at(of_moved, "start"));
    CHECK(of_words.single(g) != RegisterHomes::nowhere);
    CHECK(of_words.single(c) == RegisterHomes::nowhere);
    CHECK(of_words.integer(c) != RegisterHomes::nowhere);

    // Of pairs that lie across each other neither has one, nor has one that is read once and never put.
    const Image across = program("start: lrd $b\n lrd $b\n lrd $c\n lrd $c\n lrd $f\n brk 0\n");
    const NativeUnits of_across(across, {}, {});
    const GroupPlan crossing(across, of_across.plan(), 1, EnteredAt::entries);
    const RegisterHomes none(crossing, {}, [&](std::uint32_t block) { return successors(crossing, block); });
    for (const std::uint32_t r : {b, c, f}) {
        CHECK(none.of(block_at(of_across, "start")).pair(r) == RegisterHomes::nowhere);
        CHECK(none.of(block_at(of_across, "start")).half(r) == RegisterHomes::nowhere);
    }

    // A pair with a register that is kept between units stays in memory.
    const std::vector<std::uint32_t> room{f + 1};
    const RegisterHomes chosen_beside(with_pairs, room, [&](std::uint32_t block) { return successors(with_pairs, block); });
    const RegisterHomes::Assignment &beside = chosen_beside.of(block_at(of_pairs, "start"));
    CHECK(beside.pair(f) == RegisterHomes::nowhere);
    CHECK(beside.half(f) == RegisterHomes::nowhere);
    CHECK(beside.pair(p) != RegisterHomes::nowhere);
}

TEST_CASE("a loop has homes of its own where registers that it uses would have none") {
    // With two homes: p and q are used most, g and x by the second loop alone, which uses neither of these.
    const Image image = program(
        "start: li 10\n sr $p\n sr $q\n sr $x\n sr $g\n"
        "outer: lr $b\n addi 1\n sr $b\n"
        "first: lr $p\n add $q\n sr $q\n add $q\n add $q\n add $q\n add $q\n sr $q\n lr $p\n addi -1\n sr $p\n sr $p\n sr $p\n sr $p\n jt "
        "first\n"
        "second: lr $x\n add $g\n sr $g\n add $g\n add $g\n sr $g\n lr $x\n addi -1\n sr $x\n sr $x\n jt second\n"
        "behind: lr $b\n jt outer\n"
        "out: brk 0\n");
    const NativeUnits units(image, {}, {});
    const GroupPlan group(image, units.plan(), 1, EnteredAt::entries);
    const auto next = [&](std::uint32_t block) { return successors(group, block); };
    const RegisterHomes chosen(group, {}, next, 2);
    const auto at = [&](std::string_view name) { return block_at(units, name); };
    const RegisterHomes::Assignment &first = chosen.of(at("first")), &second = chosen.of(at("second"));
    CHECK(first.integer(p) != RegisterHomes::nowhere);
    CHECK(first.integer(q) != RegisterHomes::nowhere);
    CHECK(first.integer(x) == RegisterHomes::nowhere);
    REQUIRE(&first != &second);
    REQUIRE(second.integer(x) != RegisterHomes::nowhere);
    REQUIRE(second.integer(g) != RegisterHomes::nowhere);
    CHECK(second.integer(p) == RegisterHomes::nowhere);
    CHECK(second.register_in_integer(second.integer(x)) == x);
    CHECK(&chosen.of(at("behind")) == &chosen.of(at("outer")));
    CHECK((RegisterHomes::common(first, second) & 3) == 0);
    CHECK(RegisterHomes::common(first, first) != 0);
    // What the one has changed is stored on the way to the other, which loads what it reads.
    const auto bits = RegisterHomes::bit_of_integer(second.integer(x)) | RegisterHomes::bit_of_integer(second.integer(g));
    CHECK((chosen.changed(at("first")) & 3) == 3);
    CHECK((chosen.wanted(at("second")) & bits) == bits);
    // The same registers are in the same homes in all units: who makes room for a loop is back where that is left.
    const std::array<std::uint32_t, 2> kept{p, q};
    const RegisterHomes with_kept(group, kept, next, 2);
    CHECK(with_kept.of(at("first")).is_kept(0));
    CHECK(with_kept.changed(at("first")) == 0);
    CHECK_FALSE(with_kept.of(at("second")).is_kept(0));
    CHECK(with_kept.of(at("out")).is_kept(0));
}

TEST_CASE("registers that most instructions name are kept from unit to unit, if nothing takes them for floats or pairs") {
    const Image image =
        program("start: lr $a\n add $a\n sr $a\n lr $b\n sr $b\n lr $f\n mulf $f\n sr $f\n lrd $p\n srd $p\n lr $p\n sr $c\n brk 0\n");
    CHECK(NativeUnits(image, {}, {}).kept() == std::vector<std::uint32_t>{a, b, c});
}

TEST_CASE("a register that is kept has its home and is in no set; it makes room for what a loop uses more") {
    const Image image = program(loop);
    const NativeUnits units(image, {}, {});
    const GroupPlan group(image, units.plan(), 1, EnteredAt::entries);
    const auto next = [&](std::uint32_t block) { return successors(group, block); };
    const std::vector<std::uint32_t> room{b, a};
    const RegisterHomes chosen(group, room, next);
    const RegisterHomes::Assignment &homes = chosen.of(block_at(units, "start"));
    CHECK(homes.integer(b) == 0);
    CHECK(homes.is_kept(0));
    CHECK(homes.integer(a) == 1);  // though nothing uses it: control passes through
    CHECK(homes.integer(c) == 2);
    CHECK_FALSE(homes.is_kept(2));
    const auto of_b = RegisterHomes::bit_of_integer(0), of_c = RegisterHomes::bit_of_integer(2);
    CHECK((chosen.changed(block_at(units, "again")) & (of_b | of_c)) == of_c);
    CHECK((chosen.wanted(block_at(units, "again")) & (of_b | of_c)) == of_c);

    // All homes are kept, and the loop wants c more than any of those that nobody uses.
    std::vector<std::uint32_t> full{b, 100, 101, 102, 103, 104, 105, 106, a};
    unsigned integers = 9;
    SUBCASE("nine") {}
    SUBCASE("ten") {
        full.push_back(107);
        integers = 10;
    }
    const RegisterHomes chosen_crowded(group, full, next, integers);
    const RegisterHomes::Assignment &crowded = chosen_crowded.of(block_at(units, "again"));
    CHECK(crowded.integer(b) == 0);
    const std::uint8_t home = crowded.integer(c);
    REQUIRE(home != RegisterHomes::nowhere);
    CHECK_FALSE(crowded.is_kept(home));
    for (unsigned other = 0; other < full.size(); ++other) CHECK(crowded.is_kept(other) == (other != home));
    CHECK(crowded.integer(full[home]) == RegisterHomes::nowhere);
    CHECK(crowded.register_in_integer(home) == c);
    // Nobody makes room for what is seldom used.
    CHECK(crowded.integer(x) == RegisterHomes::nowhere);
}

TEST_CASE("a table of jumps has a pointer for each word of the code; for every address, if it is to be whole") {
    constexpr std::uint32_t base = 0x400000;
    for (const bool whole : {false, true}) {
        JumpTable table(base, 3, whole);
        REQUIRE(table.words().size() == 3);
        CHECK((table.for_addresses() != nullptr) == whole);
        const int here = 0, beside = 0;
        std::ranges::fill(table.all(), &beside);
        table.words()[2] = &here;
        if (!whole) continue;
        const auto pointer = [&](std::uint32_t address) {
            return *reinterpret_cast<const void *const *>(static_cast<const char *>(table.for_addresses()) + std::uint64_t{2} * address);
        };
        CHECK(pointer(base + 8) == &here);
        CHECK(pointer(base + 4) == &beside);
        CHECK(pointer(base + 12) == &beside);  // behind the code, on its page
        CHECK(table.all().size_bytes() % static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) == 0);
    }
    // Code that does not begin where a page of the table does.
    const JumpTable odd(base + 0x14, 600, true);
    CHECK(odd.all().size() > odd.words().size());
    CHECK(odd.words().data() > odd.all().data());
}

TEST_CASE("PEs that yielded have their turns in native code until one leaves it, with what they had and what they have used") {
    const Image image = program(
        "again: lrd $p\n addd $p\n lr $a\n yield\n sr $x\n srd $p\n lr $b\n add $x\n sr $b\n lr $f\n addf $f\n sr $f\n"
        " lr $c\n addi -1\n sr $c\n jt again\nout: brk 0\n");
    if (!NativeCode::is_possible(image)) return;
    constexpr std::uint32_t pes = 262, registers = 8, stride = 272, behind = 4, round = 16, plenty = 1000;
    alignas(8) std::array<std::uint32_t, registers> own{};
    std::array<std::uint32_t, 1024> memory{};
    NativeCode code(image, {sizeof memory, nullptr, 0, true, false}, true, true);
    CHECK_FALSE(code.behind_yield(behind));
    // The interpreter enters, and gets the PE back at the `yield`.
    MogBlocks blocks{};
    blocks.passes = plenty;
    code.hook().run(code.hook().code, &blocks, own.data(), memory.data());
    CHECK(blocks.cold == 1);
    CHECK(blocks.pc == behind - 1);
    CHECK(blocks.passes == plenty - (behind - 1));
    REQUIRE(code.behind_yield(behind));
    CHECK_FALSE(code.behind_yield(behind + 1));

    std::vector<std::uint32_t> state((MOG_S_REGS + registers) * stride);
    const auto row = [&](std::uint32_t number, std::uint32_t pe) -> std::uint32_t & { return state[number * stride + pe]; };
    const auto reg = [&](std::uint32_t number, std::uint32_t pe) -> std::uint32_t & { return row(MOG_S_REGS + number, pe); };
    const auto pair = [&](std::uint32_t low, std::uint32_t high) { return std::bit_cast<double>(low | std::uint64_t{high} << 32); };
    const auto stopped = [&](std::uint32_t pe, std::uint32_t rounds) {
        row(MOG_S_PC, pe) = behind;
        row(MOG_S_ACC, pe) = reg(a, pe) = pe + 1;
        const auto d = std::bit_cast<std::uint64_t>(3.0 * (pe + 1));
        row(MOG_S_DLO, pe) = static_cast<std::uint32_t>(d);
        row(MOG_S_DHI, pe) = static_cast<std::uint32_t>(d >> 32);
        reg(f, pe) = std::bit_cast<std::uint32_t>(1.5F + static_cast<float>(pe));
        reg(c, pe) = rounds;
    };
    auto turns = *NativeTurns::make(code, pes, registers, state.data(), stride);
    std::vector<NativeTurns::Turn> all;
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
        stopped(pe, pe == 5 ? 1 : 3);
        REQUIRE(turns.take(pe));
        CHECK(turns.has(pe));
        NativeTurns::Turn too_short{pe, round - behind};
        CHECK(turns.run({&too_short, 1}, plenty, memory.data()).done == 0);
        all.push_back({pe, pe == 3 ? round - behind + 2 : plenty});
    }
    // One has not enough to begin another round: it is the interpreter's there, and so is who ends.
    NativeTurns::Ran ran = turns.run(all, plenty, memory.data());
    CHECK(ran.done == 4);
    CHECK_FALSE(ran.yielded);
    CHECK(ran.last == round - behind);
    CHECK(ran.passes == 3 * round + ran.last);
    for (std::uint32_t pe = 0; pe < 3; ++pe) CHECK(all[pe].left == plenty - round);
    CHECK(all[3].left == 2);
    CHECK_FALSE(turns.has(3));
    CHECK(row(MOG_S_PC, 3) == 0);
    CHECK(reg(b, 3) == 4);
    ran = turns.run(std::span(all).subspan(4), plenty, memory.data());
    CHECK(ran.done == 2);
    CHECK_FALSE(ran.yielded);
    CHECK(all[4].left == plenty - round);
    CHECK(all[5].left == plenty - (round - behind));
    CHECK(row(MOG_S_PC, 5) == at_label(image, "out"));
    CHECK(pair(reg(p, 5), reg(p + 1, 5)) == 18);
    // There are many, and each has its second round.
    ran = turns.run(std::span(all).subspan(6), plenty, memory.data());
    CHECK(ran.done == 256);
    CHECK(ran.yielded);
    all.erase(all.begin() + 5);
    all.erase(all.begin() + 3);
    // A turn that may not be longer than this ends where one that has no more left does.
    CHECK(turns.run(all, round - behind, memory.data()).done == 0);
    ran = turns.run(all, 2 * round, memory.data());
    CHECK(ran.done == 256);
    ran = turns.run(std::span(all).subspan(ran.done), plenty, memory.data());
    CHECK(ran.done == all.size() - 256);
    CHECK(ran.yielded);
    for (const NativeTurns::Turn &turn : all) {
        CHECK(turn.left == plenty - 2 * round);
        turns.give_back(turn.pe);
        CHECK_FALSE(turns.has(turn.pe));
        const std::uint32_t own_number = turn.pe + 1;
        CHECK(row(MOG_S_PC, turn.pe) == behind);
        CHECK(row(MOG_S_ACC, turn.pe) == own_number);
        CHECK(reg(x, turn.pe) == own_number);
        CHECK(reg(b, turn.pe) == 2 * own_number);
        CHECK(reg(c, turn.pe) == 1);
        CHECK(std::bit_cast<float>(reg(f, turn.pe)) == 4 * (1.5F + static_cast<float>(turn.pe)));
        CHECK(pair(reg(p, turn.pe), reg(p + 1, turn.pe)) == 6.0 * own_number);
        CHECK(pair(row(MOG_S_DLO, turn.pe), row(MOG_S_DHI, turn.pe)) == 12.0 * own_number);
    }
    // Elsewhere no PE can be taken.
    row(MOG_S_PC, 0) = behind + 1;
    CHECK_FALSE(turns.take(0));
}

TEST_CASE("of a block that is a loop two rounds are written out: both are counted exactly, and stop where they have to") {
    const Image image =
        program("start: lr $b\nagain: add $c\n sr $c\n lr $a\n addi -1\n sr $a\n tz 3\n lr $b\n addi -1\n sr $b\n jt again\nout: brk 0\n");
    if (!NativeCode::is_possible(image)) return;
    constexpr std::uint32_t before = 1, round = 10, at_trap = 5, plenty = 1000, from = 20;
    std::array<std::uint32_t, 1024> memory{};
    alignas(8) std::array<std::uint32_t, 8> own{};
    NativeCode code(image, {sizeof memory}, true, true);
    const auto run = [&](std::uint32_t passes, std::uint32_t traps_in, std::uint32_t rounds) {
        MogBlocks blocks{};
        blocks.passes = passes;
        own = {};
        own[a] = traps_in;
        own[b] = rounds;
        code.hook().run(code.hook().code, &blocks, own.data(), memory.data());
        CHECK(blocks.cold == 1);
        return blocks;
    };
    const auto sum = [](std::uint32_t first, std::uint32_t rounds) { return rounds * first - rounds * (rounds - 1) / 2; };
    for (std::uint32_t rounds = 1; rounds <= 6; ++rounds) {
        const MogBlocks blocks = run(plenty, plenty, rounds);
        CHECK(blocks.pc == at_label(image, "out"));
        CHECK(blocks.passes == plenty - before - rounds * round);
        CHECK(blocks.acc == 0);
        CHECK(own[a] == plenty - rounds);
        CHECK(own[c] == sum(rounds, rounds));
    }
    for (std::uint32_t rounds = 1; rounds <= 6; ++rounds) {
        const MogBlocks blocks = run(plenty, rounds, from);
        CHECK(blocks.pc == at_label(image, "again") + at_trap);
        CHECK(blocks.passes == plenty - before - (rounds - 1) * round - at_trap);
        CHECK(own[b] == from - (rounds - 1));
        CHECK(own[c] == sum(from, rounds));
    }
    for (std::uint32_t passes = before + round; passes < from * round; ++passes) {
        const MogBlocks blocks = run(passes, plenty, from);
        if (blocks.pc == at_label(image, "start")) continue;
        CHECK(blocks.pc == at_label(image, "again"));
        const std::uint32_t rounds = from - own[b];
        CHECK(rounds % 2 == 0);
        CHECK(blocks.passes == passes - before - rounds * round);
        CHECK(blocks.passes < 3 * round);
        CHECK(blocks.acc == own[b]);
        CHECK(own[c] == sum(from, rounds));
    }
}

TEST_CASE(
    "a block takes what it counts and asks for more than that by one comparison; of any number of instructions that are left, however "
    "many") {
    // The longer way of a round is counted or the shorter one, as may be; and one is longer than a comparison of what is counted spares.
    const auto make = [](std::uint32_t longer) {
        std::string text = "again: lr $c\n addi 1\n sr $c\n andi 1\n jf even\n";
        for (std::uint32_t i = 0; i < longer; ++i) text += " lr $x\n addi 1\n sr $x\n";
        return text + "even: lr $b\n addi -1\n sr $b\n jt again\nout: brk 0\n";
    };
    for (const std::uint32_t longer : {10u, 200u}) {
        const Image image = program(make(longer));
        if (!NativeCode::is_possible(image)) return;
        constexpr std::uint32_t even = 9, from = 10;
        const std::uint32_t odd = even + 3 * longer;
        std::array<std::uint32_t, 1024> memory{};
        alignas(8) std::array<std::uint32_t, 8> own{};
        NativeCode code(image, {sizeof memory}, true, true);
        const auto run = [&](std::uint32_t passes) {
            MogBlocks blocks{};
            blocks.passes = passes;
            own = {};
            own[b] = from;
            code.hook().run(code.hook().code, &blocks, own.data(), memory.data());
            CHECK(blocks.cold == 1);
            return blocks;
        };
        const auto used = [&](std::uint32_t rounds) { return (rounds + 1) / 2 * odd + rounds / 2 * even; };
        for (const std::uint32_t passes : {0x7fffffffu, 0x80000000u, 0x80000100u, 0x80001000u, 0xffffffffu}) {
            const MogBlocks blocks = run(passes);
            CHECK(blocks.pc == at_label(image, "out"));
            CHECK(blocks.passes == passes - used(from));
            CHECK(own[x] == longer * from / 2);
        }
        for (std::uint32_t passes = 0; passes < used(from) + even; ++passes) {
            const MogBlocks blocks = run(passes);
            const std::uint32_t rounds = from - own[b];
            CHECK(own[c] == rounds);
            CHECK(blocks.passes == passes - used(rounds));
            // As far as the longer way leads.
            CHECK(blocks.pc == at_label(image, rounds == from ? "out" : "again"));
            if (rounds != from) CHECK(blocks.passes < odd + 1);
        }
    }
}

TEST_CASE("whether a store is to what is read only is asked again where the register or what is known of it changes") {
    constexpr std::uint32_t begin = MOG_DATA_BASE + 4 * MOG_CB_WORDS, end = begin + 32;
    Image image = program(
        "start: lr $p\n stw $c\n lr $p\n addi 4\n stw $c\n lr $p\n addi 8\n sr $p\n lr $p\n addi -8\nback: stw $c\n lr $p\n addi -12\n"
        "below: stw $c\n lr $q\n sr $p\n lr $p\nother: stw $c\n lr $f\n jt skip\n lr $x\n stw $c\n"
        "skip: lr $x\nlast: stw $c\n lr $x\n addi 4\n stw $c\nout: brk 0\n");
    set_read_only(image, {begin, end});
    if (!NativeCode::is_possible(image)) return;
    std::array<std::uint32_t, 1024> memory{};
    alignas(8) std::array<std::uint32_t, 8> own{};
    NativeCode code(image, {sizeof memory}, true, true);
    // Where code leaves for the interpreter.
    const auto run = [&](std::uint32_t first, std::uint32_t second, std::uint32_t third, bool skips) {
        MogBlocks blocks{};
        blocks.passes = 1000;
        own = {};
        own[p] = first;
        own[p + 1] = second;
        own[x] = third;
        own[f] = skips;
        code.hook().run(code.hook().code, &blocks, own.data(), memory.data());
        return blocks.pc;
    };
    const auto at = [&](std::string_view label) { return at_label(image, label); };
    for (const bool skips : {false, true}) {
        CHECK(run(end + 8, end, end, skips) == at("out"));
        CHECK(run(end + 8, end, end - 4, skips) == at("last") - (skips ? 0 : 2));
    }
    CHECK(run(end - 4, end, end, true) == at("start") + 1);
    CHECK(run(begin - 4, end, end, true) == at("start") + 1);  // the control block is the interpreter's, too
    CHECK(run(end, end, end, true) == at("below"));
    CHECK(run(end + 8, end - 4, end, true) == at("other"));
    CHECK(run(end + 8, begin, end, true) == at("other"));
}
