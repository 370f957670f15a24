// lanes.hpp: what the interpreter executes: operations over the registers of 32 lanes, and the functions that do them.
//
// A register is an array with an element for each lane, in the frame of its function; a predicate is one word with a bit for each.
// Constants and what the machine sets stand in the frame as registers do, so that an operand is always an offset.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "translator/ptx/forms.hpp"

namespace mog::ptx {

inline constexpr unsigned warp_lanes = 32;
inline constexpr std::uint32_t all_lanes = 0xffffffff;
inline constexpr std::uint32_t no_offset = 0xffffffff;

struct Op;

/// What operations see of the warp that executes them.
struct Machine {
    std::byte *frame = nullptr;      ///< of the function that the lanes are in
    std::byte *shared = nullptr;     ///< of the block
    std::byte *local = nullptr;      ///< of the first lane
    std::uint64_t local_stride = 0;  ///< from lane to lane
    std::uint64_t shared_bytes = 0;
};

/// Does an operation for the lanes of `mask`.
using Handler = void (*)(Machine &machine, const Op &op, std::uint32_t mask);

/// What is not a function over lanes but a matter of the warp; `none`: it is one.
enum class Control : std::uint8_t {
    none,
    branch,
    branch_table,
    call,
    ret,
    exit,
    trap,
    unable,
    yield,
    fence,
    clock,
    warp_barrier,
    barrier,
    barrier_arrive,
    barrier_vote,
    barrier_count,
    shuffle,
    ballot,
    vote,
    match_any,
    match_all,
    redux,
    activemask,
    elect,
};

enum : std::uint8_t {
    op_begins_block = 1,  ///< a branch leads here
    op_guard_negated = 2,
    op_writes_memory = 4,
    op_reads_memory = 8,
    op_is_atomic = 16,
    op_begins_instruction = 32,  ///< the first of those that an instruction became
    op_same_address = 64,        ///< known to be the same for all lanes
    op_is_plain = 128,           ///< nothing but a function over all lanes that are there: no guard, no branch leads here
};

struct Op {
    Handler run = nullptr;
    std::uint32_t d = 0, a = 0, b = 0, c = 0, e = 0;  ///< offsets in the frame
    std::uint32_t guard = no_offset;                  ///< a predicate; of a branch: what it asks
    std::uint32_t modes = 0;                          ///< AnyModes; of shuffles and the like: which
    std::uint32_t target = 0;                         ///< an operation, a table, a call
    std::uint32_t meeting = no_offset;                ///< of a branch: where all ways from it have met
    std::uint32_t instruction = 0;                    ///< of the function
    std::int64_t value = 0;                           ///< added to addresses
    Control control = Control::none;
    std::uint8_t flags = 0;
    Space space = Space::generic;  ///< of memory
    std::uint8_t bytes = 0;        ///< of an access by one lane
    std::uint8_t lane_bytes = 0;   ///< the same of all of a vector; 0: another operation counts it
    Word word = Word::none;
};

/// How a memory is addressed.
enum class Addressing : std::uint8_t { pointer, shared, local };
inline constexpr std::size_t addressings = 3;

/// The functions, compiled for one kind of processor. nullptr where there is none.
struct Handlers {
    static constexpr std::size_t types = 32, forms = 256, words = 160;
    using ByType = std::array<Handler, types>;

    std::array<std::array<ByType, 3>, forms> lanes{};                        ///< by form, modes (none, .ftz, any) and type
    std::array<ByType, words> compare{};                                     ///< by word and type
    std::array<std::array<std::array<Handler, types>, types>, 2> convert{};  ///< plain or with modes, to, from
    std::array<std::array<Handler, 2>, types> convert_pair{};                ///< to pairs, to the nearest and with modes
    std::array<Handler, 4> move{};                                           ///< of 2, 4, 8 bytes: by half of them; 0: predicates
    /// Registers of other widths: from and to, by bits / 32 (16: 0, 32: 1, 64: 2), with zeros or the sign above.
    std::array<std::array<std::array<Handler, 2>, 3>, 3> resize{};
    std::array<std::array<Handler, 3>, 2> sign_byte{};  ///< 8 bits of a register of 16, 32, 64 bits, with zeros or the sign above
    std::array<Handler, 4> split{}, join{};             ///< parts of a register: 32 of 64, 16 of 64, 16 of 32: `value` says which part
    /// Memory to registers: by addressing, bytes in memory (1, 2, 4, 8: by log), register (as in resize), with zeros or the sign above.
    std::array<std::array<std::array<std::array<Handler, 2>, 3>, 4>, addressings> load{};
    std::array<std::array<std::array<Handler, 3>, 4>, addressings> store{};
    std::array<Handler, types> carry_add{}, carry_sub{};  ///< with a carry in and out, as op.modes says
    Handler to_shared = nullptr, from_shared = nullptr, to_local = nullptr, from_local = nullptr;
    Handler copy_async = nullptr;
};

/// Those for this machine's processor, or for less if $MOG_SIMD says so.
const Handlers &handlers();

/// Each fills in its part.
#define MOG_PTX_DECLARE_TIER(tier)         \
    namespace tier {                       \
    void fill_integers(Handlers &into);    \
    void fill_floats(Handlers &into);      \
    void fill_conversions(Handlers &into); \
    void fill_memory(Handlers &into);      \
    }
MOG_PTX_DECLARE_TIER(tier_portable)
MOG_PTX_DECLARE_TIER(tier_avx2)
MOG_PTX_DECLARE_TIER(tier_avx512)
#undef MOG_PTX_DECLARE_TIER

}  // namespace mog::ptx
