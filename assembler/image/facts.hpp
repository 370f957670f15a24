// facts.hpp: what a program asks of an interpreter, by the instructions that it has.
#pragma once

#include <cstdint>
#include <vector>

#include "assembler/image/image.hpp"

namespace mog {

/// How often each opcode stands in TEXT.
std::vector<std::uint32_t> static_counts(const Image &image);
/// The instructions the program uses, in the order of isa.def.
std::vector<Op> used_ops(const Image &image);

/// True if an instruction of the image computes in floats or doubles.
bool needs_floats(const Image &image);
/// True if an instruction of the image computes in doubles, which not every device can.
bool needs_doubles(const Image &image);
/// True if one reads or writes the FPU's control register: then the interpreter keeps roundings and exceptions.
bool keeps_fcsr(const Image &image);
/// The effects of which an instruction of the image has one if it may stop its PE.
std::uint16_t stop_effects(const Image &image);

/// True if the program has MOG's MPI library in it, and its names.
bool calls_mpi(const Image &image);
/// Words of a mailbox behind DATA of each PE, in kernels for CUDA (MOG_M_WORDS); 0: the program has no use for one, or its kernel none.
std::uint32_t mailbox_words(const Image &image);

}  // namespace mog
