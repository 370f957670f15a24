// lex.cpp: a line of MOG assembly as tokens.
#include "assembler/text/lex.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdlib>

namespace mog {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool starts_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.'; }
bool continues_word(char c) { return starts_word(c) || is_digit(c) || c == '@'; }

constexpr std::string_view escapes = "n\nt\tr\r\"\"\\\\''";  // pairs: letter after the backslash, meaning

class LineLexer {
public:
    LineLexer(std::string_view line, std::size_t number, Diagnostics &diagnostics)
        : line_(line), number_(number), diagnostics_(diagnostics) {}

    std::vector<Token> run() {
        std::vector<Token> tokens;
        for (;;) {
            const std::size_t before = at_;
            while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t' || line_[at_] == '\r')) ++at_;
            Token token;
            token.column = at_ + 1;
            token.glued = at_ == before;
            const char c = peek();
            if (at_ >= line_.size() || c == ';' || c == '#') {
                tokens.push_back(token);
                return tokens;
            }
            if (starts_word(c)) {
                token.kind = Token::Word;
                token.text = word();
            } else if (is_digit(c) || (c == '-' && (is_digit(peek(1)) || peek(1) == '.'))) {
                number(token);
            } else if (c == '$') {
                ++at_;
                token.kind = Token::Register;
                token.text = word();
                if (token.text.empty()) error(token, "expected a register's name or number after `$`");
            } else if (c == '"') {
                token.kind = Token::String;
                token.text = quoted_text(token, '"');
            } else if (c == '\'') {
                token.kind = Token::Number;
                const std::string text = quoted_text(token, '\'');
                if (text.size() != 1) error(token, "a character in '' is one byte");
                token.bits = text.empty() ? 0 : static_cast<std::uint8_t>(text[0]);
            } else if (c == ':' || c == ',' || c == '+') {
                token.kind = Token::Punct;
                token.text = c;
                ++at_;
            } else {
                error(token, fmt::format("`{}` means nothing here", printable(c)));
                ++at_;
                continue;
            }
            tokens.push_back(std::move(token));
        }
    }

private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < line_.size() ? line_[at_ + ahead] : '\0'; }

    static std::string printable(char c) {
        return c >= ' ' && c < 127 ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<std::uint8_t>(c));
    }

    void error(const Token &token, std::string message) { diagnostics_.error(number_, token.column, std::move(message)); }

    std::string word() {
        const std::size_t start = at_;
        while (continues_word(peek())) ++at_;
        return std::string(line_.substr(start, at_ - start));
    }

    /// 12, -12, 0x1f, 1.5, 1.5f, 2e-3
    void number(Token &token) {
        token.kind = Token::Number;
        const std::size_t start = at_;
        const bool negative = peek() == '-';
        if (negative) ++at_;
        const bool is_hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
        while (continues_word(peek()) || (!is_hex && (peek() == '-' || peek() == '+') && (line_[at_ - 1] == 'e' || line_[at_ - 1] == 'E')))
            ++at_;
        token.text = line_.substr(start, at_ - start);
        std::string digits(line_.substr(start + (negative ? 1 : 0), at_ - start - (negative ? 1 : 0)));
        token.is_float = !is_hex && digits.find_first_of(".eE") != std::string::npos;
        if (!token.is_float && !is_hex && digits.ends_with('f')) token.is_float = true;
        if (token.is_float) return floating(token, digits, negative);
        const char *first = digits.data() + (is_hex ? 2 : 0);
        const char *last = digits.data() + digits.size();
        std::uint64_t value = 0;
        const auto [end, code] = std::from_chars(first, last, value, is_hex ? 16 : 10);
        if (code != std::errc{} || end != last || first == last) error(token, fmt::format("`{}` is not a number", token.text));
        token.bits = negative ? 0 - value : value;
        const double real = negative ? -static_cast<double>(value) : static_cast<double>(value);
        token.as_double = std::bit_cast<std::uint64_t>(real);
    }

    void floating(Token &token, std::string digits, bool negative) {
        if (digits.ends_with('f') || digits.ends_with('F')) digits.pop_back();
        float single = 0;
        double real = 0;
        const char *last = digits.data() + digits.size();
        const auto as_float = std::from_chars(digits.data(), last, single);
        const auto as_double = std::from_chars(digits.data(), last, real);
        if (as_double.ptr != last || as_double.ec != std::errc{} || as_float.ec == std::errc::invalid_argument) {
            error(token, fmt::format("`{}` is not a number", token.text));
            return;
        }
        token.bits = std::bit_cast<std::uint32_t>(negative ? -single : single);
        token.as_double = std::bit_cast<std::uint64_t>(negative ? -real : real);
    }

    std::string quoted_text(const Token &token, char quote) {
        std::string text;
        ++at_;
        while (peek() != quote) {
            if (at_ >= line_.size()) {
                error(token, fmt::format("no closing {} on this line", quote));
                return text;
            }
            const char c = line_[at_++];
            if (c != '\\') {
                text += c;
                continue;
            }
            const char letter = peek();
            ++at_;
            if (letter == 'x' && is_hex_digit(peek()) && is_hex_digit(peek(1))) {
                unsigned value = 0;
                std::from_chars(line_.data() + at_, line_.data() + at_ + 2, value, 16);
                text += static_cast<char>(value);
                at_ += 2;
                continue;
            }
            if (letter == '0') {
                text += '\0';
                continue;
            }
            std::size_t i = 0;
            while (i < escapes.size() && escapes[i] != letter) i += 2;
            if (i >= escapes.size()) {
                Token place = token;
                place.column = at_ - 1;
                error(place, "unknown escape; there are \\n \\t \\r \\0 \\\" \\\\ \\' and \\xHH");
                continue;
            }
            text += escapes[i + 1];
        }
        ++at_;
        return text;
    }

    std::string_view line_;
    std::size_t number_;
    Diagnostics &diagnostics_;
    std::size_t at_ = 0;
};

}  // namespace

bool is_plain_name(std::string_view name) {
    if (name.empty() || !starts_word(name[0])) return false;
    for (const char c : name)
        if (!continues_word(c)) return false;
    return true;
}

std::string in_quotes(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (c == '\n') {
            result += "\\n";
        } else if (c == '\t') {
            result += "\\t";
        } else if (c >= ' ' && c < 127) {
            result += c;
        } else {
            result += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(c));
        }
    }
    return result + '"';
}

std::string written_name(std::string_view name) { return is_plain_name(name) ? std::string(name) : in_quotes(name); }

std::vector<Token> lex_line(std::string_view line, std::size_t line_number, Diagnostics &diagnostics) {
    return LineLexer(line, line_number, diagnostics).run();
}

}  // namespace mog
