// give_registers.hpp: functions of PTX, which have as many registers as they like, with K of them, and spill code.
//
// The allocators are those of assembler/registers. What they want to know of lanes is asked of the function as a kernel; the text
// afterwards is the function's own, each instruction with its registers, and what spills between. Registers have names by their size, %h3,
// %r3 and %d3, for those of PTX have types: they are one. Rows are in .local, words in .shared, one for each warp; where a warp's words are
// is in one register more. Predicates stay as they are.
#pragma once

#include <string>
#include <vector>

#include "assembler/divergence/thread_shape.hpp"
#include "assembler/registers/allocate.hpp"
#include "translator/ptx/program.hpp"

namespace mog::ptx {

struct RegistersOptions {
    registers::Allocator allocator = registers::Allocator::affine;
    unsigned registers = 8;
    unsigned bits = 64;                ///< of a register: 64, or 32; what is wider takes two
    bool arithmetic_is_exact = false;  ///< as KernelsOptions
    /// Registers lose what they hold when what overlaps them is written, by instructions of their own: for tests.
    bool has_junk = false;
};
/// "affine,8", and behind that bits=32, exact, junk. An Error says which word is none.
Result<RegistersOptions> read_registers_options(std::string_view words);
/// What the words mean, for --help.
std::string_view registers_help();

struct GivenRegisters {
    std::string function;
    bool is_entry = false;
    registers::Allocator allocator = registers::Allocator::affine;  ///< functions that are called have no words
    divergence::ThreadShape shape;                                  ///< of blocks, as what was done takes them to be
    registers::SpillCounts counts;
    std::array<double, registers::homes> bytes{};  ///< as Allocated has them
    std::size_t webs = 0, spilled = 0, words = 0;
    bool has_words() const { return words != 0; }
};

/// Gives functions of these names registers; all that have a body if there are none. Errors: one that wants more registers, or that has
/// parameters in registers or instructions that are not understood.
Result<std::vector<GivenRegisters>> give_registers(Program &program, const RegistersOptions &options,
                                                   const std::vector<std::string> &names = {});

/// A sentence on blocks that a kernel with these registers must not have; empty: it may.
std::string objection_to(const GivenRegisters &given, std::uint32_t x, std::uint32_t y, std::uint32_t z);

/// Loads and stores by home, as lines of comments.
std::string describe(const std::vector<GivenRegisters> &given, const RegistersOptions &options);

}  // namespace mog::ptx
