// kernel.cpp: kernels as graphs, as text, and what must hold of them.
#include "assembler/divergence/kernel.hpp"

#include <fmt/format.h>

#include "assembler/divergence/evaluate.hpp"

namespace mog::divergence {

std::string_view name_of(Special special) {
    constexpr std::string_view names[] = {"tid",     "tid.x",   "tid.y",   "tid.z",    "lane",     "ntid.x",   "ntid.y", "ntid.z",
                                          "ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z", "warp",   "clock"};
    return names[static_cast<std::size_t>(special)];
}

std::string_view prefix_of(Memory memory) { return memory == Memory::own ? "local " : memory == Memory::warp ? "warp " : ""; }

const OperationInfo &info(Operation operation) {
    static constexpr OperationInfo rows[] = {
#define MOG_DIVERGENCE_OPERATION(name, word, operands, shape) {#name, word, operands, Shape::shape},
#include "assembler/divergence/operations.def"
    };
    return rows[static_cast<std::size_t>(operation)];
}

Graph Kernel::graph() const {
    return Graph(static_cast<Graph::Node>(blocks.size()),
                 [&](Graph::Node node) -> const std::vector<BlockIndex> & { return blocks[node].end.targets; });
}

std::string Kernel::place_text(const Place &place) const {
    if (place.file >= files.size()) return {};
    return place.line == 0 ? files[place.file] : fmt::format("{}:{}", files[place.file], place.line);
}

std::string Kernel::check() const {
    if (blocks.empty()) return "a kernel has at least one block";
    if (incoming.size() != variables.size()) return "incoming has one entry for each variable";
    const auto is_variable = [&](Variable variable) { return variable < variables.size(); };
    for (const VariableInfo &variable : variables)
        if (variable.width < 1 || variable.width > 64)
            return fmt::format("{} has {} bits: there are 1 to 64", variable.name, variable.width);
    for (const Block &block : blocks) {
        for (const Instruction &instruction : block.code) {
            const OperationInfo &row = info(instruction.operation);
            const bool any_number = row.shape == Shape::opaque || instruction.operation == Operation::other;
            if (!any_number && instruction.operands.size() != row.operands)
                return fmt::format("{}: {} has {} operands, not {}", block.label, row.name, row.operands, instruction.operands.size());
            const bool writes = row.shape != Shape::store && row.shape != Shape::barrier;
            if (instruction.result == no_variable ? writes && row.shape != Shape::opaque && row.shape != Shape::atomic
                                                  : !writes || !is_variable(instruction.result))
                return fmt::format("{}: the result of {} is no variable", block.label, row.name);
            for (const Operand &operand : instruction.operands)
                if (!operand.is_constant() && !is_variable(operand.variable))
                    return fmt::format("{}: {} of no variable", block.label, row.name);
            const unsigned width = operand_width(*this, instruction);
            for (const Operand &operand : instruction.operands)
                if (operand.is_constant() && wrap(operand.constant, width) != operand.constant && !(width == 1 && operand.constant == 1))
                    return fmt::format("{}: {} of {}, which is no signed number of {} bits", block.label, row.name, operand.constant,
                                       width);
        }
        const End &end = block.end;
        for (const BlockIndex target : end.targets)
            if (target >= blocks.size() || target == 0) return fmt::format("{}: its end leads to no block, or to the first", block.label);
        const bool has_condition = end.kind == End::Kind::branch || end.kind == End::Kind::choice;
        if (has_condition && !end.condition.is_constant() && !is_variable(end.condition.variable))
            return fmt::format("{}: its condition is no variable", block.label);
        const std::size_t targets = end.targets.size();
        if (end.kind == End::Kind::jump     ? targets != 1
            : end.kind == End::Kind::stop   ? targets != 0
            : end.kind == End::Kind::branch ? targets != 2
                                            : targets == 0)
            return fmt::format("{}: its end has {} targets", block.label, targets);
    }
    return {};
}

unsigned operand_width(const Kernel &kernel, const Instruction &instruction) {
    for (const Operand &operand : instruction.operands)
        if (!operand.is_constant()) return kernel.variables[operand.variable].width;
    return 64;
}

std::string name_in(const Instruction &special) { return special.word.empty() ? std::string(name_of(special.special)) : special.word; }

std::string text_of(const Kernel &kernel, const Operand &operand) {
    return operand.is_constant() ? std::to_string(operand.constant) : kernel.variables[operand.variable].name;
}

std::string text_of(const Kernel &kernel, const Instruction &instruction) {
    return text_with(instruction, instruction.result == no_variable ? "" : kernel.variables[instruction.result].name,
                     [&](std::size_t at) { return text_of(kernel, instruction.operands[at]); });
}

std::string text_with(const Instruction &instruction, const std::string &result_name,
                      const std::function<std::string(std::size_t)> &operand) {
    const OperationInfo &row = info(instruction.operation);
    const std::string result = result_name.empty() ? "" : result_name + " = ";
    switch (instruction.operation) {
        case Operation::constant:
        case Operation::copy: return result + operand(0);
        case Operation::special: return result + name_in(instruction);
        case Operation::load: return fmt::format("{}{}[{}]", result, prefix_of(instruction.memory), operand(0));
        case Operation::store: return fmt::format("{}[{}] = {}", prefix_of(instruction.memory), operand(0), operand(1));
        case Operation::atomic_add: return fmt::format("{}atomic [{}] + {}", result, operand(0), operand(1));
        default: break;
    }
    if (row.operands == 2 && !row.word.empty() && !std::isalpha(static_cast<unsigned char>(row.word[0])))
        return fmt::format("{}{} {} {}", result, operand(0), row.word, operand(1));
    std::string text = result + (!instruction.word.empty() ? instruction.word : std::string(row.word.empty() ? row.name : row.word));
    for (std::size_t at = 0; at < instruction.operands.size(); ++at) text += (at == 0 ? " " : ", ") + operand(at);
    return text;
}

}  // namespace mog::divergence
