// kernels.hpp: functions of PTX as kernels, for the analyses of divergence.
//
// Registers are variables. What a guard leaves undone keeps the old value, by a select. Parameters of kernels and memory of .const and
// ld.global.nc are constant, .local is each thread's own. Votes and reductions of warps give all lanes the same; shuffles, atomics and
// calls anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assembler/divergence/kernel.hpp"
#include "translator/ptx/program.hpp"

namespace mog::ptx {

struct KernelsOptions {
    /// Sums and products of 32 bits are taken for those of integers without end. Compilers write addresses as such, widened; but it is
    /// their programs that promise it.
    bool arithmetic_is_exact = false;
    /// All registers that instructions read and write are there, as liveness wants it, also of those of which nothing is known.
    bool is_complete = false;
};

struct DivergenceKernel {
    divergence::Kernel kernel;
    std::vector<std::string> hypotheses;  ///< under which what is said of it holds, as sentences without their ends
    std::uint32_t function = 0;           ///< into Program::functions
    /// By instruction of the function: the one of the kernel that has its main result or effect; block `none`: none does, or there are
    /// several.
    struct Where {
        static constexpr std::uint32_t none = 0xffffffff;
        std::uint32_t block = none, index = 0;
    };
    std::vector<Where> where;
    std::vector<divergence::Variable> variables;  ///< by register of the function; the others are between parts of instructions
    /// By block and instruction of the kernel: the instruction of the function that it is of. Those of one follow each other, with
    /// Instruction::goes_on.
    std::vector<std::vector<std::uint32_t>> made_of;
};

/// Functions that have a body, in the order of the text, of these names; all if there are none.
std::vector<DivergenceKernel> divergence_kernels(const Program &program, const std::vector<std::string> &names = {},
                                                 const KernelsOptions &options = {});

}  // namespace mog::ptx
