// lifetimes.hpp: where on a line through all blocks variables are live, with the holes between.
//
// Each instruction, and each block's end, has four points: before it, where what is spilled is loaded; where it reads; where it
// writes; and behind it, where what is spilled is stored. Parts of one instruction (Instruction::goes_on) have the same points.
#pragma once

#include <cstdint>
#include <vector>

#include "assembler/divergence/kernel.hpp"

namespace mog::registers {

/// Points from `from` on, up to but not including `to`.
struct LiveRange {
    std::uint32_t from = 0, to = 0;
    bool operator==(const LiveRange &) const = default;
};
using LiveRanges = std::vector<LiveRange>;  ///< ascending, with gaps between

/// Behind the last part of the instruction that `index` is a part of.
inline std::size_t end_of_instruction(const divergence::Block &block, std::size_t index) {
    while (index < block.code.size() && block.code[index].goes_on) ++index;
    return index + 1;
}

inline constexpr std::uint32_t points_of_instruction = 4, reads_at = 1, writes_at = 2, stores_at = 3;

/// Whether two lifetimes have a point in common.
bool overlap(const LiveRanges &a, const LiveRanges &b);
/// The number of points.
std::uint32_t length(const LiveRanges &ranges);

class Lifetimes {
public:
    explicit Lifetimes(const divergence::Kernel &kernel);

    const LiveRanges &of(divergence::Variable variable) const { return ranges_[variable]; }
    bool is_live_in(divergence::Variable variable, divergence::BlockIndex block) const { return in_[block].holds(variable); }
    /// The first point of an instruction; behind the last one that of the block's end.
    std::uint32_t point(divergence::BlockIndex block, std::size_t index) const {
        return numbers_[first_of_[block] + index] * points_of_instruction;
    }

private:
    /// Of any number of variables.
    struct Set {
        std::vector<std::uint64_t> words;
        bool holds(std::size_t at) const { return at / 64 < words.size() && (words[at / 64] >> at % 64 & 1) != 0; }
        void add(std::size_t at);
        Set &operator|=(const Set &other);
        Set without(const Set &other) const;
        bool operator==(const Set &other) const = default;
    };

    std::vector<std::uint32_t> first_of_;  // by block: where it begins in `numbers_`, with one more for its end
    std::vector<std::uint32_t> numbers_;   // of instructions on the line
    std::vector<LiveRanges> ranges_;
    std::vector<Set> in_;
};

}  // namespace mog::registers
