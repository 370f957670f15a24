// spill_homes.hpp: where the value of a variable is that has no register, by what is known of it in all lanes together.
//
//     it is                   loaded                            stored
//     c                       v = c                             -
//     c1 * T + c2             v = T; v = v * c1 + c2            -
//     ?                       v = warp [w]                      warp [w] = v                       one word for all lanes
//     c * T + ?               t = warp [w]; v = lane * c + t    t = v - lane * c; warp [w] = t     one word for all lanes
//     anything else           v = local [r]                     local [r] = v                      a row: a cell in each lane
//
// (Sampaio 2013, table 4.3.) What it does not say: a word is safe only as long as no lane writes it while others wait that still
// need what they know to be in it. `if (p) { do ++n; while (q); use(n); } else use(n);` with a p that parts lanes, and everything else
// uniform: in each reading all lanes have the same n, but those of the second part find the word as the first have left it. So a
// variable has a word only if, at each branch that parts lanes, it is not written on a way from one target to the region's end while it
// is live at another target, or at that end. Then, at all times, the word is what it should be for each lane in which the variable
// is live, whether it runs or waits: the lanes that a definition runs in are the only ones.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "assembler/divergence/analysis.hpp"
#include "assembler/registers/lifetimes.hpp"

namespace mog::registers {

/// Which of the homes there are: the four of the thesis' section 5.3.
enum class Allocator : std::uint8_t {
    linear,           ///< rows
    divergent,        ///< rows; words, by the simple analysis
    rematerialising,  ///< rows; what is computed again
    affine,           ///< all
};
inline constexpr Allocator allocators[] = {Allocator::linear, Allocator::divergent, Allocator::rematerialising, Allocator::affine};
const char *name_of(Allocator allocator);

/// The lines of the table above.
enum class Home : std::uint8_t { constant, affine, uniform, base, row };
inline constexpr std::size_t homes = 5;
const char *name_of(Home home);
/// Whether it is memory, and if so of all lanes of a warp together.
inline bool is_memory(Home home) { return home >= Home::uniform; }
inline bool is_word(Home home) { return home == Home::uniform || home == Home::base; }

/// Wrong rules, for tests that show what each is for.
enum class Flaw : std::uint8_t {
    none,
    words_at_will,   ///< the thesis' own: whatever is uniform where it is defined has a word
    factors_differ,  ///< a base is shared by definitions with different factors
};

class SpillHomes {
public:
    /// `analysis`: of the kernel, whose first `webs` variables are webs. All outlive this.
    SpillHomes(const divergence::Analysis &analysis, const Lifetimes &lifetimes, std::size_t webs, Allocator allocator,
               Flaw flaw = Flaw::none);

    /// A reading of a spilled variable: computed again as `known` says, or from the variable's memory.
    struct Load {
        Home home = Home::row;
        std::int64_t factor = 0, addend = 0;  ///< constant, affine: of T
    };
    Load load(divergence::Variable variable, const divergence::Fact &known) const;
    /// Where a spilled variable is in memory; a home that is no memory: it never has to be there.
    struct Memory {
        Home home = Home::row;
        std::int64_t factor = 0;  ///< base: of the lane's number
    };
    const Memory &memory(divergence::Variable variable) const { return memory_[variable]; }
    /// Whether what a spilled variable is given here is ever loaded from memory. `value`: its result.
    bool is_stored(divergence::ValueIndex value) const { return stored_[value]; }
    /// Whether these may have the same word, or row: never live together, and a word stays safe.
    bool may_share(const std::vector<divergence::Variable> &variables, divergence::Variable one_more) const;

private:
    /// A branch that parts lanes: its targets, and by target the nodes that lanes which went there may stand in, until they are at the end.
    struct PartingBranch {
        divergence::BlockIndex end;
        std::vector<divergence::BlockIndex> targets;
        std::vector<std::vector<bool>> behind;
    };
    void find_parting_branches();
    void decide(divergence::Variable variable, const std::vector<divergence::ValueIndex> &values);
    bool is_safe_as_word(const std::vector<divergence::Variable> &variables) const;

    const divergence::Analysis &analysis_;
    const Lifetimes &lifetimes_;
    Allocator allocator_;
    Flaw flaw_;
    std::vector<PartingBranch> branches_;
    std::vector<Memory> memory_;                                  // by variable
    std::vector<std::vector<divergence::BlockIndex>> stored_in_;  // by variable
    std::vector<bool> stored_;                                    // by value
};

}  // namespace mog::registers
