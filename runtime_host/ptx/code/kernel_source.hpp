// kernel_source.hpp: a kernel of PTX as C++, for blocks of one shape: what all lanes have in common is a scalar, lines of numbers are their
// beginning, the rest are vectors; branches on which all lanes agree are branches, others masks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "support/compilers/simd.hpp"
#include "support/result.hpp"
#include "translator/ptx/program.hpp"

namespace mog::ptx {

/// Where the interpreter has what a function holds, for what compiled code leaves to it.
struct FunctionPlaces {
    static constexpr std::uint32_t none = 0xffffffff;
    std::vector<std::uint32_t> registers;     ///< offsets in the frame; none: it is not used
    std::vector<std::uint32_t> given, local;  ///< by Function::variables: offsets in the parameters of the kernel, in the thread's memory
    /// By Function::variables: offsets in the frame of those of .param that functions are given or give, which compiled code holds itself;
    /// and how far those of lanes are apart there.
    std::vector<std::uint32_t> held, stride;
    std::uint32_t local_bytes = 0;      ///< of a thread
    std::uint32_t carry = none;         ///< offset of the carries, a predicate
    std::vector<std::uint8_t> can_run;  ///< by instruction: the interpreter can do it by itself, in the frame
};

struct KernelShape {
    std::uint32_t x = 1, y = 1, z = 1;  ///< threads of a block
    Simd simd = Simd::portable;
    bool has_facts = true;    ///< false: nothing is known of lanes; to see what the analysis is worth
    std::uint32_t piece = 0;  ///< instructions of the functions that a kernel is parted into; 0: as many as suit, and large kernels alone
};

struct KernelSource {
    std::string text;
    std::uint32_t lanes = 32;  ///< of a unit, which consecutive threads are
    bool waits = false;        ///< it has barriers: units are left there and entered again
};

/// Of a kernel with the functions that it comes to; `places` by Program::functions, nullptr for those without a body. Error: why it stays
/// interpreted.
Result<KernelSource> kernel_source(const Program &program, std::uint32_t kernel, std::span<const FunctionPlaces *const> places,
                                   const KernelShape &shape);

}  // namespace mog::ptx
