// counted_loops.hpp: loops whose rounds can be counted before they begin, and how their addresses go on.
//
// A loop whose branch compares what goes on by as much in each round with what stays as it is goes round no more often than is known
// when control comes to it, for there may be ways out before; and loads and stores at addresses that go on in the same way are good in all
// rounds if they are in the first and in the last. So both are asked once, for as many rounds as a slice has instructions left for. (Bounds
// checks moved out of loops: Gupta, "Optimizing array bound checks using flow analysis", 1993. Here the loop is there twice, and the last
// round is always in the other one.)
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "assembler/blocks/group_plan.hpp"

namespace mog {

struct CountedLoop {
    static constexpr std::uint32_t none = 257;
    /// What some registers have when a round begins, added up, and a constant; and perhaps a multiple of `unit` that is at most `more`,
    /// another one each time, as the place in a table that some bits say.
    struct Sum {
        std::array<std::uint32_t, 3> registers{none, none, none};
        std::uint32_t constant = 0;
        std::uint32_t more = 0, unit = 1;
        static Sum of(std::uint32_t r) { return {.registers = {r, none, none}}; }
        bool has_registers() const {
            return std::ranges::any_of(registers, [](std::uint32_t r) { return r != none; });
        }
        bool operator==(const Sum &) const = default;
    };
    /// How much more something is in each round: a constant, or what a register has, which is more than 0 then, or all is asked in vain.
    struct Step {
        std::uint32_t in = none;  ///< a register that the loop does not change; or `none`, and
        std::int32_t constant = 0;
        bool is_zero() const { return in == none && constant == 0; }
        bool operator==(const Step &) const = default;
    };
    /// When the branch is reached for the first time, it leads back if that is so; then once more for each `step` that they are apart.
    enum class Goes : std::uint8_t {
        while_different,       ///< low and high are not the same; how far they are apart is a multiple of `step`, or nothing is known
        while_less,            ///< low < high, as unsigned numbers
        while_less_signed,     ///< as signed ones
        while_not_more,        ///< low <= high
        while_not_more_signed  ///< the same
    };
    /// Where some accesses of as many bytes go in the first round; in each further one `step` bytes further.
    struct Stream {
        Sum address;
        Step step;  ///< if it is constant, a multiple of their size
        std::uint32_t shift = 0;
        bool stores = false;
        /// Words can be reached by a place that goes on; parts of words by their address.
        bool has_place() const { return shift >= 2 && address.more == 0; }
    };

    std::vector<std::uint32_t> blocks;  ///< one behind the other: the head, and so on to that with the branch
    std::set<std::uint32_t> all;        ///< these, and others from which control comes back to the head
    std::set<std::uint32_t> skipped;    ///< blocks that the one before may lead past, to the one behind; only if they were asked for
    Goes goes = Goes::while_different;
    Sum low, high;
    Step step;  ///< by which they come nearer
    std::vector<Stream> streams;
    std::map<std::uint32_t, std::uint32_t> accesses;  ///< to one of these, by TEXT index
    bool leaves = false;  ///< a round may end before it is over: something else stops PEs, or there are ways out
};

/// Whether a round may leave out blocks that do nothing but compute, such as a move under a condition.
enum class Skips : std::uint8_t { none, computations };

/// Those of a group, by their heads, but those by which nothing is won: all that may stop a PE in them asks for itself.
std::map<std::uint32_t, CountedLoop> find_counted_loops(const GroupPlan &group, Skips skips = Skips::none);

}  // namespace mog
