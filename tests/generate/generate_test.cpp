// generate_test.cpp: the generated source. Only what is between the markers is compared with a golden: the templates
// around it are tested by what they do (tests/isa/).
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "assembler/assemble.hpp"
#include "assembler/generate_blocks.hpp"
#include "assembler/parse.hpp"
#include "support/files.hpp"
#include "tests/assembler/image_of.hpp"

using namespace mog;
using mog::test::image_of;

namespace {

constexpr std::string_view begin_marker = "/* subinterpreters */\n",
                           end_marker = "            /* end of subinterpreters */\n";
constexpr std::string_view divider = "=== subinterpreters\n", blocks_divider = "=== blocks\n";

std::string between_markers(const std::string &source) {
    const auto begin = source.find(begin_marker), end = source.find(end_marker);
    REQUIRE(begin != std::string::npos);
    REQUIRE(end != std::string::npos);
    return source.substr(begin + begin_marker.size(), end - begin - begin_marker.size());
}

std::string source_of(const Image &image, Dialect dialect, const Order &order) {
    const auto source = generate(image, dialect, order, {"test"});
    REQUIRE_MESSAGE(bool(source), (source ? "" : source.error().text()));
    return *source;
}

bool mentions(const std::string &text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the subinterpreters of a program are as the golden says, in every dialect") {
    const auto content = read_text_file(MOG_GOLDEN);
    REQUIRE(bool(content));
    const auto split = content->find(divider);
    REQUIRE(split != std::string::npos);
    const Image image = image_of(content->substr(0, split));
    const Order order = table_order(image);
    const std::string opencl = between_markers(source_of(image, Dialect::opencl, order));
    if (std::getenv("MOG_REBASE"))
        REQUIRE(bool(write_text_file(MOG_GOLDEN, fmt::format("{}{}{}", content->substr(0, split), divider, opencl))));
    else
        CHECK(content->substr(split + divider.size()) == opencl);
    CHECK(between_markers(source_of(image, Dialect::host, order)) == opencl);
    CHECK(between_markers(source_of(image, Dialect::cuda, order)) == opencl);
}

TEST_CASE("compiled blocks are as the golden says") {
    const auto content = read_text_file(MOG_BLOCKS_GOLDEN);
    REQUIRE(bool(content));
    const auto split = content->find(blocks_divider);
    REQUIRE(split != std::string::npos);
    const Image image = image_of(content->substr(0, split));
    const BlockPlan plan = plan_blocks(image, static_execution(image), {0, true});
    const std::string source = group_functions(image, plan, BlockForm::single) + group_calls(plan) + "=== on a GPU\n" +
                               group_functions(image, plan, BlockForm::warp);
    if (std::getenv("MOG_REBASE"))
        REQUIRE(bool(write_text_file(MOG_BLOCKS_GOLDEN, fmt::format("{}{}{}", content->substr(0, split), blocks_divider, source))));
    else
        CHECK(content->substr(split + blocks_divider.size()) == source);
}

TEST_CASE("what is compiled of the library: what a loop calls, and what loops when it is called") {
    const auto compiles_library = [](bool in_loop, bool loops) {
        const Image image = image_of(fmt::format(R"(
        .register sp ra x y
        .symbol main, 0x00400000, 32, code
        .symbol called, 0x00400020, 32, code
        .symbol _mog_library, 0x00400020, 0, code
        .at   0x00400000
main:   .map  0x00400000
        li    1000
        sr    $y
outer:  sr    $x
        .at   0x00400004
again:  li    back
        sr    $ra
        ja    called
        .at   0x00400008
back:   .map  0x00400008
        lr    $x
        addi  -1
        sr    $x
        {}
        brk   0
        .at   0x00400020
called: .map  0x00400020
        li    1000
        sr    $y
inner:  lr    $y
        addi  -1
        sr    $y
        {}
        lr    $ra
        j
)", in_loop ? "jt again\n lr $y\n jt outer" : "", loops ? "jt inner\n lr $x\n jt called" : ""));
        const BlockPlan plan = plan_blocks(image, static_execution(image), {1, false});
        return std::ranges::any_of(plan.groups, [](const BlockPlan::Group &group) { return group.name.find("called") != std::string::npos; });
    };
    CHECK(compiles_library(true, false));
    CHECK(compiles_library(false, true));
    CHECK_FALSE(compiles_library(false, false));
}

TEST_CASE("what is compiled: the hottest code that fits into the time, and all entries to it are known") {
    const Image image = image_of(R"(
start:  li    1000
        sr    $x
outer:  li    1000
        sr    $y
inner:  lr    $y
        addi  -1
        sr    $y
        jt    inner
        lr    $x
        addi  -1
        sr    $x
        jt    outer
        brk   0
)");
    const Execution execution = static_execution(image);
    CHECK(plan_blocks(image, execution, {0, false}).empty());
    const BlockPlan some = plan_blocks(image, execution, {1, false}), all = plan_blocks(image, execution, {0, true});
    for (const BlockPlan *plan : {&all, &some}) {
        REQUIRE(plan->groups.size() == 1);
        CHECK(plan->groups.front().instructions == image.text.size());
    }
    CHECK(plan_blocks(image, execution, {1e-3, false}).empty());  // no room
    Image with = image;
    with.products["entries"] = write_entries(some);
    const auto table = entry_table(with);
    REQUIRE(table.size() == image.text.size() + 1);
    for (std::uint32_t at = 0; at < image.text.size(); ++at) {
        const bool entry = std::any_of(some.entries.begin(), some.entries.end(), [&](const auto &e) { return e.at == at; });
        CHECK((table[at] != 0) == entry);
    }
    CHECK(table[4] != 0);  // the head of a loop
    CHECK(entry_table(image).empty());
}

TEST_CASE("definitions come from the image, and doubles only where they are needed") {
    const Image plain = image_of(".register x sp ra\n.code 0x00400000, 64\nstart: lr $x\n lrd $x\n negd\n brk 0\n");
    const std::string source = source_of(plain, Dialect::opencl, table_order(plain));
    CHECK(mentions(source, "#define MOG_NREGS 9u\n"));
    CHECK(mentions(source, "#define MOG_REG_SP 1u\n"));
    CHECK(mentions(source, "#define MOG_CODE_BASE 0x00400000u\n#define MOG_CODE_WORDS 16u\n"));
    CHECK(mentions(source, "Generated by mogas "));
    CHECK_FALSE(mentions(source, "#define MOG_F64\n"));
    for (const char *op : {"addd $x", "sqrtd", "i2d", "f2d", "d2f", "d2in", "sltd $x", "sund $x"}) {
        CAPTURE(op);
        CHECK(needs_doubles(image_of(fmt::format("start: lrd $x\n {}\n brk 0\n", op))));
    }
    for (const char *op :
         {"addf $x", "divf $x", "f2in", "div $x", "mul $x", "srd $x", "lwd", "std $x", "absd", "i2f"}) {
        CAPTURE(op);
        CHECK_FALSE(needs_doubles(image_of(fmt::format("start: lrd $x\n {}\n brk 0\n", op))));
    }
}

TEST_CASE("an order that does not fit the program is refused") {
    const Image image = image_of("start: li 1\n brk 0\n");
    Order order = table_order(image);
    order.slots.pop_back();
    CHECK_FALSE(bool(generate(image, Dialect::host, order, {})));
    order.slots = {Op::li_, Op::brk_, Op::lw_};
    CHECK_FALSE(bool(generate(image, Dialect::host, order, {})));
}

TEST_CASE("assembling twice gives the same bytes") {
    const auto program = parse("start: li 1\n sr $x\nloop: lr $x\n jt loop\n brk 0\n", "test.mog");
    REQUIRE(bool(program));
    AssembleOptions options;
    options.order.seconds = 0.01;
    const auto one = assemble(*program, options), two = assemble(*program, options);
    REQUIRE(bool(one));
    REQUIRE(bool(two));
    CHECK(write_image(*one) == write_image(*two));
    CHECK(one->products.contains("opencl"));
    CHECK(one->products.contains("cpp"));
    CHECK(one->products.contains("order"));
}
