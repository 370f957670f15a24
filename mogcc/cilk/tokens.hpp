// tokens.hpp: preprocessed C as tokens that remember where they were written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mog {

struct CToken {
    enum class Kind {
        word,       ///< an identifier or keyword
        literal,    ///< a number, a string, a character
        sign,       ///< an operator or bracket
        directive,  ///< a whole line that begins with #
    };
    Kind kind = Kind::sign;
    std::string_view text;
    std::string_view before;  ///< white space
    unsigned file = 0;        ///< in CTokens::files
    unsigned line = 0;

    bool is(std::string_view wanted) const { return kind != Kind::literal && text == wanted; }
};

/// A file as markers of lines name it: with the quotes, and the flags that still hold within it.
struct CFile {
    std::string name, flags;
};

struct CTokens {
    std::vector<CToken> tokens;
    std::vector<CFile> files;
    std::string_view end;  ///< white space after the last one

    /// "file:line" of a token.
    std::string place(const CToken &token) const;
    /// The marker that says that what follows is in this line: `# 12 "fib.c"`.
    std::string marker(const CToken &token, unsigned more_lines = 0) const;
};

/// `text` has to live as long as the tokens.
CTokens read_c_tokens(std::string_view text, const std::string &name);

}  // namespace mog
