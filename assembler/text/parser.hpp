// parser.hpp: the reader behind parse.hpp. Private to the parser's two files: parse.cpp has the code's part and what
// joins a program together, parse_directives.cpp the directives.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/ir/mog_program.hpp"
#include "assembler/text/lex.hpp"
#include "support/diagnostics.hpp"

namespace mog {

class Parser {
public:
    Parser(std::string_view text, std::string_view file) : text_(text), diagnostics_(file, text) {}
    Result<MogProgram> run();

private:
    /// A place in the text.
    struct Place {
        std::size_t line = 0, column = 0;
    };
    /// A name that could not be resolved where it stood.
    struct NameUse {
        std::size_t block = 0, instruction = 0;
        std::string name;
        std::uint32_t plus = 0;  ///< `name+4`
        Place place;
    };
    struct Directive {
        std::string_view name;
        void (Parser::*read)();
    };
    static const Directive directives[];

    // -- tokens of the current line
    const Token &peek() const { return tokens_[next_]; }
    const Token &take() { return tokens_[next_].kind == Token::End ? tokens_[next_] : tokens_[next_++]; }
    bool at_end() const { return peek().kind == Token::End; }
    bool take_punct(char c);
    void error(const Token &token, std::string message) { diagnostics_.error(line_, token.column, std::move(message)); }
    void error(const Place &place, std::string message) { diagnostics_.error(place.line, place.column, std::move(message)); }
    Place place_of(const Token &token) const { return {line_, token.column}; }

    std::optional<std::string> take_name(std::string_view what);  ///< a word or string
    std::optional<std::uint64_t> take_integer(std::string_view what, std::int64_t least, std::uint64_t most);
    std::optional<std::uint32_t> take_word(std::string_view what);  ///< any 32 bits
    bool take_comma();
    void expect_end();

    // -- statements
    void statement();
    void label();
    void instruction();
    bool operand(Instruction &instruction, const OpInfo &row);  ///< false after a mistake
    Block &open_block();
    Block &add_block(std::string name);
    std::optional<std::uint32_t> take_register(bool is_pair);
    std::uint32_t add_register(std::string name);

    // -- directives
    void directive_at();
    void directive_brk();
    void directive_readonly();
    void directive_shared();
    void directive_code();
    void directive_data();
    void directive_constants();
    void directive_entry();
    void directive_file();
    void directive_frame();
    void directive_line();
    void directive_map();
    void directive_marked();
    void directive_register();
    void directive_role();
    void directive_symbol();
    void directive_text();
    void directive_word();
    void directive_half();
    void directive_byte();
    void directive_double();
    void directive_ascii();
    void directive_asciz();
    void directive_space();
    void directive_align();
    std::optional<Entry> take_entry();
    void read_marks();
    void mark_jump(JumpKind kind);
    bool need_data();
    void numbers(std::size_t size, bool as_double);
    void strings(bool closed);
    void append(std::uint64_t value, std::size_t size);

    // -- after the last line
    void finish();
    void resolve_labels();
    void resolve_constants();
    void set_roles();
    void place_code();

    std::string_view text_;
    Diagnostics diagnostics_;
    MogProgram program_;
    std::vector<Token> tokens_;
    std::size_t next_ = 0, line_ = 0;
    Token directive_;  ///< the one being read
    Place last_instruction_;

    bool in_data_ = false;
    bool in_constants_ = false;  ///< then those that all PEs have once
    std::vector<std::uint8_t> &bytes() { return in_constants_ ? program_.constants : program_.data; }
    bool registers_declared_ = false;
    std::uint32_t address_ = 0;  ///< of the last .at
    std::map<std::string, BlockId, std::less<>> blocks_by_name_;
    std::map<std::string, std::uint32_t, std::less<>> data_names_;
    std::vector<std::pair<std::size_t, Place>> mapped_;   ///< blocks whose .map has no address yet
    bool marked_ = false;                                 ///< nothing of calls is to be derived
    std::vector<std::pair<std::size_t, Entry>> entries_;  ///< blocks whose .map says how control comes
    std::optional<std::pair<std::string, Place>> entry_;
    std::map<Role, std::optional<std::uint32_t>> roles_;
    bool code_given_ = false;
    std::vector<NameUse> label_uses_, constant_uses_;
};

}  // namespace mog
