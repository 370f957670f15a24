// call_graph.cpp: calls by name, and functions whose address is in code or in variables.
#include "translator/ptx/calls/call_graph.hpp"

namespace mog::ptx {

CallGraph::CallGraph(const Program &program) {
    const std::size_t size = program.functions.size();
    calls_.resize(size);
    is_taken_.resize(size);
    calls_taken_.resize(size);
    for (const Variable &variable : program.variables)
        for (const Fixup &fixup : variable.fixups)
            if (fixup.is_function) is_taken_[static_cast<std::size_t>(program.function(fixup.symbol) - program.functions.data())] = true;
    for (std::size_t at = 0; at < size; ++at) {
        const Function &function = program.functions[at];
        for (const Instruction &instruction : function.code) {
            const bool is_call = program.opcode_of(instruction).action() == Action::call;
            const auto operands = function.operands_of(instruction);
            for (const Operand &operand : operands) {
                if (operand.kind != Operand::Kind::function) continue;
                if (is_call) {
                    calls_[at].push_back(operand.index);
                } else {
                    is_taken_[operand.index] = true;
                }
            }
            if (is_call && operands[1].kind == Operand::Kind::reg) calls_taken_[at] = true;
        }
    }
}

std::vector<bool> CallGraph::reached_from(std::uint32_t from) const {
    std::vector<bool> is_reached(calls_.size());
    std::vector<std::uint32_t> waiting = {from};
    const auto visit = [&](std::uint32_t to) {
        if (!is_reached[to]) waiting.push_back(to);
    };
    while (!waiting.empty()) {
        const std::uint32_t at = waiting.back();
        waiting.pop_back();
        if (is_reached[at]) continue;
        is_reached[at] = true;
        for (const std::uint32_t to : calls_[at]) visit(to);
        if (!calls_taken_[at]) continue;
        for (std::uint32_t to = 0; to < calls_.size(); ++to)
            if (is_taken_[to]) visit(to);
    }
    return is_reached;
}

}  // namespace mog::ptx
