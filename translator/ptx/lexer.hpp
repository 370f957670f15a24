// lexer.hpp: PTX text in tokens, one at a time.
#pragma once

#include <cstdint>
#include <string_view>

namespace mog::ptx {

struct Token {
    enum class Kind : std::uint8_t {
        end,
        word,       ///< a name, such as %r1 or foo
        directive,  ///< with its dot
        number,     ///< of any kind, as it stands there
        text,       ///< without its quotes
        mark,       ///< one character
        bad,        ///< one that begins nothing
    };
    Kind kind = Kind::end;
    std::string_view text;
    std::uint32_t line = 1, column = 1;

    bool is(char mark) const { return kind == Kind::mark && text.front() == mark; }
    bool is(std::string_view word) const { return (kind == Kind::word || kind == Kind::directive) && text == word; }
};

class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) { next(); }

    /// The token that stands here.
    const Token &token() const { return token_; }
    void next();
    /// The token here is a word that begins an instruction: makes it the whole opcode, such as "ld.global.v4.f32".
    void take_opcode();
    /// Whether this character follows the token here at once.
    bool touches(char mark) const { return at_ < text_.size() && text_[at_] == mark; }
    /// Whether a colon follows the token here.
    bool colon_follows() const;
    /// Goes on behind the brace that closes the one here, without looking at what is between.
    void skip_braces();
    /// The text up to a semicolon, which is the token then.
    std::string_view take_to_semicolon();
    /// Goes on with the next line.
    void skip_line();
    bool at_end() const { return token_.kind == Token::Kind::end; }

private:
    void skip_blanks();

    std::string_view text_;
    std::size_t at_ = 0;          // behind the token
    std::size_t line_begin_ = 0;  // of the line that at_ is in
    std::uint32_t line_ = 1;
    Token token_;
};

}  // namespace mog::ptx
