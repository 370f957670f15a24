// usimd_facts.cpp: what the analyses say of random programs, with and without registers, checked at each step of the u-SIMD machine.
//
//     usimd_facts SEED COUNT
//
// Prints how many claims about two lanes or more were checked. Status 1: one was false, or registers changed what a program does.
#include <fmt/format.h>

#include <charconv>

#include "assembler/usimd/allocated_program.hpp"
#include "support/say.hpp"
#include "tests/divergence/checker.hpp"
#include "tests/divergence/random_programs.hpp"

namespace {

using namespace mog;
using namespace mog::divergence;

constexpr std::uint64_t most_steps = 400, times_with_registers = 40;

struct Run {
    std::string failure;
    std::vector<std::int64_t> cells;
    std::uint64_t claims = 0;
    bool ends = false;
};

Run run(const usimd::Program &program, const AnalysisOptions &options, const usimd::MachineOptions &machine_options) {
    Run result;
    const Analysis analysis(program.kernel, options);
    test::Checker checker(analysis);
    const bool alone = machine_options.warp == 1;
    auto machine = usimd::Machine::make(program, machine_options);
    if (!machine) return {machine.error().text(), {}, 0, false};
    result.ends = static_cast<bool>(machine->run([&](const usimd::Machine &at, const usimd::Step &step) {
        if (alone) checker.watch_alone(at, step);
        else checker.watch(at, step);
    }));
    if (alone) checker.together();
    result.failure = checker.failure();
    result.cells = machine->cells();
    result.claims = checker.counts().claims;
    return result;
}

/// What is wrong with one program; empty: nothing.
std::string check(std::uint64_t seed, std::uint64_t &claims) {
    Random random(seed);
    const bool alone = random.below(4) == 0;
    const test::RandomKernel kind{random.below(2) == 0 ? test::Style::structured : test::Style::unstructured, random.below(3) == 0, !alone,
                                  !alone, random.below(2) == 0};
    const usimd::Program program = test::random_program(random, kind);
    AnalysisOptions options;
    options.degree = random.below(most_degree + 1);
    options.loads_are_apart = alone;
    usimd::MachineOptions machine{1 + random.below(16), alone ? 1 : 2 + random.below(7), most_steps};
    const Run plain = run(program, options, machine);
    claims += plain.claims;
    if (!plain.failure.empty())
        return fmt::format("{}, by degree {}, {} threads in warps of {}:\n{}", plain.failure, options.degree, machine.threads, machine.warp,
                           test::text_of(program));
    if (!plain.ends) return "";
    registers::AllocateOptions how;
    how.allocator = registers::allocators[random.below(std::size(registers::allocators))];
    // Lanes' numbers and words are of warps, and one thread at a time has none.
    if (alone) how.allocator = random.below(2) == 0 ? registers::Allocator::linear : registers::Allocator::rematerialising;
    how.bits = kind.wraps ? 32 : 64;
    how.registers = registers::least_registers(program.kernel, how.bits) + random.below(4);
    how.shape.warp = machine.warp;
    const auto allocated = usimd::allocate(program, how);
    if (!allocated) return allocated.error().text();
    machine.most_steps *= times_with_registers;
    const Run with_registers = run(allocated->program, options, machine);
    claims += with_registers.claims;
    if (!with_registers.failure.empty()) return "with registers: " + with_registers.failure;
    return with_registers.cells == plain.cells ? "" : "with registers it leaves something else";
}

}  // namespace

int main(int argc, char **argv) {
    const auto number = [&](int at) {
        std::uint64_t value = 0;
        const std::string_view text = argv[at];
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    };
    if (argc != 3 || number(2) == 0) {
        say("usage: usimd_facts SEED COUNT\n");
        return 2;
    }
    std::uint64_t claims = 0;
    for (std::uint64_t seed = number(1); seed < number(1) + number(2); ++seed)
        if (const std::string failure = check(seed, claims); !failure.empty()) {
            say("usimd_facts: seed {}: {}\n", seed, failure);
            return 1;
        }
    fmt::print("{} facts\n", claims);
    return 0;
}
