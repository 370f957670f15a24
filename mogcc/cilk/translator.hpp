// translator.hpp: goes through a file's tokens once, statement by statement, and writes them with their lines. What is only C++'s is in
// cxx.cpp, and functions cut at their syncs in split.cpp.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mogcc/cilk/tokens.hpp"
#include "mogcc/cilk/translate.hpp"
#include "support/text.hpp"

namespace mog::cilk {

using std::size_t;
using std::string;
using std::string_view;
using Kind = CToken::Kind;

// Each by its keyword and by the name that <cilk/cilk.h> gives it.
inline bool is_spawn(const CToken &token) { return token.is("_Cilk_spawn") || token.is("cilk_spawn"); }
inline bool is_sync(const CToken &token) { return token.is("_Cilk_sync") || token.is("cilk_sync"); }
inline bool is_for(const CToken &token) { return token.is("_Cilk_for") || token.is("cilk_for"); }
inline bool is_scope(const CToken &token) { return token.is("_Cilk_scope") || token.is("cilk_scope"); }
inline bool is_reducer(const CToken &token) { return token.is("_Hyperobject") || token.is("cilk_reducer"); }
inline bool is_of_cilk(const CToken &token) {
    return token.kind == Kind::word && (is_spawn(token) || is_sync(token) || is_for(token) || is_scope(token) || is_reducer(token));
}
inline string_view name_of(const CToken &token) {
    return is_for(token) ? "cilk_for" : is_sync(token) ? "cilk_sync" : is_scope(token) ? "cilk_scope" : "cilk_spawn";
}

inline constexpr string_view assignments[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
inline constexpr string_view type_words[] = {"char",     "short", "int",      "long",       "float",    "double",   "signed",
                                             "unsigned", "void",  "_Bool",    "const",      "volatile", "register", "static",
                                             "extern",   "auto",  "_Complex", "__restrict", "restrict", "struct"};
inline constexpr string_view not_types[] = {"return",  "else", "goto",  "case", "sizeof", "do",
                                            "default", "if",   "while", "for",  "switch", "_Alignof"};
template <size_t N>
bool is_one_of(const CToken &token, const string_view (&list)[N]) {
    return token.kind != Kind::literal && std::ranges::find(list, token.text) != std::end(list);
}

/// What a name stands for that is a reducer's somewhere, or a variable of a function that is cut.
struct Binding {
    bool is_reducer = false, is_pointer = false;
    string identity, reduce;
    string member;       ///< of the function's frame; empty: it is no variable there
    unsigned depth = 0;  ///< which one's of the functions around it
};

/// A function that is cut at its syncs, or the body of a cilk_for, while it is translated.
struct Split {
    struct Parameter {
        string text, name, member;  ///< as a member, as the function calls it, and the frame
    };
    string name, called;  ///< in names that are made for it; of the function itself
    string result;        ///< the type of what it returns; empty: nothing
    string types, members;
    std::vector<Parameter> parameters;
    std::set<string, std::less<>> names;  ///< of members
    Split *outer = nullptr;
    unsigned depth = 0, points = 0;
    bool is_main = false;
};

/// What a sync waits for: a function's children, or those of an iteration.
struct Frame {
    bool counts = false;        ///< it may have any
    bool is_iteration = false;  ///< of a cilk_for
    bool is_block = false;      ///< that is spawned
    bool is_void = false;
    bool gives = false;             ///< a return with a value has been seen
    string result = "__auto_type";  ///< the type of what it returns
};
/// Whether break and continue leave something that is inside of the frame.
struct Inside {
    bool breakable = false, loop = false;
};

class Translator {
public:
    Translator(CTokens source, CilkForm form, bool cxx) : source_(std::move(source)), tokens_(source_.tokens), form_(form), cxx_(cxx) {}

    Result<string> run() {
        // gcc says best what is wrong with brackets.
        if (!pair_brackets()) {
            for (const CToken &token : tokens_) copy(token);
            return out_ + string(source_.end);
        }
        scopes_.emplace_back();
        if (form_ == CilkForm::channels) find_split_functions();
        if (form_ == CilkForm::steal && !cxx_) find_functions();
        while (at_ < tokens_.size()) cxx_ ? cxx_declaration(tokens_.size()) : external_declaration();
        if (error_) return *error_;
        if (main_parameters_) out_ += main_of_openmp();
        return out_ + string(source_.end);
    }

private:
    // ---- what is written ----

    /// Such that what is written next stands in the token's line.
    void go_to(const CToken &token, string_view indent) {
        if (token.file == out_file_ && out_line_ <= token.line && token.line - out_line_ <= 8) {
            for (; out_line_ < token.line; ++out_line_) out_ += '\n';
        } else {
            if (!out_.empty() && out_.back() != '\n') out_ += '\n';
            out_ += source_.marker(token) + '\n';
            out_file_ = token.file;
            out_line_ = token.line;
        }
        out_ += indent;
    }
    void copy(const CToken &token, string_view text) {
        const size_t line = token.before.rfind('\n');
        go_to(token, line == string_view::npos ? token.before : token.before.substr(line + 1));
        out_ += text;
        out_line_ += static_cast<unsigned>(std::ranges::count(text, '\n'));
    }
    void copy(const CToken &token) {
        if (token.kind != Kind::directive) return copy(token, token.text);
        if (!out_.empty() && out_.back() != '\n') out_ += '\n';
        out_ += token.text;
        // Where it says that one is then.
        const size_t next = static_cast<size_t>(&token - tokens_.data()) + 1;
        if (next == tokens_.size()) return;
        out_ += '\n';
        const CToken &then = tokens_[next];
        out_file_ = then.file;
        out_line_ = then.line + 1 - static_cast<unsigned>(std::ranges::count(then.before, '\n'));
    }
    /// A line of its own, which counts as the token's.
    void pragma(const CToken &place, const string &text) {
        out_ += fmt::format("\n{}\n#pragma omp {}\n{}\n", source_.marker(place), text, source_.marker(place));
        out_file_ = place.file;
        out_line_ = place.line;
    }
    void write(string_view text) { out_ += text; }

    /// Before the first thing that needs it.
    void introduce() {
        if (cxx_ || std::exchange(is_introduced_, true) || form_ == CilkForm::openmp) return;
        if (!out_.empty() && out_.back() != '\n') out_ += '\n';
        out_ += "# 1 \"<cilk>\" 3\n";
        if (form_ == CilkForm::channels) out_ += "__asm__(\".set GOMP_task, __mog_cilk_leaf\");\n" + string(prelude_of_frames());
        else
            out_ +=
                "__asm__(\".set GOMP_task, __mog_cilk_spawn; .set GOMP_taskloop, __mog_cilk_loop; "
                ".set GOMP_taskloop_ull, __mog_cilk_loop_ull\");\n"
                "extern void __mog_cilk_sync(unsigned);\n";
        out_ +=
            "extern void *__cilkrts_reducer_lookup(void *, unsigned, void (*)(void *), void (*)(void *, void *));\n"
            "extern void __cilkrts_reducer_register(void *, unsigned, void (*)(void *), void (*)(void *, void *));\n"
            "extern void __cilkrts_reducer_unregister(void *);\n";
        out_line_ = ~0u;
    }

    // ---- tokens ----

    bool pair_brackets() {
        partner_.assign(tokens_.size(), 0);
        std::vector<size_t> open;
        for (size_t i = 0; i < tokens_.size(); ++i) {
            const CToken &token = tokens_[i];
            if (token.kind != Kind::sign) continue;
            if (token.is("(") || token.is("[") || token.is("{")) open.push_back(i);
            const string_view opens = token.is(")") ? "(" : token.is("]") ? "[" : token.is("}") ? "{" : "";
            if (opens.empty()) continue;
            if (open.empty() || !tokens_[open.back()].is(opens)) return false;
            partner_[i] = open.back();
            partner_[open.back()] = i;
            open.pop_back();
        }
        return open.empty();
    }

    void fail(const CToken &token, string message) {
        if (!error_) error_ = Error{std::move(message), source_.place(token)};
        at_ = tokens_.size();
    }

    bool more() const { return at_ < tokens_.size(); }
    bool here(string_view text) const { return more() && tokens_[at_].is(text); }
    /// The next token that is no directive, from `i` on; the last one before `i`.
    size_t next_of(size_t i) const {
        while (i < tokens_.size() && tokens_[i].kind == Kind::directive) ++i;
        return i;
    }
    size_t last_before(size_t i) const {
        do --i;
        while (i != string_view::npos && tokens_[i].kind == Kind::directive);
        return i;
    }
    bool follows(size_t i, string_view text) const {
        const size_t before = last_before(i);
        return before != string_view::npos && tokens_[before].is(text);
    }
    bool precedes(size_t i, string_view text) const {
        const size_t after = next_of(i + 1);
        return after < tokens_.size() && tokens_[after].is(text);
    }
    bool opens(size_t i) const { return tokens_[i].is("(") || tokens_[i].is("[") || tokens_[i].is("{"); }

    /// The first of these outside of brackets, or `end`.
    template <typename Test>
    size_t find(size_t begin, size_t end, Test test) const {
        for (size_t i = begin; i < end; ++i) {
            if (test(i)) return i;
            if (tokens_[i].kind == Kind::sign && opens(i)) i = partner_[i];
        }
        return end;
    }
    size_t find_sign(size_t begin, size_t end, string_view sign) const {
        return find(begin, end, [&](size_t i) { return tokens_[i].is(sign); });
    }
    template <typename Test>
    bool has(size_t begin, size_t end, Test test) const {
        return std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin), tokens_.begin() + static_cast<std::ptrdiff_t>(end), test);
    }
    static bool is_spawn_token(const CToken &token) { return token.kind == Kind::word && is_spawn(token); }
    static bool is_reducer_token(const CToken &token) { return token.kind == Kind::word && is_reducer(token); }

    /// Tokens as text in one line, with what stands for reducers in them.
    string text_of(size_t begin, size_t end) {
        string text;
        for (size_t i = begin; i < end; ++i) {
            if (tokens_[i].kind == Kind::directive) continue;
            if (is_reducer_token(tokens_[i])) {
                i = partner_[next_of(i + 1)];
                continue;
            }
            if (!text.empty() && !tokens_[i].before.empty()) text += ' ';
            text += word(i);
        }
        return text;
    }

    // ---- reducers ----

    Binding *find_binding(string_view name) {
        for (size_t i = scopes_.size(); i--;)
            if (const auto found = scopes_[i].find(name); found != scopes_[i].end()) return &found->second;
        return nullptr;
    }
    void bind(string_view name, Binding binding) { scopes_.back()[string(name)] = std::move(binding); }

    /// The braces of a structure's members, a union's, or of an enumeration.
    bool opens_members(size_t brace) const {
        const auto begins = [&](size_t i) {
            return i != string_view::npos && (tokens_[i].is("struct") || tokens_[i].is("union") || tokens_[i].is("enum"));
        };
        size_t before = last_before(brace);
        if (before != string_view::npos && tokens_[before].kind == Kind::word && !begins(before)) before = last_before(before);
        while (before != string_view::npos && tokens_[before].is(")")) {  // __attribute__((packed))
            before = last_before(partner_[before]);
            if (before == string_view::npos || !tokens_[before].text.starts_with("__attribute")) return false;
            before = last_before(before);
        }
        return begins(before);
    }

    /// Where the statement or the declaration begins that this stands in, outside of brackets; or what these hold.
    size_t begin_of_statement(size_t i) const {
        for (size_t before; (before = last_before(i)) != string_view::npos; i = before) {
            const CToken &token = tokens_[before];
            if (token.is(";") || token.is("{") || token.is("}") || token.is("(") || token.is("[")) break;
            if (token.is(")") || token.is("]")) before = partner_[before];
        }
        return i;
    }

    bool is_declared_here(size_t i) const {
        size_t before = last_before(i);
        // `int a = 1, name`, which is no argument of a call
        if (before != string_view::npos && tokens_[before].is(",")) {
            const size_t begin = begin_of_statement(before);
            const size_t opens = last_before(begin);
            if (opens != string_view::npos && tokens_[opens].is("(") && !follows(opens, "for")) return false;
            return is_declaration(begin, i) && !is_one_of(tokens_[begin], not_types);
        }
        bool points = false;
        while (before != string_view::npos && tokens_[before].is("*")) {
            points = true;
            before = last_before(before);
        }
        if (before == string_view::npos || tokens_[before].kind != Kind::word) return false;
        return is_one_of(tokens_[before], type_words) || (!points && !is_one_of(tokens_[before], not_types));
    }

    /// A token as it is written: the name of a reducer stands for the strand's view.
    string word(size_t i) {
        const CToken &token = tokens_[i];
        if (token.kind != Kind::word || (!has_reducers_ && !split_)) return string(token.text);
        if (is_of_cilk(token)) misplaced(token);
        const Binding *binding = find_binding(token.text);
        if (split_ && (token.is("alloca") || token.is("__builtin_alloca"))) cannot_split(token, "memory of its stack");
        if (split_ && binding && !binding->member.empty()) {
            const bool is_other = follows(i, ".") || follows(i, "->") || follows(i, "struct") || follows(i, "union") ||
                                  follows(i, "enum") || follows(i, "goto");
            return is_other ? string(token.text) : place_of(*binding);
        }
        if (!binding || !binding->is_reducer || follows(i, ".") || follows(i, "->")) return string(token.text);
        if (is_declared_here(i)) {
            bind(token.text, {});
            return string(token.text);
        }
        introduce_later_ = true;
        const string lookup =
            binding->is_pointer
                ? fmt::format("__cilkrts_reducer_lookup({0}, sizeof *{0}, {1}, {2})", token.text, binding->identity, binding->reduce)
                : fmt::format("__cilkrts_reducer_lookup(&{0}, sizeof {0}, {1}, {2})", token.text, binding->identity, binding->reduce);
        if (!binding->is_pointer) return fmt::format("(*(__typeof__({}) *){})", token.text, lookup);
        // The pointer itself can be handed on; what it points to is a view.
        const size_t before = last_before(i);
        const size_t left = before == string_view::npos ? before : last_before(before);
        const bool is_target = tokens_[before].is("*") &&
                               !(left != string_view::npos && (tokens_[left].kind == Kind::literal ||
                                                               (tokens_[left].kind == Kind::word && !is_one_of(tokens_[left], not_types)) ||
                                                               tokens_[left].is(")") || tokens_[left].is("]")));
        if (!is_target && !precedes(i, "->") && !precedes(i, "[")) return string(token.text);
        return fmt::format("((__typeof__({})){})", token.text, lookup);
    }

    /// What `cilk_reducer(identity, reduce)` at `i` says.
    std::optional<Binding> read_reducer(size_t i) {
        const size_t open = next_of(i + 1);
        const size_t close = open < tokens_.size() && tokens_[open].is("(") ? partner_[open] : 0;
        const size_t comma = close ? find_sign(open + 1, close, ",") : 0;
        if (comma == close || find_sign(comma + 1, close, ",") != close) {
            fail(tokens_[i], "cilk_reducer takes two functions: cilk_reducer(identity, reduce)");
            return {};
        }
        if (form_ == CilkForm::openmp) {
            fail(tokens_[i], "a reducer has no form in OpenMP's tasks: -fcilk=openmp is for programs without");
            return {};
        }
        return Binding{true, false, text_of(open + 1, comma), text_of(comma + 1, close), {}, 0};
    }

    /// The reducer that a declaration is of, by cilk_reducer itself or a type's name; and the tokens that end its specifiers.
    std::optional<std::pair<Binding, size_t>> declared_reducer(size_t begin, size_t end) {
        const size_t reducer = find(begin, end, [&](size_t i) { return is_reducer_token(tokens_[i]); });
        if (reducer != end) {
            std::optional<Binding> binding = read_reducer(reducer);
            if (!binding) return {};
            return std::pair{*binding, reducer};
        }
        for (size_t i = begin; i < end && tokens_[i].kind != Kind::sign; ++i)
            if (const auto found = reducer_types_.find(tokens_[i].text); found != reducer_types_.end() && !precedes(i, ";"))
                return std::pair{found->second, i + 1};
        return {};
    }

    /// `int cilk_reducer(zero, add) sum = 0, *p;`
    void declare_reducers(size_t begin, size_t end, Binding binding, size_t specifiers, bool is_local) {
        const CToken &first = tokens_[begin];
        const bool by_name = !is_reducer_token(tokens_[std::min(specifiers, end - 1)]);
        size_t at = by_name ? specifiers : partner_[next_of(specifiers + 1)] + 1;
        const string type = text_of(begin, specifiers);
        const bool is_typedef = first.is("typedef");
        const bool is_automatic =
            is_local && !has(begin, specifiers, [](const CToken &token) { return token.is("static") || token.is("extern"); });
        has_reducers_ = true;
        copy(first, type);
        string after;
        for (const char *separator = " "; at < end; separator = ", ") {
            const size_t stop = find_sign(at, end, ",");
            const size_t equals = find_sign(at, stop, "=");
            size_t name = next_of(at);
            string stars;
            while (name < equals && (tokens_[name].is("*") || is_one_of(tokens_[name], type_words))) {
                stars += string(tokens_[name].text) + (tokens_[name].is("*") ? "" : " ");
                name = next_of(name + 1);
            }
            if (name >= equals || tokens_[name].kind != Kind::word ||
                (next_of(name + 1) < equals && !tokens_[next_of(name + 1)].is("__attribute__")))
                return fail(tokens_[std::min(name, end - 1)],
                            "a reducer is a variable or a pointer to one: cilk_reducer(identity, reduce) name");
            const string_view called = tokens_[name].text;
            Binding own = binding;
            own.is_pointer = !stars.empty();
            write(fmt::format("{}{}{}", separator, stars, text_of(name, equals)));
            if (is_typedef) {
                reducer_types_[string(called)] = binding;
            } else {
                if (is_automatic && !own.is_pointer) {
                    write(" __attribute__((cleanup(__cilkrts_reducer_unregister)))");
                    after += fmt::format(" __cilkrts_reducer_register(&{0}, sizeof {0}, {1}, {2});", called, own.identity, own.reduce);
                }
                // Its value at first may be made of others, and, where that is legal, of its own address.
                if (equals != stop) write(" " + text_of(equals, stop));
                bind(called, own);
            }
            at = stop + 1;
        }
        write(";" + after);
        at_ = end + 1;
    }

    /// Copies tokens of declarations and expressions; compound statements within are statements.
    void copy_to(size_t end, Frame &frame) {
        while (at_ < end) {
            const CToken &token = tokens_[at_];
            if (token.kind == Kind::directive) {
                directive();
            } else if (is_reducer_token(token)) {
                const size_t open = next_of(at_ + 1);
                if (!read_reducer(at_)) return;
                at_ = partner_[open] + 1;
            } else if (is_of_cilk(token)) {
                misplaced(token);
            } else if (cxx_ && token.is("[") && lambda_body(at_, end) != end) {
                lambda(end);
            } else if (token.is("{") && follows(at_, "(") && (!cxx_ || is_of_statements(at_))) {
                ++in_expression_;
                ++stays_local_;
                compound(frame, {});
                --stays_local_;
                --in_expression_;
            } else if (token.is("{") && opens_members(at_)) {
                for (const size_t close = partner_[at_]; at_ <= close; ++at_) copy(tokens_[at_]);
            } else {
                const string text = word(at_);
                if (std::exchange(introduce_later_, false)) introduce();
                copy(token, text);
                ++at_;
            }
        }
    }
    void declares_several(const CToken &token) {
        fail(token, "a declaration with a spawn declares one variable: int x = cilk_spawn f(y);");
    }
    void misplaced(const CToken &token) {
        if (is_spawn(token))
            fail(token,
                 "cilk_spawn inside an expression: it begins a statement, or stands right behind the = of one, as in x = cilk_spawn f(y);");
        else if (is_reducer(token)) fail(token, "cilk_reducer is part of the declaration of a variable, or of a pointer to one");
        else fail(token, fmt::format("{} inside an expression: it is a statement in a function", name_of(token)));
    }

    // ---- declarations ----

    void directive() {
        const CToken &token = tokens_[at_++];
        string_view text = token.text;
        const auto drop_word = [&](string_view word) {
            const size_t begin = text.find_first_not_of(" \t");
            if (begin == text.npos || !text.substr(begin).starts_with(word)) return false;
            text.remove_prefix(begin + word.size());
            return true;
        };
        drop_word("#");
        if (drop_word("pragma")) {
            if (drop_word("cilk")) {
                if (!drop_word("grainsize")) return fail(token, fmt::format("{}: there is #pragma cilk grainsize", token.text));
                drop_word("=");
                grain_ = string(trim(text));
                grain_place_ = &token;
                return;
            }
            // Files of Cilk are compiled with -fopenmp, but are none of OpenMP.
            if (drop_word("omp") && form_ != CilkForm::openmp && !cxx_) return;
        }
        copy(token);
    }

    void external_declaration() {
        if (tokens_[at_].kind == Kind::directive) return directive();
        if (grain_place_) return fail(*grain_place_, "#pragma cilk grainsize stands before a cilk_for");
        const size_t begin = at_;
        bool initializes = false;
        const size_t end = find(begin, tokens_.size(), [&](size_t i) {
            const CToken &token = tokens_[i];
            initializes |= token.is("=");
            return token.is(";") || (token.is("{") && !initializes && is_body(i, begin));
        });
        if (end < tokens_.size() && tokens_[end].is("{")) return function(begin, end);
        Frame none;
        if (const size_t brace = find_sign(begin, end, "{"); brace != end && !initializes) check_members(brace);
        if (error_) return;
        if (const auto reducer = declared_reducer(begin, end)) {
            introduce();
            return declare_reducers(begin, end, reducer->first, reducer->second, false);
        }
        copy_to(std::min(end + 1, tokens_.size()), none);
    }
    void check_members(size_t brace) {
        for (size_t i = brace; i < partner_[brace]; ++i)
            if (is_reducer_token(tokens_[i])) return fail(tokens_[i], "a member of a structure cannot be a reducer; a variable can");
    }
    /// Whether a brace outside of all others begins a function: behind its parameters, or in old C declarations of them.
    bool is_body(size_t brace, size_t begin) const {
        if (brace == begin) return true;
        const size_t before = last_before(brace);
        if (!tokens_[before].is(")")) return false;
        const size_t name = last_before(partner_[before]);
        return name != string_view::npos && name >= begin && !tokens_[name].is("__attribute__") && !tokens_[name].is("__attribute");
    }

    /// Words that parameters follow outside of all brackets.
    void find_functions() {
        find(0, tokens_.size(), [&](size_t i) {
            if (tokens_[i].is("(") && i > 0 && tokens_[last_before(i)].kind == Kind::word) declared_.insert(tokens_[last_before(i)].text);
            return false;
        });
    }

    void function(size_t begin, size_t brace) {
        function_ = begin;
        body_ = brace;
        scopes_.emplace_back();
        Frame frame;
        frame.counts = has(brace, partner_[brace], is_spawn_token);
        if (frame.counts || has(brace, partner_[brace], is_of_cilk)) introduce();
        const size_t parameters = find_sign(begin, brace, "(");
        const size_t name = parameters == brace || parameters == begin ? brace : last_before(parameters);
        if (name != brace && name != string_view::npos && name >= begin && tokens_[name].kind == Kind::word) {
            read_result(begin, name, frame);
            read_parameters(parameters, partner_[parameters]);
        }
        if (error_) return;
        if (form_ == CilkForm::channels && name != brace && split_functions_.contains(tokens_[name].text)) {
            scopes_.pop_back();
            return split_function(begin, name, parameters, brace);
        }
        if (form_ == CilkForm::channels &&
            has(brace, partner_[brace], [](const CToken &token) { return is_of_cilk(token) && !is_reducer(token); }))
            return cannot_split(tokens_[begin], "parameters that are declared behind their names");
        if (form_ == CilkForm::openmp && name != brace && tokens_[name].is("main")) {
            const size_t open = parameters, close = partner_[parameters];
            main_parameters_ = 0;
            if (next_of(open + 1) != close && !(precedes(open, "void") && next_of(next_of(open + 1) + 1) == close)) {
                main_parameters_ = 1;
                for (size_t i = open; (i = find_sign(i + 1, close, ",")) != close;) ++*main_parameters_;
            }
            copy_to(name, frame);
            copy(tokens_[name], "__cilk_main");
            ++at_;
        }
        copy_to(brace, frame);
        compound(frame, {}, true);
        scopes_.pop_back();
    }
    /// The type that a function returns is written before its name, if it is none of those that are written around it.
    void read_result(size_t begin, size_t name, Frame &frame) {
        static constexpr string_view of_functions[] = {"static",     "extern",    "inline",        "__inline",
                                                       "__inline__", "_Noreturn", "__extension__", "register"};
        string type;
        for (size_t i = begin; i < name; ++i) {
            const CToken &token = tokens_[i];
            if (token.kind == Kind::directive || is_one_of(token, of_functions)) continue;
            if (token.is("__attribute__") || token.is("__attribute")) i = partner_[next_of(i + 1)];
            else type += string(token.text) + " ";
        }
        frame.is_void = type == "void ";
        frame.result = type.empty() ? "int" : type.substr(0, type.size() - 1);
    }
    void read_parameters(size_t open, size_t close) {
        for (size_t begin = open + 1; begin < close;) {
            const size_t end = find_sign(begin, close, ",");
            size_t name = string_view::npos;
            for (size_t i = begin; i < end; ++i)
                if (tokens_[i].kind == Kind::word) name = i;
            if (const auto reducer = declared_reducer(begin, end); reducer && name != string_view::npos) {
                if (!has(begin, end, [](const CToken &token) { return token.is("*"); }))
                    return fail(tokens_[name],
                                fmt::format("{}: a parameter can be a pointer to a reducer, and not a reducer", tokens_[name].text));
                Binding binding = reducer->first;
                binding.is_pointer = true;
                has_reducers_ = true;
                bind(tokens_[name].text, binding);
            } else if (name != string_view::npos && find_binding(tokens_[name].text)) {
                bind(tokens_[name].text, {});
            }
            begin = end + 1;
        }
    }

    // ---- statements ----

    /// All children of the frame have ended.
    void sync(const Frame &frame, const CToken &place) {
        if (!frame.counts) return;
        if (split_ && in_expression_) return cannot_split(place, "a sync inside of an expression");
        if (split_) return write(split_sync());
        if (cxx_) return write(" __cilk_children.sync();");
        if (form_ != CilkForm::openmp) {
            write(" if (__cilk_children) __mog_cilk_sync(__cilk_children), __cilk_children = 0;");
            return;
        }
        write(" if (__cilk_children) {");
        pragma(place, "taskwait");
        write("__cilk_children = 0; }");
    }
    void begin_frame(const Frame &frame) {
        if (split_) return;
        if (frame.counts && cxx_) write(" ::__mog_cilk::frame __cilk_children;");
        else if (frame.counts) write(" unsigned __cilk_children __attribute__((unused)) = 0;");
    }

    /// `begins_frame`: what it spawns ends with it. `first`: what is written first in it.
    void compound(Frame &frame, Inside inside, bool begins_frame = false, string_view first = {}) {
        const size_t close = partner_[at_];
        scopes_.emplace_back();
        const unsigned stayed = stays_local_;
        if (split_ && !can_stop(at_, close)) ++stays_local_;
        copy(tokens_[at_++]);
        if (begins_frame) begin_frame(frame);
        write(first);
        while (at_ < close) {
            const size_t begin = at_;
            statement(frame, inside);
            if (cxx_ && !error_ && frame.counts) guard(begin);
        }
        stays_local_ = stayed;
        if (error_) return;
        if (grain_place_) return fail(*grain_place_, "#pragma cilk grainsize stands before a cilk_for");
        if (begins_frame && frame.counts) {
            copy(tokens_[close], "");
            // Nobody comes to the end of what returns a value; and gcc would say that it has an end.
            if (!frame.gives) sync(frame, tokens_[close]);
            write(" }");
        } else {
            copy(tokens_[close]);
        }
        at_ = close + 1;
        scopes_.pop_back();
    }

    void parenthesised(Frame &frame) {
        at_ = skip_directives();
        if (!here("(")) return;  // gcc says what is wrong
        copy_to(partner_[at_] + 1, frame);
    }
    size_t skip_directives() {
        while (more() && tokens_[at_].kind == Kind::directive) directive();
        return at_;
    }

    void statement(Frame &frame, Inside inside) {
        if (!more()) return;
        const CToken &token = tokens_[at_];
        if (token.kind == Kind::directive) {
            directive();
            // What is written there stays between this and what it belongs to.
            if (more() && !here("}")) statement(frame, inside);
            return;
        }
        if (grain_place_ && !is_for(token)) return fail(*grain_place_, "#pragma cilk grainsize stands before a cilk_for");
        if (token.kind != Kind::word) {
            if (token.is("{")) return compound(frame, inside);
            return simple(frame);
        }
        if (is_spawn(token)) return cxx_ ? cxx_spawn(at_, at_) : spawn(at_, at_);
        if (is_sync(token)) return written_sync(frame);
        if (is_for(token)) return loop(frame);
        if (is_scope(token)) return scope(frame, inside);
        if (cxx_ && token.is("try")) return try_block(frame, inside);
        if (token.is("return")) return leave(frame);
        if (token.is("break") || token.is("continue")) return jump(frame, inside);
        if (token.is("if")) {
            copy(tokens_[at_++]);
            if (cxx_ && here("constexpr")) copy(tokens_[at_++]);
            parenthesised(frame);
            statement(frame, inside);
            if (!error_ && next_of(at_) < tokens_.size() && tokens_[next_of(at_)].is("else")) {
                skip_directives();
                copy(tokens_[at_++]);
                statement(frame, inside);
            }
            return;
        }
        if (token.is("while") || token.is("for") || token.is("switch")) {
            copy(tokens_[at_++]);
            scopes_.emplace_back();
            const unsigned stayed = stays_local_;
            if (split_ && !can_stop(at_, end_from(at_))) ++stays_local_;
            if (split_ && token.is("for")) split_for(frame);
            else parenthesised(frame);
            statement(frame, token.is("switch") ? Inside{true, inside.loop} : Inside{true, true});
            stays_local_ = stayed;
            scopes_.pop_back();
            return;
        }
        if (token.is("do")) {
            copy(tokens_[at_++]);
            statement(frame, {true, true});
            return simple(frame);
        }
        if (token.is("case") || token.is("default") || (precedes(at_, ":") && token.kind == Kind::word)) {
            size_t colon = at_;
            for (unsigned questions = 0; colon < tokens_.size(); ++colon) {
                if (opens(colon) && tokens_[colon].kind == Kind::sign) colon = partner_[colon];
                else if (tokens_[colon].is("?")) ++questions;
                else if (tokens_[colon].is(":") && questions-- == 0) break;
            }
            copy_to(std::min(colon + 1, tokens_.size()), frame);
            if (more() && !here("}")) statement(frame, inside);
            return;
        }
        simple(frame);
    }

    size_t end_of_statement() const {
        return find(at_, tokens_.size(), [&](size_t i) { return tokens_[i].is(";") || tokens_[i].is("}"); });
    }

    /// An expression or a declaration.
    void simple(Frame &frame) {
        const size_t end = end_of_statement();
        if (end == tokens_.size() || !tokens_[end].is(";")) return copy_to(end, frame);
        const size_t found = find(at_, end, [&](size_t i) { return is_spawn_token(tokens_[i]); });
        if (found != end) {
            const size_t before = last_before(found);
            if (cxx_) {
                if (!is_one_of(tokens_[before], assignments)) return misplaced(tokens_[found]);
                return cxx_spawn(found, before);
            }
            if (is_declaration(at_, before) && find_sign(at_, end, ",") != end) return declares_several(tokens_[found]);
            if (!is_one_of(tokens_[before], assignments) ||
                find(at_, before, [&](size_t i) { return is_one_of(tokens_[i], assignments); }) != before)
                return misplaced(tokens_[found]);
            return spawn(found, before);
        }
        if (const size_t brace = find_sign(at_, end, "{"); brace != end && !cxx_ && find_sign(at_, end, "=") == end) check_members(brace);
        if (error_) return;
        if (split_ && next_of(at_) < end) {
            at_ = next_of(at_);
            if (split_call(end) || error_) return;
            if (declares(at_, end)) return split_declaration(end, frame);
        }
        if (const auto reducer = declared_reducer(at_, end)) return declare_reducers(at_, end, reducer->first, reducer->second, true);
        copy_to(end + 1, frame);
    }

    void written_sync(Frame &frame) {
        const CToken &token = tokens_[at_];
        at_ = next_of(at_ + 1);
        if (!here(";")) return fail(token, "cilk_sync is a statement of its own: cilk_sync;");
        copy(token, "{");
        sync(frame, token);
        write(" }");
        ++at_;
    }

    void scope(Frame &frame, Inside inside) {
        const CToken &token = tokens_[at_];
        at_ = next_of(at_ + 1);
        if (!here("{")) return fail(token, "cilk_scope is followed by a block: cilk_scope { ... }");
        copy(token, "{");
        const CToken &close = tokens_[partner_[at_]];
        compound(frame, inside);
        if (error_) return;
        sync(frame, close);
        write(" }");
    }

    void leave(Frame &frame) {
        const CToken &token = tokens_[at_];
        if (frame.is_iteration) return fail(token, "return inside a cilk_for: its iterations may run side by side, and all have to end");
        if (frame.is_block) return fail(token, "return inside a block that is spawned: its function goes on beside it");
        const size_t end = end_of_statement();
        if (!frame.counts) return copy_to(std::min(end + 1, tokens_.size()), frame);
        const size_t begin = next_of(at_ + 1);
        if (cxx_ ? find(begin, end, [&](size_t i) { return is_spawn_token(tokens_[i]); }) != end : has(begin, end, is_spawn_token))
            return fail(token, "cilk_spawn in a return statement: what it gives is there only after a sync");
        if (cxx_) return cxx_leave(begin, end, frame);
        if (split_) return split_leave(begin, end, frame);
        copy(token, "{");
        const bool has_result = begin != end;
        if (has_result && !frame.is_void) write(fmt::format(" {} __cilk_result =", frame.result));
        at_ = begin;
        copy_to(end, frame);
        if (error_) return;
        if (has_result) write(";");
        go_to(tokens_[end], "");
        sync(frame, tokens_[end]);
        write(has_result && !frame.is_void ? " return __cilk_result; }" : " return; }");
        at_ = end + 1;
    }

    void jump(Frame &frame, Inside inside) {
        const CToken &token = tokens_[at_];
        if (frame.is_iteration && token.is("break") && !inside.breakable)
            return fail(token, "break inside a cilk_for: its iterations may run side by side, and all have to end");
        if (frame.is_block && !(token.is("break") ? inside.breakable : inside.loop))
            return fail(token, fmt::format("{} inside a block that is spawned: its function goes on beside it", token.text));
        if (!frame.is_iteration || inside.loop || token.is("break") || (!frame.counts && !cxx_)) return simple(frame);
        copy(token, "{");
        sync(frame, token);
        write(cxx_ ? " return; }" : " continue; }");
        at_ = std::min(end_of_statement() + 1, tokens_.size());
    }

    void loop(Frame &frame) {
        const CToken &token = tokens_[at_];
        const size_t open = next_of(at_ + 1);
        if (open >= tokens_.size() || !tokens_[open].is("("))
            return fail(token, "cilk_for is written as a for: cilk_for (int i = 0; i < n; ++i)");
        const size_t close = partner_[open], first = find_sign(open + 1, close, ";");
        if (cxx_ && first == close && find_sign(open + 1, close, ":") != close)
            return cxx_each(find_sign(open + 1, close, ":"), close, frame);
        const size_t second = first == close ? close : find_sign(first + 1, close, ";");
        if (second == close || next_of(open + 1) == first || next_of(first + 1) == second || next_of(second + 1) == close)
            return fail(token, "cilk_for has all its parts: where its variable begins, its end, and its step");
        if (find(open + 1, first, [&](size_t i) { return tokens_[i].is(","); }) != first) return fail(token, "cilk_for has one variable");
        if (cxx_) return cxx_loop(first, second, close, frame);
        if (split_) return split_loop(open, first, second, close);
        string clauses = "taskloop default(shared)";
        if (std::exchange(grain_place_, nullptr)) clauses += fmt::format(" grainsize({})", std::exchange(grain_, {}));
        const size_t body = next_of(close + 1);
        go_to(token, "");
        write("{");
        pragma(token, clauses);
        copy(token, "for");
        at_ = open;
        scopes_.emplace_back();
        copy_to(close + 1, frame);
        Frame iteration;
        iteration.is_iteration = true;
        const size_t last = body < tokens_.size() && tokens_[body].is("{") ? partner_[body] : tokens_.size();
        iteration.counts = has(body, last == tokens_.size() ? end_from(body) : last, is_spawn_token);
        skip_directives();
        if (here("{")) {
            compound(iteration, {}, true);
        } else {
            write(" {");
            begin_frame(iteration);
            statement(iteration, {});
            if (!error_ && at_) sync(iteration, tokens_[at_ - 1]);
            write(" }");
        }
        scopes_.pop_back();
        write(" }");
    }
    /// Where a statement that is no block ends at the latest.
    size_t end_from(size_t i) const {
        return find(i, tokens_.size(), [&](size_t k) { return tokens_[k].is("}"); });
    }

    /// `cilk_spawn f(a, b);`, `x = cilk_spawn f(a, b);` or `int x = cilk_spawn f(a, b);`: the keyword's place, and that of the = or the
    /// same.
    void spawn(size_t keyword, size_t equals) {
        const CToken &token = tokens_[keyword], &first = tokens_[at_];
        const size_t end = find(keyword, tokens_.size(), [&](size_t i) { return tokens_[i].is(";") || tokens_[i].is("}"); });
        const size_t begin = next_of(keyword + 1), close = last_before(end);
        if (end == tokens_.size() || !tokens_[end].is(";") || begin >= close || !tokens_[close].is(")") || partner_[close] <= begin)
            return fail(token, "cilk_spawn is followed by the call of a function: cilk_spawn f(x);");
        const size_t open = partner_[close];
        if (find(begin, end, [&](size_t i) { return is_one_of(tokens_[i], assignments) || tokens_[i].is(",") || tokens_[i].is("?"); }) !=
            end)
            return fail(token, "cilk_spawn is followed by the call of a function and no more: cilk_spawn f(x);");
        if (has(begin, end, is_of_cilk)) return fail(token, "a spawn within a spawned call: its arguments are there before it is spawned");

        std::vector<string> copies;
        string target, definitions;
        bool declares = false;
        if (split_ && in_expression_) return cannot_split(token, "a spawn inside of an expression");
        string left;
        bool converts = false;
        if (equals != keyword) {
            const size_t name = last_before(equals);
            declares = is_declaration(at_, equals);
            if (declares && (!tokens_[equals].is("=") || find_sign(at_, equals, ",") != equals || tokens_[name].kind != Kind::word))
                return declares_several(token);
            if (declares && split_) {
                const size_t specifiers = end_of_specifiers(at_, equals);
                const std::optional<string> member = declare_member(at_, specifiers, specifiers, equals, equals);
                if (!member) return;
                left = *member;
                declares = false;
            } else {
                left = text_of(at_, equals);
            }
            if (declares) {
                copy(first, left + "; ");
                left = word(name);
            }
            definitions += fmt::format(" __auto_type __cilk_to = &({});", left);
            copies.push_back("__cilk_to");
            target = fmt::format("*__cilk_to {} ", tokens_[equals].text);
        }
        if (split_ && last_before(open) == begin && split_function_at(begin)) {
            if (left.empty()) {
                copy(first, "{ " + make_frame(begin, open, "", 0) + " }");
                at_ = end + 1;
                return;
            }
            const string to = "(" + left + ")";
            if ((converts = tokens_[equals].is("=")))
                copy(first, "{ " + takes_result(to, begin) + " " + make_frame(begin, open, to, 0) + " else ");
        }
        string callee = text_of(begin, open);
        if (last_before(open) != begin || find_binding(tokens_[begin].text)) {
            definitions += fmt::format(" __auto_type __cilk_f = ({});", callee);
            copies.push_back("__cilk_f");
            callee = "__cilk_f";
        }
        std::vector<string> arguments;
        for (size_t at = open + 1; next_of(at) < close;) {
            const size_t stop = find_sign(at, close, ",");
            const string argument = text_of(at, stop);
            // Zeros are pointers, too, and constants are themselves everywhere.
            if (!has(at, stop, [](const CToken &one) { return one.kind == Kind::word; })) {
                arguments.push_back(argument);
            } else {
                const string name = fmt::format("__cilk_{}", arguments.size() + 1);
                // The comma makes a value of what could be a bit-field.
                definitions += next_of(at) + 1 == stop ? fmt::format(" __auto_type {} = {};", name, argument)
                                                       : fmt::format(" __auto_type {} = ((void)0, ({}));", name, argument);
                copies.push_back(name);
                arguments.push_back(name);
            }
            at = stop + 1;
        }
        if (error_) return;
        introduce_later_ = false;
        if (declares) write(" {");
        else copy(first, "{");
        write(definitions);
        if (callee_is_known(begin)) {
            push(tokens_[begin], copies, target, arguments);
        } else {
            if (!split_) write(" ++__cilk_children;");
            pragma(tokens_[begin], "task untied" + (copies.empty() ? "" : fmt::format(" firstprivate({})", fmt::join(copies, ", "))));
            write(fmt::format("{}{}({}); }}{}", target, callee, fmt::join(arguments, ", "), converts ? " }" : ""));
        }
        at_ = end + 1;
    }
    /// A spawn without a call: a function within this one takes the arguments from the task's record at once, and calls `callee`. Or the
    /// call itself, where there are enough tasks.
    void push(const CToken &callee, const std::vector<string> &copies, string_view target, std::vector<string> arguments) {
        string members;
        for (const string &copy : copies) members += fmt::format(" __typeof__(((void)0, {0})) {0};", copy);
        const auto from_record = [&](const string &name) {
            return std::ranges::find(copies, name) == copies.end() ? name : "__cilk_own." + name;
        };
        go_to(callee, " ");
        write(
            fmt::format("struct __mog_cilk_worker *const __cilk_worker = __mog_cilk_self;"
                        " if (__mog_cilk_has_enough(__cilk_worker)) {}{}({}); else {{ ++__cilk_children; ",
                        target, callee.text, fmt::join(arguments, ", ")));
        for (string &argument : arguments) argument = from_record(argument);
        write(
            fmt::format("__extension__ struct __cilk_arguments {{{} }} const __cilk_arguments = {{ {} }};"
                        " __extension__ void __cilk_spawned_{}(void *__cilk_data) {{"
                        " __extension__ const struct __cilk_arguments __cilk_own __attribute__((unused)) = *(struct __cilk_arguments "
                        "*)__cilk_data; {}{}({}); }}",
                        members, fmt::join(copies, ", "), callee.text, target.empty() ? "" : "*__cilk_own." + string(target.substr(1)),
                        callee.text, fmt::join(arguments, ", ")));
        write(
            fmt::format(" if (__mog_cilk_has_room(__cilk_worker, sizeof __cilk_arguments, _Alignof(struct __cilk_arguments))) {{"
                        " *(struct __cilk_arguments *)__mog_cilk_push(__cilk_worker, __cilk_spawned_{0}, 0) = __cilk_arguments;"
                        " __mog_cilk_offer(__cilk_worker); }}"
                        " else {{ __extension__ struct __cilk_arguments __cilk_copy = __cilk_arguments;"
                        " __mog_cilk_spawn_slowly(__cilk_spawned_{0}, &__cilk_copy, 0, sizeof __cilk_copy, _Alignof(struct "
                        "__cilk_arguments)); }} }} }}",
                        callee.text));
    }
    /// Whether the word is a function of the file's, which a function within this one can call with no more than what it is handed, and
    /// hand it: no pointer to an array whose size is a variable, for no structure has one of those. Where there are loops of OpenMP, too,
    /// gcc hands it its own variables.
    bool callee_is_known(size_t word) {
        const string_view name = tokens_[word].text;
        if (!declared_.contains(name) || precedes(word, "->")) return false;
        for (size_t i = function_; i < partner_[body_]; ++i) {
            if (tokens_[i].is("typedef") || (tokens_[i].kind == Kind::word && is_for(tokens_[i]))) return false;
            if (tokens_[i].is(name) && !precedes(i, "(") && i != word) return false;
            if (!tokens_[i].is("[") || i == function_) continue;
            const bool is_second = follows(i, "]"), is_of_pointer = follows(i, ")");
            if (!is_second && !is_of_pointer) continue;
            if (!has(i + 1, partner_[i], [](const CToken &token) { return token.kind == Kind::word; })) continue;
            if (is_of_pointer && precedes(partner_[last_before(i)], "*")) return false;
            size_t first = last_before(i);
            while (tokens_[first].is("]")) first = last_before(partner_[first]);
            const size_t before = last_before(first);
            if (tokens_[before].is("*") || tokens_[before].is("]") ||
                (tokens_[before].kind == Kind::word && !is_one_of(tokens_[before], not_types)))
                return false;
        }
        return true;
    }
    /// A declaration begins with two words, or a word and a star; a left side does not.
    bool is_declaration(size_t begin, size_t end) const {
        const size_t second = next_of(begin + 1);
        if (tokens_[begin].kind != Kind::word || second >= end) return false;
        return tokens_[second].kind == Kind::word || tokens_[second].is("*") || tokens_[begin].is("__typeof__") ||
               tokens_[begin].is("typeof");
    }

    // ---- functions cut at their syncs, in split.cpp ----

    struct SplitFunction {
        size_t begin, name, open;  ///< of it, and of its parameters
    };
    static string_view prelude_of_frames();
    void cannot_split(const CToken &token, string_view what);
    string raw(size_t begin, size_t end) const;
    void find_split_functions();
    const SplitFunction *split_function_at(size_t name);
    string place_of(const Binding &binding) const;
    string split_sync();
    bool declares(size_t begin, size_t end);
    size_t end_of_specifiers(size_t begin, size_t end);
    size_t name_of_declarator(size_t begin, size_t end) const;
    string member_text(size_t begin, size_t specifiers, size_t declarator, size_t end, size_t name, const string &member);
    string new_member(string_view name);
    bool can_stop(size_t begin, size_t end);
    std::optional<string> declare_member(size_t begin, size_t specifiers, size_t declarator, size_t equals, size_t stop);
    void split_declaration(size_t end, Frame &frame);
    void split_for(Frame &frame);
    string result_of(const SplitFunction &function);
    string make_frame(size_t callee, size_t open, string_view target, unsigned point);
    string takes_result(string_view target, size_t callee);
    bool split_call(size_t end);
    void split_leave(size_t begin, size_t end, Frame &frame);
    string split_parts(const Split &split, const string &header, const string &body, const string &parameters, const string &end_marker);
    string split_type(const Split &split);
    string make_prototype(string_view name, size_t open);
    void split_function(size_t begin, size_t name, size_t open, size_t brace);
    string with_places(string_view text);
    void split_loop(size_t open, size_t first, size_t second, size_t close);

    // ---- C++, in cxx.cpp ----

    void copy_all(size_t end) {
        while (at_ < end && more()) copy(tokens_[at_++]);
    }
    size_t skip_angles(size_t open, size_t end) const;
    bool is_of_statements(size_t brace) const { return find_sign(brace + 1, partner_[brace], ";") != partner_[brace]; }
    void cxx_declaration(size_t limit);
    bool declares_parameters(size_t paren) const;
    void cxx_function(size_t parameters, size_t brace);
    size_t lambda_body(size_t bracket, size_t end) const;
    void lambda(size_t end);
    void guard(size_t begin);
    void try_block(Frame &frame, Inside inside);
    void cxx_leave(size_t begin, size_t end, Frame &frame);
    void iterate(size_t close, const string &parameter, Frame &frame);
    void cxx_loop(size_t first, size_t second, size_t close, Frame &frame);
    void cxx_each(size_t colon, size_t close, Frame &frame);
    bool is_variable(size_t name) const;
    void cxx_spawn(size_t keyword, size_t equals);
    string grain() {
        grain_place_ = nullptr;
        return grain_.empty() ? "0" : std::exchange(grain_, {});
    }

    /// Which one thread of a team begins, and the others help.
    string main_of_openmp() const {
        static constexpr string_view parameters[] = {"void", "int argc", "int argc, char **argv", "int argc, char **argv, char **envp"};
        static constexpr string_view arguments[] = {"", "argc", "argc, argv", "argc, argv, envp"};
        const unsigned count = std::min(*main_parameters_, 3u);
        return fmt::format(
            "\nint main({}) {{ int result = 0;\n#pragma omp parallel\n#pragma omp single\nresult = __cilk_main({}); return result; }}\n",
            parameters[count], arguments[count]);
    }

    CTokens source_;
    const std::vector<CToken> &tokens_;
    const CilkForm form_;
    const bool cxx_;
    size_t function_ = 0;  ///< where a function begins; of C++, its parameters
    size_t body_ = 0;      ///< of C
    std::set<string_view> declared_;
    unsigned guards_ = 0;
    size_t at_ = 0;
    std::vector<size_t> partner_;
    std::optional<Error> error_;
    string out_;
    unsigned out_file_ = 0, out_line_ = 1;

    std::vector<std::map<string, Binding, std::less<>>> scopes_;
    std::map<string, Binding, std::less<>> reducer_types_;
    bool has_reducers_ = false, is_introduced_ = false, introduce_later_ = false;
    string grain_;
    const CToken *grain_place_ = nullptr;
    std::optional<unsigned> main_parameters_;

    std::map<string, SplitFunction, std::less<>> split_functions_;
    Split *split_ = nullptr;
    unsigned in_expression_ = 0, stays_local_ = 0, loops_ = 0;  ///< statements in expressions; those that no variable outlives
    string split_more_, split_loops_;                           ///< of the function's loops: types, and code
    std::set<string, std::less<>> needed_;                      ///< functions that are cut, and which it spawns
};

}  // namespace mog::cilk
