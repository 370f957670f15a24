// ranges.hpp: between which numbers values lie, as signed ones: for ordered comparisons, extensions and sums that may
// wrap, of which polynomials modulo 2^width say nothing.
//
// It does not look at branches: a counter of a loop has all numbers of its width, unless its instructions are exact.
#pragma once

#include <cstdint>
#include <vector>

#include "assembler/divergence/ssa.hpp"
#include "assembler/divergence/thread_shape.hpp"

namespace mog::divergence {

struct Range {
    std::int64_t least = 0, most = 0;
    bool operator==(const Range &) const = default;
    bool within(const Range &other) const { return other.least <= least && most <= other.most; }
};

/// All numbers of a width, signed; of one bit, 0 and 1.
Range all_of(unsigned width);

/// By value.
std::vector<Range> find_ranges(const SsaForm &form, const ThreadShape &shape);

/// That of an operand: `value` as read, or the constant.
inline Range range_of(const std::vector<Range> &ranges, ValueIndex value, const Operand &operand) {
    return value == no_value ? Range{operand.constant, operand.constant} : ranges[value];
}
/// What an instruction makes of numbers in ranges, before it is brought to a width; nullopt: any number.
std::optional<Range> unwrapped(const Instruction &instruction, std::span<const Range> operands);

}  // namespace mog::divergence
