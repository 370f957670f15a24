// allocate.hpp: kernels with any number of variables into kernels with K registers, and spill code.
//
// The variables of the result are registers, and beside them what comes in from outside, which is only copied in the first block. A
// spilled variable is in a register between its load, or the instruction that writes it, and readings that follow in the same block, as
// long as that costs less than to load it again.
#pragma once

#include <string>
#include <vector>

#include "assembler/divergence/analysis.hpp"
#include "assembler/registers/spill_homes.hpp"
#include "support/result.hpp"

namespace mog::registers {

struct AllocateOptions {
    Allocator allocator = Allocator::affine;
    unsigned registers = 8;
    unsigned bits = 64;  ///< of a register: a wider variable takes several neighbours
    divergence::ThreadShape shape;
    /// What a lane reads to know the T of polynomials.
    divergence::Special thread = divergence::Special::tid;
    /// Whether an `exact` instruction ends the program where it wraps, so that it has to stay though its result is computed elsewhere.
    bool exact_may_stop = true;
    Flaw flaw = Flaw::none;
};

/// What an instruction of the result is there for.
struct Tag {
    enum class Kind : std::uint8_t { program, load, store };
    Kind kind = Kind::program;
    Home home = Home::row;
    bool is_last = false;    ///< of the instructions of a load or store
    std::uint8_t bytes = 0;  ///< that it loads or stores: in all, if in a word; else in each lane
    std::uint32_t of = 0;    ///< the instruction's place in its block, before; of spill code: that it is for. Not in the first block.
};

/// Loads and stores by home. Those that are computed again have no store: their number is how many are spared.
struct SpillCounts {
    std::array<std::uint64_t, homes> loads{}, stores{};
    std::uint64_t operations() const;
    /// Those that would go to rows if there were nothing else.
    std::uint64_t replaced() const {
        return operations() - loads[static_cast<std::size_t>(Home::row)] - stores[static_cast<std::size_t>(Home::row)];
    }
};

struct Allocated {
    divergence::Kernel kernel;
    /// By variable of the result: the registers it is in; count 0: it comes in from outside, or wants no register, as `origin` of the
    /// kernel before.
    struct Place {
        unsigned first = 0, count = 0;
        divergence::Variable origin = divergence::no_variable;
    };
    std::vector<Place> places;
    std::vector<std::vector<Tag>> tags;  ///< by block and instruction
    std::size_t rows = 0, words = 0;     ///< cells of each lane, and of each warp
    SpillCounts counts;                  ///< in the text
    std::array<double, homes> bytes{};   ///< that a whole warp moves, if each loop has ten rounds
    std::size_t webs = 0, spilled = 0;   ///< variables, when those are apart that have nothing to do with each other
    unsigned scans = 0;

    /// Which variables lose what they hold when this one is written: those with a register in common.
    std::vector<std::vector<divergence::Variable>> overlaps() const;
};

/// An Error says which instruction wants more registers than there are. `kernel` passes its check().
Result<Allocated> allocate(const divergence::Kernel &kernel, const AllocateOptions &options);

/// With so many registers, any allocator can.
unsigned least_registers(const divergence::Kernel &kernel, unsigned bits);

}  // namespace mog::registers
