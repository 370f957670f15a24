// forms.cpp: patterns of ptx.def against opcodes.
#include "translator/ptx/forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "support/text.hpp"

namespace mog::ptx {
namespace {

/// Words in capitals in patterns, and what stands for them.
struct List {
    std::string_view name;
    std::vector<Word> words;
};
const std::vector<List> &lists() {
    static const std::vector<List> result = {
        {"RND", {Word::rn, Word::rz, Word::rm, Word::rp}},
        {"ROUND", {Word::rn, Word::rz, Word::rm, Word::rp, Word::rni, Word::rzi, Word::rmi, Word::rpi, Word::rna}},
        {"MASKED", {Word::wrap, Word::clamp}},
        {"HALF", {Word::lo, Word::hi}},
        {"PERMUTE", {Word::f4e, Word::b4e, Word::rc8, Word::ecl, Word::ecr, Word::rc16}},
        {"CLASS", {Word::finite, Word::infinite, Word::number, Word::notanumber, Word::normal, Word::subnormal}},
        {"CMP",
         {Word::eq, Word::ne, Word::lt, Word::le, Word::gt, Word::ge, Word::lo, Word::ls, Word::hi, Word::hs, Word::equ, Word::neu,
          Word::ltu, Word::leu, Word::gtu, Word::geu, Word::num, Word::is_nan}},
        {"BOOL", {Word::and_, Word::or_, Word::xor_}},
        {"SPACE",
         {Word::global, Word::shared, Word::shared_cta, Word::shared_cluster, Word::local, Word::constant, Word::param, Word::param_entry,
          Word::param_func}},
        {"ORDER", {Word::weak, Word::relaxed, Word::acquire, Word::release, Word::acq_rel, Word::sc, Word::volatile_}},
        {"SCOPE", {Word::cta, Word::cluster, Word::gpu, Word::sys, Word::gl}},
        {"COP", {Word::ca, Word::cg, Word::cs, Word::lu, Word::cv, Word::wb, Word::wt}},
        {"CACHE", {Word::l1, Word::l2}},
        {"LEVEL", {Word::level, Word::unified}},
        {"VEC", {Word::v2, Word::v4, Word::v8}},
        {"ATOMIC", {Word::and_, Word::or_, Word::xor_, Word::exch, Word::cas, Word::add, Word::inc, Word::dec, Word::min, Word::max}},
        {"SHUFFLE", {Word::up, Word::down, Word::bfly, Word::idx}},
        {"VOTE", {Word::all, Word::any, Word::uni}},
        {"GEOMETRY", {Word::d1, Word::d2, Word::d3, Word::layers_d1, Word::layers_d2}},
        {"QUERY", {Word::width, Word::height, Word::depth}},
        {"OUTSIDE", {Word::trap, Word::clamp, Word::zero}},
        {"REDUX", {Word::add, Word::min, Word::max}},
    };
    return result;
}

/// A pattern taken apart.
struct Part {
    enum class Kind : std::uint8_t { literal, list, first, second };
    Kind kind = Kind::literal;
    Word word = Word::none;  // of a literal
    Type type = Type::none;  // of a literal that is a type
    const List *list = nullptr;
    bool may_lack = false;
};
struct Pattern {
    std::string_view root;
    std::vector<Part> parts;
};

Pattern take_apart(std::string_view pattern) {
    Pattern result;
    result.root = pattern.substr(0, pattern.find_first_of(".{"));
    std::string_view rest = pattern.substr(result.root.size());
    while (!rest.empty()) {
        Part part;
        if (rest.front() == '{') {
            part.may_lack = true;
            rest.remove_prefix(1);
        }
        rest.remove_prefix(1);
        const std::string_view word = rest.substr(0, rest.find_first_of(".{}"));
        rest.remove_prefix(word.size());
        if (part.may_lack) rest.remove_prefix(1);
        const auto list = std::ranges::find(lists(), word, &List::name);
        if (word == "T") {
            part.kind = Part::Kind::first;
        } else if (word == "S") {
            part.kind = Part::Kind::second;
        } else if (list != lists().end()) {
            part.kind = Part::Kind::list;
            part.list = &*list;
        } else {
            part.word = word_named(word);
            part.type = type_named(word);
        }
        result.parts.push_back(part);
    }
    return result;
}

/// An operand of a row of lanes, from its C++ type.
OperandSpec operand_of_lanes(std::string_view cpp) {
    static constexpr std::pair<std::string_view, Type> types[] = {{"bool", Type::pred},
                                                                  {"std::uint32_t", Type::u32},
                                                                  {"std::int32_t", Type::s32},
                                                                  {"std::uint64_t", Type::u64},
                                                                  {"float", Type::f32}};
    OperandSpec spec;
    if (cpp == "T") {
        spec.of_first = true;
    } else if (cpp == "Wide<T>") {
        spec.of_first = spec.is_twice = true;
    } else {
        spec.type = std::ranges::find(types, cpp, &std::pair<std::string_view, Type>::first)->second;
    }
    return spec;
}

/// `result`: "T"; `parameters`: "(T a, std::uint32_t b)".
std::vector<OperandSpec> operands_of_lanes(std::string_view result, std::string_view parameters) {
    std::vector<OperandSpec> specs = {operand_of_lanes(result)};
    specs.front().is_written = true;
    parameters = parameters.substr(1, parameters.size() - 2);
    while (!parameters.empty()) {
        const std::string_view one = trim(parameters.substr(0, parameters.find(',')));
        specs.push_back(operand_of_lanes(one.substr(0, one.rfind(' '))));
        parameters.remove_prefix(std::min(parameters.size(), parameters.find(',') + (parameters.find(',') == parameters.npos ? 0 : 1)));
    }
    return specs;
}

/// `text`: "=T @ u64?".
std::vector<OperandSpec> operands_of_text(std::string_view text, Action action) {
    std::vector<OperandSpec> specs;
    for (const std::string &word : split_words(text)) {
        std::string_view rest = word;
        OperandSpec spec;
        if (rest.ends_with('?')) {
            spec.may_lack = true;
            rest.remove_suffix(1);
        }
        if (rest.starts_with('=')) {
            spec.is_written = true;
            rest.remove_prefix(1);
        }
        if (rest == "P") {
            spec.is_written = spec.is_pair = true;
            // What a pair is of: predicates, but in shuffles and matches a register and a predicate.
            if (action == Action::shuffle || action == Action::match_all || action == Action::elect) {
                spec.type = Type::b32;
            } else {
                spec.type = Type::pred;
            }
        } else if (rest == "*") {
            spec.is_any = true;
        } else if (rest == "@") {
            spec.is_address = true;
        } else if (rest == "#") {
            spec.is_place = true;
        } else if (rest == "T") {
            spec.of_first = true;
        } else if (rest == "S") {
            spec.of_second = true;
        } else {
            spec.type = type_named(rest);
        }
        spec.is_wide = action == Action::load || action == Action::store || action == Action::convert || action == Action::surface_load ||
                       action == Action::surface_store;
        specs.push_back(spec);
    }
    return specs;
}

#define MOG_PTX_TYPE_IN_LIST(type, ...) Type::type,

const std::vector<FormInfo> &forms() {
    static const std::vector<FormInfo> result = [] {
        std::vector<FormInfo> all = {
#define MOG_PTX_LANES(id, pattern, types, result, parameters, ...) \
    {#id, {}, pattern, Action::lanes, {types(MOG_PTX_TYPE_IN_LIST)}, operands_of_lanes(#result, #parameters), {}},
#define MOG_PTX_FLOATS MOG_PTX_LANES
#define MOG_PTX_SINGLE MOG_PTX_LANES
#define MOG_PTX_DOES(id, pattern, types, operands, action) \
    {#id, {}, pattern, Action::action, {types(MOG_PTX_TYPE_IN_LIST)}, operands_of_text(operands, Action::action), {}},
#define MOG_PTX_UNABLE(root, why) {#root, #root, #root, Action::unable, {}, {}, why},
#include "translator/ptx/ptx.def"
        };
        for (FormInfo &form : all) form.root = form.pattern.substr(0, form.pattern.find_first_of(".{"));
        return all;
    }();
    return result;
}

struct Candidates {
    std::vector<std::pair<Form, Pattern>> forms;
};
const std::unordered_map<std::string_view, Candidates> &by_root() {
    static const auto result = [] {
        std::unordered_map<std::string_view, Candidates> roots;
        for (std::size_t at = 0; at < forms().size(); ++at)
            roots[forms()[at].root].forms.emplace_back(static_cast<Form>(at), take_apart(forms()[at].pattern));
        return roots;
    }();
    return result;
}

/// The words of an opcode behind its first. "shared::cta" is one, and so is "2d".
std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.size(), text.find('.', 1));
        words.push_back(text.substr(1, end - 1));
        text.remove_prefix(end);
    }
    return words;
}

void note_word(Opcode &opcode, const Part &part, Word word, std::string_view text) {
    opcode.words.set(static_cast<std::size_t>(word));
    if (part.kind != Part::Kind::list) return;
    const std::string_view list = part.list->name;
    if (list == "CMP") {
        opcode.compare = word;
    } else if (list == "BOOL") {
        opcode.combine = word;
    } else if (list == "ATOMIC" || list == "REDUX") {
        opcode.atomic = word;
    } else if (list == "RND" || list == "ROUND") {
        opcode.round = word;
    } else if (list == "VEC") {
        opcode.vector = static_cast<std::uint8_t>(text[1] - '0');
    } else if (list == "ORDER") {
        opcode.is_volatile = word == Word::volatile_;
    } else if (list == "SPACE") {
        switch (word) {
            case Word::global: opcode.space = Space::global; break;
            case Word::local: opcode.space = Space::local; break;
            case Word::constant: opcode.space = Space::constant; break;
            case Word::param:
            case Word::param_entry:
            case Word::param_func: opcode.space = Space::param; break;
            default: opcode.space = Space::shared; break;
        }
    } else if (list != "OUTSIDE" && list != "SCOPE" && list != "COP" && list != "LEVEL" && list != "CACHE") {
        opcode.mode = word;
    }
}

/// Whether words fit a pattern, and what they say then.
bool fits(const Pattern &pattern, const FormInfo &form, std::span<const std::string_view> words, Opcode &opcode) {
    std::size_t at = 0;
    for (const Part &part : pattern.parts) {
        const std::string_view text = at < words.size() ? words[at] : std::string_view();
        bool is_there = false;
        switch (part.kind) {
            case Part::Kind::literal: {
                if (text.empty()) break;
                const Word word = word_named(text);
                is_there = part.type != Type::none ? type_named(text) == part.type : word != Word::none && word == part.word;
                if (!is_there) break;
                if (part.type == Type::none) {
                    note_word(opcode, part, word, text);
                    if (word == Word::global && opcode.space == Space::generic) opcode.space = Space::global;
                } else if (opcode.second == Type::none) {
                    // Of two literal types the first is the result's.
                    opcode.second = part.type;
                } else {
                    opcode.type = part.type;
                }
                break;
            }
            case Part::Kind::list: {
                const Word word = word_named(text);
                is_there = word != Word::none && std::ranges::find(part.list->words, word) != part.list->words.end();
                if (is_there) note_word(opcode, part, word, text);
                break;
            }
            case Part::Kind::first: {
                const Type type = type_named(text);
                is_there = type != Type::none && std::ranges::find(form.types, type) != form.types.end();
                if (is_there) opcode.type = type;
                break;
            }
            case Part::Kind::second: {
                const Type type = type_named(text);
                is_there = type != Type::none && type != Type::pred;
                if (is_there) opcode.second = type;
                break;
            }
        }
        if (is_there) {
            ++at;
        } else if (!part.may_lack) {
            return false;
        }
    }
    return at == words.size();
}

}  // namespace

const FormInfo &info(Form form) { return forms()[static_cast<std::size_t>(form)]; }
std::size_t form_count() { return forms().size(); }

Result<Opcode> understand(std::string_view text) {
    const std::string_view root = text.substr(0, text.find('.'));
    const auto found = by_root().find(root);
    if (found == by_root().end()) {
        std::vector<std::string_view> roots;
        for (const auto &[name, unused] : by_root()) roots.push_back(name);
        std::ranges::sort(roots);
        const std::string_view near = nearest_word(root, roots);
        return Error{near.empty() ? fmt::format("no instruction is called {}", root)
                                  : fmt::format("no instruction is called {}; did you mean {}?", root, near)};
    }
    const std::vector<std::string_view> words = words_of(text.substr(root.size()));
    for (const auto &[form, pattern] : found->second.forms) {
        Opcode opcode;
        opcode.text = text;
        opcode.form = form;
        if (info(form).action == Action::unable) return opcode;
        if (fits(pattern, info(form), words, opcode)) return opcode;
    }
    std::string forms_text;
    for (const auto &[form, pattern] : found->second.forms)
        forms_text += (forms_text.empty() ? "" : ", ") + std::string(info(form).pattern);
    return Error{fmt::format("{} has no form {}; there is {} (T: the type)", root, text, forms_text)};
}

Result<std::uint32_t> Opcodes::find(std::string_view text) {
    const auto known = by_text_.find(text);
    if (known != by_text_.end()) return known->second;
    auto opcode = understand(text);
    if (!opcode) return opcode.error();
    known_.push_back(std::make_unique<Opcode>(std::move(*opcode)));
    const auto number = static_cast<std::uint32_t>(known_.size() - 1);
    by_text_.emplace(known_.back()->text, number);
    return number;
}

}  // namespace mog::ptx
