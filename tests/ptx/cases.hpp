// cases.hpp: one instruction as a kernel, done to awkward operands.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/ptx/engine.hpp"
#include "translator/ptx/forms.hpp"

namespace mog::ptx {

/// Numbers of a type at which things go wrong.
std::vector<std::uint64_t> awkward(Type type);

struct Case {
    std::string kernel;
    Opcode opcode;
    std::vector<Type> types;  ///< of the result and the operands
};
/// The head of a module.
std::string head_of_module();
/// All opcodes that a pattern stands for, with T and S filled in.
void expand(std::string_view pattern, Type type, const std::string &before, std::vector<std::string> &into);
/// The type of an operand of an opcode of a type.
Type type_of(const OperandSpec &spec, Type type);
/// A kernel that does one instruction: operands from arrays of 64 bits, one for each thread.
std::string kernel_of(const Case &one);

struct Outcome {
    std::array<std::uint64_t, 4> operands{};
    std::uint64_t result = 0;
};
/// What the instruction makes of all tuples of awkward operands; of four, fewer of each.
std::vector<Outcome> outcomes(Module &module, const Case &one);

float as_float(std::uint64_t bits);
/// f16 or bf16, by its definition.
double half_value(std::uint16_t bits, bool is_brain);
__extension__ typedef __float128 Quad;
/// By search among all of them. `is_negative_zero`: the sign if x is 0.
std::uint16_t nearest_half(Quad x, bool is_brain, bool is_negative_zero);

}  // namespace mog::ptx
