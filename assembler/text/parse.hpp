// parse.hpp: MOG assembly text as a program. docs/assembly.md describes the language; print.hpp writes it.
#pragma once

#include <string_view>

#include "assembler/ir/mog_program.hpp"
#include "support/result.hpp"

namespace mog {

/// Reads a program. Whatever the text leaves out has a sensible value, so that a few instructions are a program. Blocks
/// are numbered by their place. Error: all mistakes found, each with `file_name`:line:column, the line and a caret.
Result<MogProgram> parse(std::string_view text, std::string_view file_name);

}  // namespace mog
