// theorems_test.cpp: what the analyses prove is true, in each of many random programs, at each step of the machine. And the machine tells
// where a rule is wrong.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "tests/divergence/checker.hpp"
#include "tests/divergence/programs.hpp"

using namespace mog;
using namespace mog::test;
using namespace mog::divergence;

namespace {

struct Trial {
    Counts counts;
    std::size_t programs = 0, finished = 0;
    std::string failure;  ///< of the first program of which something false was said; with the program
};

enum class How : std::uint8_t { warps, alone };

/// Analyses and runs random programs from a seed on.
Trial try_programs(std::uint64_t seed, std::size_t programs, const RandomKernel &kind, unsigned degree, How how,
                   Fault fault = Fault::none) {
    Trial trial;
    for (std::size_t p = 0; p < programs && trial.failure.empty(); ++p) {
        Random random(seed + p);
        const usimd::Program program = random_program(random, kind);
        REQUIRE(program.kernel.check() == "");
        AnalysisOptions options;
        options.degree = degree;
        options.fault = fault;
        options.loads_are_apart = how == How::alone;
        const Analysis analysis(program.kernel, options);
        Checker checker(analysis);
        usimd::MachineOptions machine_options;
        constexpr std::uint32_t widths[] = {2, 3, 4, 8};
        machine_options.warp = how == How::alone ? 1 : widths[random.below(std::size(widths))];
        // The last warp has fewer lanes, most of the time.
        machine_options.threads = 1 + random.below(9);
        machine_options.most_steps = 400;
        auto machine = usimd::Machine::make(program, machine_options);
        REQUIRE(static_cast<bool>(machine));
        const auto done = machine->run([&](const usimd::Machine &at, const usimd::Step &step) {
            if (how == How::alone) checker.watch_alone(at, step);
            else checker.watch(at, step);
        });
        if (how == How::alone) checker.together();
        trial.finished += static_cast<bool>(done);
        ++trial.programs;
        if (!checker.failure().empty())
            trial.failure = fmt::format("seed {}, degree {}, warps of {}: {}\n{}", seed + p, degree, machine_options.warp,
                                        checker.failure(), text_of(program));
        const Counts &counts = checker.counts();
        trial.counts.checks += counts.checks;
        trial.counts.equal += counts.equal;
        trial.counts.claimed_uniform += counts.claimed_uniform;
        trial.counts.on_a_line += counts.on_a_line;
        trial.counts.claimed_polynomial += counts.claimed_polynomial;
    }
    return trial;
}

void tell(const std::string &what, unsigned degree, const Trial &trial) {
    MESSAGE(what << ", degree " << degree << ": " << trial.programs << " programs, " << trial.finished << " ended, " << trial.counts.checks
                 << " claims of lanes together; equal " << trial.counts.equal << ", proved " << trial.counts.claimed_uniform
                 << "; on a line " << trial.counts.on_a_line << ", proved " << trial.counts.claimed_polynomial);
}

}  // namespace

TEST_CASE("theorems 1 to 3: structured programs") {
    for (const unsigned degree : {0u, 1u, 3u}) {
        const Trial trial = try_programs(1, 1500, {Style::structured, false, true}, degree, How::warps);
        tell("structured", degree, trial);
        CHECK(trial.failure == "");
        CHECK(trial.counts.claimed_uniform > 10000);
    }
}

TEST_CASE("theorems 1 to 3: loops that can be gone around") {
    for (const unsigned degree : {0u, 2u}) {
        const Trial trial = try_programs(150'000, 1000, {Style::structured, false, true, true, false, true}, degree, How::warps);
        tell("with guards", degree, trial);
        CHECK(trial.failure == "");
        CHECK(trial.counts.claimed_uniform > 5000);
    }
}

TEST_CASE("theorems 1 to 3: any graphs") {
    for (const unsigned degree : {0u, 2u, 4u}) {
        const Trial trial = try_programs(100'000, 2000, {Style::unstructured, false, true}, degree, How::warps);
        tell("unstructured", degree, trial);
        CHECK(trial.failure == "");
        CHECK(trial.counts.claimed_uniform > 10000);
    }
}

TEST_CASE("arithmetic that wraps") {
    for (const Style style : {Style::structured, Style::unstructured}) {
        const Trial trial = try_programs(200'000, 2000, {style, true, true}, 2, How::warps);
        tell("wrapping", 2, trial);
        CHECK(trial.failure == "");
    }
}

TEST_CASE("lanes that are in no step with others: what is said holds by place and rounds") {
    for (const Style style : {Style::structured, Style::unstructured})
        for (const unsigned degree : {0u, 2u}) {
            const Trial trial = try_programs(300'000, 2500, {style, false, false, false}, degree, How::alone);
            tell(style == Style::structured ? "alone, structured" : "alone, unstructured", degree, trial);
            CHECK(trial.failure == "");
            CHECK(trial.counts.claimed_uniform > 3000);
        }
}

TEST_CASE("a wrong rule is found") {
    const auto finds = [](const RandomKernel &kind, unsigned degree, Fault fault) {
        return !try_programs(400'000, 3000, kind, degree, How::warps, fault).failure.empty();
    };
    const RandomKernel structured{Style::structured, false, true}, unstructured{Style::unstructured, false, true};
    CHECK(finds(structured, 1, Fault::product_drops_squares));
    CHECK(finds(structured, 2, Fault::product_drops_squares));
    CHECK(finds(structured, 1, Fault::pure_wants_both));
    CHECK(finds(structured, 0, Fault::no_gammas));
    CHECK(finds(unstructured, 2, Fault::no_gammas));
    CHECK(finds(structured, 0, Fault::no_etas));
    CHECK(finds(unstructured, 2, Fault::no_etas));
}

TEST_CASE("a comparison of sums that wrap in some lanes only") {
    // i = tid + 2^31 - 2, N = i + 1: their difference is 1 modulo 2^32 in each thread, but i < N is not, in thread 1.
    usimd::Program program;
    Kernel &kernel = program.kernel;
    kernel.files = {"wraps"};
    const Variable t = kernel.add_variable("t"), i = kernel.add_variable("i"), n = kernel.add_variable("N"), p = kernel.add_variable("p"),
                   q = kernel.add_variable("q"), u = kernel.add_variable("u"), w = kernel.add_variable("w");
    program.parameters.resize(kernel.variables.size());
    kernel.blocks.resize(1);
    auto &code = kernel.blocks[0].code;
    const auto add = [&](Operation operation, Variable result, std::vector<Operand> operands, bool is_unsigned = false) {
        Instruction &instruction = code.emplace_back();
        instruction.operation = operation;
        instruction.result = result;
        instruction.operands = std::move(operands);
        instruction.is_unsigned = is_unsigned;
        instruction.place = {0, static_cast<std::uint32_t>(code.size())};
        return static_cast<ValueIndex>(code.size() - 1);
    };
    add(Operation::special, t, {});
    add(Operation::add, i, {Operand::of(t), Operand::number(0x7ffffffe)});
    add(Operation::add, n, {Operand::of(i), Operand::number(1)});
    const ValueIndex signed_test = add(Operation::less, p, {Operand::of(i), Operand::of(n)});
    const ValueIndex equality = add(Operation::equal, q, {Operand::of(i), Operand::of(n)});
    // Numbers of a block's threads do not wrap, which ranges know.
    add(Operation::special, u, {});
    code.back().special = Special::tid_x;
    add(Operation::add, w, {Operand::of(u), Operand::number(5)});
    const ValueIndex small_test = add(Operation::less, p, {Operand::of(u), Operand::of(w)});
    const ValueIndex bounded = add(Operation::less, p, {Operand::of(u), Operand::number(1024)}, true);
    AnalysisOptions options;
    options.shape = {256, 1, 1, 32, false};
    const Analysis analysis(kernel, options);
    CHECK(analysis.class_of(analysis.form().result_of(0, signed_test)) == Class::divergent);
    CHECK(analysis.class_of(analysis.form().result_of(0, equality)) == Class::uniform);
    CHECK(analysis.class_of(analysis.form().result_of(0, small_test)) == Class::uniform);
    CHECK(analysis.fact(analysis.form().result_of(0, bounded)).a[0].is(1));
    const auto failure = [&](Fault fault) {
        options.fault = fault;
        const Analysis with(kernel, options);
        Checker checker(with);
        auto machine = usimd::Machine::make(program, {4, 4, 100});
        REQUIRE(static_cast<bool>(machine));
        REQUIRE(static_cast<bool>(machine->run([&](const usimd::Machine &at, const usimd::Step &step) { checker.watch(at, step); })));
        return checker.failure();
    };
    CHECK(failure(Fault::none) == "");
    CHECK(failure(Fault::order_wraps) == "wraps:4: p.0 defined in  is said to be ?, but is 1 0 1 1 in threads 0 1 2 3");
}

TEST_CASE("lanes that wait inside a loop stay apart from those of later rounds") {
    // A thread goes the long way from the round of its number on; both ways go round again, and the short one may leave. If the third rule
    // of push joined those that wait with those of the next round, they would read different i together.
    const usimd::Program program = program_of(
        "    i = 0\n"
        "loop: i = i + 1\n"
        "    late = tid < i\n"
        "    bnz late, long\n"
        "    last = i == 4\n"
        "    bnz last, out\n"
        "    jump next\n"
        "long: a = i + 10\n"
        "next: enough = i == 3\n"
        "    bz enough, loop\n"
        "out: stop\n");
    const Analysis analysis(program.kernel);
    CHECK(read_in(analysis, 8, 0).is_uniform());
    Checker checker(analysis);
    auto machine = usimd::Machine::make(program, {4, 4, 1000});
    REQUIRE(static_cast<bool>(machine));
    CHECK(static_cast<bool>(machine->run([&](const usimd::Machine &at, const usimd::Step &step) { checker.watch(at, step); })));
    CHECK(checker.failure() == "");
}
