// evaluate.hpp: what operations do to numbers: for machines that execute kernels, and for the folding of constants.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "assembler/divergence/kernel.hpp"

namespace mog::divergence {

/// Holds sums and products of numbers of 64 bits. (Not in ISO C++, but in all compilers for 64-bit machines that MOG is built with.)
__extension__ typedef __int128 Wide;

/// The low `width` bits of a number, sign-extended.
constexpr std::int64_t wrap(std::int64_t value, unsigned width) {
    if (width >= 64) return value;
    const auto shifted = static_cast<std::uint64_t>(value) << (64 - width);
    return static_cast<std::int64_t>(shifted) >> (64 - width);
}

/// A number as a variable of `width` bits holds it: sign-extended; but of one bit 0 or 1, as texts and comparisons know a truth.
constexpr std::int64_t held(std::int64_t value, unsigned width) { return width == 1 ? value & 1 : wrap(value, width); }

/// What an instruction makes of its operands, which are sign-extended, as is the result. `width`: of the result;
/// `from`: of the first operand. Shifts by the width or more, and by less than nothing, shift everything out; a division
/// by zero gives 0, its remainder the dividend. nullopt: an operation on something else than numbers, or the result of
/// an exact instruction does not fit.
std::optional<std::int64_t> evaluate(const Instruction &instruction, std::span<const std::int64_t> operands, unsigned width, unsigned from);

}  // namespace mog::divergence
