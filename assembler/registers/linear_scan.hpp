// linear_scan.hpp: registers for lifetimes, in the order in which these begin.
//
// A lifetime goes into a register that is free in all of its ranges, so into the holes of others too; one that takes several registers
// into neighbours whose first number is a multiple of so many (true pairs). If there is none, whatever costs least is
// spilled: the lifetime itself, or all that stand in its way at one place. (Poletto and Sarkar, "Linear scan register allocation", 1999;
// with holes: Traub, Holloway and Smith, 1998.)
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "assembler/registers/lifetimes.hpp"

namespace mog::registers {

struct Interval {
    LiveRanges ranges;       ///< not empty
    unsigned registers = 1;  ///< neighbours
    double cost = 0;         ///< of spilling it
    static constexpr double cannot = std::numeric_limits<double>::infinity();
};

struct Assignment {
    static constexpr std::uint32_t none = 0xffffffff;
    std::vector<std::uint32_t> first;       ///< by interval: its first register, or none
    std::vector<std::uint32_t> spilled;     ///< intervals without one, ascending
    std::optional<std::uint32_t> unplaced;  ///< one that cannot be spilled, and for which there is no room: the rest is not done
};

Assignment linear_scan(std::span<const Interval> intervals, unsigned registers);

/// Where a register may be the first of so many.
inline bool may_begin(unsigned first, unsigned count) { return first % count == 0; }

}  // namespace mog::registers
