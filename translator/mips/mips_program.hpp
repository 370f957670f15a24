// mips_program.hpp: a MIPS program on its way to MOG code, level by level.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "assembler/ir/mog_program.hpp"
#include "interp_templates/launch_abi.h"
#include "translator/mips/mips.hpp"

namespace mog {

/// What is the same at every level: data, symbols, source lines.
struct Segments {
    std::uint32_t code_base = 0;
    std::vector<std::uint32_t> code;  ///< the words of the executable segment
    std::vector<std::uint8_t> data;   ///< initial DATA from MOG_DATA_BASE on
    std::uint32_t brk = 0;
    std::vector<std::uint8_t> constants;        ///< of a program whose constants are not in DATA: from constants_base on
    std::optional<std::uint32_t> window_bytes;  ///< of variables that all PEs share; none: the program has no window
    ReadOnlyData read_only{};
    std::uint32_t thread_pointer = 0;  ///< of the one thread a PE is; 0 without thread-local variables
    std::vector<Symbol> symbols;       ///< by address
    std::vector<std::string> files;
    std::vector<Line> lines;        ///< by address
    std::vector<FrameRule> frames;  ///< by address

    bool has_code(std::uint32_t address) const {
        return (address & 3) == 0 && address >= code_base && (address - code_base) / 4 < code.size();
    }
    std::uint32_t word(std::uint32_t address) const { return code[(address - code_base) / 4]; }
    /// Initial contents from an address on, up to where they end; none: there is nothing.
    std::span<const std::uint8_t> from(std::uint32_t address) const {
        const std::span<const std::uint8_t> all = address < MOG_DATA_BASE ? constants : data;
        const std::uint32_t offset = address - (address < MOG_DATA_BASE ? constants_base : MOG_DATA_BASE);
        return offset < all.size() ? all.subspan(offset) : std::span<const std::uint8_t>();
    }
};

/// Level 0: a linked file as read: bytes and the places that relocations point at.
struct ElfProgram {
    Segments segments;
    std::uint32_t entry = 0;
    std::uint32_t gp = 0;                          ///< what $gp holds everywhere: a program has one GOT
    std::map<std::uint32_t, Entry> code_pointers;  ///< code addresses that are taken somewhere
    std::set<std::uint32_t> labels_in_code;        ///< of them the labels that instructions take (lui and addiu, or the GOT)
    std::set<std::uint32_t> labels_in_data;        ///< and those whose addresses stand in data as they are
};

/// Straight-line MIPS code with one entry.
struct MipsBlock {
    std::uint32_t address = 0;
    std::vector<MipsInstruction> body;
    std::optional<MipsInstruction> branch;  ///< the last instruction if it jumps; else the block falls through
    /// Delay slot: where remove_delay_slots could not simply run it first.
    enum class Slot : std::uint8_t { None, Pending, Between, IfTaken };
    Slot slot_when = Slot::None;  ///< Pending: not yet looked at
    std::vector<MipsInstruction> slot;
    std::uint32_t next = 0;  ///< where it goes on if it does not jump
};

/// Levels 1 and 2: decoded and cut into blocks; then without delay slots.
struct MipsProgram {
    Segments segments;
    std::uint32_t entry = 0;
    std::map<std::uint32_t, Entry> entries;  ///< blocks that indirect jumps may come to
    std::vector<MipsBlock> blocks;           ///< by address
};

/// Levels 3 and up: MOG code. Until assign_registers its registers are those of vreg.
struct MogUnit {
    MogProgram program;
    BlockId next_id = 0;
};

}  // namespace mog
