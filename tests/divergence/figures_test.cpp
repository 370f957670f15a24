// figures_test.cpp: the figures of Sampaio's thesis.
#include <doctest/doctest.h>

#include "tests/divergence/programs.hpp"

using namespace mog;
using namespace mog::test;
using namespace mog::divergence;

namespace {

constexpr std::int64_t unknown = 1'000'000;  // the bottom of a cell

Fact cell(std::int64_t a2, std::int64_t a1, std::int64_t a0) {
    const auto coefficient = [](std::int64_t number) { return number == unknown ? Coefficient::unknown() : Coefficient::known(number); };
    Fact fact = Fact::affine(coefficient(a1), coefficient(a0));
    fact.a[2] = coefficient(a2);
    return fact;
}

/// As cells have it: the coefficients of T^2, T and 1.
bool is_cell(const Fact &fact, std::int64_t a2, std::int64_t a1, std::int64_t a0) {
    const Fact wanted = cell(a2, a1, a0);
    return fact.a[2] == wanted.a[2] && fact.a[1] == wanted.a[1] && fact.a[0] == wanted.a[0];
}

std::uint32_t line_of(const Kernel &kernel, std::string_view text, std::size_t which = 0) {
    for (const Block &block : kernel.blocks)
        for (const Instruction &instruction : block.code)
            if (text_of(kernel, instruction) == text && which-- == 0) return instruction.place.line;
    FAIL("no instruction " << std::string(text));
    return 0;
}

}  // namespace

TEST_CASE("figure 2.2: avgSquare") {
    const usimd::Program program = example("avgSquare.usimd");
    const Kernel &kernel = program.kernel;
    const auto value = [&](const Analysis &analysis, std::string_view text) {
        return analysis.fact(defined_in(analysis.form(), line_of(kernel, text)));
    };
    const auto read = [&](const Analysis &analysis, std::string_view text, std::size_t operand) {
        return read_in(analysis, line_of(kernel, text), operand);
    };
    AnalysisOptions options;
    const Analysis section_3_5(kernel, options);
    CHECK(is_cell(read(section_3_5, "square = c * c", 0), 0, 0, unknown));  // c
    CHECK(is_cell(read(section_3_5, "a = m + i", 0), 0, 0, unknown));       // m
    CHECK(is_cell(read(section_3_5, "to = v + tid", 0), 0, 0, unknown));    // v
    CHECK(is_cell(read(section_3_5, "p = i < N", 0), 0, 1, unknown));       // i
    CHECK(is_cell(read(section_3_5, "p = i < N", 1), 0, 1, unknown));       // N
    CHECK(is_cell(read(section_3_5, "d = d + 1", 0), 0, 0, unknown));       // d inside the loop
    CHECK(is_cell(read(section_3_5, "mean = sum / d", 1), 0, 0, unknown));  // d behind it
    options.degree = 0;
    const Analysis section_3_4(kernel, options);
    for (const auto &[text, operand] : {std::pair("square = c * c", 0), {"a = m + i", 0}, {"to = v + tid", 0}})
        CHECK(read(section_3_4, text, operand).is_uniform());
    CHECK(section_3_4.domain().is_divergent(read(section_3_4, "p = i < N", 0)));
    CHECK(section_3_4.domain().is_divergent(read(section_3_4, "p = i < N", 1)));
    // The figure has a D here, too. But its own rule RMUD makes it uniform, by what section 3.4 says of the same loop in sumTriangle: lanes
    // leave the loop, and those that are in it have made as many rounds.
    CHECK(read(section_3_4, "d = d + 1", 0).is_uniform());
    CHECK(section_3_4.domain().is_divergent(read(section_3_4, "mean = sum / d", 1)));
    // "Data dep.": control is left out.
    options.fault = Fault::no_etas;
    const Analysis data_only(kernel, options);
    CHECK(data_only.domain().is_divergent(read(data_only, "p = i < N", 0)));
    CHECK(data_only.domain().is_divergent(read(data_only, "p = i < N", 1)));
    CHECK(read(data_only, "d = d + 1", 0).is_uniform());
    CHECK(read(data_only, "mean = sum / d", 1).is_uniform());
    CHECK(value(section_3_5, "i = i + c").exact);
}

TEST_CASE("figure 2.2: sumTriangle") {
    const usimd::Program program = example("sumTriangle.usimd");
    const Kernel &kernel = program.kernel;
    const auto read = [&](const Analysis &analysis, std::string_view text, std::size_t operand) {
        return read_in(analysis, line_of(kernel, text), operand);
    };
    AnalysisOptions options;
    const Analysis section_3_5(kernel, options);
    CHECK(is_cell(read(section_3_5, "p = i < L", 1), 0, unknown, unknown));           // L
    CHECK(is_cell(read(section_3_5, "d = d + 1", 0), 0, 0, unknown));                 // d inside the loop
    CHECK(is_cell(read(section_3_5, "last = d - 1", 0), unknown, unknown, unknown));  // d behind it
    options.degree = 0;
    const Analysis section_3_4(kernel, options);
    CHECK(section_3_4.domain().is_divergent(read(section_3_4, "p = i < L", 1)));
    CHECK(read(section_3_4, "d = d + 1", 0).is_uniform());
    CHECK(section_3_4.domain().is_divergent(read(section_3_4, "last = d - 1", 0)));
    options.fault = Fault::no_etas;
    const Analysis data_only(kernel, options);
    CHECK(data_only.domain().is_divergent(read(data_only, "p = i < L", 1)));
    CHECK(read(data_only, "d = d + 1", 0).is_uniform());
    CHECK(read(data_only, "last = d - 1", 0).is_uniform());
    // Figure 3.7: the branch on an odd d does not part lanes, the one that leaves the loop does.
    for (BlockIndex b = 0; b < kernel.blocks.size(); ++b)
        if (kernel.blocks[b].end.targets.size() == 2)
            CHECK(section_3_5.is_branch_uniform(b) == (text_of(kernel, kernel.blocks[b].end.condition) == "odd"));
}

TEST_CASE("figure 3.10: a second degree finds that rows are affine") {
    const usimd::Program program = program_of(
        ".param n = 3, m = 0\n"
        ".cells 99\n"
        "    i = tid * n\n"
        "    k = i + n\n"
        "loop: p = i < k\n"
        "    bz p, out\n"
        "    a = m + i\n"
        "    [a] = 1\n"
        "    i = i + 1\n"
        "    jump loop\n"
        "out: stop\n");
    AnalysisOptions options;
    const Analysis second(program.kernel, options);
    CHECK(is_cell(second.fact(defined_in(second.form(), 4)), 0, unknown, unknown));  // k
    CHECK(is_cell(read_in(second, 5, 0), 0, unknown, unknown));                      // i.1
    CHECK(is_cell(second.fact(defined_in(second.form(), 9)), 0, unknown, unknown));  // i.2
    options.degree = 1;
    const Analysis first(program.kernel, options);
    CHECK(first.domain().is_divergent(first.fact(defined_in(first.form(), 4))));
    CHECK(first.domain().is_divergent(read_in(first, 5, 0)));
}

TEST_CASE("figure 3.4: threads wait until the last has left the loop") {
    const usimd::Program program = example("sumTriangle.usimd");
    const auto text = usimd::trace(program, {4, 4, 10000});
    REQUIRE(static_cast<bool>(text));
    // Thread t is in the loop for t + 1 rounds.
    std::size_t rounds[4] = {};
    for (std::size_t at = 0; (at = text->find("d = d + 1", at)) != text->npos; ++at) {
        const std::size_t lanes = text->find("BP ", at) + 3;
        for (std::size_t lane = 0; lane < 4; ++lane) rounds[lane] += (*text)[lanes + lane] == 'x';
    }
    for (std::size_t lane = 0; lane < 4; ++lane) CHECK(rounds[lane] == lane + 1);
    // Each adds up the odd rows of its column: cells 4 + t and 12 + t, where it comes to them.
    CHECK(text->ends_with("cells: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 0 6 7 24\n"));
}
