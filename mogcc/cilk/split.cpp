// split.cpp: functions cut at their syncs (-fcilk=channels). A function with spawns becomes one that goes on where its frame says, and its
// variables live there:
//
//     int fib(int n) {                                struct __cilk_of_fib { struct __cilk_head head; ... int result; int n; int x, y; };
//         if (n < 2) return n;                        static void __cilk_run_fib(struct __cilk_head *any) {
//         int x = cilk_spawn fib(n - 1);                  switch (frame->head.point) { case 1: goto __cilk_1; }
//         int y = fib(n - 2);                             if (frame->n < 2) { frame->result = frame->n; goto __cilk_end; }
//         cilk_sync;                                      __cilk_make_fib(&frame->head, SPAWN, &frame->x, frame->n - 1);
//         return x + y;                                   __cilk_make_fib(&frame->head, SPAWN, &frame->y, frame->n - 2);
//     }                                                   if (frame->head.children && !__mog_cilk_have_ended(&frame->head, 1)) return;
//                                                         __cilk_1: frame->result = frame->x + frame->y; ...
//
// __cilk_make_fib makes a frame in a channel; fib itself is left for whoever calls it otherwise, and waits. A call that is a statement of
// its own is such a place, too, where the caller stops if what it calls does; the last one before a sync is a spawn. The body of a cilk_for
// is a function of its own, which halves its range; its frame points to that of the function around it. runtime_pe/cilk/frames.c has the
// other side.
#include "mogcc/cilk/translator.hpp"

namespace mog::cilk {

namespace {

bool is_qualifier(const CToken &token) {
    static constexpr string_view qualifiers[] = {"const", "volatile", "restrict", "__restrict", "__restrict__", "__const", "__volatile__"};
    return token.kind == Kind::word && is_one_of(token, qualifiers);
}
bool is_attribute(const CToken &token) { return token.is("__attribute__") || token.is("__attribute") || token.is("_Alignas"); }
bool is_const(const CToken &token) { return token.is("const") || token.is("__const"); }
bool is_type_word(const CToken &token) {
    static constexpr string_view more[] = {"union",       "enum",     "_Atomic",       "typedef",    "__typeof__", "typeof",
                                           "__auto_type", "__int128", "__extension__", "__signed__", "_Alignas",   "_Thread_local"};
    return token.kind == Kind::word && (is_one_of(token, type_words) || is_one_of(token, more) || is_qualifier(token));
}

}  // namespace

// The first members of a frame are runtime_pe/cilk/frames.c's.
string_view Translator::prelude_of_frames() {
    return "struct __cilk_head { void (*run)(struct __cilk_head *); struct __cilk_head *parent; unsigned point, children, others[12]; };\n"
           "extern void *__mog_cilk_frame(struct __cilk_head *, unsigned, void (*)(struct __cilk_head *));\n"
           "extern _Bool __mog_cilk_go(struct __cilk_head *, unsigned), __mog_cilk_have_ended(struct __cilk_head *, unsigned);\n"
           "extern void __mog_cilk_finish(struct __cilk_head *);\n"
           "extern void __mog_cilk_root(struct __cilk_head *, void (*)(struct __cilk_head *));\n"
           "extern unsigned long __mog_cilk_grain(unsigned long);\n";
}

void Translator::cannot_split(const CToken &token, string_view what) {
    fail(token, fmt::format("{}: -fcilk=channels cannot cut this function at its syncs; -fcilk=steal can", what));
}

string Translator::raw(size_t begin, size_t end) const {
    string text;
    for (size_t i = begin; i < end; ++i)
        if (tokens_[i].kind != Kind::directive) {
            if (!text.empty() && !tokens_[i].before.empty()) text += ' ';
            text += tokens_[i].text;
        }
    return text;
}

void Translator::find_split_functions() {
    for (size_t at = 0; at < tokens_.size();) {
        const size_t begin = at = next_of(at);
        bool initializes = false;
        const size_t end = find(begin, tokens_.size(), [&](size_t i) {
            initializes |= tokens_[i].is("=");
            return tokens_[i].is(";") || (tokens_[i].is("{") && !initializes && is_body(i, begin));
        });
        at = end + 1;
        if (end >= tokens_.size() || !tokens_[end].is("{")) continue;
        at = partner_[end] + 1;
        const size_t open = find_sign(begin, end, "(");
        if (open == end || open == begin) continue;
        const size_t name = last_before(open);
        if (tokens_[name].kind == Kind::word && has(end, partner_[end], [](const CToken &token) {
                return token.kind == Kind::word && (is_spawn(token) || is_sync(token) || is_for(token) || is_scope(token));
            }))
            split_functions_[string(tokens_[name].text)] = {begin, name, open};
    }
}
const Translator::SplitFunction *Translator::split_function_at(size_t name) {
    if (tokens_[name].kind != Kind::word || find_binding(tokens_[name].text)) return nullptr;
    const auto found = split_functions_.find(tokens_[name].text);
    return found == split_functions_.end() ? nullptr : &found->second;
}

/// A variable of this frame, or of one around it.
string Translator::place_of(const Binding &binding) const {
    string text = "(__cilk_frame->";
    for (unsigned depth = split_->depth; depth > binding.depth; --depth) text += "up->";
    return text + binding.member + ")";
}

string Translator::split_sync() {
    const unsigned point = ++split_->points;
    return fmt::format(" if (__cilk_frame->head.children && !__mog_cilk_have_ended(&__cilk_frame->head, {0})) return; __cilk_{0}:;", point);
}

// ---- declarations ----

/// Whether the statement is one.
bool Translator::declares(size_t begin, size_t end) {
    const CToken &first = tokens_[begin];
    if (first.kind != Kind::word || is_one_of(first, not_types) || first.text.starts_with("__asm") || first.is("asm")) return false;
    if (is_attribute(first)) return next_of(partner_[next_of(begin + 1)] + 1) < end;
    if (is_type_word(first)) return true;
    if (find_binding(first.text)) return false;
    size_t second = next_of(begin + 1);
    if (second >= end) return false;
    if (tokens_[second].kind == Kind::word) return true;
    if (tokens_[second].is("(")) {  // T (*name)(...)
        const size_t star = next_of(second + 1), name = next_of(star + 1), after = next_of(partner_[second] + 1);
        return tokens_[star].is("*") && name < end && tokens_[name].kind == Kind::word && !find_binding(tokens_[name].text) &&
               next_of(name + 1) == partner_[second] && after < end && tokens_[after].is("(");
    }
    if (!tokens_[second].is("*")) return false;
    while (second < end && (tokens_[second].is("*") || is_qualifier(tokens_[second]))) second = next_of(second + 1);
    return second < end && tokens_[second].kind == Kind::word;
}

/// Where the specifiers of a declaration end.
size_t Translator::end_of_specifiers(size_t begin, size_t end) {
    bool has_type = false;
    size_t i = next_of(begin);
    while (i < end && tokens_[i].kind == Kind::word) {
        const CToken &token = tokens_[i];
        if (is_attribute(token)) {
            i = partner_[next_of(i + 1)];
        } else if (token.is("struct") || token.is("union") || token.is("enum")) {
            has_type = true;
            size_t next = next_of(i + 1);
            while (next < end && is_attribute(tokens_[next])) next = next_of(partner_[next_of(next + 1)] + 1);
            if (next < end && tokens_[next].kind == Kind::word) i = next, next = next_of(next + 1);
            if (next < end && tokens_[next].is("{")) i = partner_[next];
        } else if (is_type_word(token)) {
            has_type = has_type || !(is_qualifier(token) || token.is("register") || token.is("auto") || token.is("static") ||
                                     token.is("extern") || token.is("__extension__") || token.is("typedef"));
            if (precedes(i, "(") && (token.is("__typeof__") || token.is("typeof") || token.is("_Atomic"))) i = partner_[next_of(i + 1)];
        } else if (has_type) {
            break;
        } else {
            has_type = true;
        }
        i = next_of(i + 1);
    }
    return i;
}

/// A declarator's name, or its end.
size_t Translator::name_of_declarator(size_t begin, size_t end) const {
    for (size_t i = next_of(begin); i < end; i = next_of(i + 1)) {
        if (is_attribute(tokens_[i])) i = partner_[next_of(i + 1)];
        else if (tokens_[i].kind == Kind::word && !is_qualifier(tokens_[i])) return i;
        else if (tokens_[i].is("[")) break;
    }
    return end;
}

/// A declarator as a member of the frame: what is constant after it was initialized is assigned to here.
string Translator::member_text(size_t begin, size_t specifiers, size_t declarator, size_t end, size_t name, const string &member) {
    const bool points = has(declarator, name, [](const CToken &token) { return token.is("*"); });
    string text;
    for (size_t i = begin; i < specifiers; ++i) {
        const CToken &token = tokens_[i];
        if (token.kind == Kind::directive || token.is("register") || token.is("auto") || (!points && is_const(token))) continue;
        if (token.is("{")) {
            text += raw(i, partner_[i] + 1) + " ";
            i = partner_[i];
        } else {
            text += string(token.text) + " ";
        }
    }
    size_t before = name;
    while (before > declarator && is_qualifier(tokens_[last_before(before)])) before = last_before(before);
    return text + raw(declarator, before) + " " + member + raw(name + 1, end);
}

string Translator::new_member(string_view name) {
    string member(name);
    for (unsigned count = 2; !split_->names.insert(member).second; ++count) member = fmt::format("{}_{}", name, count);
    return member;
}

/// Whether functions that are cut can stop between these tokens.
bool Translator::can_stop(size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
        if (tokens_[i].kind == Kind::word && (is_of_cilk(tokens_[i]) || split_functions_.contains(tokens_[i].text))) return true;
    return false;
}

/// A declarator becomes a member; `equals`: where its value begins, up to `stop`. The member as text.
std::optional<string> Translator::declare_member(size_t begin, size_t specifiers, size_t declarator, size_t equals, size_t stop) {
    const size_t name = name_of_declarator(declarator, equals);
    if (name == equals) {
        cannot_split(tokens_[begin], "a declaration without a name");
        return {};
    }
    const size_t after = next_of(name + 1);
    string member = new_member(tokens_[name].text);
    string text;
    if (after < equals && tokens_[after].is("[")) {
        if (next_of(after + 1) == partner_[after] && equals < stop) {
            const string rest = raw(partner_[after] + 1, equals);
            const size_t open = next_of(equals + 1);
            const bool knows_variables = has(equals, stop, [&](const CToken &token) {
                const Binding *binding = token.kind == Kind::word ? find_binding(token.text) : nullptr;
                return binding && !binding->member.empty();
            });
            if (knows_variables) {  // so many elements are written
                unsigned count = 0;
                for (size_t i = open + 1; tokens_[open].is("{") && i < partner_[open]; i = find_sign(i, partner_[open], ",") + 1, ++count) {
                    if (tokens_[next_of(i)].is("[") || tokens_[next_of(i)].is("{")) count = 1 << 30;
                    if (next_of(i) == partner_[open]) break;
                }
                if (count == 0 || count >= 1 << 30) {
                    cannot_split(tokens_[name], fmt::format("the array {} takes its length from values of variables", tokens_[name].text));
                    return {};
                }
                text = member_text(begin, specifiers, declarator, name + 1, name, member) + fmt::format("[{}]{}", count, rest);
            } else {
                const string type = member_text(begin, specifiers, declarator, name + 1, name, "") + " ";
                string value = raw(open, stop);
                if (!value.starts_with("{")) value = "{" + value + "}";
                text = fmt::format("{0}{1}[sizeof(({0}[]{2}){3}) / sizeof({0}[1]{2})]{2}", type, member, rest, value);
            }
        }
        for (size_t i = after; i < equals; ++i) {
            const Binding *binding = tokens_[i].kind == Kind::word ? find_binding(tokens_[i].text) : nullptr;
            if (!binding || binding->member.empty()) continue;
            cannot_split(tokens_[name], fmt::format("the array {} has a length that is known only when it runs", tokens_[name].text));
            return {};
        }
    }
    if (text.empty()) text = member_text(begin, specifiers, declarator, equals, name, member);
    split_->members += text + "; ";
    Binding binding;
    binding.member = member;
    binding.depth = split_->depth;
    bind(tokens_[name].text, binding);
    return place_of(binding);
}

/// A declaration, up to its semicolon at `end`: variables are the frame's, their values are assigned.
void Translator::split_declaration(size_t end, Frame &frame) {
    const size_t begin = at_;
    const CToken &first = tokens_[begin];
    const size_t specifiers = end_of_specifiers(begin, end);
    if (stays_local_) {
        size_t stop;
        for (size_t at = specifiers; at < end; at = stop + 1) {
            stop = find_sign(at, end, ",");
            if (const size_t name = name_of_declarator(at, stop); name < stop && find_binding(tokens_[name].text)) {
                bind(tokens_[name].text, {});
            }
            copy_to(stop, frame);
        }
        return copy_to(end + 1, frame);
    }
    const auto has_word = [&](string_view word) { return has(begin, specifiers, [&](const CToken &one) { return one.is(word); }); };
    if (declared_reducer(begin, end)) return cannot_split(first, "a reducer that is a function's variable");
    if (has_word("__auto_type")) return cannot_split(first, "a variable whose type is not written");
    if (has_word("__typeof__") || has_word("typeof")) return cannot_split(first, "a variable whose type is another one's");
    if (has_word("typedef")) return cannot_split(first, "a type's name that is only known in a function");
    if (specifiers == end) {  // struct s { int x; };
        split_->types += raw(begin, end) + ";\n";
        at_ = end + 1;
        return;
    }
    const bool stays = has_word("static") || has_word("extern");
    if (!stays) copy(first, "");
    const char *separator = "";
    for (size_t at = specifiers; at < end;) {
        const size_t stop = find_sign(at, end, ","), equals = find_sign(at, stop, "=");
        const size_t name = name_of_declarator(at, equals);
        const bool is_function = name < equals && next_of(name + 1) < equals && tokens_[next_of(name + 1)].is("(");
        if (stays || is_function) {
            if (!stays && (at != specifiers || stop != end)) return cannot_split(first, "a function declared among variables");
            bind(tokens_[name].text, {});
            if (!stays) return copy_to(end + 1, frame);
            at = stop + 1;
            continue;
        }
        const std::optional<string> member = declare_member(begin, specifiers, at, equals, stop);
        if (!member) return;
        if (equals < stop) {
            const size_t value = next_of(equals + 1);
            const bool is_array = next_of(name + 1) < equals && tokens_[next_of(name + 1)].is("[");
            const bool is_list = tokens_[value].is("{");
            write(separator);
            separator = ", ";
            if (is_array) write(fmt::format("__builtin_memcpy({0}, (__typeof__({0}))", *member) + (is_list ? "" : "{"));
            else write(*member + " = " + (is_list ? fmt::format("(__typeof__({}))", *member) : ""));
            at_ = value;
            copy_to(stop, frame);
            if (error_) return;
            if (is_array) write((is_list ? "" : "}") + fmt::format(", sizeof {})", *member));
        }
        at = stop + 1;
    }
    if (stays) return copy_to(end + 1, frame);
    write(";");
    at_ = end + 1;
}

/// for (int i = 0; ...): its variable is the frame's, too.
void Translator::split_for(Frame &frame) {
    at_ = skip_directives();
    if (!here("(")) return;
    const size_t close = partner_[at_], begin = next_of(at_ + 1), end = find_sign(begin, close, ";");
    if (end != close && begin < end && declares(begin, end)) {
        copy(tokens_[at_]);
        at_ = begin;
        split_declaration(end, frame);
        if (error_) return;
    }
    copy_to(close + 1, frame);
}

// ---- spawns and calls ----

/// The type of a function's result.
string Translator::result_of(const SplitFunction &function) {
    Frame result;
    read_result(function.begin, function.name, result);
    return result.result;
}

/// Makes a frame for a function that is cut; its result goes to `target` as it is, which is of the same type. A call goes on behind it.
string Translator::make_frame(size_t callee, size_t open, string_view target, unsigned point) {
    const string arguments = text_of(open + 1, partner_[open]);
    const string to = target.empty() ? "0" : fmt::format("&{}", target);
    needed_.insert(string(tokens_[callee].text));
    const string make = fmt::format("__cilk_make_{}(&__cilk_frame->head, {}, {}{}{})", tokens_[callee].text, point ? 1 : 0, to,
                                    arguments.empty() ? "" : ", ", arguments);
    return point ? fmt::format("{{ __cilk_frame->head.point = {}; if (!{}) return; }}", point, make) : make + ";";
}
/// What is asked before: else the result is converted, and what does that waits for it.
string Translator::takes_result(string_view target, size_t callee) {
    return fmt::format("if (__builtin_types_compatible_p(__typeof__({}), {}))", target, result_of(*split_function_at(callee)));
}

/// A statement that is the call of a function which is cut, or assigns its result. False: it is something else.
bool Translator::split_call(size_t end) {
    const size_t begin = at_, close = last_before(end);
    if (in_expression_ || close <= begin || !tokens_[close].is(")")) return false;
    const size_t open = partner_[close], callee = last_before(open);
    if (open <= begin || callee == string_view::npos || callee < begin || !split_function_at(callee)) return false;
    const size_t after = next_of(end + 1);
    const bool is_call = after >= tokens_.size() || !is_sync(tokens_[after]);
    const CToken &first = tokens_[begin];
    const unsigned point = is_call ? split_->points + 1 : 0;
    const string label = is_call ? fmt::format(" __cilk_{}:;", point) : "";
    if (callee == begin) {
        copy(first, fmt::format("{{ {}{} }}", make_frame(callee, open, "", point), label));
        if (is_call) ++split_->points;
        at_ = end + 1;
        return true;
    }
    const size_t equals = last_before(callee);
    if (equals <= begin || !tokens_[equals].is("=") ||
        find(begin, equals, [&](size_t i) { return is_one_of(tokens_[i], assignments) || tokens_[i].is(",") || tokens_[i].is("?"); }) !=
            equals)
        return false;
    string target;
    if (declares(begin, end)) {
        const size_t specifiers = end_of_specifiers(begin, equals);
        if (has(begin, specifiers, [](const CToken &token) { return token.is("static") || token.is("__auto_type"); })) return false;
        const std::optional<string> member = declare_member(begin, specifiers, specifiers, equals, equals);
        if (!member) return true;
        target = *member;
    } else {
        target = "(" + text_of(begin, equals) + ")";
    }
    const string made = make_frame(callee, open, target, point);
    copy(first, fmt::format("{{ {} {} else {} = {};{} }}", takes_result(target, callee), made, target, text_of(callee, end), label));
    if (is_call) ++split_->points;
    at_ = end + 1;
    return true;
}

void Translator::split_leave(size_t begin, size_t end, Frame &frame) {
    const CToken &token = tokens_[at_];
    if (in_expression_) return cannot_split(token, "a return inside of an expression");
    copy(token, "{ ");
    const size_t open = begin != end && tokens_[last_before(end)].is(")") ? partner_[last_before(end)] : end;
    if (begin == end) {
    } else if (open != end && open > begin && last_before(open) == begin && split_function_at(begin)) {
        const unsigned point = ++split_->points;
        if (frame.is_void) write(make_frame(begin, open, "", point));
        else
            write(fmt::format("{} {} else __cilk_frame->result = {};", takes_result("__cilk_frame->result", begin),
                              make_frame(begin, open, "__cilk_frame->result", point), text_of(begin, end)));
        write(fmt::format(" __cilk_{}:;", point));
    } else {
        if (!frame.is_void) write("__cilk_frame->result = ");
        at_ = begin;
        copy_to(end, frame);
        write(";");
    }
    write(" goto __cilk_end; }");
    at_ = end + 1;
}

// ---- functions ----

/// What a function that is cut consists of, but for its variables' types: `body` is what runs. `header`: of the function under its name.
string Translator::split_parts(const Split &split, const string &header, const string &body, const string &parameters,
                               const string &body_marker) {
    const bool gives = !split.result.empty();
    string points, finish, members, arguments, fills;
    for (unsigned point = 1; point <= split.points; ++point) points += fmt::format(" case {0}: goto __cilk_{0};", point);
    for (const auto &[text, parameter, member] : split.parameters) {
        arguments += (arguments.empty() ? "" : ", ") + parameter;
        fills += fmt::format(" __cilk_new->{} = {};", member, parameter);
    }
    const string deliver = gives ? fmt::format(" if (__cilk_to) *({} *)__cilk_to = __cilk_result;", split.result) : "";
    if (gives) finish = fmt::format(" if (__cilk_frame->to) *({} *)__cilk_frame->to = __cilk_frame->result;", split.result);
    string text = fmt::format(
        "static void __cilk_run_{0}(struct __cilk_head *__cilk_any) {{ struct __cilk_of_{0} *const __cilk_frame = (void *)__cilk_any; "
        "switch (__cilk_frame->head.point) {{{1} }}\n{2}\n{3}{4} __mog_cilk_finish(&__cilk_frame->head); }}\n",
        split.name, points, body, body_marker, finish);
    text += fmt::format(
        "static int __cilk_make_{0}(struct __cilk_head *__cilk_parent, unsigned __cilk_how, void *__cilk_to{1}{2}) {{ struct __cilk_of_{0} "
        "*const __cilk_new = "
        "__mog_cilk_frame(__cilk_parent, sizeof *__cilk_new, __cilk_run_{0}); if (!__cilk_new) {{ if (__cilk_how == 2) return 0; "
        "{3}{4}({5});{6} return 1; }}{7}{8} "
        "return __mog_cilk_go(&__cilk_new->head, __cilk_how); }}\n",
        split.name, parameters.empty() ? "" : ", ", parameters, gives ? split.result + " __cilk_result = " : "", split.called, arguments,
        deliver, gives ? " __cilk_new->to = __cilk_to;" : " (void)__cilk_to;", fills);
    text += fmt::format("{1} {{ struct __cilk_of_{0} __cilk_own{5};{2}{3} __mog_cilk_root(&__cilk_own.head, __cilk_run_{0});{4} }}\n",
                        split.name, header, gives ? " __cilk_own.to = 0;" : "", (split.is_main ? " __cilk_own.result = 0;" : "") + fills,
                        gives ? " return __cilk_own.result;" : "", fills.empty() ? "" : ", *const __cilk_new = &__cilk_own");
    return text;
}

/// The frame's type.
string Translator::split_type(const Split &split) {
    string parameters;
    for (const auto &parameter : split.parameters) parameters += parameter.text + "; ";
    return fmt::format("struct __cilk_of_{} {{ struct __cilk_head head; {}{}{}}};\n", split.name,
                       split.result.empty() ? "" : fmt::format("void *to; {} result; ", split.result), parameters, split.members);
}

string Translator::make_prototype(string_view name, size_t open) {
    string parameters = raw(open + 1, partner_[open]);
    if (parameters == "void") parameters.clear();
    return fmt::format("static int __cilk_make_{}(struct __cilk_head *, unsigned, void *{}{}) __attribute__((unused));\n", name,
                       parameters.empty() ? "" : ", ", parameters);
}

void Translator::split_function(size_t begin, size_t name, size_t open, size_t brace) {
    const CToken &token = tokens_[name];
    const size_t close = partner_[open];
    scopes_.emplace_back();
    Split split;
    split_ = &split;
    split.name = split.called = string(token.text);
    split.is_main = token.is("main");
    split.names = {"head", "to", "result"};
    Frame frame;
    frame.counts = true;
    read_result(begin, name, frame);
    if (!frame.is_void) split.result = frame.result;
    for (size_t i = next_of(close + 1); i < brace; i = next_of(i + 1)) {
        if (!is_attribute(tokens_[i])) return cannot_split(token, "parameters that are declared behind their names");
        i = partner_[next_of(i + 1)];
    }
    string parameters = raw(open + 1, close);
    if (parameters == "void") parameters.clear();
    for (size_t at = open + 1; !parameters.empty() && at < close;) {
        const size_t stop = find_sign(at, close, ","), specifiers = end_of_specifiers(at, stop);
        const size_t parameter = name_of_declarator(specifiers, stop);
        if (tokens_[next_of(at)].is("...")) return cannot_split(token, "a function with any number of arguments");
        if (declared_reducer(at, stop)) return cannot_split(token, "a parameter that is a pointer to a reducer");
        if (parameter == stop) return cannot_split(token, "a parameter without a name");
        const string called(tokens_[parameter].text);
        const string member = new_member(called);
        const size_t after = next_of(parameter + 1);
        string text;
        if (after < stop && tokens_[after].is("[")) {  // a pointer to its first element
            const string rest = raw(partner_[after] + 1, stop);
            if (has(partner_[after], stop, [&](const CToken &one) { return one.kind == Kind::word && find_binding(one.text); }))
                return cannot_split(token, "a parameter whose type has a length that is known only when it runs");
            text = raw(at, parameter) + (rest.empty() ? " *" + member : " (*" + member + ")" + rest);
        } else if (after < stop && tokens_[after].is("(")) {
            return cannot_split(token, "a function as a parameter, which is no pointer");
        } else {
            text = member_text(at, specifiers, specifiers, stop, parameter, member);
        }
        split.parameters.push_back({text, called, member});
        Binding binding;
        binding.member = member;
        bind(called, binding);
        at = stop + 1;
    }

    const string header = raw(begin, brace);
    const unsigned file = out_file_, line = out_line_;
    string before = std::exchange(out_, {});
    split_more_.clear();
    split_loops_.clear();
    needed_.clear();
    out_line_ = ~0u;
    at_ = brace;
    compound(frame, {});
    if (error_) return;
    out_ += " __cilk_end: __attribute__((unused));" + split_sync();
    const string body = std::exchange(out_, std::move(before));
    out_file_ = file;
    out_line_ = line;
    split_ = nullptr;
    scopes_.pop_back();

    go_to(tokens_[begin], "");
    out_ += header + ";\n";
    needed_.insert(split.name);
    for (const string &callee : needed_) out_ += make_prototype(callee, split_functions_.find(callee)->second.open);
    out_ += split.types + split_type(split) + split_more_ + split_loops_;
    out_ += split_parts(split, header, body, parameters, source_.marker(tokens_[partner_[brace]]) + "\n");
    out_line_ = ~0u;
}

// ---- loops ----

/// Names in a text of its own: what stands behind #pragma cilk grainsize.
string Translator::with_places(string_view text) {
    string result;
    for (const CToken &token : read_c_tokens(text, "").tokens) {
        const Binding *binding = token.kind == Kind::word ? find_binding(token.text) : nullptr;
        result += string(token.before) + (binding && !binding->member.empty() ? place_of(*binding) : string(token.text));
    }
    return result;
}

void Translator::split_loop(size_t open, size_t first, size_t second, size_t close) {
    const CToken &token = tokens_[at_];
    if (in_expression_) return cannot_split(token, "a cilk_for inside of an expression");
    const size_t begin = next_of(open + 1), equals = find_sign(begin, first, "=");
    if (!declares(begin, first) || equals == first)
        return cannot_split(token, "a cilk_for whose variable is not declared there, as in cilk_for (int i = 0; i < n; ++i)");
    const size_t specifiers = end_of_specifiers(begin, equals), name = name_of_declarator(specifiers, equals);
    if (name == equals) return cannot_split(token, "a cilk_for without a variable");
    const string_view variable = tokens_[name].text;
    const auto is_variable_at = [&](size_t from, size_t to) { return next_of(from) + 1 == to && tokens_[next_of(from)].is(variable); };

    // Its end, and the comparison as if the variable stood on the left.
    static constexpr string_view comparisons[] = {"<", ">", "<=", ">=", "!="}, mirrored[] = {">", "<", ">=", "<=", "!="};
    const size_t compares = find(first + 1, second, [&](size_t i) { return is_one_of(tokens_[i], comparisons); });
    string_view comparison = compares == second ? "" : tokens_[compares].text;
    string end;
    if (compares != second && is_variable_at(first + 1, compares)) {
        end = text_of(compares + 1, second);
    } else if (compares != second && is_variable_at(compares + 1, second)) {
        end = text_of(first + 1, compares);
        comparison = mirrored[std::ranges::find(comparisons, comparison) - std::begin(comparisons)];
    } else {
        return cannot_split(token, fmt::format("a cilk_for that does not compare {} with its end", variable));
    }
    // Its step.
    string step;
    const size_t one = next_of(second + 1), two = next_of(one + 1), three = next_of(two + 1);
    if ((tokens_[one].is("++") || tokens_[one].is("--")) && is_variable_at(two, close)) step = tokens_[one].is("++") ? "1" : "-1";
    else if (tokens_[one].is(variable) && three == close && (tokens_[two].is("++") || tokens_[two].is("--")))
        step = tokens_[two].is("++") ? "1" : "-1";
    else if (tokens_[one].is(variable) && (tokens_[two].is("+=") || tokens_[two].is("-=")))
        step = (tokens_[two].is("+=") ? "(" : "-(") + text_of(three, close) + ")";
    else if (tokens_[one].is(variable) && tokens_[two].is("=") && tokens_[three].is(variable) && next_of(three + 1) < close &&
             (tokens_[next_of(three + 1)].is("+") || tokens_[next_of(three + 1)].is("-")))
        step = (tokens_[next_of(three + 1)].is("+") ? "(" : "-(") + text_of(next_of(three + 1) + 1, close) + ")";
    else return cannot_split(token, fmt::format("a cilk_for that does not step {} by ++, --, += or -=", variable));

    const string start = text_of(equals + 1, first);
    string grain = "0";
    if (std::exchange(grain_place_, nullptr)) grain = with_places(std::exchange(grain_, {}));

    // The body is a function of its own.
    Split *const outer = split_;
    Split split;
    split.outer = outer;
    split.depth = outer->depth + 1;
    split.name = fmt::format("loop_{}", ++loops_);
    split.called = "__cilk_" + split.name;
    for (const char *taken : {"up", "from", "to", "grain", "begin", "step", "head"}) split.names.insert(taken);
    const string type = member_text(begin, specifiers, specifiers, equals, name, "begin");
    const string up = fmt::format("struct __cilk_of_{} *up", outer->name);
    split.parameters = {{up, "up", "up"},
                        {"unsigned long from", "from", "from"},
                        {"unsigned long to", "to", "to"},
                        {"unsigned long grain", "grain", "grain"},
                        {type, "begin", "begin"},
                        {"long step", "step", "step"}};
    split_ = &split;
    scopes_.emplace_back();
    if (!declare_member(begin, specifiers, specifiers, equals, equals)) return;
    const string member = split_->members.empty() ? "" : place_of(*find_binding(variable));
    const unsigned file = out_file_, line = out_line_;
    string before = std::exchange(out_, {});
    out_line_ = ~0u;
    at_ = next_of(close + 1);
    const size_t last = here("{") ? partner_[at_] : end_from(at_);
    Frame iteration;
    iteration.is_iteration = true;
    iteration.counts = has(at_, last, is_spawn_token);
    const size_t place = at_;
    statement(iteration, {});
    if (error_) return;
    if (iteration.counts) sync(iteration, tokens_[place]);
    string body = std::exchange(out_, std::move(before));
    out_file_ = file;
    out_line_ = line;
    body = fmt::format(
        "while (__cilk_frame->to - __cilk_frame->from > __cilk_frame->grain) {{ const unsigned long __cilk_middle = __cilk_frame->from + "
        "(__cilk_frame->to - __cilk_frame->from) / 2; if (!__cilk_make_{0}(&__cilk_frame->head, 2, 0, __cilk_frame->up, __cilk_middle, "
        "__cilk_frame->to, __cilk_frame->grain, __cilk_frame->begin, __cilk_frame->step)) break; __cilk_frame->to = __cilk_middle; }}\n"
        "for ({1} = __cilk_frame->begin + (long)__cilk_frame->from * __cilk_frame->step; __cilk_frame->from < __cilk_frame->to; "
        "++__cilk_frame->from, {1} += __cilk_frame->step) {{\n{2} }}{3}",
        split.name, member, body, split_sync());
    string parameters;
    for (const auto &parameter : split.parameters) parameters += (parameters.empty() ? "" : ", ") + parameter.text;
    split_ = outer;
    scopes_.pop_back();
    split_more_ += split.types + split_type(split) +
                   fmt::format(
                       "static int __cilk_make_{}(struct __cilk_head *, unsigned, void *, {});\n"
                       "static void {}({});\n",
                       split.name, parameters, split.called, parameters);
    split_loops_ += split_parts(split, fmt::format("static void {}({})", split.called, parameters), body, parameters, "");

    const bool up_only = comparison == "<" || comparison == "<=", down_only = comparison == ">" || comparison == ">=";
    const string distance = comparison == "!="
                                ? "(unsigned long)(__cilk_step > 0 ? __cilk_stop - __cilk_begin : __cilk_begin - __cilk_stop)"
                            : up_only ? "(unsigned long)(__cilk_stop - __cilk_begin)"
                                      : "(unsigned long)(__cilk_begin - __cilk_stop)";
    const string stride = up_only     ? "(unsigned long)__cilk_step"
                          : down_only ? "(unsigned long)-__cilk_step"
                                      : "(unsigned long)(__cilk_step > 0 ? __cilk_step : -__cilk_step)";
    const bool inclusive = comparison == "<=" || comparison == ">=";
    const unsigned point = ++split_->points;
    copy(token,
         fmt::format("{{ {} = {}; const __auto_type __cilk_stop = {}; const long __cilk_step = {}; unsigned long __cilk_count = "
                     "__cilk_begin {} __cilk_stop ? ({}{}) / {} + 1 : 0; long __cilk_grain = {}; if (__cilk_grain < 1) __cilk_grain = "
                     "__mog_cilk_grain(__cilk_count); __cilk_frame->head.point = {}; if (!__cilk_make_{}(&__cilk_frame->head, 1, 0, "
                     "__cilk_frame, 0, __cilk_count, __cilk_grain, __cilk_begin, __cilk_step)) return; __cilk_{}:; }}",
                     member_text(begin, specifiers, specifiers, equals, name, "__cilk_begin"), start, end, step, comparison, distance,
                     inclusive ? "" : " - 1", stride, grain, point, split.name, point));
}

}  // namespace mog::cilk
