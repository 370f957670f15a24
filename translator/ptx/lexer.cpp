// lexer.cpp: characters to tokens, by a table of what each may be part of.
#include "translator/ptx/lexer.hpp"

#include <array>

namespace mog::ptx {
namespace {

enum : std::uint8_t { in_name = 1, begins_name = 2, digit = 4, blank = 8 };

constexpr std::array<std::uint8_t, 256> traits = [] {
    std::array<std::uint8_t, 256> table{};
    for (int c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = in_name | begins_name;
    for (int c = '0'; c <= '9'; ++c) table[c] = in_name | digit;
    table['_'] = table['$'] = in_name | begins_name;
    table['%'] = begins_name;
    table[' '] = table['\t'] = table['\r'] = table['\f'] = table['\v'] = table['\n'] = blank;
    return table;
}();

bool is(char c, std::uint8_t trait) { return (traits[static_cast<unsigned char>(c)] & trait) != 0; }

}  // namespace

void Lexer::skip_blanks() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '\n') {
            ++line_;
            line_begin_ = ++at_;
        } else if (is(c, blank)) {
            ++at_;
        } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
            while (at_ < text_.size() && text_[at_] != '\n') ++at_;
        } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '*') {
            at_ += 2;
            while (at_ < text_.size() && !(text_[at_] == '/' && text_[at_ - 1] == '*')) {
                if (text_[at_] == '\n') {
                    ++line_;
                    line_begin_ = at_ + 1;
                }
                ++at_;
            }
            if (at_ < text_.size()) ++at_;
        } else {
            return;
        }
    }
}

void Lexer::next() {
    skip_blanks();
    token_.line = line_;
    token_.column = static_cast<std::uint32_t>(at_ - line_begin_ + 1);
    const std::size_t begin = at_;
    if (at_ >= text_.size()) {
        token_.kind = Token::Kind::end;
        token_.text = {};
        return;
    }
    const char c = text_[at_++];
    const auto run = [&](std::uint8_t trait) {
        while (at_ < text_.size() && is(text_[at_], trait)) ++at_;
    };
    if (is(c, begins_name)) {
        token_.kind = Token::Kind::word;
        run(in_name);
    } else if (is(c, digit)) {
        token_.kind = Token::Kind::number;
        run(in_name);
        // Behind the point of a decimal number, and an exponent's sign.
        if (at_ + 1 < text_.size() && text_[at_] == '.' && is(text_[at_ + 1], digit)) {
            ++at_;
            run(in_name);
        }
        const bool is_hexadecimal = at_ - begin > 1 && (text_[begin + 1] == 'x' || text_[begin + 1] == 'X' || text_[begin + 1] == 'f' ||
                                                        text_[begin + 1] == 'F' || text_[begin + 1] == 'd' || text_[begin + 1] == 'D');
        if (!is_hexadecimal && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') && at_ + 1 < text_.size() &&
            (text_[at_] == '-' || text_[at_] == '+')) {
            ++at_;
            run(digit);
        }
    } else if (c == '.' && at_ < text_.size() && is(text_[at_], in_name)) {
        token_.kind = Token::Kind::directive;
        run(in_name);
        if (at_ + 2 < text_.size() && text_[at_] == ':' && text_[at_ + 1] == ':') {
            at_ += 2;
            run(in_name);
        }
    } else if (c == '"') {
        while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') at_ += text_[at_] == '\\' && at_ + 1 < text_.size() ? 2 : 1;
        if (at_ > text_.size()) at_ = text_.size();
        token_.kind = Token::Kind::text;
        token_.text = text_.substr(begin + 1, at_ - begin - 1);
        if (at_ < text_.size() && text_[at_] == '"') {
            ++at_;
        } else {
            token_.kind = Token::Kind::bad;
        }
        return;
    } else {
        token_.kind = c > ' ' && c < '\x7f' ? Token::Kind::mark : Token::Kind::bad;
    }
    token_.text = text_.substr(begin, at_ - begin);
}

void Lexer::take_opcode() {
    const std::size_t begin = at_ - token_.text.size();
    while (at_ < text_.size() && (is(text_[at_], in_name) || text_[at_] == '.' || text_[at_] == ':')) ++at_;
    token_.text = text_.substr(begin, at_ - begin);
}

bool Lexer::colon_follows() const {
    std::size_t at = at_;
    while (at < text_.size() && is(text_[at], blank)) ++at;
    return at < text_.size() && text_[at] == ':' && (at + 1 >= text_.size() || text_[at + 1] != ':');
}

void Lexer::skip_braces() {
    std::size_t depth = 0;
    while (!at_end()) {
        if (token_.is('{')) ++depth;
        if (token_.is('}') && --depth == 0) {
            next();
            return;
        }
        next();
    }
}

std::string_view Lexer::take_to_semicolon() {
    const std::size_t begin = at_ - token_.text.size();
    while (!at_end() && !token_.is(';')) next();
    const std::size_t end = at_ - (at_end() ? 0 : 1);
    return text_.substr(begin, end - begin);
}

void Lexer::skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    next();
}

}  // namespace mog::ptx
