// generate_test.cpp: the generated source. Only what is between the markers is compared with a golden: the templates
// around it are tested by what they do (tests/isa/).
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "assembler/assemble.hpp"
#include "assembler/emit/generate_blocks.hpp"
#include "assembler/emit/instruction_page.hpp"
#include "assembler/image/facts.hpp"
#include "assembler/text/parse.hpp"
#include "support/files/files.hpp"
#include "tests/assembler/image_of.hpp"

using namespace mog;
using mog::test::image_of;

namespace {

constexpr std::string_view begin_marker = "/* subinterpreters */\n", end_marker = "            /* end of subinterpreters */\n";
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

bool mentions(const std::string &text, std::string_view part) { return text.find(part) != std::string::npos; }

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
    else CHECK(content->substr(split + divider.size()) == opencl);
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
    const std::string source = group_functions(image, plan, BlockForm::thread) + group_calls(plan) + "=== on a GPU\n" +
                               group_functions(image, plan, BlockForm::warp) + "=== in lanes\n" +
                               group_functions(image, plan, BlockForm::lanes);
    if (std::getenv("MOG_REBASE"))
        REQUIRE(bool(write_text_file(MOG_BLOCKS_GOLDEN, fmt::format("{}{}{}", content->substr(0, split), blocks_divider, source))));
    else CHECK(content->substr(split + blocks_divider.size()) == source);
}

TEST_CASE("OpenCL C for devices whose lanes go in step has places where they meet, as CUDA C++ has, and none else") {
    const auto content = read_text_file(MOG_BLOCKS_GOLDEN);
    REQUIRE(bool(content));
    const Image image = image_of(content->substr(0, content->find(blocks_divider)));
    const BlockPlan plan = plan_blocks(image, static_execution(image), {0, true});
    const std::string groups = group_functions(image, plan, BlockForm::warp);
    for (const bool by_warps : {false, true}) {
        const auto source = generate(image, Dialect::opencl, table_order(image), {.blocks = &plan, .by_warps = by_warps});
        REQUIRE(bool(source));
        CHECK(mentions(*source, groups) == by_warps);
        CHECK(mentions(*source, "/* form_warp.h") == by_warps);
    }
}

/// A program of the user's with loops and code that is never reached, and a library.
Image image_with_library() {
    std::string text = "        .register sp ra x y\n        .symbol main, 0x00400000, 1024, code\n";
    const auto symbol = [&](int i) { return fmt::format("        .symbol f{0}, {1:#010x}, 256, code\n", i, 0x00400400 + 256 * i); };
    constexpr int functions = 24, first_of_library = 16;
    for (int i = 0; i < functions; ++i) text += symbol(i);
    text += fmt::format("        .symbol _mog_library, {:#010x}, 0, code\n", 0x00400400 + 256 * first_of_library);
    text += "        .at 0x00400000\nmain: .map 0x00400000\n";
    // main() calls half of the user's functions and some of the library's; f1 calls f17, which calls f19.
    const auto call = [&](int f, const std::string &label, int address) {
        text += fmt::format("        li    {0}\n        sr    $ra\n        ja    f{1}\n        .at {2:#010x}\n{0}:  .map {2:#010x}\n",
                            label, f, address);
    };
    for (int i = 0; i < 10; ++i) call(2 * i, fmt::format("back{}", i), 0x00400010 + 16 * i);
    text += "        brk   0\n";
    for (int i = 0; i < functions; ++i) {
        text += fmt::format("        .at {0:#010x}\nf{1}: .map {0:#010x}\n        li    {2}\n        sr    $y\n", 0x00400400 + 256 * i, i,
                            10 + i);
        if (i == 1 || i == 17) call(i == 1 ? 17 : 19, fmt::format("in{}", i), 0x00400400 + 256 * i + 32);
        for (int k = 0; k < 3 + 5 * (i % 4); ++k) text += "        lr    $x\n        addi  3\n        sr    $x\n";
        text += fmt::format("again{0}: lr  $y\n        addi  -1\n        sr    $y\n{1}        lr    $ra\n        j\n", i,
                            i % 3 == 0 ? fmt::format("        jt    again{}\n", i) : "");
    }
    return image_of(text);
}

/// A program with every instruction, that loops, in a file and a function with long names.
Image image_with_everything() {
    std::string text = fmt::format(
        "        .register sp ra v0 a0 a1 a2 a3 p q x y\n        .symbol {}, 0x00400000, 4096, code\n"
        "        .at 0x00400000\nstart: .map 0x00400000\n",
        std::string(150, 'f'));
    for (const OpInfo &row : isa) {
        const char *operand = row.operand == OperandKind::Reg     ? "$x"
                              : row.operand == OperandKind::Pair  ? "$p"
                              : row.operand == OperandKind::Byte  ? "7"
                              : row.operand == OperandKind::Const ? "0xfedcba98"
                              : row.operand == OperandKind::Label ? "start"
                                                                  : "";
        text += fmt::format("        {} {}\n", row.name, operand);
        // Far fields of a frame, in windows.
        if (row.access) text += "        lr $sp\n        addi 500\n        lw\n        lr $sp\n        addi 600\n        stw $p\n";
    }
    return image_of(text + "        brk 0\n");
}

/// All sources of a program with as much in them as there can be.
std::vector<std::string> sources_of(Image image) {
    AssembleOptions options;
    options.order.seconds = 0;
    options.fusion.count = 20;
    options.blocks.all = true;
    options.blocks.lanes = Simd::portable;
    options.blocks.all_in_lanes = true;
    options.generate.program_name = "program";
    const auto added = add_interpreters(image, options);
    REQUIRE(added);
    std::vector<std::string> sources;
    for (const ProductKind product : {ProductKind::cpp, ProductKind::opencl, ProductKind::cuda, ProductKind::lanes_cpp})
        if (image.products.has(product)) sources.emplace_back(image.products.text(product));
    return sources;
}

/// Calls f(number, line) for each line, from 1 on.
template <typename F>
void for_each_line(std::string_view text, F f) {
    std::size_t number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        f(++number, text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

TEST_CASE("no line of a generated source is longer than 120 columns") {
    const Image everything = image_with_everything(), library = image_with_library();
    for (const Image *image : {&everything, &library})
        for (const std::string &source : sources_of(*image))
            for_each_line(source, [&](std::size_t number, std::string_view line) {
                if (line.size() > longest_line) FAIL_CHECK("line ", number, ": ", std::string(line));
            });
    // There are windows and fused instructions in it, and a name that is too long.
    const auto sources = sources_of(everything);
    REQUIRE(sources.size() == 3);  // no lanes: it has to do with the FPU's control register
    CHECK(mentions(sources[0], "WITHIN(w"));
    CHECK(mentions(sources[0], "PART(0x"));
    CHECK(sources_of(library).size() == 4);
    // Where there is no space to break a line at, it is left as it is.
    CHECK(broken(std::string(130, 'x') + " y", "  ") == std::string(130, 'x') + "\n  y");
    CHECK(broken("    " + std::string(130, 'x'), "  ") == "    " + std::string(130, 'x'));
    CHECK(broken("#define a " + std::string(100, 'x') + " " + std::string(8, 'y') + " z", "  ", " \\") ==
          "#define a " + std::string(100, 'x') + " \\\n  " + std::string(8, 'y') + " z");
}

TEST_CASE("the contents come first, and name the lines that parts and groups begin in") {
    for (const std::string &source : sources_of(image_with_library())) {
        std::vector<std::string> lines;
        for_each_line(source, [&](std::size_t, std::string_view line) { lines.emplace_back(line); });
        std::size_t parts = 0, groups = 0, at = 0;
        while (lines.at(at) != " * Contents, by lines from the first one of this comment on:") ++at;
        CHECK(at < 10);
        for (++at; lines.at(at) != " */"; ++at) {
            const std::string &row = lines[at];
            CAPTURE(row);
            const std::size_t line = std::stoul(row.substr(2));
            const std::string name = row.substr(11, row.find(' ', 11) - 11);
            const std::string &there = lines.at(line - 1);
            if (row.substr(11).starts_with("    group ")) {
                CHECK(there == fmt::format("GROUP({})", std::stoul(row.substr(21))));
                ++groups;
                continue;
            }
            ++parts;
            CHECK(lines.at(line - 2).empty());
            if (name == "definitions") CHECK(there.starts_with("#define MOG_NREGS"));
            else if (name == "blocks.c") CHECK(there.starts_with("#define MOG_LEAST_BLOCK_DATA"));
            else if (name == "instructions") CHECK(mentions(there, "The program's instructions"));
            else CHECK(there.starts_with(fmt::format("/* {}: ", name)));
        }
        CHECK(parts > 8);
        CHECK(groups > 0);
    }
}

TEST_CASE("only what the program needs is pasted") {
    const auto all_have = [](std::string_view operation, std::string_view part) {
        const Image image =
            image_of(fmt::format("start: li 1000\n sr $x\nagain: lr $x\n {}\n lr $x\n addi -1\n sr $x\n jt again\n brk 0\n", operation));
        const auto sources = sources_of(image);
        CHECK(sources.size() == 4);
        return std::ranges::count_if(sources, [&](const std::string &source) { return mentions(source, fmt::format("\n/* {}: ", part)); });
    };
    // Of the host, OpenCL, CUDA and lanes, how many have it.
    for (const char *part :
         {"soft_float.h", "pair_float.h", "float_modes.h", "float_arithmetic.h", "double_arithmetic.h", "lanes_floats.h"}) {
        CAPTURE(part);
        CHECK(all_have("mul $x", part) == 0);
    }
    CHECK(all_have("mul $x", "integer_arithmetic.h") == 4);
    CHECK(all_have("addf $x", "float_arithmetic.h") == 4);
    CHECK(all_have("addf $x", "double_arithmetic.h") == 1);  // lanes have both or none
    CHECK(all_have("addf $x", "pair_float.h") == 0);
    CHECK(all_have("addf $x", "soft_float.h") == 2);  // GPUs may lack divisions
    CHECK(all_have("i2d", "pair_float.h") == 3);
    CHECK(all_have("i2d", "soft_float.h") == 3);
    CHECK(all_have("i2d", "form_warp.h") == 1);
    // An instruction is defined where it is used.
    const auto sources = sources_of(image_of("start: li 1000\n sr $x\nagain: lr $x\n addi -1\n sr $x\n jt again\n brk 0\n"));
    for (const std::string &source : sources) {
        CHECK(mentions(source, "#define OP_addi(IMM) { ACC += IMM; }\n"));
        CHECK_FALSE(mentions(source, "#define OP_add("));
    }
}

TEST_CASE("what is compiled of the library: what a loop calls, and what loops when it is called") {
    const auto compiles_library = [](bool in_loop, bool loops) {
        const Image image =
            image_of(fmt::format(R"(
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
)",
                                 in_loop ? "jt again\n lr $y\n jt outer" : "", loops ? "jt inner\n lr $x\n jt called" : ""));
        const BlockPlan plan = plan_blocks(image, static_execution(image), {1, false});
        return std::ranges::any_of(plan.groups,
                                   [](const BlockPlan::Group &group) { return group.name.find("called") != std::string::npos; });
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
    with.products.set(ProductKind::entries, write_entries(some));
    const auto table = entry_table(with);
    REQUIRE(table.size() == image.text.size() + 1);
    for (std::uint32_t at = 0; at < image.text.size(); ++at) {
        const bool entry = std::any_of(some.entries.begin(), some.entries.end(), [&](const auto &e) { return e.at == at; });
        CHECK((table[at] != 0) == entry);
    }
    CHECK(table[4] != 0);  // the head of a loop
    CHECK(entry_table(image).empty());
}

/// The TEXT indices that are compiled.
std::vector<bool> compiled(const Image &image, const BlockOptions &options, BlockPurpose purpose) {
    const BlockPlan plan = plan_blocks(image, static_execution(image), options, purpose);
    std::vector<bool> found(image.text.size());
    for (std::size_t at = 0; at < found.size(); ++at) found[at] = plan.group_of[plan.code.block_of[at]] != 0;
    return found;
}

TEST_CASE("more time compiles all that less time does, and enough of it everything") {
    const Image image = image_with_library();
    for (const BlockPurpose purpose : {BlockPurpose::host, BlockPurpose::kernels}) {
        std::vector<bool> before(image.text.size());
        std::size_t steps = 0;
        for (double seconds = 0; seconds < 4; seconds = 1.1 * seconds + 0.001) {
            const std::vector<bool> now = compiled(image, {seconds, false}, purpose);
            for (std::size_t at = 0; at < now.size(); ++at) {
                if (!before[at] || now[at]) continue;
                CAPTURE(seconds);
                FAIL("TEXT ", at, " is no longer compiled");
            }
            steps += now != before;
            before = now;
        }
        CHECK(steps > 10);
        CHECK(before == std::vector<bool>(image.text.size(), true));
    }
}

TEST_CASE("by default the host gets all of the user's functions and those of the library that they reach") {
    const Image image = image_with_library();
    const std::vector<bool> usual = compiled(image, {}, BlockPurpose::host), kernels = compiled(image, {}, BlockPurpose::kernels);
    std::size_t of_user = 0, of_library = 0;
    for (std::size_t at = 0; at < usual.size(); ++at) {
        const bool library = image.source_address[at] >= 0x00400400 + 256 * 16;
        const auto function = (image.source_address[at] - 0x00400400) / 256;
        if (!library) CHECK(usual[at]);
        // 16 and 18 from main(), 17 from f1, 19 from there.
        if (library && (function == 16 || function == 18 || function == 17 || function == 19)) CHECK(usual[at]);
        (library ? of_library : of_user) += !kernels[at];
    }
    CHECK(of_library > 0);  // kernels are compiled while somebody waits
}

TEST_CASE("code for lanes is the same whatever time is asked for, for it is compiled whole or later; with none there is none") {
    const Image image = image_with_library();
    const Execution execution = static_execution(image);
    const auto lanes = [&](std::optional<double> seconds, bool all) {
        const BlockOptions options{.build_seconds = seconds, .all = all, .lanes = Simd::portable};
        return write_places(plan_lanes(image, execution, options, plan_blocks(image, execution, options, BlockPurpose::kernels)));
    };
    CHECK_FALSE(lanes({}, true).empty());
    CHECK(lanes(10, false) == lanes({}, true));
    CHECK(lanes({}, false) == lanes({}, true));
    CHECK(lanes(0.02, false) == lanes({}, true));
    CHECK(lanes(0, false).empty());
}

TEST_CASE("what g++ is given to compile in a time is what it surely can, how fast it is included") {
    const Image image = image_with_library();
    const Execution execution = static_execution(image);
    const auto instructions = [&](double seconds, double speed) {
        const BlockPlan plan = plan_blocks(image, execution, {.build_seconds = seconds, .compiler_speed = speed});
        double sum = 0;
        for (const BlockPlan::Group &group : plan.groups) sum += group.instructions;
        return sum;
    };
    CHECK(instructions(0, 1) == 0);
    for (const double seconds : {0.1, 0.3, 0.5, 1.0}) {
        CAPTURE(seconds);
        CHECK(instructions(seconds, 1) > 0);
        CHECK(instructions(seconds, 1) <= 2000 * std::max(seconds - 0.2, 0.4 * seconds));
        CHECK(instructions(2 * seconds, 0.5) == instructions(seconds, 1));
        CHECK(instructions(seconds, 2) == instructions(2 * seconds, 1));
    }
    CHECK(instructions(0.1, 1) < instructions(0.3, 1));
    CHECK(instructions(0.3, 1) < instructions(0.5, 1));
}

TEST_CASE("g++ gets compiled blocks in parts, what is executed most as well as it can") {
    std::string text =
        "        .register sp ra x y\n        .symbol main, 0x00400000, 1048576, code\n        .at 0x00400000\nmain: .map 0x00400000\n";
    for (int i = 0; i < 4000; ++i)
        text += fmt::format("        .at {0:#010x}\nl{1}: .map {0:#010x}\n        lr $x\n        addi 1\n        sr $x\n        jt l{1}\n",
                            0x00400010 + 16 * i, i);
    const Image image = image_of(text + "        brk 0\n");
    const BlockPlan plan = plan_blocks(image, static_execution(image), {std::nullopt, true});
    REQUIRE(plan.parts.size() > 2);
    std::vector<std::uint32_t> sizes(plan.parts.size());
    for (const BlockPlan::Group &group : plan.groups) sizes.at(group.part) += group.instructions;
    CHECK(*std::ranges::max_element(sizes) < 7000);
    CHECK(*std::ranges::min_element(sizes) > 0);
    // In the source each group stands once, for its part.
    GenerateOptions options;
    options.blocks = &plan;
    const auto source = generate(image, Dialect::host, table_order(image), options);
    REQUIRE(source);
    for (std::size_t part = 0; part < plan.parts.size(); ++part)
        CHECK(source->find(fmt::format("\n#if IN_PART({})\n", part)) != source->npos);
    // One part is written as before.
    const Image small = image_with_library();
    const BlockPlan one = plan_blocks(small, static_execution(small), {std::nullopt, true});
    CHECK(one.parts.size() <= 2);
}

TEST_CASE("definitions come from the image, and doubles only where they are needed") {
    const Image plain = image_of(".register x sp ra\n.code 0x00400000, 64\nstart: lr $x\n lrd $x\n negd\n brk 0\n");
    const std::string source = source_of(plain, Dialect::opencl, table_order(plain));
    CHECK(mentions(source, "#define MOG_NREGS 9u\n"));
    CHECK(mentions(source, "#define MOG_REG_SP 1u\n"));
    CHECK(mentions(source, "#define MOG_CODE_BASE 0x00400000u\n"));
    CHECK(mentions(source, "#define MOG_CODE_WORDS 16u\n"));
    CHECK(mentions(source, "Generated by mogas "));
    CHECK_FALSE(mentions(source, "#define MOG_F64\n"));
    for (const char *op : {"addd $x", "sqrtd", "i2d", "f2d", "d2f", "d2in", "sltd $x", "sund $x"}) {
        CAPTURE(op);
        CHECK(needs_doubles(image_of(fmt::format("start: lrd $x\n {}\n brk 0\n", op))));
    }
    for (const char *op : {"addf $x", "divf $x", "f2in", "div $x", "mul $x", "srd $x", "lwd", "std $x", "absd", "i2f"}) {
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
    CHECK(one->products.has(ProductKind::opencl));
    CHECK(one->products.has(ProductKind::cpp));
    CHECK(one->products.has(ProductKind::order));
}
