// any_program.hpp: an interpreter for whatever program comes: what a generated one has as constants it is told when it is launched, in
// OpenCL C, or linked, in CUDA C++ (kernel_parts.hpp). A driver compiles it once, and not for each program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assembler/image/image.hpp"
#include "support/result.hpp"

namespace mog {

/// A program with every instruction, that an interpreter of any program is made for: with those that read or write the FPU's control
/// register or, as they make all floats slow, without.
Image image_of_every_instruction(bool fcsr);

/// A program with these instructions and the spaces that any program may have.
Image image_of_instructions(std::span<const Op> ops);

/// The interpreter of that image, in OpenCL C. It wants what GenerateOptions::any_program wants, and serves programs that keep the FPU's
/// control register if and only if the image does, have no spaces of their own, and are loaded without superinstructions.
Result<std::string> generate_for_any_program(const Image &every_instruction);

/// A function of the host, by its address, and its first argument.
struct HostFunction {
    std::uint64_t function = 0, argument = 0;
};
/// What a kernel compiled with MOG_CALLS_HOST calls; 0: nothing.
struct HostFunctions {
    HostFunction compiled;  ///< for what is entered at MOG_NATIVE_ENTRY, with the structure MogBlocks, registers and memory of the PE
    HostFunction turns;     ///< for which PE is next, with the number of the work-item and MOG_K_WORDS words of 64 bits
};

/// What is a run's: how many processes there are, whose first PEs have their numbers, and how large the window is.
struct RunSizes {
    std::uint32_t processes = 1, window_bytes = 0;
};

/// What it is told of a program and of a run, in words: the last buffer but one that its kernel is given. The last is that of the spaces
/// besides "private" (space_buffer()), or any if there are none.
std::vector<std::uint32_t> told_of_program(const Image &image, const HostFunctions &host, const RunSizes &run);

/// The same words as definitions, for an interpreter that is made for the program.
std::string definitions_for_program(const Image &image);
/// Definitions for one of any program: where it finds them, in OpenCL C and in CUDA C++.
std::string definitions_for_any_program();
std::string definitions_for_linked_program();
/// What the latter name: words that stand in constant memory, which all lanes read at once, as operands of instructions.
inline constexpr const char *linked_program_words = "mog_program";

}  // namespace mog
