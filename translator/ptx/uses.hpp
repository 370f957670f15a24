// uses.hpp: which registers an instruction reads and writes.
#pragma once

#include "translator/ptx/program.hpp"

namespace mog::ptx {

/// Whether operand `at` of an instruction is written.
inline bool is_written(const Opcode &opcode, const Operand &operand, std::size_t at) {
    if (opcode.action() == Action::call) return at == 0;
    const auto &specs = info(opcode.form).operands;
    return !operand.is_address && at < specs.size() && specs[at].is_written;
}

/// An operand that is a register, or those in its braces or its p|q: `visit` gets each, a Kind::reg.
template <typename Visit>
void each_register(const Function &function, const Operand &operand, Visit &&visit) {
    if (operand.kind == Operand::Kind::reg) visit(operand);
    if (operand.kind == Operand::Kind::list || operand.kind == Operand::Kind::pair)
        for (const Operand &element : function.elements_of(operand)) each_register(function, element, visit);
}

/// All of an instruction but its guard: `visit` gets each, and whether it is written.
template <typename Visit>
void each_register(const Program &program, const Function &function, const Instruction &instruction, Visit &&visit) {
    const auto operands = function.operands_of(instruction);
    for (std::size_t at = 0; at < operands.size(); ++at) {
        const bool writes = is_written(program.opcode_of(instruction), operands[at], at);
        each_register(function, operands[at], [&](const Operand &reg) { visit(reg, writes); });
    }
}

}  // namespace mog::ptx
