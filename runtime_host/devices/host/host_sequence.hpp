// host_sequence.hpp: the interpreter as a sequence of subinterpreters, as native code for this machine.
#pragma once

#include <cstdint>
#include <vector>

#include "assembler/image/image.hpp"
#include "support/result.hpp"

namespace mog {

struct HostSequence {
    std::vector<std::uint8_t> library;  ///< a shared object with the kernels of interpreter.c
    bool cached = false;                ///< it was found in the kernel cache
};

/// What changes the code.
struct HostSequenceOptions {
    bool count = false;  ///< executed instructions are counted
    bool fuel = false;   ///< a pass is one instruction
};

/// Compiled from the image's product "cpp" when it is wanted, and kept in the kernel cache: a processor runs one PE at a time and
/// is faster with a switch, so mogcc does not make everybody wait for this. Error: there is no compiler, or it fails.
Result<HostSequence> host_sequence(const Image &image, const HostSequenceOptions &options);

}  // namespace mog
