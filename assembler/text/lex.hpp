// lex.hpp: a line of MOG assembly as tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.hpp"

namespace mog {

struct Token {
    enum Kind : std::uint8_t {
        Word,      ///< instruction, directive, label: letters, digits, _ . @, not beginning with a digit
        Register,  ///< $name or $number; text is without the $
        Number,    ///< value has it; a float's value is its bits
        String,    ///< "..."; text is what it means
        Punct,     ///< one of : , +
        End,       ///< of the line
    };
    Kind kind = End;
    std::size_t column = 1;       ///< from 1
    std::string text;             ///< as written; see the kinds
    std::uint64_t bits = 0;       ///< Number: as 64-bit two's complement; a float or double: its bits
    std::uint64_t as_double = 0;  ///< Number: the bits of the same number as a double
    bool is_float = false;
    bool glued = false;  ///< no blank between it and the token before
};

/// True if a name can be written as it is; otherwise it needs quotes.
bool is_plain_name(std::string_view name);
/// A name as it is written: plain or in quotes.
std::string written_name(std::string_view name);
/// Text in quotes, with escapes where needed.
std::string in_quotes(std::string_view text);

/// Tokens of a line without its comment (; or # to the end), closed by End. Mistakes go to `diagnostics`.
std::vector<Token> lex_line(std::string_view line, std::size_t line_number, Diagnostics &diagnostics);

}  // namespace mog
