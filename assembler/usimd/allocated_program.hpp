// allocated_program.hpp: programs of the u-SIMD machine with registers and spill code; what of it is executed, and how much it moves.
#pragma once

#include <string>

#include "assembler/registers/allocate.hpp"
#include "assembler/usimd/machine.hpp"
#include "assembler/usimd/usimd_text.hpp"

namespace mog::usimd {

struct AllocatedProgram {
    Program program;
    registers::Allocated allocated;  ///< its kernel is the program's
};

/// The shape of `options` is the program's, with the warps that are given there. What `parse()` has made passes; of other programs an
/// Error says which instruction wants more registers.
Result<AllocatedProgram> allocate(const Program &program, registers::AllocateOptions options);

/// Loads and stores by home, as a machine has executed them: each once for all lanes that were active.
struct ExecutedSpills {
    registers::SpillCounts operations;                       ///< without stores that are spared: nobody executes them
    std::array<std::uint64_t, registers::homes> bytes{};     ///< moved, by loads and stores; of a row in each active lane
    std::uint64_t instructions = 0, spill_instructions = 0;  ///< in all, and of loads and stores, which may be several

    /// As a watcher of a machine that runs `program`.
    void watch(const registers::Allocated &allocated, const Step &step);
    std::uint64_t all_bytes() const;
};

/// The program's text, and as comments what is where, and what its run with these threads and warps does.
Result<std::string> describe(const AllocatedProgram &allocated, const registers::AllocateOptions &options, const MachineOptions &machine);

}  // namespace mog::usimd
