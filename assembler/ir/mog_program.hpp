// mog_program.hpp: a MOG program as the translator makes it and the assembler encodes it.
//
// It keeps the control-flow graph (blocks, labels), the symbols and the source lines: whole blocks can be compiled from it,
// profiles can be mapped to it, and faults can be told to the user in terms of the source. mogas reads and writes it as
// text (parse.hpp, print.hpp); encode.hpp turns it into an image.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assembler/ir/isa.hpp"

namespace mog {

/// Identifies a block for the life of a program, wherever it stands and whatever happens to its neighbours.
using BlockId = std::uint32_t;

/// What a jump is for.
enum class JumpKind : std::uint8_t {
    plain,    ///< within a function, or to another one for good; through a register: a switch, a computed goto, a tail call
    call,     ///< of a function that is expected to come back to the next block of the program. No branch is one.
    returns,  ///< through a register, to behind a call, or to another place that is no beginning of a function
};

/// How control may come to a block by its code address.
enum class Entry : std::uint8_t {
    Return,    ///< from a function that was called right before it
    Function,  ///< its address is taken and a function begins there
    Label,     ///< its address is taken: a jump table, a computed goto, hand-written code. It may be returned to as well
};

struct Instruction {
    Op op;
    /// Reg, Pair: register number. Byte: the number. Const: the 32-bit constant. Label: a BlockId. None: 0.
    std::uint32_t operand = 0;
    /// Address of the MIPS instruction that this was made from; 0 if there is none.
    std::uint32_t address = 0;
    /// How many MIPS instructions (nops apart) are done when this one is: 0, 1 or, where others vanished, more.
    std::uint32_t retires = 0;
    JumpKind jump = JumpKind::plain;  ///< of `ja` and `j`; else plain

    bool operator==(const Instruction &) const = default;
};

/// Straight-line code with one entry. Control leaves only at the end: by the last instruction (jf, jt, ja, j), where a
/// conditional jump not taken, and any other last instruction for which ends_block() is false, goes on to the
/// next block of MogProgram::blocks.
struct Block {
    BlockId id = 0;
    std::string label;                          ///< unique; an assembler identifier
    std::optional<std::uint32_t> code_address;  ///< set if `j` may come here: the address a PE knows this block by
    std::vector<Instruction> code;
    Entry entry = Entry::Label;  ///< how `j` comes here, if it may
};

/// Registers the machine itself knows. Their numbers are the same in every MOG program the project makes.
enum class Role : std::uint8_t { sp, ra, v0, v1, a0, a1, a2, a3 };
inline constexpr std::size_t role_count = 8;
/// By role: the number of its register, or no_register where the program lacks it.
using Roles = std::array<std::uint8_t, role_count>;
inline constexpr std::uint8_t no_register = 0xff;
const char *role_name(Role role);

/// What a block is called where no symbol stands.
std::string label_of_address(std::uint32_t address);

struct Symbol {
    std::string name;
    std::uint32_t address = 0;  ///< MIPS address, of code or data
    std::uint32_t size = 0;     ///< bytes; 0 if unknown
    bool is_code = false;
    bool operator==(const Symbol &) const = default;
};

struct Line {
    std::uint32_t address = 0;  ///< first MIPS address of this line
    std::uint32_t file = 0;     ///< index into MogProgram::files
    std::uint32_t line = 0;     ///< 0: no line from here on
    bool operator==(const Line &) const = default;
};

/// How to find the caller's frame from `address` on, up to the next rule. The canonical frame address (CFA) is the value of
/// $sp before the function was called.
struct FrameRule {
    enum class Base : std::uint8_t { None, Sp, Fp };  ///< None: not known from here on
    std::uint32_t address = 0;                        ///< MIPS address
    Base base = Base::None;                           ///< CFA = this register ...
    std::int32_t offset = 0;                          ///< ... + offset
    std::int32_t ra = 0;                              ///< the return address stands at CFA + ra; 0: still in $ra
    std::int32_t fp = 0;                              ///< the caller's $fp stands at CFA + fp; 0: still in $fp
    bool operator==(const FrameRule &) const = default;
    bool same_rule(const FrameRule &other) const {
        return base == other.base && offset == other.offset && ra == other.ra && fp == other.fp;
    }
};

/// Addresses of the program's own data that it may not write, both multiples of 8: constants, string literals. The same: there are none.
struct ReadOnlyData {
    std::uint32_t begin = 0, end = 0;

    std::uint32_t bytes() const { return end - begin; }
    bool has(std::uint32_t address) const { return address - begin < end - begin; }
    /// Some of so many bytes from an address on are there.
    bool meets(std::uint32_t address, std::uint64_t length) const {
        return begin != end && length != 0 && address < end && std::uint64_t{address} + length > begin;
    }
    bool operator==(const ReadOnlyData &) const = default;
};

/// Constants that all PEs have once, if there are many: from here on, where no PE's own memory is.
inline constexpr std::uint32_t constants_base = 0x08000000, most_constants = 0x07f00000;

/// Where the blocks of a program stand. Numbers of blocks are dense, or nearly so, as all that makes programs gives them.
class BlockPositions {
public:
    explicit BlockPositions(const std::vector<Block> &blocks);

    /// Different numbers.
    std::size_t size() const { return size_; }
    bool contains(BlockId id) const { return id < positions_.size() && positions_[id] != none; }
    std::optional<std::size_t> find(BlockId id) const { return contains(id) ? std::optional<std::size_t>(positions_[id]) : std::nullopt; }
    /// Of a block that is there.
    std::size_t at(BlockId id) const { return positions_.at(id); }

private:
    static constexpr std::uint32_t none = 0xffffffff;
    std::vector<std::uint32_t> positions_;  // by number
    std::size_t size_ = 0;
};

struct MogProgram {
    std::vector<Block> blocks;  ///< in the order of TEXT
    BlockId entry = 0;

    std::vector<std::string> register_names;  ///< index = register number, e.g. "sp", "v0", "f12", "hi"
    Roles roles{};

    std::uint32_t code_base = 0;   ///< first MIPS code address
    std::uint32_t code_bytes = 0;  ///< size of the MIPS code

    std::vector<std::uint8_t> data;  ///< initial DATA from MOG_DATA_BASE on, control block included
    std::uint32_t brk = 0;           ///< first address above the program's own data (bss included)
    ReadOnlyData read_only{};
    std::vector<std::uint8_t> constants;        ///< from constants_base on
    std::optional<std::uint32_t> window_bytes;  ///< of variables that all PEs share, from MOG_SHARED_BASE on; none: there is no window

    std::vector<Symbol> symbols;  ///< by address
    std::vector<std::string> files;
    std::vector<Line> lines;        ///< by address
    std::vector<FrameRule> frames;  ///< by address

    /// Position of each block in `blocks`, by id.
    BlockPositions positions() const;
};

}  // namespace mog
