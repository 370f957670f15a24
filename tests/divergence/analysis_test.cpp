// analysis_test.cpp: single rules: shapes of blocks, operations on polynomials, memory, gates and causes.
#include <doctest/doctest.h>

#include "assembler/divergence/explain.hpp"
#include "tests/divergence/programs.hpp"

using namespace mog;
using namespace mog::test;
using namespace mog::divergence;

namespace {

/// What is known of what each line defines, as text.
std::string known(std::string_view text, std::uint32_t line, AnalysisOptions options = {}) {
    const usimd::Program program = program_of(text);
    const Analysis analysis(program.kernel, std::move(options));
    return analysis.domain().text(analysis.fact(defined_in(analysis.form(), line)));
}

AnalysisOptions degree(unsigned of) {
    AnalysisOptions options;
    options.degree = of;
    return options;
}

std::string fact_text(const ThreadShape &shape, Special special) { return Polynomials(2).text(shape.fact_of(special)); }

/// Of what is defined in the line, with "@" before the lines of each.
std::string causes(std::string_view text, std::uint32_t line) {
    const usimd::Program program = program_of(text);
    const Analysis analysis(program.kernel);
    std::string result;
    for (const Because &because : why(analysis, defined_in(analysis.form(), line)))
        result += (result.empty() ? "" : "; ") + because.text + (because.place.line == 0 ? "" : " @" + std::to_string(because.place.line));
    return result;
}

}  // namespace

TEST_CASE("numbers of threads in blocks: rows against warps") {
    struct Row {
        ThreadShape shape;
        const char *x, *y, *z;
    };
    const auto unknown = std::optional<std::uint32_t>();
    const Row rows[] = {
        {{256, 1, 1, 32, false}, "T", "0", "0"},
        {{100, 1, 1, 32, false}, "T", "0", "0"},                  // the last warp has 4 lanes
        {{32, 8, 1, 32, false}, "T + ?", "?", "0"},               // a warp is a row
        {{64, 4, 2, 32, false}, "T + ?", "?", "?"},               // half a row
        {{16, 16, 1, 32, false}, "divergent", "divergent", "0"},  // two rows
        {{48, 4, 1, 32, false}, "divergent", "divergent", "0"},   // straddles
        {{16, 2, 4, 32, false}, "divergent", "divergent", "?"},   // a warp is a plane
        {{1, 64, 1, 32, false}, "0", "T", "0"},
        {{1, 1, 64, 32, false}, "0", "0", "T"},
        {{1, 32, 2, 32, false}, "0", "T + ?", "?"},
        {{1, 16, 2, 32, false}, "0", "divergent", "divergent"},
        {{unknown, unknown, unknown, 32, false}, "divergent", "divergent", "divergent"},
        {{unknown, 1, 1, 32, false}, "T", "0", "0"},
        {{unknown, unknown, 1, 32, true}, "T + ?", "?", "0"},
        {{16, unknown, 1, 32, true}, "divergent", "divergent", "0"},  // what is known to straddle is not assumed away
    };
    for (const Row &row : rows) {
        INFO(row.shape.text());
        CHECK(fact_text(row.shape, Special::tid_x) == row.x);
        CHECK(fact_text(row.shape, Special::tid_y) == row.y);
        CHECK(fact_text(row.shape, Special::tid_z) == row.z);
        // As threads have them: by warps, x fastest.
        if (!row.shape.x || !row.shape.y || !row.shape.z) continue;
        const std::uint32_t x = *row.shape.x, y = *row.shape.y, threads = x * y * *row.shape.z;
        for (std::uint32_t first = 0; first < threads; first += row.shape.warp) {
            const std::uint32_t last = std::min(threads, first + row.shape.warp) - 1;
            const auto differs = [&](auto of) { return of(first) != of(last); };
            if (std::string(row.y) == "?") CHECK_FALSE(differs([&](std::uint32_t t) { return t / x % y; }));
            if (std::string(row.z) == "?") CHECK_FALSE(differs([&](std::uint32_t t) { return t / x / y; }));
            if (std::string(row.x) == "T + ?") CHECK(last % x - first % x == last - first);
        }
    }
    CHECK(fact_text({32, 8, 1, 32, false}, Special::ntid_x) == "32");
    CHECK(fact_text({}, Special::ntid_x) == "?");
    CHECK(fact_text({}, Special::lane) == "T + ?");
    CHECK(fact_text({}, Special::clock) == "divergent");
    CHECK(fact_text({}, Special::ctaid_x) == "?");
}

TEST_CASE("operations on polynomials") {
    const std::string begin = ".param n, m\n";
    CHECK(known(begin + "a = tid * 4\nb = a + 12\nstop\n", 3) == "4*T + 12");
    CHECK(known(begin + "a = tid * 4\nb = a + n\nc = b - m\nstop\n", 4) == "4*T + ?");
    CHECK(known(begin + "a = tid << 3\nb = a - tid\nstop\n", 3) == "7*T");
    CHECK(known(begin + "a = tid * tid\nstop\n", 2) == "T^2");
    CHECK(known(begin + "a = tid * n\nb = mad a, tid, 5\nstop\n", 3, degree(3)) == "?*T^2 + 5");
    CHECK(known(begin + "a = tid * tid\nb = a * tid\nstop\n", 3) == "divergent");
    CHECK(known(begin + "a = tid * tid\nb = a * tid\nstop\n", 3, degree(3)) == "T^3");
    CHECK(known(begin + "a = tid * tid\nstop\n", 2, degree(1)) == "divergent");
    CHECK(known(begin + "a = tid * n\nstop\n", 2, degree(1)) == "divergent");
    CHECK(known(begin + "a = tid + 1\nb = a - tid\nstop\n", 3) == "1");
    CHECK(known(begin + "a = tid + n\nb = a - tid\nstop\n", 3) == "?");
    CHECK(known(begin + "a = tid % 4\nb = a * 0\nc = b & a\nstop\n", 4) == "0");
    CHECK(known(begin + "a = tid + n\nb = tid + m\nc = a == b\nstop\n", 4) == "?");
    CHECK(known(begin + "a = tid + n\nb = tid + m\nc = a < b\nstop\n", 4) == "?");
    CHECK(known(begin + "a = tid + n\nb = tid * 2\nc = a < b\nstop\n", 4) == "divergent");
    CHECK(known(begin + "a = tid + n\nb = tid + m\nc = select n, a, b\nstop\n", 4) == "T + ?");
    CHECK(known(begin + "a = tid + n\nc = select tid, a, n\nstop\n", 3) == "divergent");
    CHECK(known(begin + "a = n / 3\nb = a ^ m\nstop\n", 3) == "?");
    CHECK(known(begin + "a = 7 / 3\nb = a * 5\nstop\n", 3) == "10");
    CHECK(known(begin + "a = tid + 1\nb = a * 0\nstop\n", 3, degree(0)) == "divergent");
}

TEST_CASE("memory: what is loaded from equal addresses") {
    usimd::Program program = program_of(".cells 1\na = [0]\nb = [tid]\nc = atomic [0] + 1\nstop\n");
    const auto class_in = [&](std::uint32_t line, AnalysisOptions options = {}) {
        const Analysis analysis(program.kernel, std::move(options));
        return analysis.class_of(defined_in(analysis.form(), line));
    };
    CHECK(class_in(2) == Class::uniform);
    CHECK(class_in(3) == Class::divergent);
    CHECK(class_in(4) == Class::divergent);
    AnalysisOptions apart;
    apart.loads_are_apart = true;
    CHECK(class_in(2, apart) == Class::divergent);
    auto &load = program.kernel.blocks[1].code[0];
    REQUIRE(load.operation == Operation::load);
    load.memory = Memory::constant;
    CHECK(class_in(2, apart) == Class::uniform);
    load.memory = Memory::own;
    CHECK(class_in(2) == Class::divergent);
}

TEST_CASE("sums that stop when they do not fit, extensions and narrowing") {
    Kernel kernel;
    kernel.files = {"kernel"};
    const Variable x = kernel.add_variable("x"), y = kernel.add_variable("y"), wide = kernel.add_variable("wide", 64),
                   byte = kernel.add_variable("byte", 8), n = kernel.add_variable("n");
    kernel.blocks.resize(1);
    auto &code = kernel.blocks[0].code;
    const auto add = [&](Operation operation, Variable result, std::vector<Operand> operands, bool exact) {
        Instruction &instruction = code.emplace_back();
        instruction.operation = operation;
        instruction.result = result;
        instruction.operands = std::move(operands);
        instruction.exact = exact;
        return code.size() - 1;
    };
    add(Operation::special, x, {}, false);
    add(Operation::add, y, {Operand::of(x), Operand::of(n)}, false);
    const std::size_t may_wrap = add(Operation::widen, wide, {Operand::of(y)}, false);
    const std::size_t narrowed = add(Operation::narrow, byte, {Operand::of(y)}, false);
    add(Operation::add, y, {Operand::of(x), Operand::of(n)}, true);
    const std::size_t fits = add(Operation::widen, wide, {Operand::of(y)}, false);
    add(Operation::multiply, y, {Operand::of(x), Operand::number(0x40000000)}, false);
    const std::size_t gone = add(Operation::shift_left, y, {Operand::of(y), Operand::number(2)}, false);
    REQUIRE(kernel.check() == "");
    const Analysis analysis(kernel);
    const auto text = [&](std::size_t i) { return analysis.domain().text(analysis.fact(analysis.form().result_of(0, i))); };
    CHECK(text(may_wrap) == "divergent");
    CHECK(text(narrowed) == "T + ?");
    CHECK(text(fits) == "T + ?");
    CHECK(text(gone) == "0");  // 2^32 * T
}

TEST_CASE("a kernel that is malformed is told") {
    Kernel kernel;
    CHECK(kernel.check() == "a kernel has at least one block");
    kernel.blocks.resize(1);
    kernel.blocks[0].label = "b";
    const Variable x = kernel.add_variable("x");
    CHECK(kernel.check() == "");
    Instruction bad;
    bad.operation = Operation::add;
    bad.result = x;
    bad.operands = {Operand::of(x)};
    kernel.blocks[0].code = {bad};
    CHECK(kernel.check() == "b: add has 2 operands, not 1");
    kernel.blocks[0].code[0].operands = {Operand::of(x), Operand::of(9)};
    CHECK(kernel.check() == "b: add of no variable");
    kernel.blocks[0].code[0].operands = {Operand::of(x), Operand::number(1ll << 40)};
    CHECK(kernel.check() == "b: add of 1099511627776, which is no signed number of 32 bits");
    kernel.blocks[0].code[0].operands = {Operand::of(x), Operand::of(x)};
    kernel.blocks[0].code[0].result = no_variable;
    CHECK(kernel.check() == "b: the result of add is no variable");
    kernel.blocks[0].code.clear();
    kernel.blocks[0].end.kind = End::Kind::jump;
    CHECK(kernel.check() == "b: its end has 0 targets");
    kernel.blocks[0].end.targets = {0};
    CHECK(kernel.check() == "b: its end leads to no block, or to the first");
    kernel.blocks[0].end.targets = {7};
    CHECK(kernel.check() == "b: its end leads to no block, or to the first");
    kernel.variables[0].width = 65;
    CHECK(kernel.check() == "x has 65 bits: there are 1 to 64");
}

TEST_CASE("gates: mu, gamma and eta, and the causes behind them") {
    const std::string text =
        "    p = tid < 2\n"
        "    bz p, other\n"
        "    a = 1\n"
        "    jump join\n"
        "other: a = 2\n"
        "join: b = a + 1\n"
        "    n = 0\n"
        "loop: n = n + 1\n"
        "    q = n <= b\n"
        "    bnz q, loop\n"
        "    c = n * 2\n"
        "    stop\n";
    const usimd::Program program = program_of(text);
    const Analysis analysis(program.kernel);
    std::string phis;
    for (std::uint32_t phi = 0; phi < analysis.form().phis.size(); ++phi) phis += gated_text(analysis, phi) + "; ";
    CHECK(phis == "a.2 = gamma(p; a.0, a.1); n.1 = mu(n.0, n.2); ");
    CHECK(causes(text, 6) ==
          "b is computed of a.2, which is divergent @6; lanes bring different values of a: they part at the branch at test.usimd:2 @6; "
          "it branches on p, which is divergent @2; `p = tid < 2` compares what differs by more than a common part: tid is T @1; "
          "tid differs among lanes");
    CHECK(causes(text, 8) == "");
    const std::string behind = causes(text, 11);
    INFO(behind);
    CHECK(behind.starts_with(
        "n.2 is of different rounds: lanes part at the branch at test.usimd:10 @11; it branches on q, which is divergent @10; "));
    CHECK(behind.ends_with("; tid differs among lanes"));
}

TEST_CASE("what is known as numbers is the same where lanes meet") {
    // Both ways give 3 * T, and the loop's x is the same in each round.
    const std::string text =
        ".param n\n"
        "    p = tid < 2\n"
        "    bz p, other\n"
        "    a = tid * 3\n"
        "    jump join\n"
        "other: b = tid * 2\n"
        "    a = b + tid\n"
        "join: c = a + 0\n"
        "loop: x = tid * 5\n"
        "    n = n + 1\n"
        "    q = n <= tid\n"
        "    bnz q, loop\n"
        "    d = x + n\n"
        "    e = x + 1\n"
        "    stop\n";
    CHECK(known(text, 8) == "3*T");
    CHECK(known(text, 13) == "divergent");
    CHECK(known(text, 14) == "5*T + 1");
}

TEST_CASE("lanes that leave a loop by branches on which all lanes of a round agree") {
    // Thread 0 looks from round 3 on and leaves with x = 0, thread 1 from round 5 on and leaves with x = 1. In each round all that look
    // agree.
    const std::string text =
        ".cells 2\n"
        "    k = 0\n"
        "loop: k = k + 1\n"
        "    enough = k == 9\n"
        "    bnz enough, end\n"
        "    first = tid * 2\n"
        "    first = first + 3\n"
        "    later = k < first\n"
        "    bnz later, next\n"
        "    three = k == 3\n"
        "    bz three, five\n"
        "    x = 0\n"
        "    jump join\n"
        "five: f = k == 5\n"
        "    bz f, next\n"
        "    x = 1\n"
        "    jump join\n"
        "next: jump loop\n"
        "join: y = x + 0\n"
        "    [tid] = y\n"
        "end: stop\n";
    const usimd::Program program = program_of(text);
    const Analysis analysis(program.kernel);
    CHECK(analysis.class_of(defined_in(analysis.form(), 10)) == Class::uniform);
    CHECK(analysis.class_of(defined_in(analysis.form(), 14)) == Class::uniform);
    CHECK(analysis.class_of(defined_in(analysis.form(), 19)) == Class::divergent);
    const auto cells = usimd::result_of(program, {2, 2, 1000});
    REQUIRE(static_cast<bool>(cells));
    CHECK(*cells == "cells: 0 1\n");
}

TEST_CASE("ways that meet where lanes leave a loop in different rounds") {
    // As compilers have loops: gone around by a branch that all lanes agree on, left to where that leads.
    const usimd::Program program = program_of(
        ".param c = 1\n"
        "        x = 5\n"
        "        i = 0\n"
        "        bz c, out\n"
        "loop:   x = x + 1\n"
        "        i = i + 1\n"
        "        p = i < tid\n"
        "        bnz p, loop\n"
        "out:    y = x + 1\n"
        "        stop\n");
    const Analysis analysis(program.kernel);
    CHECK(analysis.class_of(defined_in(analysis.form(), 5)) == Class::uniform);
    CHECK(analysis.class_of(defined_in(analysis.form(), 9)) == Class::divergent);
}
