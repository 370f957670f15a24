// exception_tables.hpp: where control goes on when an exception is caught, or passes by an object that is to be destroyed.
#pragma once

#include <cstdint>
#include <vector>

#include "support/result.hpp"
#include "translator/mips/mips_program.hpp"

namespace mog {

/// The landing pads of a program: code addresses that no relocation names, for the tables of exceptions have their distances from
/// the beginnings of their functions. `eh_frame`, `size`: where the section .eh_frame is in DATA, of DWARF's entries for each function
/// (Linux Standard Base 5.0, 10.6), of which some name a table for g++'s personality routine (gcc/except.cc's output). Ascending. Fails if
/// one of these is not as it should be, or leads out of the code.
Result<std::vector<std::uint32_t>> landing_pads(const Segments &segments, std::uint32_t eh_frame, std::uint32_t size);

}  // namespace mog
