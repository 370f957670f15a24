// webs.cpp: values united by phis, and named anew.
#include "assembler/registers/webs.hpp"

#include <fmt/format.h>

#include <numeric>

#include "assembler/divergence/ssa.hpp"

namespace mog::registers {
namespace {

using namespace divergence;

/// By value the least of its web.
std::vector<ValueIndex> united(const SsaForm &form) {
    std::vector<ValueIndex> parent(form.values.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto find = [&](ValueIndex value) {
        while (parent[value] != value) value = parent[value] = parent[parent[value]];
        return value;
    };
    for (const Phi &phi : form.phis)
        for (const ValueIndex operand : phi.operands)
            if (operand != no_value && phi.value != no_value) {
                const ValueIndex a = find(operand), b = find(phi.value);
                parent[std::max(a, b)] = std::min(a, b);
            }
    for (ValueIndex value = 0; value < parent.size(); ++value) parent[value] = find(value);
    return parent;
}

}  // namespace

Webs split_into_webs(const Kernel &kernel) {
    const SsaForm form(kernel);
    const std::vector<ValueIndex> root = united(form);
    Webs webs;
    Kernel &result = webs.kernel;
    result.name = kernel.name;
    result.files = kernel.files;
    result.blocks = kernel.blocks;
    std::vector<Variable> web_of(form.values.size(), no_variable);
    std::vector<std::uint32_t> webs_of(kernel.variables.size());
    for (ValueIndex value = 0; value < form.values.size(); ++value)
        if (root[value] == value) ++webs_of[form.values[value].variable];
    std::vector<std::uint32_t> numbers(kernel.variables.size());
    for (ValueIndex value = 0; value < form.values.size(); ++value) {
        if (root[value] != value) {
            web_of[value] = web_of[root[value]];
            continue;
        }
        const Variable of = form.values[value].variable;
        const std::string &name = kernel.variables[of].name;
        web_of[value] =
            result.add_variable(webs_of[of] == 1 ? name : fmt::format("{}.{}", name, numbers[of]++), kernel.variables[of].width);
        result.variables.back().wants_register = kernel.variables[of].wants_register;
        webs.origin.push_back(of);
    }
    webs.count = result.variables.size();
    const auto web = [&](ValueIndex value, Operand &operand) {
        if (value != no_value) operand.variable = web_of[value];
    };
    for (BlockIndex b = 0; b < kernel.blocks.size(); ++b) {
        Block &block = result.blocks[b];
        if (!form.is_reached(b)) {
            block.code.clear();
            block.end = {};
            continue;
        }
        for (std::size_t i = 0; i < block.code.size(); ++i) {
            Instruction &instruction = block.code[i];
            for (std::size_t o = 0; o < instruction.operands.size(); ++o) web(form.read_by(b, i, o), instruction.operands[o]);
            if (const ValueIndex value = form.result_of(b, i); value != no_value) instruction.result = web_of[value];
        }
        web(form.condition_of(b), block.end.condition);
    }
    std::vector<Instruction> copies;
    for (ValueIndex value = 0; value < form.values.size(); ++value) {
        const Variable of = form.values[value].variable;
        if (form.values[value].kind != Value::Kind::incoming || form.readings_of(value).empty()) continue;
        const Variable outside = result.add_variable(kernel.variables[of].name, kernel.variables[of].width, kernel.incoming[of]);
        webs.origin.push_back(of);
        Instruction &copy = copies.emplace_back();
        copy.result = web_of[value];
        copy.operands = {Operand::of(outside)};
    }
    auto &first = result.blocks[0].code;
    first.insert(first.begin(), copies.begin(), copies.end());
    return webs;
}

}  // namespace mog::registers
