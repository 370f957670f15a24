// vector_loops_test.cpp: which loops native code does several rounds of at once, and what has to be asked first. That the results are those
// of one round after the other, isa.random.host.native finds out.
#include <doctest/doctest.h>

#include <string>

#include "runtime_host/devices/host/native/native_units.hpp"
#include "runtime_host/devices/host/native/vector_code.hpp"
#include "runtime_host/devices/host/native/vector_loops.hpp"
#include "tests/assembler/image_of.hpp"

using namespace mog;
using mog::test::image_of;

namespace {

/// A loop over x and y, which go on by words unless said, with a sum in s and a number in k that stays.
struct Loop {
    explicit Loop(const std::string &body, int step_of_x = 4, int step_of_y = 4)
        : image(image_of(".register x y z n s k t a b c d e f g h i j l m o v w q0 q1 p0 p1\n.role sp $x\n.code 0x00400000, 64\nstart: li "
                         "100\n sr $n\n"
                         "again:\n" +
                         body + step("x", step_of_x) + step("y", step_of_y) +
                         " lr $n\n addi -1\n sr $n\n jt again\n lr $s\n sr $z\n brk 0\n")),
          units(image, {}, {}),
          group(image, units.plan(), 1, EnteredAt::entries),
          found(find_vector_loops(group)) {}

    static std::string step(const std::string &reg, int by) {
        return " lr $" + reg + "\n addi " + std::to_string(by) + "\n sr $" + reg + "\n";
    }

    bool has_vectors() const { return !found.empty(); }
    const VectorLoop &vectors() const {
        REQUIRE(found.size() == 1);
        return found.begin()->second;
    }

    const Image image;
    const NativeUnits units;
    const GroupPlan group;
    const std::map<std::uint32_t, VectorLoop> found;
};

std::string load(const std::string &from, int further, const std::string &to) {
    return " lr $" + from + "\n addi " + std::to_string(further) + "\n lw\n sr $" + to + "\n";
}
std::string store(const std::string &at, int further, const std::string &what) {
    return " lr $" + at + "\n addi " + std::to_string(further) + "\n stw $" + what + "\n";
}

}  // namespace

TEST_CASE("elements that are computed each from its own are, if what is stored is far from what is loaded") {
    const Loop loop(load("x", 0, "t") + " lr $t\n mulf $k\n sr $t\n" + store("y", 0, "t"));
    const VectorLoop &vectors = loop.vectors();
    CHECK(vectors.lanes == 8);
    CHECK(vectors.size == 20);
    CHECK(vectors.come_nearer == 1);
    REQUIRE(vectors.streams.size() == 2);
    CHECK_FALSE(vectors.streams[0].stores);
    CHECK(vectors.streams[1].stores);
    CHECK(vectors.streams[1].is_dense());
    REQUIRE(vectors.stores.size() == 1);
    CHECK(vectors.stores[0].may_be_nan);
    REQUIRE(vectors.apart.size() == 1);
    CHECK(vectors.apart[0].stores == 1);
    CHECK(vectors.apart[0].other == 0);
    CHECK(vectors.apart[0].follows);
    CHECK(vectors.steps.size() == 3);
    CHECK(vectors.totals.empty());
    CHECK(VectorCode::fits(vectors) == static_cast<bool>(__builtin_cpu_supports("avx2")));
}

TEST_CASE("an array that is changed in place, or read ahead, needs no question; one that is read behind has no vectors") {
    const auto moved = [](int from, int to) { return Loop(load("x", from, "t") + store("x", to, "t")); };
    for (const int ahead : {0, 4, 8, 400}) {
        const Loop loop = moved(ahead, 0);
        CHECK(loop.vectors().apart.empty());
        CHECK_FALSE(loop.vectors().stores[0].may_be_nan);
    }
    CHECK_FALSE(moved(0, 4).has_vectors());
    CHECK_FALSE(moved(0, 28).has_vectors());
    CHECK(moved(0, 32).vectors().apart.empty());  // behind all that is done at once
}

TEST_CASE("an address is the sum of three registers at most") {
    const auto summed = [](const std::string &more) { return Loop(" lr $x\n add $a\n" + more + " lw\n sr $t\n" + store("y", 0, "t")); };
    for (const std::string more : {"", " add $b\n", " addi 16\n add $b\n"}) {
        const Loop loop = summed(more);
        REQUIRE(loop.vectors().streams.size() == 2);
        CHECK(loop.vectors().streams[0].step == 4);
        CHECK(loop.vectors().apart.size() == 1);
    }
    CHECK_FALSE(summed(" add $b\n add $c\n").has_vectors());
}

TEST_CASE("what is loaded after something was stored must not be near it, on either side") {
    const Loop apart(store("x", 0, "k") + load("y", 0, "t") + store("y", 0, "t"));
    REQUIRE(apart.vectors().apart.size() == 1);
    CHECK_FALSE(apart.vectors().apart[0].follows);
    CHECK_FALSE(Loop(store("x", 0, "k") + load("x", 0, "t") + store("y", 0, "t")).has_vectors());
    CHECK(Loop(store("x", 0, "k") + load("x", 4, "t") + store("y", 0, "t")).has_vectors());  // what is there before any round gets to it
    CHECK_FALSE(Loop(store("x", 0, "k") + load("x", -4, "t") + store("y", 0, "t")).has_vectors());
    // Of two stores to one place the later one counts, in whatever round.
    CHECK_FALSE(Loop(store("x", 0, "k") + store("x", 4, "n")).has_vectors());
    CHECK(Loop(store("x", 4, "n") + store("x", 0, "k")).has_vectors());
}

TEST_CASE("integers are added up, floats are not, nor what is looked at on the way") {
    const std::string loads = load("x", 0, "t");
    const Loop loop(loads + " lr $s\n add $t\n sr $s\n");
    REQUIRE(loop.vectors().totals.size() == 1);
    CHECK(loop.vectors().totals[0].reg == 4);
    CHECK(loop.vectors().stores.empty());
    CHECK_FALSE(Loop(loads + " lr $s\n addf $t\n sr $s\n").has_vectors());
    CHECK_FALSE(Loop(loads + " lr $s\n sub $t\n sr $s\n").has_vectors());
    CHECK_FALSE(Loop(loads + " lr $s\n add $t\n sr $s\n" + store("y", 0, "s")).has_vectors());
    CHECK_FALSE(Loop(" lr $s\n mul $k\n sr $s\n" + store("y", 0, "s")).has_vectors());
}

TEST_CASE("what is loaded may be apart, or the same each time; what is stored goes on") {
    const Loop strides(load("x", 0, "t") + store("y", 0, "t"), 12);
    CHECK(strides.vectors().streams[0].step == 12);
    CHECK(Loop(load("x", 0, "t") + store("y", 0, "t"), -4).vectors().streams[0].step == -4);
    CHECK(Loop(load("k", 0, "t") + store("y", 0, "t")).vectors().streams[0].step == 0);
    CHECK(Loop(load("x", 0, "t") + store("y", 0, "t"), 4, -8).vectors().streams[1].step == -8);
    CHECK_FALSE(Loop(load("x", 0, "t") + store("k", 0, "t")).has_vectors());
    // Members of a structure, one after the other; those of the last one are not.
    const auto members = [](int from) {
        return Loop(load("x", from, "t") + store("x", 0, "t") + load("x", 8, "t") + store("x", 4, "t"), 12);
    };
    CHECK(members(8).vectors().apart.empty());
    CHECK(members(16).has_vectors());
    CHECK_FALSE(members(-8).has_vectors());
    CHECK_FALSE(members(-12).has_vectors());
}

TEST_CASE("of doubles there are four, and of words beside them") {
    const Loop loop(" lr $x\n lwd\n srd $q0\n lrd $q0\n addd $p0\n srd $q0\n lr $y\n std $q0\n", 8, 8);
    CHECK(loop.vectors().lanes == 4);
    CHECK(Loop(load("x", 0, "t") + " lr $t\n i2d\n srd $q0\n lr $y\n std $q0\n", 4, 8).vectors().lanes == 4);
    // Halves of a pair are nothing by themselves.
    CHECK_FALSE(Loop(" lr $x\n lwd\n srd $q0\n lr $y\n stw $q1\n", 8).has_vectors());
}

TEST_CASE("bits of what was computed with floats are looked at one by one") {
    const std::string computes = load("x", 0, "t") + " lr $t\n addf $k\n sr $t\n";
    CHECK(Loop(computes + " lr $t\n negf\n sr $t\n" + store("y", 0, "t")).vectors().stores[0].may_be_nan);
    CHECK_FALSE(Loop(load("x", 0, "t") + " lr $t\n negf\n sr $t\n" + store("y", 0, "t")).vectors().stores[0].may_be_nan);
    CHECK_FALSE(Loop(computes + " lr $t\n addi 1\n sr $t\n" + store("y", 0, "t")).has_vectors());
    CHECK_FALSE(Loop(computes + " lr $y\n stb $t\n", 4, 1).has_vectors());
}

TEST_CASE("a move under a condition is one of two values; what else depends on it is not known") {
    const std::string clamp = load("x", 0, "t") + " lr $t\n slti 256\n jt small\n lr $k\n sr $t\nsmall:\n";
    const Loop loop(clamp + store("y", 0, "t"));
    const VectorLoop &vectors = loop.vectors();
    REQUIRE(vectors.skipped.size() == 1);
    CHECK(vectors.skipped[0].size == 2);
    CHECK(vectors.longest == vectors.size + 2);
    CHECK(vectors.last == vectors.block + 2);
    CHECK_FALSE(vectors.stores[0].may_be_nan);
    // A pointer that goes on sometimes, a load that is not always done, the largest so far.
    CHECK_FALSE(Loop(load("x", 0, "t") + " lr $t\n jf none\n lr $y\n addi 4\n sr $y\nnone:\n" + store("y", 0, "t"), 4, 0).has_vectors());
    CHECK_FALSE(Loop(load("x", 0, "t") + " lr $t\n jf none\n" + load("y", 0, "t") + "none:\n" + store("y", 0, "t")).has_vectors());
    CHECK_FALSE(Loop(load("x", 0, "t") + " lr $s\n slt $t\n jf none\n lr $t\n sr $s\nnone:\n").has_vectors());
    // But what is added sometimes is 0 else.
    const Loop sometimes(load("x", 0, "t") + " lr $t\n slti 5\n jf none\n lr $s\n add $t\n sr $s\nnone:\n");
    REQUIRE(sometimes.vectors().totals.size() == 1);
    CHECK(sometimes.vectors().nodes[sometimes.vectors().totals[0].node].kind == VectorLoop::Node::Kind::either);
    CHECK_FALSE(Loop(load("x", 0, "t") + " lr $s\n slti 5\n jf none\n lr $s\n add $t\n sr $s\nnone:\n").has_vectors());
    // ACC, which either way left something in.
    CHECK_FALSE(Loop(load("x", 0, "t") + " lr $t\n jf none\n lr $k\nnone:\n sr $a\n" + store("y", 0, "a")).has_vectors());
}

TEST_CASE("more values than there are registers have no vectors") {
    std::string body = load("x", 0, "t");
    for (const char *one : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "l", "m", "o", "v"})
        body += std::string(" lr $t\n xor $") + one + "\n sr $t\n";
    CHECK_FALSE(VectorCode::fits(Loop(body + store("y", 0, "t")).vectors()));
}
