// profile.hpp: how often which instruction follows which, estimated from the program alone.
#pragma once

#include <cstdint>
#include <vector>

#include "assembler/image.hpp"

namespace mog {

/// Frequencies of instructions and digrams. Instructions are numbered by `kinds`, the program's own ones in the order
/// of isa.def.
struct Digrams {
    struct Successor {
        std::uint32_t kind = 0;
        double share = 0;  ///< how often it comes next, of all that come next; sums to 1
    };
    std::vector<Op> kinds;
    std::vector<double> frequency;                   ///< by kind; sums to 1
    std::vector<std::vector<Successor>> successors;  ///< by kind; ascending by kind; empty if nothing ever follows

    /// Slots as numbers of kinds. Every op must be one of `kinds`.
    std::vector<std::uint32_t> to_kinds(const std::vector<Op> &ops) const;
};

/// Static estimate: every instruction counts as often as the loops around it suggest (eight times for each level, four
/// levels at most) and as its function is called, from the entry point on; both ways of a conditional jump are equally
/// likely; `j` goes to every code address equally.
Digrams static_digrams(const Image &image);

}  // namespace mog
