// parse_body.cpp: what stands in the braces of a function: registers, labels, instructions and their operands.
#include <fmt/format.h>

#include <charconv>

#include "support/text.hpp"
#include "translator/ptx/parser.hpp"

namespace mog::ptx {
namespace {

constexpr std::size_t most_registers = std::size_t{1} << 20;  // of a function

/// "%r12": how much of it is before the digits.
std::size_t digits_begin(std::string_view name) {
    std::size_t at = name.size();
    while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9') --at;
    return at;
}

}  // namespace

std::optional<std::uint32_t> Parser::numbered(std::string_view name) const {
    const std::size_t at = digits_begin(name);
    if (at == name.size() || at == 0) return std::nullopt;
    const std::string_view prefix = name.substr(0, at), digits = name.substr(at);
    if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
    for (auto range = ranges_.rbegin(); range != ranges_.rend(); ++range) {
        if (range->prefix != prefix) continue;
        std::uint32_t number = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (read.ec == std::errc() && number < range->count) return range->first + number;
    }
    return std::nullopt;
}

bool Parser::open_scope() {
    Scope scope;
    scope.ranges = ranges_.size();
    scope.number = scopes_.empty() ? 0 : parents_.size();
    if (!scopes_.empty()) parents_.push_back(scopes_.back().number);
    scopes_.push_back(std::move(scope));
    return scopes_.size() <= most_depth || fail("braces are nested too deep");
}

void Parser::close_scope() {
    Scope &scope = scopes_.back();
    for (auto hidden = scope.hidden.rbegin(); hidden != scope.hidden.rend(); ++hidden) own_symbols_[hidden->first] = hidden->second;
    ranges_.resize(scope.ranges);
    scopes_.pop_back();
}

bool Parser::body(Function &function) {
    loc_file_ = loc_line_ = 0;
    if (!expect('{') || !open_scope()) return false;
    while (!scopes_.empty()) {
        if (lexer_.at_end()) return fail("a } is missing at the end of the text");
        if (!statement(function)) return false;
    }
    make_names_unique(function);
    return resolve_labels(function);
}

/// Names in braces of their own may be there several times; behind the parser there is one space of names.
void Parser::make_names_unique(Function &function) {
    std::unordered_map<std::string, unsigned> counts;
    const auto look_at = [&](std::string &name_of_it) {
        const unsigned before = counts[name_of_it]++;
        if (before != 0) name_of_it = fmt::format("{}${}", name_of_it, before);
    };
    for (RegisterRange &range : function.ranges) look_at(range.name);
    for (Variable &variable : function.variables)
        if (variable.name != "_") look_at(variable.name);
    for (Label &one : function.labels) look_at(one.name);
    for (Table &one : function.tables) look_at(one.name);
    for (Prototype &one : function.prototypes) look_at(one.name);
}

bool Parser::statement(Function &function) {
    const Token token = lexer_.token();
    if (token.kind == Token::Kind::word) return lexer_.colon_follows() ? label(function) : instruction(function);
    if (token.is('@')) return instruction(function);
    if (take('{')) return open_scope();
    if (take('}')) {
        close_scope();
        return true;
    }
    if (take(';')) return true;
    if (token.kind != Token::Kind::directive) return fail(fmt::format("an instruction is expected here, not {}", token.text.substr(0, 60)));
    if (take(".loc")) return location();
    if (take(".reg")) return registers(function);
    if (take(".param")) return variables(Space::param, {}, function.variables, Symbol::Kind::own_variable);
    if (take(".local")) return variables(Space::local, {}, function.variables, Symbol::Kind::own_variable);
    Declared declared;
    if (take(".extern")) declared.is_extern = true;
    if (take(".shared")) return variables(Space::shared, declared, program_.variables, Symbol::Kind::module_variable);
    if (take(".global")) return variables(Space::global, declared, program_.variables, Symbol::Kind::module_variable);
    if (take(".const")) return variables(Space::constant, declared, program_.variables, Symbol::Kind::module_variable);
    if (take(".pragma")) return skip_to_semicolon();
    if (take(".file")) return file();
    if (take(".section")) return skip_section();
    return fail(fmt::format("{} is not known in a function", token.text));
}

bool Parser::location() {
    std::int64_t file_number = 0, line = 0, column = 0;
    if (!constant(file_number) || !constant(line) || !constant(column)) return false;
    while (take(',')) {  // function_name $L+8, inlined_at 1 2 3
        std::string_view word;
        if (!name(word, "function_name or inlined_at")) return false;
        if (word == "function_name") {
            std::int64_t unused = 0;
            if (!name(word, "a label") || !offset(unused)) return false;
        } else {
            std::int64_t unused = 0;
            if (!constant(unused) || !constant(unused) || !constant(unused)) return false;
        }
    }
    // Line 0 is what the compiler says of code that it moved.
    if (line != 0) {
        loc_file_ = static_cast<std::uint32_t>(file_number);
        loc_line_ = static_cast<std::uint32_t>(line);
    }
    return true;
}

bool Parser::registers(Function &function) {
    const Token token = lexer_.token();
    if (token.is(".v2") || token.is(".v4")) return fail("vectors of registers are not known here: list registers in braces, as {%a, %b}");
    const Type type = token.kind == Token::Kind::directive ? type_named(token.text.substr(1)) : Type::none;
    if (type == Type::none) return fail(fmt::format("a type of registers is expected here, not {}", token.text.substr(0, 60)));
    lexer_.next();
    do {
        if (!one_register(function, type)) return false;
    } while (take(','));
    return expect(';');
}

bool Parser::one_register(Function &function, Type type) {
    const Token token = lexer_.token();
    std::string_view name_of_it;
    if (!name(name_of_it, "a register")) return false;
    const auto first = static_cast<std::uint32_t>(function.registers.size());
    std::int64_t count = 1;
    bool is_numbered = false;
    if (take('<')) {
        is_numbered = true;
        if (!constant(count) || !expect('>')) return false;
    }
    if (count < 0 || function.registers.size() + static_cast<std::uint64_t>(count) * 4 > most_registers)
        return fail(token, fmt::format("a function has at most {} registers", most_registers));
    if (is_numbered) {
        if (count == 0) return true;
        function.ranges.push_back({std::string(name_of_it), type, true, first, static_cast<std::uint32_t>(count)});
        function.registers.resize(function.registers.size() + static_cast<std::size_t>(count), type);
        ranges_.push_back({name_of_it, first, static_cast<std::uint32_t>(count)});
        return true;
    }
    function.add_register(std::string(name_of_it), type);
    return add_symbol(name_of_it, {Symbol::Kind::reg, first}, token);
}

bool Parser::label(Function &function) {
    const Token token = lexer_.token();
    lexer_.next();
    lexer_.next();
    if (take(".branchtargets")) return table(function, token.text);
    if (take(".callprototype")) return prototype(function, token.text);
    if (take(".calltargets")) {
        function.prototypes.push_back({std::string(token.text), {}, {}});
        return add_symbol(token.text, {Symbol::Kind::prototype, static_cast<std::uint32_t>(function.prototypes.size() - 1)}, token) &&
               skip_to_semicolon();
    }
    const std::size_t scope = scopes_.back().number;
    auto &known = labels_[token.text];
    for (const auto &[other, unused] : known)
        if (other == scope) return fail(token, fmt::format("the label {} is there already", token.text));
    known.emplace_back(scope, static_cast<std::uint32_t>(function.labels.size()));
    function.labels.push_back({std::string(token.text), static_cast<std::uint32_t>(function.code.size())});
    return true;
}

bool Parser::table(Function &function, std::string_view name_of_it) {
    const Token where = lexer_.token();
    Table result;
    result.name = name_of_it;
    std::vector<LabelUse> uses;
    do {
        const Token token = lexer_.token();
        std::string_view target;
        if (!name(target, "a label")) return false;
        uses.push_back({target, scopes_.back().number, token, 0});
        result.labels.emplace_back(target);
    } while (take(','));
    table_uses_.push_back(std::move(uses));
    function.tables.push_back(std::move(result));
    return add_symbol(name_of_it, {Symbol::Kind::table, static_cast<std::uint32_t>(function.tables.size() - 1)}, where) && expect(';');
}

bool Parser::prototype_formals(std::vector<std::uint64_t> &sizes) {
    if (!expect('(')) return false;
    if (take(')')) return true;
    do {
        if (take(".reg")) {
            sizes.push_back(bits_of(type_named(lexer_.token().text.substr(std::min<std::size_t>(1, lexer_.token().text.size())))) / 8);
            lexer_.next();
            lexer_.next();
            continue;
        }
        if (!take(".param")) return fail(fmt::format(".param is expected here, not {}", lexer_.token().text.substr(0, 60)));
        Variable variable;
        variable.space = Space::param;
        std::string_view unused;
        if (!variable_type(variable) || !name(unused, "a name or _") || !dimensions(variable)) return false;
        sizes.push_back(variable.size);
    } while (take(','));
    return expect(')');
}

bool Parser::prototype(Function &function, std::string_view name_of_it) {
    const Token where = lexer_.token();
    Prototype result;
    result.name = name_of_it;
    std::string_view unused;
    if (lexer_.token().is('(') && !prototype_formals(result.returns)) return false;
    if (!name(unused, "_")) return false;
    if (lexer_.token().is('(') && !prototype_formals(result.parameters)) return false;
    while (lexer_.token().kind == Token::Kind::directive) {
        lexer_.next();
        std::int64_t value = 0;
        if (lexer_.token().kind == Token::Kind::number && !constant(value)) return false;
    }
    function.prototypes.push_back(std::move(result));
    return add_symbol(name_of_it, {Symbol::Kind::prototype, static_cast<std::uint32_t>(function.prototypes.size() - 1)}, where) &&
           expect(';');
}

bool Parser::instruction(Function &function) {
    Instruction result;
    result.place = place();
    if (take('@')) {
        result.guard_negated = take('!');
        const Token token = lexer_.token();
        Operand guard;
        if (!plain_operand(function, guard)) return false;
        if (guard.kind != Operand::Kind::reg || function.registers[guard.index] != Type::pred) return fail(token, "a guard is a predicate");
        result.guard = static_cast<std::int32_t>(guard.index);
        result.place = place();
    }
    if (lexer_.token().kind != Token::Kind::word)
        return fail(fmt::format("an instruction is expected here, not {}", lexer_.token().text.substr(0, 60)));
    lexer_.take_opcode();
    const Token token = lexer_.token();
    const auto opcode = program_.opcodes.find(token.text);
    if (!opcode) return fail(token, opcode.error().message);
    result.opcode = *opcode;
    lexer_.next();
    std::vector<Operand> list;
    const Opcode &known = program_.opcodes[*opcode];
    if (known.action() == Action::unable) {
        Operand text;
        text.kind = Operand::Kind::text;
        text.index = static_cast<std::uint32_t>(function.texts.size());
        function.texts.emplace_back(trim(lexer_.take_to_semicolon()));
        list.push_back(text);
    } else if (known.action() == Action::call ? !call_operands(function, list) : !operands(function, known, list)) return false;
    if (!take(';')) return fail(fmt::format("; or , is expected here, not {}", lexer_.token().text.substr(0, 60)));
    result.first_operand = static_cast<std::uint32_t>(function.operands.size());
    result.operand_count = static_cast<std::uint16_t>(list.size());
    for (const Operand &operand : list) {
        if (operand.kind == Operand::Kind::label) uses_.back().operand = static_cast<std::uint32_t>(function.operands.size());
        function.operands.push_back(operand);
    }
    function.code.push_back(result);
    return true;
}

bool Parser::operands(Function &function, const Opcode &opcode, std::vector<Operand> &into) {
    if (lexer_.token().is(';')) return true;
    do {
        // A branch's target is a label, whatever else has the name.
        const Token token = lexer_.token();
        if (opcode.action() == Action::branch && token.kind == Token::Kind::word) {
            lexer_.next();
            Operand target;
            target.kind = Operand::Kind::label;
            uses_.push_back({token.text, scopes_.back().number, token, 0});
            into.push_back(target);
            continue;
        }
        Operand one;
        if (!operand(function, one)) return false;
        into.push_back(one);
        constexpr std::size_t most_operands = 64;
        if (into.size() > most_operands) return fail("there are too many operands");
    } while (take(','));
    return true;
}

/// call (returned), target, (given), prototype; with both lists and the prototype left out where there are none.
bool Parser::call_operands(Function &function, std::vector<Operand> &into) {
    Operand returned, target, given;
    returned.kind = given.kind = Operand::Kind::list;
    if (lexer_.token().is('(')) {
        if (!list_in_parentheses(function, returned) || !expect(',')) return false;
    }
    if (!plain_operand(function, target)) return false;
    into.push_back(returned);
    into.push_back(target);
    Operand last;
    if (take(',')) {
        if (lexer_.token().is('(')) {
            if (!list_in_parentheses(function, given)) return false;
            if (take(',') && !plain_operand(function, last)) return false;
        } else if (!plain_operand(function, last)) {
            return false;
        }
    }
    into.push_back(given);
    if (last.kind != Operand::Kind::none) into.push_back(last);
    return true;
}

bool Parser::list_in_parentheses(Function &function, Operand &list) { return expect('(') && elements(function, list, ')'); }

/// What stands between braces or parentheses, of which the first is read already.
bool Parser::elements(Function &function, Operand &result, char closing) {
    std::vector<Operand> list;
    if (!take(closing)) {
        do {
            Operand one;
            if (!plain_operand(function, one)) return false;
            list.push_back(one);
        } while (take(','));
        if (!expect(closing)) return false;
    }
    result.kind = Operand::Kind::list;
    result.index = static_cast<std::uint32_t>(function.elements.size());
    result.count = static_cast<std::uint32_t>(list.size());
    function.elements.insert(function.elements.end(), list.begin(), list.end());
    return true;
}

bool Parser::operand(Function &function, Operand &result) {
    if (take('{')) return elements(function, result, '}');
    if (take('[')) return address(function, result);
    if (!plain_operand(function, result)) return false;
    if (!take('|')) return true;
    Operand second;
    if (!plain_operand(function, second)) return false;
    const Operand first = result;
    result = {Operand::Kind::pair, false, false, static_cast<std::uint32_t>(function.elements.size()), 2, 0};
    function.elements.push_back(first);
    function.elements.push_back(second);
    return true;
}

bool Parser::offset(std::int64_t &value) {
    value = 0;
    if (lexer_.token().is('+')) {
        lexer_.next();
        return constant(value);
    }
    if (lexer_.token().is('-')) return constant(value);
    return true;
}

bool Parser::address(Function &function, Operand &result) {
    if (!plain_operand(function, result)) return false;
    result.is_address = true;
    if (result.kind == Operand::Kind::reg && !offset(result.value)) return false;
    if (take(',')) return coordinates(function, result);
    return expect(']');
}

/// Behind "[texture,": {coordinates}, or one.
bool Parser::coordinates(Function &function, Operand &result) {
    Operand texture = result, place;
    texture.is_address = false;
    if (take('{')) {
        if (!elements(function, place, '}')) return false;
    } else {
        Operand one;
        if (!plain_operand(function, one)) return false;
        place.index = static_cast<std::uint32_t>(function.elements.size());
        place.count = 1;
        function.elements.push_back(one);
    }
    if (lexer_.token().is(',')) return fail("a texture has its sampler with it: what takes another one is not known");
    result = {Operand::Kind::list, false, true, static_cast<std::uint32_t>(function.elements.size()), place.count + 1, 0};
    function.elements.push_back(texture);
    for (std::uint32_t at = 0; at < place.count; ++at) {
        const Operand element = function.elements[place.index + at];
        function.elements.push_back(element);
    }
    return expect(']');
}

bool Parser::named_operand(Operand &result) {
    const Token token = lexer_.token();
    std::string_view word = token.text;
    lexer_.next();
    if (word == "_") {
        result.kind = Operand::Kind::sink;
        return true;
    }
    if (const auto reg = numbered(word)) {
        result.kind = Operand::Kind::reg;
        result.index = *reg;
        return true;
    }
    const Symbol symbol = find(word);
    result.index = symbol.index;
    switch (symbol.kind) {
        case Symbol::Kind::reg: result.kind = Operand::Kind::reg; return true;
        case Symbol::Kind::module_variable: result.kind = Operand::Kind::module_variable; return offset(result.value);
        case Symbol::Kind::own_variable: result.kind = Operand::Kind::own_variable; return offset(result.value);
        case Symbol::Kind::function: result.kind = Operand::Kind::function; return true;
        case Symbol::Kind::table: result.kind = Operand::Kind::table; return true;
        case Symbol::Kind::prototype: result.kind = Operand::Kind::prototype; return true;
        case Symbol::Kind::none: break;
    }
    if (word.front() == '%') {
        std::string full(word.substr(1));
        if (lexer_.token().kind == Token::Kind::directive) {
            full += lexer_.token().text;
            lexer_.next();
        }
        if (const auto special = special_named(full)) {
            result.kind = Operand::Kind::special;
            result.index = static_cast<std::uint32_t>(*special);
            return true;
        }
        return fail(token, fmt::format("there is no register %{}", full));
    }
    if (word == "WARP_SZ") {
        result.kind = Operand::Kind::integer;
        result.value = 32;
        return true;
    }
    return fail(token, fmt::format("{} is not declared", word));
}

bool Parser::plain_operand(Function &function, Operand &result) {
    const Token token = lexer_.token();
    result = {};
    if (token.kind == Token::Kind::word && token.text != "WARP_SZ") return named_operand(result);
    if (take('!')) {
        if (!named_operand(result)) return false;
        if (result.kind != Operand::Kind::reg || function.registers[result.index] != Type::pred)
            return fail(token, "! stands before predicates");
        result.is_negated = true;
        return true;
    }
    // Floats have a sign only as numbers of their own.
    const bool is_negative = token.is('-');
    if (token.kind == Token::Kind::number || is_negative) {
        std::string_view text = token.text;
        if (is_negative) {
            Lexer after = lexer_;
            after.next();
            text = after.token().kind == Token::Kind::number ? after.token().text : std::string_view();
        }
        Operand value;
        if (!text.empty() && number(text, value) && value.kind != Operand::Kind::integer) {
            if (is_negative) lexer_.next();
            lexer_.next();
            if (is_negative)
                value.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value.value) ^
                                                        (value.kind == Operand::Kind::single ? 0x80000000u : std::uint64_t{1} << 63));
            result = value;
            return true;
        }
    }
    result.kind = Operand::Kind::integer;
    return constant(result.value);
}

bool Parser::resolve_labels(Function &function) {
    const auto resolve = [&](const LabelUse &use, std::uint32_t &target) {
        const auto known = labels_.find(use.name);
        if (known != labels_.end()) {
            for (std::size_t scope = use.scope;; scope = parents_[scope]) {
                for (const auto &[in, label] : known->second) {
                    if (in != scope) continue;
                    target = label;
                    return true;
                }
                if (scope == 0) break;
            }
        }
        return fail(use.where, fmt::format("there is no label {}", use.name));
    };
    for (const LabelUse &use : uses_) {
        std::uint32_t label = 0;
        if (!resolve(use, label)) return false;
        function.operands[use.operand].index = label;
    }
    for (std::size_t table = 0; table < table_uses_.size(); ++table) {
        for (const LabelUse &use : table_uses_[table]) {
            std::uint32_t label = 0;
            if (!resolve(use, label)) return false;
            function.tables[table].targets.push_back(label);
        }
    }
    return true;
}

}  // namespace mog::ptx
