// block_choice.hpp: which basic blocks are compiled, of a program that nobody has run yet.
#pragma once

#include <cstdint>
#include <vector>

#include "assembler/blocks/block_plan.hpp"

namespace mog {

/// Of functions longer than this, in instructions, not all blocks are compiled with those that are hot.
inline constexpr std::uint32_t long_function = 800;

/// By block of `code`: whether it is compiled.
std::vector<bool> choose_blocks(const Image &image, const Execution &execution, const CodeBlocks &code, const BlockOptions &options,
                                BlockPurpose purpose);

/// The program's own code, and that of libraries: as symbols of the linker script mog.ld tell.
class CodeOrigin {
public:
    explicit CodeOrigin(const Image &image);
    bool of_library(std::uint32_t mips_address) const { return mips_address >= mpi_errors_; }
    /// Of the library: what messages of MPI go through; and what MPI has for errors only.
    bool of_mpi(std::uint32_t mips_address) const { return mips_address >= mpi_ && mips_address < library_; }
    bool of_mpi_errors(std::uint32_t mips_address) const { return mips_address >= mpi_errors_ && mips_address < mpi_; }

private:
    std::uint32_t mpi_errors_ = 0xffffffff, mpi_ = 0xffffffff, library_ = 0xffffffff;
};

/// Whether a function is one of the long ones; and whether it has groups of its own, by its number.
bool is_long(const Image &image, const CodeBlocks &code, const CodeBlocks::Function &function);
bool is_apart(const Image &image, const CodeOrigin &origin, const CodeBlocks &code, std::uint32_t function, LibraryGroups libraries);

}  // namespace mog
