// callees.cpp: what is known of calls before anything is written.
#include "runtime_host/ptx/code/callees.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mog::ptx {

Callees::Callees(const Program &program, std::uint32_t kernel, std::span<const FunctionPlaces *const> places)
    : program_(program), places_(places), graph_(program) {
    const std::vector<bool> is_reached = graph_.reached_from(kernel);
    for (std::uint32_t at = 0; at < is_reached.size(); ++at) {
        const Function &function = program.functions[at];
        if (!is_reached[at]) continue;
        may_end_launch_ |= !function.has_body;
        if (at == kernel || function.is_entry || places[at] == nullptr) continue;
        reached_.push_back(at);
        for (const Instruction &instruction : function.code) {
            const Opcode &opcode = program.opcode_of(instruction);
            waits_ = std::max(waits_, waits_by(opcode));
            may_exit_ |= opcode.action() == Action::exit;
        }
    }
}

/// Whether what a call passes, and what it wants back, is what a function has: variables of the same size, or registers and numbers.
bool Callees::fits(const Function &caller, const Instruction &call, std::uint32_t callee) const {
    const Function &function = program_.functions[callee];
    if (!function.has_body || function.is_entry || places_[callee] == nullptr) return false;
    const auto are_alike = [&](const Operand &list, const std::vector<Formal> &formals, bool is_returned) {
        const auto elements = caller.elements_of(list);
        if (elements.size() != formals.size()) return false;
        for (std::size_t at = 0; at < formals.size(); ++at) {
            const Operand &element = elements[at];
            if (!formals[at].is_register) {
                if (element.kind != Operand::Kind::own_variable) return false;
                if (caller.variables[element.index].size != function.variables[formals[at].index].size) return false;
                continue;
            }
            const Type type = function.registers[formals[at].index];
            if (register_bits(type) > 64 || type == Type::pred) return false;
            if (element.kind == Operand::Kind::reg) {
                const Type has = caller.registers[element.index];
                if (has == Type::pred || register_bits(has) != register_bits(type)) return false;
            } else if (is_returned || element.kind != Operand::Kind::integer) {
                return false;
            }
        }
        return true;
    };
    const auto operands = caller.operands_of(call);
    return are_alike(operands[0], function.returns, true) && are_alike(operands[2], function.parameters, false);
}

std::vector<std::uint32_t> Callees::targets(const Function &caller, const Instruction &call) const {
    std::vector<std::uint32_t> targets;
    const Operand &target = caller.operands_of(call)[1];
    for (const std::uint32_t one : reached_) {
        const bool may_be = target.kind == Operand::Kind::function ? target.index == one : graph_.is_address_taken(one);
        if (may_be && !why_not_.contains(one) && fits(caller, call, one)) targets.push_back(one);
    }
    return targets;
}

std::string Callees::why_not(const Function &caller, const Instruction &call) const {
    const Operand &target = caller.operands_of(call)[1];
    if (target.kind != Operand::Kind::function) return "what it calls by addresses is not compiled";
    const auto known = why_not_.find(target.index);
    return fmt::format("it calls {}: {}", program_.functions[target.index].name,
                       known != why_not_.end() ? known->second : "what is passed there is not compiled");
}

}  // namespace mog::ptx
