// sampled_choice_test.cpp: what samples of a run make of it: which functions are compiled, and whether that pays.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "assembler/blocks/sampled_choice.hpp"
#include "support/archive.hpp"
#include "tests/assembler/image_of.hpp"

using namespace mog;
using mog::test::image_of;

namespace {

constexpr std::uint32_t functions = 4;
/// MOG instructions of a function that the program has without its end.
constexpr std::uint32_t lengths[functions] = {30, 30, 600, 3000};

/// Functions f0 ... f3 one behind the other, each a loop.
Image image_with_functions() {
    std::string text = "        .register sp ra x y\n";
    std::uint32_t address = 0x00400000;
    for (std::uint32_t f = 0; f < functions; ++f)
        text += fmt::format("        .symbol f{}, {:#010x}, 16384, code\n", f, address + 16384 * f);
    for (std::uint32_t f = 0; f < functions; ++f, address += 16384) {
        text += fmt::format("        .at {0:#010x}\nf{1}: .map {0:#010x}\n", address, f);
        for (std::uint32_t i = 0; i < lengths[f]; i += 3) text += "        lr    $x\n        addi  3\n        sr    $x\n";
        text += fmt::format("        lr    $y\n        jt    f{}\n        brk   0\n", f);
    }
    return image_of(text);
}

/// A TEXT index in the function.
std::uint32_t place_in(const Image &image, const char *function) {
    const CodeBlocks code = code_blocks(image);
    for (const CodeBlocks::Function &one : code.functions)
        if (image.symbols[one.symbol].name == function) return code.start[one.first_block] + 1;
    FAIL("no function ", std::string(function));
    return 0;
}

bool has(const Image &image, const CodeChoice &choice, const char *function) {
    return choice.blocks.at(code_blocks(image).block_of.at(place_in(image, function)));
}

}  // namespace

TEST_CASE("what is executed most is compiled once interpreting it has cost as much as compiling it does") {
    const Image image = image_with_functions();
    const SampledChoice chooser(image, DriverCosts::pocl(), LibraryGroups::joined);
    SampledCode seen;
    CHECK_FALSE(chooser.choose(seen, {}).pays());
    seen.add(place_in(image, "f0"), 9000, false);
    seen.add(place_in(image, "f3"), 50, false);
    double before = 0;
    for (seen.seconds = 0.1; seen.seconds < 0.95; seen.seconds += 0.1) {
        const CodeChoice choice = chooser.choose(seen, {});
        CHECK_FALSE(choice.pays());
        CHECK(choice.lost > before);
        before = choice.lost;
    }
    seen.seconds = 1.5;
    const CodeChoice choice = chooser.choose(seen, {});
    CHECK(choice.pays());
    CHECK(choice.functions == 1);
    CHECK(choice.instructions == lengths[0] + 3);
    CHECK(has(image, choice, "f0"));
    CHECK_FALSE(has(image, choice, "f1"));  // nobody was there
    CHECK_FALSE(has(image, choice, "f3"));  // too long for what it has cost

    // In the plan it is one group, which is entered at its beginning.
    const BlockPlan plan = chooser.plan(seen, choice.blocks);
    REQUIRE(plan.groups.size() == 1);
    CHECK(plan.groups.front().name == "f0");
    const std::vector<std::uint32_t> table = entry_table(plan);
    CHECK(table.size() == image.text.size() + 1);
    CHECK((table.at(place_in(image, "f0") - 1) >> 16) == 1);
    CHECK(table.at(place_in(image, "f1") - 1) == 0);
}

TEST_CASE("a long run compiles long functions too, and of a very long one what was seen or is not rare") {
    const Image image = image_with_functions();
    const SampledChoice chooser(image, DriverCosts::pocl(), LibraryGroups::joined);
    SampledCode seen;
    seen.add(place_in(image, "f0"), 900, false);
    seen.add(place_in(image, "f2"), 90, false);
    seen.add(place_in(image, "f3"), 90, false);
    seen.seconds = 2;
    CHECK(chooser.choose(seen, {}).functions == 2);
    seen.seconds = 60;
    const CodeChoice choice = chooser.choose(seen, {});
    CHECK(choice.functions == 3);
    CHECK(has(image, choice, "f3"));
    CHECK(choice.pays());
}

TEST_CASE("where compiling takes no time from those who run it is begun earlier, and what was never there in time is waited for") {
    const Image image = image_with_functions();
    const DriverCosts costs = DriverCosts::cuda();
    const SampledChoice chooser(image, costs, LibraryGroups::joined);
    SampledCode seen;
    seen.add(place_in(image, "f0"), 1000, false);
    // All is interpreted, so but for one in so many of these seconds all are lost.
    const double all = costs.least_seconds + (lengths[0] + 3) / costs.built_per_second, part = 1 - 1 / costs.interpreted_takes;
    const auto after = [&](double lost) {
        seen.seconds = lost / part;
        return chooser.choose(seen, {});
    };
    CHECK_FALSE(after(0.9 * costs.counts * all).pays());
    CHECK(after(1.1 * costs.counts * all).pays());
    CHECK(after(all).seconds == doctest::Approx(all));
    CHECK_FALSE(after(1.9 * all).is_overdue());
    CHECK(after(2.1 * all).is_overdue());
}

TEST_CASE("the next kernel has in it what the one before had, and only what is interpreted counts") {
    const Image image = image_with_functions();
    const SampledChoice chooser(image, DriverCosts::pocl(), LibraryGroups::joined);
    SampledCode seen;
    seen.add(place_in(image, "f0"), 1000, false);
    seen.seconds = 2;
    std::vector<bool> compiled(image.text.size() + 1);
    const CodeChoice first = chooser.choose(seen, {});
    const CodeBlocks code = code_blocks(image);
    for (std::size_t at = 0; at < image.text.size(); ++at) compiled[at] = first.blocks[code.block_of[at]];
    seen.begin_anew();
    seen.add(place_in(image, "f0"), 10000, true);
    seen.seconds = 7;
    CHECK_FALSE(chooser.choose(seen, compiled).pays());  // all is compiled that is executed
    CHECK(chooser.choose(seen, compiled).functions == 1);
    // An instruction in 100 is interpreted: an eighth of the time.
    seen.add(place_in(image, "f1"), 100, false);
    const CodeChoice second = chooser.choose(seen, compiled);
    CHECK(second.functions == 2);
    CHECK(second.lost > 0.1 * seen.seconds);
    CHECK(second.lost < 0.2 * seen.seconds);
    CHECK_FALSE(second.pays());
    seen.seconds = 20;
    CHECK(chooser.choose(seen, compiled).pays());
}

TEST_CASE("samples are kept from run to run") {
    SampledCode seen, read;
    seen.add(3, 1.5, true);
    seen.add(7, 2, false);
    seen.seconds = 0.25;
    ArchiveWriter writer;
    writer(seen);
    ArchiveReader reader(writer.bytes());
    reader(read);
    CHECK(reader.is_done());
    CHECK(read.all == seen.all);
    CHECK(read.interpreted == seen.interpreted);
    CHECK(read.compiled == 1.5);
    CHECK(read.seconds == 0.25);
}
