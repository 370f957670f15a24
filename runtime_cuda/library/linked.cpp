// linked.cpp: statements of modules, one after the other, with names of a text's own, and numbers of its files, made different.
#include "runtime_cuda/library/linked.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace mog::cuda {
namespace {

using std::string_view;

/// A word, a string, or a character by itself; with what is blank before it, comments included.
struct Token {
    string_view blank, text;
    bool is_word() const {
        return std::isalpha(static_cast<unsigned char>(text[0])) || string_view("_$%.").find(text[0]) != string_view::npos;
    }
};

std::vector<Token> tokens_of(string_view text) {
    std::vector<Token> tokens;
    const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        while (at < text.size()) {
            if (std::isspace(static_cast<unsigned char>(text[at]))) ++at;
            else if (text.substr(at, 2) == "//") at = std::min(text.find('\n', at), text.size());
            else if (text.substr(at, 2) == "/*") at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
            else break;
        }
        const std::size_t word = at;
        if (at == text.size()) break;
        const char first = text[at++];
        if (first == '"') at = std::min(text.find('"', at), text.size() - 1) + 1;
        else if (is_of_word(first) || first == '.' || first == '%')
            while (at < text.size() && is_of_word(text[at])) ++at;
        tokens.push_back({text.substr(begin, word - begin), text.substr(word, at - word)});
    }
    return tokens;
}

/// What stands at the level of the module: a directive, a declaration, a definition.
struct Statement {
    std::size_t begin = 0, end = 0;  ///< tokens
    string_view name;                ///< of what it declares; empty: nothing
    bool is_extern = false, is_shared = false, is_defined = false, is_known_to_all = false;
};

/// The next one. Directives end with their line.
Statement statement_at(const std::vector<Token> &tokens, std::size_t at) {
    Statement found{at, at, {}};
    const string_view first = tokens[at].text;
    const auto on_this_line = [&](std::size_t i) { return i < tokens.size() && tokens[i].blank.find('\n') == string_view::npos; };
    if (first == ".version" || first == ".target" || first == ".address_size" || first == ".file") {
        do ++found.end;
        while (on_this_line(found.end));
        return found;
    }
    bool is_function = false, declares = false;
    unsigned round = 0, curly = 0;
    for (; found.end < tokens.size(); ++found.end) {
        const Token &token = tokens[found.end];
        const string_view text = token.text;
        if (text == "(") ++round;
        else if (text == ")") --round;
        else if (text == "{") {
            ++curly;
            found.is_defined = true;
        } else if (text == "}") {
            if (--curly == 0 && is_function) return ++found.end, found;
        } else if (text == ";" && curly == 0) {
            if (!is_function && !found.is_extern) found.is_defined = true;
            return ++found.end, found;
        } else if (round == 0 && curly == 0 && !found.is_defined) {
            if (text == ".extern") found.is_extern = true;
            else if (text == ".visible" || text == ".weak" || text == ".common" || text == ".entry") found.is_known_to_all = true;
            if (text == ".func" || text == ".entry") is_function = declares = true;
            else if (text == ".shared") found.is_shared = declares = true;
            else if (text == ".global" || text == ".const") declares = true;
            else if (declares && token.is_word() && text[0] != '.' && found.name.empty()) found.name = text;
            if (text == "=") found.is_defined = true;
        }
    }
    return found;
}

int number_of(string_view text) {
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

}  // namespace

Result<std::string> link_ptx(std::span<const PtxInput> inputs) {
    struct Text {
        std::vector<Token> tokens;
        std::vector<Statement> statements;
    };
    std::vector<Text> texts;
    std::map<string_view, string_view> defined, declared;  // by name: in which text
    for (const PtxInput &input : inputs) {
        Text &text = texts.emplace_back(Text{tokens_of(input.text), {}});
        for (std::size_t at = 0; at < text.tokens.size(); at = text.statements.back().end) {
            const Statement &one = text.statements.emplace_back(statement_at(text.tokens, at));
            if (one.end == at) return Error{fmt::format("{}: this is no PTX: {}", input.name, text.tokens[at].text)};
            if (one.name.empty() || (one.is_extern && one.is_shared)) continue;
            if (one.is_extern) declared.emplace(one.name, input.name);
            else if (one.is_defined && one.is_known_to_all && !defined.emplace(one.name, input.name).second)
                return Error{fmt::format("{} is defined in {} and in {}", one.name, defined[one.name], input.name)};
        }
    }
    // What the machine brings is declared by whoever calls it.
    constexpr string_view of_the_machine[] = {"vprintf", "malloc", "free", "__assertfail"};
    for (const auto &[name, where] : declared)
        if (!defined.contains(name) && std::ranges::find(of_the_machine, name) == std::end(of_the_machine))
            return Error{fmt::format("{} declares {}, and no text defines it", where, name)};

    std::string linked;
    std::set<string_view> told;
    int files = 0;
    for (std::size_t number = 0; number < texts.size(); ++number) {
        const Text &text = texts[number];
        std::set<string_view> own;
        for (const Statement &one : text.statements)
            if (!one.name.empty() && !one.is_extern && !defined.contains(one.name)) own.insert(one.name);
        int most_files = 0;
        for (const Statement &one : text.statements) {
            const string_view first = text.tokens[one.begin].text;
            if (number != 0 && (first == ".version" || first == ".target" || first == ".address_size")) continue;
            // One declaration of a function or a variable is enough, and none where it is defined before.
            if (one.is_extern && !told.insert(one.name).second) continue;
            if (!one.is_extern && one.is_defined && one.is_known_to_all) told.insert(one.name);
            for (std::size_t i = one.begin; i < one.end; ++i) {
                const Token &token = text.tokens[i];
                linked += token.blank;
                const string_view before = i > one.begin ? text.tokens[i - 1].text : string_view();
                if (before == ".file" || before == ".loc") {
                    most_files = std::max(most_files, number_of(token.text));
                    linked += fmt::format("{}", files + number_of(token.text));
                } else if (own.contains(token.text)) {
                    linked += fmt::format("{}${}", token.text, number);
                } else {
                    linked += token.text;
                }
            }
        }
        linked += '\n';
        files += most_files;
    }
    return linked;
}

}  // namespace mog::cuda
