// tokens.cpp: cuts preprocessed C into tokens.
#include "mogcc/cilk/tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace mog {

namespace {

using std::string_view;

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80); }

class Reader {
public:
    Reader(string_view text, const std::string &name) : text_(text) { found_.files.push_back({fmt::format("\"{}\"", name), ""}); }

    CTokens read() {
        for (;;) {
            const std::size_t before = at_;
            skip_space();
            if (at_ == text_.size()) {
                found_.end = text_.substr(before);
                return std::move(found_);
            }
            CToken token{CToken::Kind::sign, {}, text_.substr(before, at_ - before), file_, line_};
            const std::size_t begin = at_;
            token.kind = read_token();
            token.text = text_.substr(begin, at_ - begin);
            line_ += static_cast<unsigned>(std::ranges::count(token.text, '\n'));
            if (token.kind == CToken::Kind::directive) follow(token.text);
            found_.tokens.push_back(token);
        }
    }

private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void skip_space() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) {
            if (text_[at_] == '\n') {
                ++line_;
                begins_line_ = true;
            }
            ++at_;
        }
    }

    CToken::Kind read_token() {
        if (peek() == '#' && begins_line_) {
            at_ = std::min(text_.find('\n', at_), text_.size());
            return CToken::Kind::directive;
        }
        begins_line_ = false;
        if (std::isdigit(static_cast<unsigned char>(peek())) || (peek() == '.' && std::isdigit(static_cast<unsigned char>(peek(1))))) {
            while (is_word_character(peek()) || peek() == '.' || (peek() == '\'' && is_word_character(peek(1))) ||  // 1'000
                   ((peek() == '+' || peek() == '-') && string_view("eEpP").find(text_[at_ - 1]) != string_view::npos))
                ++at_;
            return CToken::Kind::literal;
        }
        if (is_word_character(peek())) {
            const std::size_t begin = at_;
            while (is_word_character(peek())) ++at_;
            // u8"text", L'c', R"(text)"
            if (peek() == '"' && text_[at_ - 1] == 'R' && is_prefix(text_.substr(begin, at_ - begin - 1))) return read_raw();
            return (peek() == '"' || peek() == '\'') && text_[at_ - 1] != '$' ? read_quoted() : CToken::Kind::word;
        }
        if (peek() == '"' || peek() == '\'') return read_quoted();
        for (string_view sign : {"<<=", ">>=", "...", "->", "::", "++", "--", "<<", ">>", "<=", ">=", "==",
                                 "!=",  "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "##"})
            if (text_.substr(at_).starts_with(sign)) {
                at_ += sign.size();
                return CToken::Kind::sign;
            }
        ++at_;
        return CToken::Kind::sign;
    }

    static bool is_prefix(string_view word) { return word.empty() || word == "L" || word == "u" || word == "U" || word == "u8"; }
    // "mark(anything)mark"
    CToken::Kind read_raw() {
        const std::size_t open = std::min(text_.find('(', at_), text_.size());
        const std::string close = fmt::format("){}\"", text_.substr(at_ + 1, open - std::min(at_ + 1, open)));
        const std::size_t end = text_.find(close, open);
        at_ = end == text_.npos ? text_.size() : end + close.size();
        return CToken::Kind::literal;
    }
    CToken::Kind read_quoted() {
        const char quote = text_[at_++];
        while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
        at_ = std::min(at_ + 1, text_.size());
        return CToken::Kind::literal;
    }

    // # 12 "file" 1 3: what follows is line 12 of it. Flags 1 and 2 say how one comes there, 3 and 4 what kind of file it is.
    void follow(string_view marker) {
        std::size_t at = marker.find_first_not_of(" \t", 1);
        if (at == marker.npos) return;
        if (marker.substr(at).starts_with("line ")) at = marker.find_first_not_of(" \t", at + 5);
        unsigned line = 0;
        if (at == marker.npos || std::from_chars(marker.data() + at, marker.data() + marker.size(), line).ec != std::errc()) return;
        const std::size_t open = marker.find('"', at);
        if (open != marker.npos) {
            std::size_t close = open + 1;
            while (close < marker.size() && marker[close] != '"') close += marker[close] == '\\' ? 2 : 1;
            close = std::min(close + 1, marker.size());
            CFile file{std::string(marker.substr(open, close - open)), ""};
            for (char flag : marker.substr(close))
                if (flag == '3' || flag == '4') file.flags += fmt::format(" {}", flag);
            const auto known =
                std::ranges::find_if(found_.files, [&](const CFile &one) { return one.name == file.name && one.flags == file.flags; });
            file_ = static_cast<unsigned>(known - found_.files.begin());
            if (known == found_.files.end()) found_.files.push_back(std::move(file));
        }
        line_ = line - 1;  // the marker's own end is a line more
    }

    string_view text_;
    std::size_t at_ = 0;
    bool begins_line_ = true;
    unsigned file_ = 0, line_ = 1;
    CTokens found_;
};

}  // namespace

CTokens read_c_tokens(std::string_view text, const std::string &name) { return Reader(text, name).read(); }

std::string CTokens::place(const CToken &token) const {
    const std::string &name = files[token.file].name;
    return fmt::format("{}:{}", name.substr(1, name.size() - 2), token.line);
}

std::string CTokens::marker(const CToken &token, unsigned more_lines) const {
    return fmt::format("# {} {}{}", token.line + more_lines, files[token.file].name, files[token.file].flags);
}

}  // namespace mog
