// reference_machine.hpp: the golden model of the MOG machine: one switch, compiled from the rows of isa.def. Every
// generated interpreter must leave the same state and memory behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "assembler/image/read_only.hpp"

namespace mog {
class RaceChecker;
namespace memory {
struct Shadow;
}
}  // namespace mog

namespace mog::reference {

/// A space that all PEs see, word after word.
struct FlatSpace {
    std::uint32_t base = 0, bytes = 0;
    std::uint32_t *words = nullptr;
    bool is_read_only = false;
};

/// The program, as the machine sees it.
struct Program {
    const std::uint16_t *text = nullptr;
    const std::uint32_t *cpool = nullptr;
    const std::uint32_t *code_map = nullptr;
    std::uint32_t cpool_shift = 31;
    std::uint32_t code_base = 0;
    std::uint32_t code_words = 0;
    const std::uint32_t *retires = nullptr;  ///< by TEXT index
    std::uint32_t nregs = 1;
    std::uint8_t sp = 0, ra = 1, v0 = 2, a0 = 4, a1 = 5, a2 = 6, a3 = 7;  ///< the registers of the roles
    ReadOnlyData read_only{};
    const FlatSpace *flat = nullptr;  ///< spaces besides "private" (spaces.hpp)
    std::uint32_t spaces = 0;         ///< so many
};

/// The sequence of subinterpreters of the program's interpreter: what a PE would try to execute each instruction.
struct Sequence {
    std::uint32_t slots = 0;
    /// [slot * 256 + opcode]: how many slots behind `slot`, cyclically, the next one that serves the opcode is; 0: none.
    std::vector<std::uint16_t> distance;
    std::vector<std::uint16_t> text;  ///< with superinstructions
    std::vector<std::uint8_t> parts;  ///< by opcode: how many instructions it executes
};

/// Where a PE is in the sequence.
struct Place {
    std::uint32_t slot = 0;    ///< the one that served it last
    std::uint32_t inside = 0;  ///< instructions that belong to a superinstruction begun before
};

/// One PE: its DATA and its state rows (launch_abi.h, one word each).
struct Pe {
    std::uint32_t number = 0;
    std::uint32_t *mem = nullptr;
    std::uint32_t data_words = 0;
    std::uint32_t *state = nullptr;
    Place *place = nullptr;  ///< with `sequence` and `attempts`, or all null
    const Sequence *sequence = nullptr;
    std::uint64_t *attempts = nullptr;  ///< raised by the slots tried; a system call takes no time
    RaceChecker *races = nullptr;       ///< told of each access
    memory::Shadow *shadow = nullptr;   ///< follows each instruction
};

/// Told about each instruction after it was executed.
class Watcher {
public:
    virtual ~Watcher() = default;
    virtual void executed(std::uint32_t text_index, std::uint16_t word, std::uint32_t acc, std::uint64_t dacc) = 0;
};

/// What a thread counts for a profile, by TEXT index.
struct Counts {
    std::vector<std::uint64_t> executed, taken;              ///< taken: control did not go on to the next instruction
    std::unordered_map<std::uint64_t, std::uint64_t> jumps;  ///< through registers: from << 32 | to
};

/// Runs one PE for at most `passes` instructions, as mog_run of interpreter.c does. Returns true if it stopped;
/// `request` (MOG_Q_WORDS words) then holds its SYSBUF record. `retired`, if not null, is raised by the MIPS
/// instructions done. MOG instructions are counted in the state.
using Run = bool(const Program &program, const Pe &pe, std::uint32_t passes, std::uint32_t *request, std::uint64_t *retired,
                 Watcher *watcher, Counts *counts);
Run run_native;  ///< floats and doubles by the host's processor
Run run_pair;    ///< doubles by pairs of floats
Run run_soft;    ///< floats and doubles in integers
Run run_fcsr;    ///< likewise, with the FPU's control register

}  // namespace mog::reference
