// allocated_program.cpp: registers as the machine's variables, and a table of loads and stores.
#include "assembler/usimd/allocated_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace mog::usimd {

using namespace divergence;
using registers::Home;

Result<AllocatedProgram> allocate(const Program &program, registers::AllocateOptions options) {
    const std::uint32_t warp = options.shape.warp;
    if (program.shape.x) options.shape = program.shape;
    options.shape.warp = warp;
    auto allocated = registers::allocate(program.kernel, options);
    if (!allocated) return allocated.error();
    AllocatedProgram result{{}, std::move(*allocated)};
    result.program.kernel = result.allocated.kernel;
    for (const auto &place : result.allocated.places)
        result.program.parameters.push_back(place.origin == no_variable ? 0 : program.parameters[place.origin]);
    result.program.shape = program.shape;
    result.program.cells = program.cells;
    result.program.lane_cells = result.allocated.rows;
    result.program.warp_cells = result.allocated.words;
    result.program.overlaps = result.allocated.overlaps();
    return result;
}

void ExecutedSpills::watch(const registers::Allocated &allocated, const Step &step) {
    if (step.what == Step::What::end) ++instructions;
    if (step.what != Step::What::after) return;
    ++instructions;
    const registers::Tag &tag = allocated.tags[step.block][step.index];
    if (tag.kind == registers::Tag::Kind::program) return;
    ++spill_instructions;
    const auto home = static_cast<std::size_t>(tag.home);
    if (tag.is_last) ++(tag.kind == registers::Tag::Kind::load ? operations.loads : operations.stores)[home];
    const Operation operation = allocated.kernel.blocks[step.block].code[step.index].operation;
    if (operation != Operation::load && operation != Operation::store) return;
    const auto lanes = static_cast<std::uint64_t>(std::ranges::count(*step.active, true));
    bytes[home] += tag.bytes * (registers::is_word(tag.home) ? 1 : lanes);
}

std::uint64_t ExecutedSpills::all_bytes() const { return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0}); }

Result<std::string> describe(const AllocatedProgram &of, const registers::AllocateOptions &options, const MachineOptions &how) {
    auto machine = Machine::make(of.program, how);
    if (!machine) return machine.error();
    ExecutedSpills executed;
    const auto done = machine->run([&](const Machine &, const Step &step) { executed.watch(of.allocated, step); });
    if (!done) return done.error();
    const registers::Allocated &allocated = of.allocated;
    std::string text = fmt::format("# {} allocation to {} registers: of {} variables that are apart, {} are spilled\n",
                                   name_of(options.allocator), options.registers, allocated.webs, allocated.spilled);
    text += print(of.program);
    text += fmt::format("\n# home       loads  stores   executed: loads  stores      bytes\n");
    for (std::size_t home = 0; home < registers::homes; ++home)
        text += fmt::format("# {:<9} {:>6} {:>7} {:>17} {:>7} {:>10}\n", name_of(static_cast<Home>(home)), allocated.counts.loads[home],
                            allocated.counts.stores[home], executed.operations.loads[home], executed.operations.stores[home],
                            executed.bytes[home]);
    text += fmt::format("# Stores of what is computed again are those that are not needed. {} of {} loads and stores are no row's.\n",
                        allocated.counts.replaced(), allocated.counts.operations());
    text += fmt::format("# Executed by warps of {}: {} instructions, of which {} spill; {} bytes\n", how.warp, executed.instructions,
                        executed.spill_instructions, executed.all_bytes());
    return text;
}

}  // namespace mog::usimd
