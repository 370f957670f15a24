// instruction_page.hpp: the instructions of a program as macros of its source, and how they are used.
//
// Bodies of isa.def are never taken apart: an instruction is a macro with the row's operand words as parameters,
//     #define OP_stw(SPACE, ADDRESS, SRC) { STORE32(SPACE, ADDRESS, SRC) }
// and whoever writes code, an interpreter or compiled blocks, names the operands: OP_stw(PRIVATE, ACC, r3).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "assembler/image/image.hpp"
#include "assembler/ir/isa.hpp"

namespace mog {

/// What stands for each operand word. Those that an instruction does not have may be empty.
struct Operands {
    std::array<std::string, 12> text;

    std::string &operator[](OperandWord word) { return text[static_cast<std::size_t>(word)]; }
    const std::string &operator[](OperandWord word) const { return text[static_cast<std::size_t>(word)]; }
};

/// The definitions of all instructions that the image has, in the order of isa.def.
std::string instruction_page(const Image &image);
/// The use of one: "OP_stw(PRIVATE, ACC, r3)".
std::string use_of(const OpInfo &row, const Operands &operands);
/// The address of an access, where its register, if it is in one, is called `reg`.
std::string address_of(const Access &access, std::string_view reg);

/// No line of generated source is longer, in characters.
inline constexpr std::size_t longest_line = 120;
/// A line (without its end) in lines that are not longer, broken at spaces. `next` begins each but the first, `more` ends each but the
/// last. A word that is longer stands alone.
std::string broken(std::string_view line, std::string_view next, std::string_view more = "");
/// A comment of one line or several, which begin with `indentation`. Words too long for a line are cut.
std::string comment_lines(std::string_view text, std::string_view indentation);

}  // namespace mog
