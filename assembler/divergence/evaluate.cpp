// evaluate.cpp: operations on numbers, in unsigned arithmetic where they may wrap.
#include "assembler/divergence/evaluate.hpp"

#include <algorithm>

namespace mog::divergence {
namespace {

/// The operand as the instruction takes it: a shift or comparison may want it without its sign.
Wide taken(const Instruction &instruction, std::int64_t value, unsigned width) {
    if (!instruction.is_unsigned || value >= 0) return value;
    return width >= 64 ? static_cast<Wide>(static_cast<std::uint64_t>(value)) : static_cast<Wide>(value) + (static_cast<Wide>(1) << width);
}

}  // namespace

std::optional<std::int64_t> evaluate(const Instruction &instruction, std::span<const std::int64_t> operands, unsigned width,
                                     unsigned from) {
    const auto a = [&] { return taken(instruction, operands[0], from); };
    const auto b = [&] { return taken(instruction, operands[1], from); };
    const auto is_shift = [&](unsigned bits) { return operands[1] >= 0 && operands[1] < static_cast<std::int64_t>(bits); };
    Wide result = 0;
    switch (instruction.operation) {
        case Operation::constant:
        case Operation::copy:
        case Operation::narrow: result = operands[0]; break;
        case Operation::widen: result = a(); break;
        case Operation::add: result = a() + b(); break;
        case Operation::subtract: result = a() - b(); break;
        case Operation::multiply: result = static_cast<Wide>(operands[0]) * operands[1]; break;
        case Operation::multiply_add: {
            const Wide product = static_cast<Wide>(operands[0]) * operands[1];
            result = instruction.exact ? product + operands[2]
                                       : static_cast<Wide>(static_cast<std::int64_t>(static_cast<std::uint64_t>(product) +
                                                                                     static_cast<std::uint64_t>(operands[2])));
            break;
        }
        case Operation::shift_left:
            result = is_shift(width) ? static_cast<Wide>(operands[0]) * (static_cast<Wide>(1) << operands[1]) : 0;
            break;
        case Operation::shift_right: result = is_shift(from) ? a() >> operands[1] : a() < 0 ? -1 : 0; break;
        case Operation::divide: result = operands[1] == 0 ? 0 : a() / b(); break;
        case Operation::remainder: result = operands[1] == 0 ? a() : a() % b(); break;
        case Operation::bit_and: result = operands[0] & operands[1]; break;
        case Operation::bit_or: result = operands[0] | operands[1]; break;
        case Operation::bit_xor: result = operands[0] ^ operands[1]; break;
        case Operation::minimum: result = std::min(a(), b()); break;
        case Operation::maximum: result = std::max(a(), b()); break;
        case Operation::equal: result = operands[0] == operands[1]; break;
        case Operation::unequal: result = operands[0] != operands[1]; break;
        case Operation::less: result = a() < b(); break;
        case Operation::less_equal: result = a() <= b(); break;
        case Operation::select: result = operands[0] != 0 ? operands[1] : operands[2]; break;
        default: return std::nullopt;
    }
    const std::int64_t value = held(static_cast<std::int64_t>(static_cast<std::uint64_t>(result)), width);
    if (instruction.exact && width > 1 && value != result) return std::nullopt;
    return value;
}

}  // namespace mog::divergence
