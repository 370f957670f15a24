// cxx.cpp: Cilk in C++: functions wherever they stand, lambdas, calls of methods and objects; all else is as in C.
#include <fmt/format.h>

#include "mogcc/cilk/translator.hpp"

namespace mog::cilk {

namespace {

constexpr string_view class_keys[] = {"class", "struct", "union"};
// What stands before a word without declaring it.
constexpr string_view not_declaring[] = {"throw",    "new",      "delete",   "and",   "or",        "not",     "co_return",
                                         "co_yield", "typename", "operator", "using", "namespace", "template"};
// What stands before parentheses that are no parameters.
constexpr string_view with_parentheses[] = {"alignas",  "decltype", "__attribute__", "__attribute", "noexcept",
                                            "requires", "explicit", "__typeof__",    "typeof"};
constexpr string_view scalars[] = {"char",     "short", "int",  "long",  "float",   "double", "signed",
                                   "unsigned", "void",  "bool", "using", "typedef", "static", "extern"};

constexpr string_view given = "static_cast<decltype(__cilk_a)>(__cilk_a)...";

}  // namespace

/// Behind `<...>`.
size_t Translator::skip_angles(size_t open, size_t end) const {
    int depth = 0;
    for (size_t i = open; i < end; ++i) {
        const CToken &token = tokens_[i];
        if (token.kind != Kind::sign) continue;
        if (opens(i)) i = partner_[i];
        else if (token.is("<")) ++depth;
        else if (token.is(">")) --depth;
        else if (token.is(">>")) depth -= 2;
        if (depth <= 0) return i + 1;
    }
    return end;
}

// ---- declarations ----

bool Translator::declares_parameters(size_t paren) const {
    const size_t before = last_before(paren);
    return before != string_view::npos && !is_one_of(tokens_[before], with_parentheses);
}

/// One declaration, of a file, a namespace or a class.
void Translator::cxx_declaration(size_t limit) {
    if (tokens_[at_].kind == Kind::directive) return directive();
    if (grain_place_) return fail(*grain_place_, "#pragma cilk grainsize stands before a cilk_for");
    const size_t begin = at_;
    size_t parameters = limit;
    bool initializes = false, lists_members = false, has_class = false, is_enum = false;
    size_t i = begin;
    for (; i < limit && !tokens_[i].is(";"); ++i) {
        const CToken &token = tokens_[i];
        if (token.kind == Kind::directive || token.kind == Kind::literal) continue;
        if (token.is("template") && precedes(i, "<")) {
            i = skip_angles(next_of(i + 1), limit) - 1;
        } else if (token.is("(")) {
            if (parameters == limit && declares_parameters(i)) parameters = i;
            i = partner_[i];
        } else if (token.is("[")) {
            i = partner_[i];
        } else if (is_one_of(token, class_keys)) {
            has_class = true;
        } else if (token.is("enum")) {
            is_enum = true;
        } else if (token.is("=") && !follows(i, "operator")) {
            initializes = true;
        } else if (token.is(":")) {
            if (i == next_of(begin + 1) && tokens_[begin].kind == Kind::word) break;  // public:
            lists_members = parameters != limit;
        } else if (token.is("{")) {
            const size_t close = partner_[i], before = last_before(i);
            const bool is_namespace = tokens_[begin].is("namespace") || (tokens_[begin].is("inline") && precedes(begin, "namespace")) ||
                                      (tokens_[begin].is("extern") && before != string_view::npos && tokens_[before].kind == Kind::literal);
            const bool is_class = has_class && !is_enum && parameters == limit && !initializes;
            const bool is_member =
                lists_members && before != string_view::npos && (tokens_[before].kind == Kind::word || tokens_[before].is(">"));
            const bool is_function = parameters != limit && !initializes && !is_enum && !is_member;
            if (!is_namespace && !is_class && !is_function) {
                i = close;
                continue;
            }
            if (!has_reducers_ && !has(i, close, is_of_cilk)) {
                if (is_class) {  // and what is declared by it
                    i = close;
                    continue;
                }
                return copy_all(close + 1);
            }
            if (is_function) return cxx_function(parameters, i);
            Frame none;
            copy_to(i, none);
            copy_all(i + 1);
            while (at_ < close) cxx_declaration(close);
            if (error_) return;
            copy_all(close + 1);
            return;
        }
    }
    const size_t end = std::min(i + 1, limit);
    Frame none;
    if (error_) return;
    if (i < limit && tokens_[i].is(";"))
        if (const auto reducer = declared_reducer(begin, i)) return declare_reducers(begin, i, reducer->first, reducer->second, false);
    if (error_) return;
    copy_to(end, none);
}

void Translator::cxx_function(size_t parameters, size_t brace) {
    scopes_.emplace_back();
    Frame frame;
    frame.counts = has(brace, partner_[brace], is_spawn_token);
    read_parameters(parameters, partner_[parameters]);
    if (error_) return;
    function_ = parameters;
    copy_to(brace, frame);
    compound(frame, {}, true);
    Frame handler;
    while (!error_ && here("catch")) {
        copy_all(at_ + 1);
        parenthesised(handler);
        if (here("{")) compound(handler, {});
    }
    scopes_.pop_back();
}

// ---- lambdas ----

/// The brace of the lambda that begins with this bracket, if it has Cilk in it; else `end`.
size_t Translator::lambda_body(size_t bracket, size_t end) const {
    if (const size_t before = last_before(bracket); before != string_view::npos) {  // else an index, or attributes
        const CToken &token = tokens_[before];
        if (token.kind == Kind::literal || token.is(")") || token.is("]") || token.is("[") || precedes(bracket, "[")) return end;
        if (token.kind == Kind::word && !is_one_of(token, not_types) && !is_spawn_token(token) && !token.is("co_return")) return end;
    }
    const size_t brace =
        find(partner_[bracket] + 1, end, [&](size_t i) { return tokens_[i].is("{") || tokens_[i].is(";") || tokens_[i].is("="); });
    if (brace >= end || !tokens_[brace].is("{")) return end;
    return has(brace, partner_[brace], is_of_cilk) ? brace : end;
}

void Translator::lambda(size_t end) {
    const size_t brace = lambda_body(at_, end);
    Frame frame, none;
    copy_all(at_ + 1);  // the bracket, which would begin it again
    copy_to(brace, none);
    frame.counts = has(brace, partner_[brace], is_spawn_token);
    compound(frame, {}, true);
}

// ---- statements ----

/// Behind a declaration of what may have a destructor.
void Translator::guard(size_t begin) {
    if (at_ <= begin || !tokens_[last_before(at_)].is(";") || tokens_[begin].kind != Kind::word) return;
    if (is_one_of(tokens_[begin], scalars) || is_one_of(tokens_[begin], not_types)) return;
    const size_t end = find(begin, at_, [&](size_t i) {
        return tokens_[i].is("=") || tokens_[i].is("(") || tokens_[i].is("{") || tokens_[i].is(";") || tokens_[i].is("[");
    });
    const size_t name = last_before(end);
    if (name == begin || name == string_view::npos || tokens_[name].kind != Kind::word) return;
    const CToken &type = tokens_[last_before(name)];
    if (type.kind == Kind::literal || !(type.kind == Kind::word || type.is(">") || type.is(">>") || type.is("&&") || type.is("]"))) return;
    if (type.kind == Kind::word && (is_one_of(type, scalars) || is_of_cilk(type))) return;
    write(fmt::format(" ::__mog_cilk::guard __cilk_guard_{}(__cilk_children);", ++guards_));
}

/// What is spawned in a try block ends with it, so that what it throws is caught.
void Translator::try_block(Frame &frame, Inside inside) {
    copy_all(at_ + 1);
    if (!here("{")) return simple(frame);
    const size_t close = partner_[at_];
    copy(tokens_[at_++]);
    write(" {");
    scopes_.emplace_back();
    while (at_ < close) {
        const size_t begin = at_;
        statement(frame, inside);
        if (!error_ && frame.counts) guard(begin);
    }
    scopes_.pop_back();
    if (error_) return;
    copy(tokens_[close], "");
    sync(frame, tokens_[close]);
    write(" }}");
    at_ = close + 1;
    while (!error_ && next_of(at_) < tokens_.size() && tokens_[next_of(at_)].is("catch")) {
        skip_directives();
        copy_all(at_ + 1);
        parenthesised(frame);
        if (here("{")) compound(frame, inside, false, frame.counts ? " __cilk_children.join();" : "");
    }
}

void Translator::cxx_leave(size_t begin, size_t end, Frame &frame) {
    const CToken &token = tokens_[at_];
    frame.gives |= begin != end;
    // A name is moved from, and braces are no expression.
    const bool is_moved =
        end > begin && (next_of(begin + 1) >= end || tokens_[begin].is("{") || text_of(begin, std::min(begin + 4, end)) == "std::move(");
    if (begin == end || is_moved) {
        copy(token, "{");
        sync(frame, token);
        write(" return");
        at_ = begin;
        copy_to(std::min(end + 1, tokens_.size()), frame);
        write(" }");
        return;
    }
    copy(token, "return (void)::__mog_cilk::returning(__cilk_children), (");
    at_ = begin;
    copy_to(end, frame);
    write(");");
    at_ = end + 1;
}

/// The body of a cilk_for, as a lambda, and the end of its call.
void Translator::iterate(size_t close, const string &parameter, Frame &) {
    write(fmt::format("[&]({})", parameter));
    at_ = next_of(close + 1);
    Frame iteration;
    iteration.is_iteration = true;
    if (here("{")) {
        iteration.counts = has(at_, partner_[at_], is_spawn_token);
        compound(iteration, {}, true);
    } else {
        iteration.counts = has(at_, end_from(at_), is_spawn_token);
        write(" {");
        begin_frame(iteration);
        statement(iteration, {});
        if (!error_ && at_) sync(iteration, tokens_[at_ - 1]);
        write(" }");
    }
}

void Translator::cxx_loop(size_t first, size_t second, size_t close, Frame &frame) {
    const CToken &token = tokens_[at_];
    const size_t begin = next_of(next_of(at_ + 1) + 1);
    const size_t stop = find(begin, first, [&](size_t i) { return tokens_[i].is("=") || tokens_[i].is("{") || tokens_[i].is("("); });
    const size_t name = last_before(stop);
    if (stop == first || name <= begin || tokens_[name].kind != Kind::word)
        return fail(token, "cilk_for declares its variable: cilk_for (int i = 0; i < n; ++i)");
    const string variable(tokens_[name].text);

    struct Relation {
        string_view sign, until, mirrored;
    };
    static constexpr Relation relations[] = {{"<", "less", "greater"},
                                             {"<=", "less_equal", "greater_equal"},
                                             {">", "greater", "less"},
                                             {">=", "greater_equal", "less_equal"},
                                             {"!=", "not_equal", "not_equal"}};
    const auto relation_at = [&](size_t i) {
        return std::ranges::find_if(relations, [&](const Relation &one) { return i < second && tokens_[i].is(one.sign); });
    };
    const size_t left = next_of(first + 1), right = last_before(second);
    string_view until;
    size_t limit = 0, limit_end = 0;
    if (tokens_[left].is(variable) && relation_at(next_of(left + 1)) != std::end(relations)) {
        until = relation_at(next_of(left + 1))->until;
        limit = next_of(next_of(left + 1) + 1);
        limit_end = second;
    } else if (tokens_[right].is(variable) && right > left + 1 && relation_at(last_before(right)) != std::end(relations)) {
        until = relation_at(last_before(right))->mirrored;
        limit = left;
        limit_end = last_before(right);
    } else {
        return fail(token, fmt::format("cilk_for compares its variable with where it ends: {} < n, by <, <=, >, >= or !=", variable));
    }

    const size_t step = next_of(second + 1), next = next_of(step + 1);
    const bool is_prefix = tokens_[step].is("++") || tokens_[step].is("--");
    const CToken &sign = is_prefix ? tokens_[step] : tokens_[std::min(next, close)];
    string by;
    if (is_prefix && next < close && tokens_[next].is(variable) && next_of(next + 1) == close) {
        by = sign.is("++") ? "up(1)" : "down(1)";
    } else if (tokens_[step].is(variable) && (sign.is("++") || sign.is("--")) && next_of(next + 1) == close) {
        by = sign.is("++") ? "up(1)" : "down(1)";
    } else if (tokens_[step].is(variable) && (sign.is("+=") || sign.is("-="))) {
        by = fmt::format("{}({})", sign.is("+=") ? "up" : "down", text_of(next_of(next + 1), close));
    } else {
        return fail(token, fmt::format("cilk_for steps by ++{0}, --{0}, {0} += n or {0} -= n", variable));
    }

    const string grain = this->grain();
    scopes_.emplace_back();
    copy(token, "{ ");
    at_ = begin;
    copy_to(first + 1, frame);
    write(fmt::format(" ::__mog_cilk::loop<::__mog_cilk::until::{}>({}, ", until, variable));
    at_ = limit;
    copy_to(limit_end, frame);
    if (error_) return;
    write(fmt::format(", ::__mog_cilk::{}, {}, ", by, grain));
    bind(variable, {});
    iterate(close, fmt::format("[[maybe_unused]] ::std::decay_t<decltype({0})> {0}", variable), frame);
    scopes_.pop_back();
    write("); }");
}

void Translator::cxx_each(size_t colon, size_t close, Frame &frame) {
    const CToken &token = tokens_[at_];
    const size_t begin = next_of(next_of(at_ + 1) + 1);
    const string grain = this->grain(), declaration = text_of(begin, colon);
    copy(token, "::__mog_cilk::each(");
    at_ = next_of(colon + 1);
    copy_to(close, frame);
    if (error_) return;
    write(fmt::format(", {}, ", grain));
    scopes_.emplace_back();
    bind(tokens_[last_before(colon)].text, {});
    iterate(close, declaration, frame);
    scopes_.pop_back();
    write(");");
}

// ---- spawns ----

/// Whether a name is declared in the function, as what may be a pointer or an object.
bool Translator::is_variable(size_t name) const {
    for (size_t i = function_; i < name; ++i) {
        if (!tokens_[i].is(tokens_[name].text) || tokens_[i].kind != Kind::word) continue;
        const size_t before = last_before(i), after = next_of(i + 1);
        if (before == string_view::npos || after >= name) continue;
        const CToken &left = tokens_[before], &right = tokens_[after];
        const bool by_sign = left.is("*") || left.is("&") || left.is("&&") || left.is(">");
        const bool by_word = left.kind == Kind::word && !is_one_of(left, not_types) && !is_one_of(left, not_declaring) && !is_of_cilk(left);
        if (by_word &&
            (right.is("=") || right.is(";") || right.is(",") || right.is(")") || right.is("{") || right.is("(") || right.is(":")))
            return true;
        if (by_sign && (right.is("=") || right.is(";") || right.is(",") || right.is(")") || right.is("{") || right.is(":"))) return true;
    }
    return false;
}

void Translator::cxx_spawn(size_t keyword, size_t equals) {
    const CToken &token = tokens_[keyword], &first = tokens_[at_];
    const size_t end = find(keyword, tokens_.size(), [&](size_t i) { return tokens_[i].is(";") || tokens_[i].is("}"); });
    const size_t begin = next_of(keyword + 1);
    Frame none;
    if (begin < tokens_.size() && tokens_[begin].is("{")) {
        if (equals != keyword) return fail(token, "a block gives no value: cilk_spawn { ... }");
        copy(token, "::__mog_cilk::spawn_of(__cilk_children, ::__mog_cilk::nowhere(), [](auto &&__cilk_o) { __cilk_o(); }, [&]");
        at_ = begin;
        Frame block;
        block.is_block = true;
        block.counts = has(begin, partner_[begin], is_spawn_token);
        compound(block, {}, true);
        write(");");
        return;
    }
    if (equals != keyword && find_sign(begin, end, ",") != end && find_sign(begin, end, "<") == end) return declares_several(token);
    const size_t close = last_before(end);
    if (end == tokens_.size() || !tokens_[end].is(";") || begin >= close || !tokens_[close].is(")") || partner_[close] <= begin)
        return fail(token, "cilk_spawn is followed by the call of a function: cilk_spawn f(x);");
    const size_t open = partner_[close];
    if (find(begin, end, [&](size_t i) { return is_one_of(tokens_[i], assignments) || tokens_[i].is("?") || is_of_cilk(tokens_[i]); }) !=
        end)
        return fail(token, "cilk_spawn is followed by the call of a function and no more: cilk_spawn f(x);");
    for (size_t i = open; i < close; ++i) {
        if (opens(i) && tokens_[i].kind == Kind::sign && lambda_body(i, close) != close) i = partner_[lambda_body(i, close)];
        else if (is_of_cilk(tokens_[i])) return fail(token, "a spawn within a spawned call: its arguments are there before it is spawned");
    }

    // Where the result goes.
    string into = "::__mog_cilk::nowhere()";
    if (equals != keyword) {
        const size_t name = last_before(equals), type = last_before(name);
        string left = text_of(at_, equals);
        const bool declares = name != at_ && tokens_[name].kind == Kind::word && tokens_[equals].is("=") &&
                              (tokens_[type].kind == Kind::word || tokens_[type].is(">") || tokens_[type].is(">>") ||
                               ((tokens_[type].is("*") || tokens_[type].is("&") || tokens_[type].is("&&")) && type != at_));
        if (declares) {
            if (tokens_[type].is("&") || tokens_[type].is("&&"))
                return fail(token, "what is spawned gives its value later, so a reference to it cannot be bound: declare a variable");
            const bool is_auto = has(at_, name, [](const CToken &one) { return one.is("auto"); });
            copy(first, is_auto ? fmt::format("::std::decay_t<decltype({})> {}; ", text_of(begin, end), tokens_[name].text) : left + "; ");
            left = word(name);
        } else {
            go_to(first, " ");
        }
        into = fmt::format(
            "::__mog_cilk::into({}, [](auto &__cilk_to, auto &&__cilk_v) {{ __cilk_to {} static_cast<decltype(__cilk_v)>(__cilk_v); }})",
            left, tokens_[equals].text);
    } else {
        copy(first, "");
    }

    // What is called: a name, a method of an object, or a value.
    const auto is_bracket = [&](size_t i) { return tokens_[i].kind == Kind::sign && opens(i); };
    size_t member = open;
    bool is_name = true;
    for (size_t i = begin; i < open; ++i) {
        if (tokens_[i].is(".") || tokens_[i].is("->")) member = i;
        if (is_bracket(i)) {
            member = open;
            i = partner_[i];
            is_name = false;
        } else if (tokens_[i].kind != Kind::word && tokens_[i].kind != Kind::directive && !tokens_[i].is("::") && !tokens_[i].is("<") &&
                   !tokens_[i].is(">") && !tokens_[i].is(",") && !tokens_[i].is(">>") &&
                   !(i > begin + 1 && (tokens_[i].is("*") || tokens_[i].is("&") || tokens_[i].kind == Kind::literal))) {
            is_name = false;
        }
    }
    if (is_name && member == open && next_of(begin + 1) == open && (is_variable(begin) || find_binding(tokens_[begin].text)))
        is_name = false;
    if (member != open) {
        string method = text_of(member + 1, open);
        if (method.find('<') != method.npos && !method.starts_with("template")) method = "template " + method;
        const string call = fmt::format("static_cast<decltype(__cilk_o)>(__cilk_o).{}({})", method, given);
        write(fmt::format(
            "::__mog_cilk::spawn_of(__cilk_children, {}, [](auto &&__cilk_o, auto &&...__cilk_a) -> decltype({}) {{ return {}; }}, ", into,
            call, call));
        const bool points = tokens_[member].is("->");
        if (points) write("*(");
        at_ = begin;
        copy_to(member, none);
        if (points) write(")");
    } else if (is_name) {
        const string call = fmt::format("{}({})", text_of(begin, open), given);
        write(fmt::format("::__mog_cilk::spawn(__cilk_children, {}, [&](auto &&...__cilk_a) -> decltype({}) {{ return {}; }}", into, call,
                          call));
    } else {
        const string call = fmt::format("static_cast<decltype(__cilk_o)>(__cilk_o)({})", given);
        write(fmt::format(
            "::__mog_cilk::spawn_of(__cilk_children, {}, [](auto &&__cilk_o, auto &&...__cilk_a) -> decltype({}) {{ return {}; }}, ", into,
            call, call));
        at_ = begin;
        copy_to(open, none);
    }
    if (next_of(open + 1) != close) write(", ");
    at_ = open + 1;
    copy_to(close, none);
    if (error_) return;
    write(");");
    at_ = end + 1;
}

}  // namespace mog::cilk
