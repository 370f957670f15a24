// read_elf.hpp: a linked MIPSEL ELF file, relocations kept, as an ElfProgram.
#pragma once

#include <span>

#include "support/result.hpp"
#include "translator/mips/mips_program.hpp"

namespace mog {

/// What its sections of constants have, by runtime_pe/mog.ld's names: .rodata to .gcc_except_table; 0: none, or it is no file of ELF.
std::uint64_t constant_bytes(std::span<const std::uint8_t> bytes);

/// Reads an executable linked by runtime_pe/mog.ld with --emit-relocs. `bytes` must outlive only the call.
/// Errors: not ELF, not MIPS little-endian 32-bit, not linked, linked elsewhere than MOG expects, no relocations.
Result<ElfProgram> read_elf(std::span<const std::uint8_t> bytes);

}  // namespace mog
