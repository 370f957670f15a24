// mog_kernels.hpp: the functions of a MOG program as kernels, for the analyses of divergence.
//
// Registers, ACC and D are variables; a double in two registers is made of both. Memory is each PE's own, so what is
// loaded is divergent, the number of PEs and of this one apart. A call may change the registers that what is called by name, and
// all that this calls, writes; all, if that is not known. Those that the calling convention preserves it does not. The code that a jump
// through a register leads to is searched among the labels of the function; it may also leave it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assembler/divergence/kernel.hpp"
#include "assembler/ir/mog_program.hpp"

namespace mog {

struct MogKernel {
    divergence::Kernel kernel;
    /// Under which what is said of it holds, as sentences without their ends: MOG's lanes meet where the lowest of them stands.
    std::vector<std::string> hypotheses;
    /// By block of the kernel: that of the program, by position, or none; and by instruction which one of it that is made from.
    struct Origin {
        std::size_t position = none;
        std::vector<std::uint32_t> made_from;
        static constexpr std::size_t none = static_cast<std::size_t>(-1);
    };
    std::vector<Origin> origins;
    divergence::Variable acc = 0, d = 0;  ///< the variables that are ACC and D
};

/// By function, in the order of the program: those that `is_wanted` says by their name.
std::vector<MogKernel> mog_kernels(const MogProgram &program, const std::function<bool(std::string_view)> &is_wanted);

}  // namespace mog
