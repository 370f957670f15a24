// registers_test.cpp: programs with registers and spill code do what they did without: the machine leaves the same in its cells, for random
// programs and the examples, by each allocator, with from so few registers on as can be.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <filesystem>

#include "assembler/registers/linear_scan.hpp"
#include "assembler/registers/webs.hpp"
#include "assembler/usimd/allocated_program.hpp"
#include "tests/divergence/checker.hpp"
#include "tests/divergence/programs.hpp"

using namespace mog;
using namespace mog::test;
using namespace mog::divergence;
using namespace mog::registers;

namespace {

constexpr std::int64_t poison = 0x5151515151;

struct Outcome {
    bool ends = false;
    std::vector<std::int64_t> cells;
    std::string failure;  ///< of a claim about the program
};

Outcome run(const usimd::Program &program, const usimd::MachineOptions &options, bool checks, const Allocated *allocated = nullptr,
            usimd::ExecutedSpills *executed = nullptr) {
    auto machine = usimd::Machine::make(program, options);
    REQUIRE(static_cast<bool>(machine));
    std::optional<Analysis> analysis;
    std::optional<Checker> checker;
    if (checks) checker.emplace(analysis.emplace(program.kernel));
    Outcome outcome;
    const auto done = machine->run([&](const usimd::Machine &at, const usimd::Step &step) {
        if (checker) checker->watch(at, step);
        if (executed != nullptr) executed->watch(*allocated, step);
    });
    outcome.ends = static_cast<bool>(done);
    outcome.cells = machine->cells();
    if (checker) outcome.failure = checker->failure();
    return outcome;
}

/// The program with registers, which hold anything at the begin.
usimd::AllocatedProgram with_registers(const usimd::Program &program, const AllocateOptions &options) {
    auto allocated = usimd::allocate(program, options);
    INFO((allocated ? std::string() : allocated.error().text()));
    REQUIRE(static_cast<bool>(allocated));
    REQUIRE(allocated->program.kernel.check() == "");
    for (Variable variable = 0; variable < allocated->allocated.places.size(); ++variable)
        if (allocated->allocated.places[variable].count != 0) allocated->program.parameters[variable] = poison;
    return std::move(*allocated);
}

/// No two registers in use but the K there are, and each of the size it has to be.
void check_places(const Allocated &allocated, const AllocateOptions &options) {
    for (Variable variable = 0; variable < allocated.places.size(); ++variable) {
        const Allocated::Place &place = allocated.places[variable];
        if (place.count == 0) continue;
        CHECK(place.first + place.count <= options.registers);
        CHECK(place.first % place.count == 0);
        CHECK(place.count * options.bits >= allocated.kernel.variables[variable].width);
    }
}

struct Tried {
    std::size_t programs = 0, allocations = 0, differences = 0;
    std::array<std::array<std::uint64_t, homes>, std::size(allocators)> executed{};  ///< loads and stores
    std::array<std::uint64_t, std::size(allocators)> bytes{};
};

/// `flaw`: a difference is what is looked for, and ends it.
Tried try_programs(std::uint64_t seed, std::size_t programs, const RandomKernel &kind, unsigned bits, bool mixes_widths,
                   Flaw flaw = Flaw::none) {
    Tried tried;
    for (std::size_t p = 0; p < programs; ++p) {
        Random random(seed + p);
        usimd::Program program = random_program(random, kind);
        if (mixes_widths)
            for (VariableInfo &variable : program.kernel.variables) variable.width = random.below(2) == 0 ? 32 : 64;
        REQUIRE(program.kernel.check() == "");
        constexpr std::uint32_t widths[] = {1, 2, 3, 4, 8};
        usimd::MachineOptions machine{static_cast<std::uint32_t>(1 + random.below(9)), widths[random.below(std::size(widths))], 400};
        const Outcome wanted = run(program, machine, false);
        if (!wanted.ends) continue;
        ++tried.programs;
        machine.most_steps *= 40;
        const unsigned least = least_registers(program.kernel, bits);
        for (const Allocator allocator : allocators)
            for (const unsigned more : {0u, 1u + random.below(4), 30u}) {
                if (flaw != Flaw::none && more != 0) break;
                AllocateOptions options;
                options.allocator = allocator;
                options.bits = bits;
                options.registers = least + more;
                options.shape.warp = machine.warp;
                options.flaw = flaw;
                const auto allocated = with_registers(program, options);
                check_places(allocated.allocated, options);
                usimd::ExecutedSpills executed;
                const Outcome outcome = run(allocated.program, machine, p % 8 == 0, &allocated.allocated, &executed);
                ++tried.allocations;
                if (flaw != Flaw::none) {
                    tried.differences += !outcome.ends || outcome.cells != wanted.cells;
                    continue;
                }
                INFO("seed " << seed + p << ", " << name_of(allocator) << " to " << options.registers << " registers, warps of "
                             << machine.warp << "\n"
                             << text_of(program) << "\nwith registers\n"
                             << text_of(allocated.program));
                REQUIRE(outcome.ends);
                REQUIRE(outcome.cells == wanted.cells);
                REQUIRE(outcome.failure == "");
                const auto by = static_cast<std::size_t>(allocator);
                for (std::size_t home = 0; home < homes; ++home)
                    tried.executed[by][home] += executed.operations.loads[home] + executed.operations.stores[home];
                tried.bytes[by] += executed.all_bytes();
                if (more == 30) CHECK(allocated.allocated.counts.operations() == 0);
            }
    }
    return tried;
}

void tell(const std::string &what, const Tried &tried) {
    std::string text = fmt::format("{}: {} programs, {} allocations; bytes", what, tried.programs, tried.allocations);
    for (const Allocator allocator : allocators)
        text += fmt::format(" {} {}", name_of(allocator), tried.bytes[static_cast<std::size_t>(allocator)]);
    MESSAGE(text);
}

/// `all_homes`: there is something for each.
void check_order(const Tried &tried, bool all_homes) {
    const auto bytes = [&](Allocator allocator) { return tried.bytes[static_cast<std::size_t>(allocator)]; };
    CHECK(bytes(Allocator::affine) < bytes(Allocator::divergent));
    CHECK(bytes(Allocator::affine) < bytes(Allocator::rematerialising));
    CHECK(bytes(Allocator::divergent) < bytes(Allocator::linear));
    CHECK(bytes(Allocator::rematerialising) < bytes(Allocator::linear));
    // Each home is taken by whom it is for, and by nobody else.
    for (const Allocator allocator : allocators)
        for (std::size_t home = 0; home < homes; ++home) {
            const bool computes = allocator == Allocator::rematerialising || allocator == Allocator::affine;
            const bool shares = allocator == Allocator::divergent || allocator == Allocator::affine;
            const bool is_its_own = static_cast<Home>(home) == Home::row       ? true
                                    : static_cast<Home>(home) == Home::uniform ? shares
                                    : static_cast<Home>(home) == Home::base    ? allocator == Allocator::affine
                                                                               : computes;
            const bool is_taken = tried.executed[static_cast<std::size_t>(allocator)][home] != 0;
            CHECK((is_taken ? is_its_own : !is_its_own || !all_homes));
        }
}

}  // namespace

TEST_CASE("structured programs with registers leave the same") {
    const Tried tried = try_programs(500'000, 800, {Style::structured, false, true}, 64, false);
    tell("structured", tried);
    CHECK(tried.programs > 250);
    check_order(tried, true);
}

TEST_CASE("programs of any graph with registers leave the same") {
    const Tried tried = try_programs(600'000, 800, {Style::unstructured, false, true}, 64, false);
    tell("unstructured", tried);
    CHECK(tried.programs > 250);
    check_order(tried, true);
}

TEST_CASE("programs where lanes differ by their ways only") {
    for (const Style style : {Style::structured, Style::unstructured}) {
        const Tried tried = try_programs(650'000, 600, {style, false, true, true, true}, 64, false);
        tell("calm", tried);
        CHECK(tried.programs > 100);
        check_order(tried, false);
    }
}

TEST_CASE("pairs of registers, and arithmetic that wraps") {
    for (const Style style : {Style::structured, Style::unstructured}) {
        const Tried tried = try_programs(700'000, 700, {style, true, true}, 32, true);
        tell("pairs", tried);
        CHECK(tried.programs > 200);
        check_order(tried, true);
    }
}

TEST_CASE("a word that some lanes write while others wait for theirs") {
    // All is uniform but the branch: threads 0 and 1 count on, threads 2 and 3 want the number from before.
    const usimd::Program program = program_of(
        ".cells 4\n"
        ".param five = 5\n"
        "        n = five\n"
        "        k = 3\n"
        "        first = tid < 2\n"
        "        bz first, second\n"
        "more:   n = n + 1\n"
        "        k = k - 1\n"
        "        bnz k, more\n"
        "        [tid] = n\n"
        "        jump end\n"
        "second: m = n + 100\n"
        "        [tid] = m\n"
        "end:    stop\n");
    const usimd::MachineOptions machine{4, 4, 1000};
    const std::vector<std::int64_t> wanted = {8, 8, 105, 105};
    CHECK(run(program, machine, false).cells == wanted);
    for (const Allocator allocator : allocators) {
        AllocateOptions options;
        options.allocator = allocator;
        options.registers = 2;
        CHECK(run(with_registers(program, options).program, machine, true).cells == wanted);
        if (allocator == Allocator::linear || allocator == Allocator::rematerialising) continue;
        options.flaw = Flaw::words_at_will;
        CHECK(run(with_registers(program, options).program, machine, false).cells == std::vector<std::int64_t>{8, 8, 108, 108});
    }
}

TEST_CASE("the examples with registers leave the same") {
    for (const char *const name : {"avgSquare.usimd", "sumTriangle.usimd"}) {
        const usimd::Program program = example(name);
        for (const std::uint32_t warp : {1u, 2u, 3u, 4u, 32u}) {
            const usimd::MachineOptions machine{4, warp, 10'000};
            const Outcome wanted = run(program, machine, false);
            for (const Allocator allocator : allocators)
                for (unsigned registers = least_registers(program.kernel, 64); registers < 16; ++registers) {
                    AllocateOptions options;
                    options.allocator = allocator;
                    options.registers = registers;
                    options.shape.warp = warp;
                    const auto allocated = with_registers(program, options);
                    const Outcome outcome = run(allocated.program, machine, true);
                    CHECK(outcome.cells == wanted.cells);
                    CHECK(outcome.failure == "");
                    // And as the text that mogas prints.
                    CHECK(run(program_of(usimd::print(allocated.program)), machine, false).cells == wanted.cells);
                }
        }
    }
}

TEST_CASE("the kernels of the bench with registers leave the same") {
    std::size_t kernels = 0, runs = 0;
    for (const auto &entry : std::filesystem::directory_iterator(MOG_BENCH_KERNELS)) {
        INFO(entry.path().string());
        const usimd::Program program = program_in(entry.path().string());
        ++kernels;
        for (const std::uint32_t warp : {12u, 32u}) {
            const usimd::MachineOptions machine{64, warp, 100'000};
            const Outcome wanted = run(program, machine, false);
            if (!wanted.ends) continue;  // one wants warps of 32
            ++runs;
            for (const Allocator allocator : allocators)
                for (const unsigned registers : {least_registers(program.kernel, 64), 8u}) {
                    AllocateOptions options;
                    options.allocator = allocator;
                    options.registers = registers;
                    options.shape.warp = warp;
                    const Outcome outcome =
                        run(with_registers(program, options).program, machine, allocator == Allocator::affine && warp == 12);
                    CHECK(outcome.cells == wanted.cells);
                    CHECK(outcome.failure == "");
                }
        }
    }
    CHECK(kernels > 10);
    CHECK(runs >= 2 * kernels - 1);
}

TEST_CASE("too few registers") {
    const usimd::Program program = program_of(
        ".cells 1\n"
        "        a = [0]\n"
        "        b = tid + a\n"
        "        c = mad a, b, tid\n"
        "        [0] = c\n"
        "        stop\n");
    AllocateOptions options;
    options.registers = 2;
    const auto allocated = usimd::allocate(program, options);
    REQUIRE(!allocated);
    CHECK(allocated.error().text() ==
          "test.usimd:4: 2 registers of 64 bits are too few for `c = mad a, b, tid`, even if all else is spilled: give it 4");
    CHECK(least_registers(program.kernel, 64) == 4);
    CHECK(least_registers(program.kernel, 32) == 8);
}

TEST_CASE("truths of one bit") {
    usimd::Program program = program_of(
        ".cells 4\n"
        ".param five = 5\n"
        "        a = tid < 2\n"
        "        b = five == 5\n"
        "        c = tid == 1\n"
        "        d = tid == 3\n"
        "        e = a & c\n"
        "        f = b & d\n"
        "        g = e | f\n"
        "        h = g != a\n"
        "        x = select h, five, tid\n"
        "        y = select d, x, five\n"
        "        [tid] = y\n"
        "        stop\n");
    for (const char *const name : {"a", "b", "c", "d", "e", "f", "g", "h"})
        program.kernel.variables[variable_called(program.kernel, name)].width = 1;
    const usimd::MachineOptions machine{4, 4, 1000};
    const Outcome wanted = run(program, machine, false);
    REQUIRE(wanted.ends);
    for (const Allocator allocator : allocators) {
        AllocateOptions options;
        options.allocator = allocator;
        options.registers = least_registers(program.kernel, 64);
        const auto allocated = with_registers(program, options);
        CHECK(allocated.allocated.spilled > 2);
        CHECK(run(allocated.program, machine, true).cells == wanted.cells);
    }
}

TEST_CASE("lifetimes have holes") {
    const usimd::Program program = program_of(
        ".cells 8\n"
        "        x = [0]\n"    // points 4 to 7: written at 6
        "        [1] = x\n"    // read at 9
        "        y = [2]\n"    // written at 14
        "        x = [3]\n"    // written at 18
        "        x = x + y\n"  // read at 21, written at 22
        "        [4] = x\n"    // read at 25
        "        stop\n");
    const Lifetimes lifetimes(program.kernel);
    const std::uint32_t first = lifetimes.point(1, 0);
    const auto of = [&](std::string_view name) {
        LiveRanges ranges = lifetimes.of(variable_called(program.kernel, name));
        for (LiveRange &range : ranges) range = {range.from - first, range.to - first};
        return ranges;
    };
    CHECK(of("x") == LiveRanges{{2, 6}, {14, 22}});
    CHECK(of("y") == LiveRanges{{10, 18}});
    CHECK(!overlap({{2, 6}, {14, 18}}, {{6, 14}}));
    CHECK(overlap({{2, 6}, {14, 18}}, {{6, 15}}));
    // What has a hole shares its register, and what x holds three times are three webs.
    const Webs webs = split_into_webs(program.kernel);
    CHECK(webs.count == 4);
    AllocateOptions options;
    options.registers = 2;
    CHECK(with_registers(program, options).allocated.counts.operations() == 0);
}

TEST_CASE("a scan fills holes, takes neighbours, and spills what costs least") {
    const auto interval = [](LiveRanges ranges, unsigned registers, double cost) { return Interval{std::move(ranges), registers, cost}; };
    using Firsts = std::vector<std::uint32_t>;
    constexpr std::uint32_t none = Assignment::none;
    // The second goes into the hole of the first.
    CHECK(linear_scan(std::vector{interval({{0, 4}, {8, 12}}, 1, 1), interval({{4, 8}}, 1, 1)}, 1).first == Firsts{0, 0});
    // A pair begins at an even register; narrow ones that begin with it come after it.
    CHECK(linear_scan(std::vector{interval({{0, 9}}, 1, 1), interval({{0, 9}}, 2, 1), interval({{0, 9}}, 1, 1)}, 4).first ==
          Firsts{2, 0, 3});
    // One wide lifetime against two narrow ones in its way: the cheaper side goes.
    CHECK(linear_scan(std::vector{interval({{0, 9}}, 1, 1), interval({{0, 9}}, 1, 1), interval({{2, 9}}, 2, 3)}, 2).first ==
          Firsts{none, none, 0});
    CHECK(linear_scan(std::vector{interval({{0, 9}}, 1, 2), interval({{0, 9}}, 1, 2), interval({{2, 9}}, 2, 3)}, 2).first ==
          Firsts{0, 1, none});
    // What cannot be spilled stays, or is named.
    CHECK(linear_scan(std::vector{interval({{0, 9}}, 1, 9), interval({{2, 3}}, 1, Interval::cannot)}, 1).first == Firsts{none, 0});
    CHECK(linear_scan(std::vector{interval({{0, 9}}, 1, Interval::cannot), interval({{2, 3}}, 1, Interval::cannot)}, 1).unplaced == 1);
}

TEST_CASE("a wrong rule for spilling is found") {
    for (const Flaw flaw : {Flaw::words_at_will, Flaw::factors_differ}) {
        const bool is_calm = flaw == Flaw::words_at_will;
        const Tried structured = try_programs(800'000, 1500, {Style::structured, false, true, true, is_calm}, 64, false, flaw);
        const Tried any = try_programs(900'000, 1500, {Style::unstructured, false, true, true, is_calm}, 64, false, flaw);
        MESSAGE(structured.differences << " of " << structured.allocations << ", " << any.differences << " of " << any.allocations);
        CHECK(structured.differences + any.differences > 0);
    }
}
