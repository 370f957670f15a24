// ssa.cpp: phis by iterated dominance frontiers, where the variable is live, then a walk over the dominator tree that
// names what is read (Cytron and others, 1991). No step calls itself: programs are deeper than stacks.
#include "assembler/divergence/ssa.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mog::divergence {
namespace {

constexpr BlockIndex first_block[] = {0};

}  // namespace

SsaForm::SsaForm(const Kernel &of_kernel) : kernel(of_kernel), graph(kernel.graph()), dominators(graph, first_block) {
    std::uint32_t instructions = 0, operand_count = 0;
    for (const Block &block : kernel.blocks) {
        first_of_.push_back(instructions);
        instructions += static_cast<std::uint32_t>(block.code.size());
        for (const Instruction &instruction : block.code) {
            operands_begin_.push_back(operand_count);
            operand_count += static_cast<std::uint32_t>(instruction.operands.size());
        }
    }
    operands_begin_.push_back(operand_count);
    operands_.assign(operand_count, no_value);
    results_.assign(instructions, no_value);
    conditions_.assign(kernel.blocks.size(), no_value);
    phis_of.resize(kernel.blocks.size());
    place_phis();
    rename();
    count_versions();
    list_readings();
}

void SsaForm::place_phis() {
    // By variable: the blocks that define it, and those that read it before they do. The latter and all from which
    // control comes to them without a definition between have it live at their begin.
    const std::size_t variables = kernel.variables.size();
    std::vector<std::vector<BlockIndex>> defined_in(variables), read_in(variables);
    std::vector<BlockIndex> last_defined(variables, 0xffffffff), last_read(variables, 0xffffffff);
    for (BlockIndex b = 0; b < kernel.blocks.size(); ++b) {
        if (!is_reached(b)) continue;
        const auto reads = [&](const Operand &operand) {
            if (operand.is_constant() || last_defined[operand.variable] == b || last_read[operand.variable] == b) return;
            last_read[operand.variable] = b;
            read_in[operand.variable].push_back(b);
        };
        for (const Instruction &instruction : kernel.blocks[b].code) {
            for (const Operand &operand : instruction.operands) reads(operand);
            if (instruction.result == no_variable || last_defined[instruction.result] == b) continue;
            last_defined[instruction.result] = b;
            defined_in[instruction.result].push_back(b);
        }
        const End &end = kernel.blocks[b].end;
        if (end.kind == End::Kind::branch || end.kind == End::Kind::choice) reads(end.condition);
    }
    const auto frontiers = dominance_frontiers(graph, dominators);
    std::vector<Variable> defines(kernel.blocks.size(), no_variable), is_live(kernel.blocks.size(), no_variable);
    std::vector<BlockIndex> work;
    for (Variable variable = 0; variable < variables; ++variable) {
        if (defined_in[variable].empty()) continue;
        for (const BlockIndex block : defined_in[variable]) defines[block] = variable;
        work = read_in[variable];
        for (const BlockIndex block : work) is_live[block] = variable;
        while (!work.empty()) {
            const BlockIndex block = work.back();
            work.pop_back();
            for (const BlockIndex from : graph.predecessors(block)) {
                if (is_live[from] == variable || defines[from] == variable || !is_reached(from)) continue;
                is_live[from] = variable;
                work.push_back(from);
            }
        }
        for (const BlockIndex block : iterated_frontier(frontiers, defined_in[variable])) {
            if (is_live[block] != variable || !is_reached(block)) continue;
            phis_of[block].push_back(static_cast<std::uint32_t>(phis.size()));
            phis.push_back({variable, no_value, block, std::vector<ValueIndex>(graph.predecessors(block).size(), no_value), {}});
        }
    }
}

void SsaForm::rename() {
    std::vector<ValueIndex> current(kernel.variables.size(), no_value);
    const auto define = [&](Value value) {
        values.push_back(value);
        return static_cast<ValueIndex>(values.size() - 1);
    };
    // By variable the value that holds here; what a block changed is put back when its part of the tree is left.
    std::vector<std::pair<Variable, ValueIndex>> changed;
    const auto set = [&](Variable variable, ValueIndex value) {
        changed.emplace_back(variable, current[variable]);
        current[variable] = value;
    };
    // A variable that is read before anything is assigned to it has an incoming value, which holds from the very begin.
    std::vector<ValueIndex> before(kernel.variables.size(), no_value);
    const auto read = [&](Variable variable) {
        if (current[variable] != no_value) return current[variable];
        if (before[variable] == no_value) before[variable] = define({Value::Kind::incoming, variable, 0, 0, 0});
        return before[variable];
    };
    std::vector<std::vector<BlockIndex>> children(graph.size() + 1);
    for (BlockIndex b = 0; b < graph.size(); ++b)
        if (is_reached(b)) children[dominators.parent(b)].push_back(b);
    struct Step {
        BlockIndex block;
        std::size_t next, mark;
    };
    std::vector<Step> path;
    const auto enter = [&](BlockIndex b) {
        path.push_back({b, 0, changed.size()});
        for (const std::uint32_t phi : phis_of[b]) {
            phis[phi].value = define({Value::Kind::phi, phis[phi].variable, b, phi, 0});
            set(phis[phi].variable, phis[phi].value);
        }
        const Block &block = kernel.blocks[b];
        for (std::uint32_t i = 0; i < block.code.size(); ++i) {
            const Instruction &instruction = block.code[i];
            ValueIndex *const reads = operands_.data() + operands_begin_[first_of_[b] + i];
            for (std::size_t o = 0; o < instruction.operands.size(); ++o)
                if (!instruction.operands[o].is_constant()) reads[o] = read(instruction.operands[o].variable);
            if (instruction.result == no_variable) continue;
            const ValueIndex value = define({Value::Kind::result, instruction.result, b, i, 0});
            results_[first_of_[b] + i] = value;
            set(instruction.result, value);
        }
        const bool has_condition = block.end.kind == End::Kind::branch || block.end.kind == End::Kind::choice;
        if (has_condition && !block.end.condition.is_constant()) conditions_[b] = read(block.end.condition.variable);
        BlockIndex last = 0xffffffff;
        for (const BlockIndex to : block.end.targets) {
            if (to == last) continue;
            last = to;
            const auto from = graph.predecessors(to);
            for (const std::uint32_t phi : phis_of[to])
                for (std::size_t edge = 0; edge < from.size(); ++edge)
                    if (from[edge] == b) phis[phi].operands[edge] = read(phis[phi].variable);
        }
    };
    enter(0);
    while (!path.empty()) {
        Step &step = path.back();
        if (step.next < children[step.block].size()) {
            enter(children[step.block][step.next++]);
            continue;
        }
        for (; changed.size() > step.mark; changed.pop_back()) current[changed.back().first] = changed.back().second;
        path.pop_back();
    }
}

/// Versions in the order of the text, for readers.
void SsaForm::count_versions() {
    versions_.assign(kernel.variables.size(), 0);
    const auto count = [&](ValueIndex value) {
        if (value != no_value) values[value].version = versions_[values[value].variable]++;
    };
    for (ValueIndex value = 0; value < values.size(); ++value)
        if (values[value].kind == Value::Kind::incoming) count(value);
    for (BlockIndex b = 0; b < kernel.blocks.size(); ++b) {
        if (!is_reached(b)) continue;
        for (const std::uint32_t phi : phis_of[b]) count(phis[phi].value);
        for (std::size_t i = 0; i < kernel.blocks[b].code.size(); ++i) count(result_of(b, i));
    }
}

/// `visit`: with the value, the reading, and where its place in `readings` is kept.
template <typename Visit>
void SsaForm::each_reading(Visit visit) {
    for (std::uint32_t phi = 0; phi < phis.size(); ++phi) {
        const auto from = graph.predecessors(phis[phi].block);
        phis[phi].readings.resize(from.size());
        for (std::uint32_t edge = 0; edge < from.size(); ++edge)
            visit(phis[phi].operands[edge], Reading{Reading::By::phi, from[edge], phi, edge}, phis[phi].readings[edge]);
    }
    for (BlockIndex b = 0; b < kernel.blocks.size(); ++b) {
        if (!is_reached(b)) continue;
        for (std::uint32_t i = 0; i < kernel.blocks[b].code.size(); ++i)
            for (std::uint32_t o = 0; o < kernel.blocks[b].code[i].operands.size(); ++o)
                visit(read_by(b, i, o), Reading{Reading::By::instruction, b, i, o},
                      operand_readings_[operands_begin_[first_of_[b] + i] + o]);
        visit(conditions_[b], Reading{Reading::By::end, b, 0, 0}, condition_readings_[b]);
    }
}

void SsaForm::list_readings() {
    operand_readings_.assign(operands_.size(), 0);
    condition_readings_.assign(conditions_.size(), 0);
    readings_begin_.assign(values.size() + 1, 0);
    each_reading([&](ValueIndex value, const Reading &, std::uint32_t &) {
        if (value != no_value) ++readings_begin_[value + 1];
    });
    for (std::size_t value = 0; value < values.size(); ++value) readings_begin_[value + 1] += readings_begin_[value];
    readings.resize(readings_begin_.back());
    std::vector<std::uint32_t> next(readings_begin_.begin(), readings_begin_.end() - 1);
    each_reading([&](ValueIndex value, const Reading &reading, std::uint32_t &kept) {
        if (value == no_value) return;
        kept = next[value]++;
        readings[kept] = reading;
    });
}

std::string SsaForm::name_of(ValueIndex value) const {
    const std::string &variable = kernel.variables[values[value].variable].name;
    return versions_[values[value].variable] == 1 ? variable : fmt::format("{}.{}", variable, values[value].version);
}

Place SsaForm::place_of(ValueIndex value) const {
    const Value &of = values[value];
    const Block &block = kernel.blocks[of.block];
    if (of.kind == Value::Kind::result) return block.code[of.index].place;
    if (of.kind == Value::Kind::phi) return block.code.empty() ? block.end.place : block.code.front().place;
    return {};
}

}  // namespace mog::divergence
