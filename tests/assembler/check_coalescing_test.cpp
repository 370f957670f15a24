// check_coalescing_test.cpp: which accesses of straight code go through one window, and which ask for themselves.
#include <doctest/doctest.h>

#include "assembler/blocks/check_coalescing.hpp"
#include "tests/assembler/image_of.hpp"

using namespace mog;
using mog::test::image_of;

namespace {

/// Of the program as one piece of straight code.
CoalescedChecks windows_of(const Image &image) {
    CoalescedChecks windows;
    coalesce_checks(image, {0, static_cast<std::uint32_t>(image.text.size())}, windows);
    return windows;
}

/// The TEXT indices of accesses in windows, ascending.
std::vector<std::uint32_t> places(const CoalescedChecks &windows) {
    std::vector<std::uint32_t> result;
    for (const auto &[at, access] : windows.accesses) result.push_back(at);
    return result;
}

using Places = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("fields of a structure lie in one window, which the first access opens") {
    const Image image = image_of("start: lr $p\n addi 8\n lw\n sr $x\n lr $p\n addi 16\n sr $q\n stw $x\n li 4\n add $p\n lw\n brk 0\n");
    const CoalescedChecks windows = windows_of(image);
    REQUIRE(windows.windows.size() == 1);
    CHECK(windows.windows[0].bytes == 16);
    CHECK(windows.windows[0].shift == 2);
    CHECK(places(windows) == Places{2, 7, 10});
    CHECK(windows.accesses.at(2).opens);
    CHECK(windows.accesses.at(2).offset == 4);
    CHECK_FALSE(windows.accesses.at(7).opens);
    CHECK(windows.accesses.at(7).offset == 12);
    CHECK(windows.accesses.at(10).offset == 0);
}

TEST_CASE("a register that was written holds another value") {
    CHECK(places(windows_of(image_of("start: lr $p\n lw\n sr $p\n lr $p\n lw\n brk 0\n"))).empty());
    // Which it does not, if it is the same value again.
    CHECK(places(windows_of(image_of("start: lr $p\n sr $q\n lw\n lr $q\n addi 4\n lw\n brk 0\n"))) == Places{2, 5});
    // A pair is two registers.
    CHECK(places(windows_of(image_of(".register p q\nstart: lr $q\n lw\n lwd\n srd $p\n lr $q\n lw\n brk 0\n"))).empty());
}

TEST_CASE("alignment: all accesses of a window can be aligned at once, and none has bytes alone") {
    // 8 bytes at p + 4 and p + 12, a word at p: the window begins where p + 4 is a multiple of 8.
    const CoalescedChecks windows = windows_of(image_of("start: lr $p\n lw\n lr $p\n addi 4\n lwd\n lr $p\n addi 12\n lwd\n brk 0\n"));
    REQUIRE(windows.windows.size() == 1);
    CHECK(windows.windows[0].shift == 3);
    CHECK(windows.windows[0].bytes == 24);
    CHECK(windows.accesses.at(1).offset == 4);
    CHECK(windows.accesses.at(4).offset == 8);
    // One of these words is misaligned whatever p is.
    CHECK(places(windows_of(image_of("start: lr $p\n lw\n lr $p\n addi 2\n lw\n brk 0\n"))).empty());
    CHECK(places(windows_of(image_of("start: lr $p\n lb\n lr $p\n addi 1\n lb\n brk 0\n"))).empty());
    CHECK(places(windows_of(image_of("start: lr $p\n lw\n lr $p\n addi 5\n lb\n brk 0\n"))) == Places{1, 4});
}

TEST_CASE("a window is not long") {
    CHECK(places(windows_of(image_of("start: lr $p\n lw\n lr $p\n addi 1020\n lw\n brk 0\n"))).size() == 2);
    CHECK(places(windows_of(image_of("start: lr $p\n lw\n lr $p\n addi 1024\n lw\n brk 0\n"))).empty());
    CHECK(places(windows_of(image_of("start: lr $p\n lw\n lr $p\n addi -1024\n lw\n brk 0\n"))).empty());
}

TEST_CASE("what may not be reached is in the window of the frame only") {
    const Image image = image_of(
        ".register sp p\nstart: lr $p\n lw\n jf start\n lr $p\n addi 4\n lw\n lr $sp\n lw\n jf start\n lr $sp\n addi 4\n lw\n brk 0\n");
    CoalescedChecks windows;
    coalesce_checks(image, {0, 3, 9, static_cast<std::uint32_t>(image.text.size())}, windows);
    CHECK(places(windows) == Places{7, 11});
}

TEST_CASE("the program's own data is good without a question") {
    const Image image =
        image_of(".data 0x10000020\n.word 1, 2\n.text\nstart: li 0x10000024\n lw\n li 0x10000028\n lw\n li 0x10000022\n lw\n brk 0\n");
    const CoalescedChecks windows = windows_of(image);
    REQUIRE(image.data.size() == 0x28);
    CHECK(places(windows) == Places{1});
    CHECK(windows.accesses.at(1).window == CoalescedChecks::Access::data);
    CHECK(windows.accesses.at(1).offset == 0x24);
}

TEST_CASE("stores that may go to what is read only are known") {
    const std::string data = ".readonly 0x10000020, 0x10000028\n.data\n.word 1, 2, 3, 4\n.text\n";
    // A constant address is good without a question for a load; a store to it asks, and is not beside it.
    CHECK(places(windows_of(image_of(data + "start: li 0x10000024\n lw\n stw $x\n li 0x10000028\n stw $x\n brk 0\n"))) == Places{1, 4});
    // Of a window, one store is enough; from the stack pointer on, nothing is read only.
    CHECK(windows_of(image_of("start: lr $p\n lw\n lr $p\n addi 4\n stw $x\n brk 0\n")).windows.at(0).stores);
    CHECK_FALSE(windows_of(image_of("start: lr $p\n lw\n lr $p\n addi 4\n lw\n brk 0\n")).windows.at(0).stores);
    const CoalescedChecks frame =
        windows_of(image_of(".register sp x\nstart: lr $sp\n stw $x\n lr $sp\n addi 4\n stw $x\n lr $sp\n stb $x\n brk 0\n"));
    CHECK_FALSE(frame.windows.at(0).stores);
    CHECK(frame.to_frame == std::set<std::uint32_t>{1, 4, 6});
}
