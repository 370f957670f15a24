// vector_loops.hpp: loops whose rounds do the same to one element after another, so that several can be done at once.
//
// Of a loop whose rounds are counted before they begin (counted_loops.hpp) each value of a round is followed from where it is loaded, or
// from a register that stays as it is or goes on by steps, to where it is stored, or to a sum of integers. Nothing else may lead from one
// round to the next: then rounds may be done side by side, each of them as it would have been done alone. (Vectors of loops: Allen and
// Kennedy, "Automatic translation of Fortran programs to vector form", 1987.) Whether stores reach what other rounds load is known from
// the addresses, or asked when control comes to the loop.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "assembler/blocks/counted_loops.hpp"

namespace mog {

struct VectorLoop {
    /// What is computed for each round. `what` of an instruction: its operands are a, and b if it has a register or a pair.
    struct Node {
        enum class Kind : std::uint8_t {
            constant,     ///< `number`
            stays,        ///< the register `number`, or the pair, which the loop does not change
            goes_on,      ///< the register `number`, and `more`, which is `step` more in each round
            load,         ///< by the instruction `what`, of the stream `number`
            instruction,  ///< `what`; `number` is its constant
            unless_zero,  ///< all bits, where a is not 0, else none; if `number` is 0 the other way round
            either,       ///< b where all bits of a are set, else c
        };
        Kind kind = Kind::constant;
        Op what{};
        bool is_wide = false;      ///< of 64 bits; else of 32
        bool is_computed = false;  ///< by operations on floats, whose NaN is not the processor's
        bool is_wanted = false;    ///< something stored comes from it
        std::uint32_t a = none, b = none, c = none, number = 0, more = 0;
        std::int32_t step = 0;
    };
    static constexpr std::uint32_t none = 0xffffffff;
    /// Elements of 2^shift bytes, the first at `address`, each next one `step` bytes further; of a step of 0 all the same.
    struct Stream {
        CountedLoop::Sum address;
        std::uint32_t shift = 0;
        std::int32_t step = 0;
        bool stores = false;
        bool is_dense() const { return step == 1 << shift; }
    };
    struct Store {
        std::uint32_t stream, node;
        bool may_be_nan;  ///< a NaN that is not the default one
    };
    /// A register to which the value of a node is added in each round.
    struct Total {
        std::uint32_t reg, node;
    };
    /// So many instructions that are done where all bits of a node are set.
    struct Skipped {
        std::uint32_t node, size;
    };
    /// Two streams, the first of which stores, that must be far enough apart. `follows`: the other one is loaded before anything is stored
    /// in a round, and so may be anywhere ahead, or be the same.
    struct Apart {
        std::uint32_t stores, other;
        bool follows;
    };

    std::uint32_t block = 0, last = 0;  ///< the first and the last one
    std::uint32_t size = 0;             ///< instructions of a round, but those that may be skipped
    std::uint32_t longest = 0;          ///< and with them
    unsigned lanes = 8;                 ///< rounds at once
    std::vector<Node> nodes;            ///< in order: operands stand before what uses them
    std::vector<Stream> streams;
    std::vector<Store> stores;
    std::vector<Total> totals;
    std::vector<Skipped> skipped;
    std::vector<Apart> apart;
    std::vector<std::pair<std::uint32_t, std::int32_t>> steps;  ///< registers, and how much more they are after each round
    CountedLoop::Goes goes{};
    CountedLoop::Sum low, high;
    std::int32_t come_nearer = 0;  ///< in each round, low and high
};

/// Those of a group, by their first block. Registers that are changed but not in `steps` or `totals` are computed anew in each round before
/// anything reads them, of which there is always another one after those that are done at once.
std::map<std::uint32_t, VectorLoop> find_vector_loops(const GroupPlan &group);

}  // namespace mog
