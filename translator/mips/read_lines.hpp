// read_lines.hpp: source files and lines from DWARF.
#pragma once

#include <libelf.h>

#include "translator/mips/mips_program.hpp"

namespace mog {

/// Fills files and lines of `segments` from the file's DWARF line tables; leaves them empty if it has none.
void read_lines(Elf *elf, Segments &segments);

}  // namespace mog
