// usimd_print.cpp: kernels as texts that parse() reads.
#include <fmt/format.h>

#include "assembler/usimd/usimd_text.hpp"

namespace mog::usimd {
namespace {

using namespace divergence;

std::string head_of(const Program &program) {
    std::string text;
    const auto line = [&](std::string_view word, const auto &what) { text += fmt::format("{} {}\n", word, what); };
    // Parameters are all that is read before anything is assigned to it, which need not be known: those with a number, and none else
    // that is ever written.
    std::vector<bool> is_written(program.kernel.variables.size());
    for (const Block &block : program.kernel.blocks)
        for (const Instruction &instruction : block.code)
            if (instruction.result != no_variable) is_written[instruction.result] = true;
    for (Variable variable = 0; variable < program.kernel.variables.size(); ++variable)
        if (program.parameters[variable] != 0 || !is_written[variable])
            line(".param", fmt::format("{} = {}", program.kernel.variables[variable].name, program.parameters[variable]));
    if (program.shape.x)
        line(".block", fmt::format("{}, {}, {}", *program.shape.x, program.shape.y.value_or(1), program.shape.z.value_or(1)));
    if (!program.cells.empty()) line(".cells", program.cells.size());
    for (std::size_t cell = 0; cell < program.cells.size(); ++cell) {
        if (program.cells[cell] == 0) continue;
        std::string numbers;
        for (; cell < program.cells.size() && program.cells[cell] != 0; ++cell)
            numbers += fmt::format("{}{}", numbers.empty() ? fmt::format("{} = ", cell) : ", ", program.cells[cell]);
        line(".cell", numbers);
    }
    if (program.lane_cells != 0) line(".local", program.lane_cells);
    if (program.warp_cells != 0) line(".warp", program.warp_cells);
    return text;
}

std::string end_of(const Kernel &kernel, BlockIndex b) {
    const End &end = kernel.blocks[b].end;
    const auto label = [&](std::size_t way) { return kernel.blocks[end.targets[way]].label; };
    switch (end.kind) {
        case End::Kind::stop: return "        stop\n";
        case End::Kind::jump: return end.targets[0] == b + 1 ? "" : fmt::format("        jump {}\n", label(0));
        case End::Kind::branch:
        case End::Kind::choice: break;
    }
    const std::string condition = text_of(kernel, end.condition);
    if (end.targets[0] == b + 1) return fmt::format("        bz {}, {}\n", condition, label(1));
    const std::string text = fmt::format("        bnz {}, {}\n", condition, label(0));
    return end.targets[1] == b + 1 ? text : text + fmt::format("        jump {}\n", label(1));
}

}  // namespace

std::string print(const Program &program) {
    const Kernel &kernel = program.kernel;
    std::string text = head_of(program);
    for (BlockIndex b = 0; b < kernel.blocks.size(); ++b) {
        const Block &block = kernel.blocks[b];
        if (b != 0) text += fmt::format("{}:\n", block.label);
        for (const Instruction &instruction : block.code) text += fmt::format("        {}\n", text_of(kernel, instruction));
        text += end_of(kernel, b);
    }
    return text;
}

}  // namespace mog::usimd
