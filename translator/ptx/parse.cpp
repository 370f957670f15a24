// parse.cpp: a module's statements: directives, variables with their values, functions with what they take and give.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstring>

#include "support/text.hpp"
#include "translator/ptx/parser.hpp"

namespace mog::ptx {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 36;  // of a variable

std::string shown(const Token &token) {
    switch (token.kind) {
        case Token::Kind::end: return "the end of the text";
        case Token::Kind::text: return fmt::format("\"{}\"", token.text.substr(0, 40));
        case Token::Kind::bad: return "a character that nothing begins with";
        default: return std::string(token.text.substr(0, 60));
    }
}

}  // namespace

Parser::Parser(std::string_view text, std::string_view name) : lexer_(text) {
    program_.name = name;
    program_.files.emplace_back();
}

bool Parser::fail(const Token &where, std::string message) {
    if (!error_) error_ = Error{std::move(message), fmt::format("{}:{}:{}", program_.name, where.line, where.column)};
    return false;
}

bool Parser::expect(char mark) {
    if (!lexer_.token().is(mark)) return fail(fmt::format("{} is expected here, not {}", mark, shown(lexer_.token())));
    lexer_.next();
    return true;
}

bool Parser::take(char mark) {
    if (!lexer_.token().is(mark)) return false;
    lexer_.next();
    return true;
}

bool Parser::take(std::string_view word) {
    if (!lexer_.token().is(word)) return false;
    lexer_.next();
    return true;
}

bool Parser::name(std::string_view &result, const char *what) {
    if (lexer_.token().kind != Token::Kind::word) return fail(fmt::format("{} is expected here, not {}", what, shown(lexer_.token())));
    result = lexer_.token().text;
    lexer_.next();
    return true;
}

Place Parser::place() const { return {lexer_.token().line, lexer_.token().column, loc_file_, loc_line_}; }

Parser::Symbol Parser::find(std::string_view wanted) const {
    if (in_body_) {
        const auto own = own_symbols_.find(wanted);
        if (own != own_symbols_.end() && own->second.kind != Symbol::Kind::none) return own->second;
    }
    const auto found = module_symbols_.find(wanted);
    return found == module_symbols_.end() ? Symbol{} : found->second;
}

bool Parser::add_symbol(std::string_view added, Symbol symbol, const Token &where) {
    if (!in_body_) {
        if (!module_symbols_.emplace(added, symbol).second) return fail(where, fmt::format("{} is there already", added));
        return true;
    }
    Symbol &there = own_symbols_[added];
    if (!scopes_.empty()) scopes_.back().hidden.emplace_back(added, there);
    there = symbol;
    return true;
}

Result<Program> Parser::parse() {
    while (!lexer_.at_end())
        if (!module_statement()) return *error_;
    if (program_.version == 0) return Error{"this is no PTX: it does not begin with .version", fmt::format("{}:1:1", program_.name)};
    return std::move(program_);
}

bool Parser::version() {
    const std::string_view text = lexer_.token().text;
    unsigned major = 0, minor = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), major);
    if (read.ec != std::errc() || read.ptr == text.data() + text.size() || *read.ptr != '.')
        return fail("a version is two numbers with a point between them");
    std::from_chars(read.ptr + 1, text.data() + text.size(), minor);
    program_.version = major * 10 + minor;
    if (major < 1 || major > 9 || minor > 9) return fail(fmt::format("PTX {} is not known: 1.0 to 9.9 are", text));
    lexer_.next();
    return true;
}

bool Parser::target() {
    do {
        std::string_view word;
        if (!name(word, "a target")) return false;
        if (program_.target.empty()) program_.target = word;
    } while (take(','));
    return true;
}

bool Parser::file() {
    Operand number_of_it;
    if (lexer_.token().kind != Token::Kind::number || !number(lexer_.token().text, number_of_it)) return fail("a file has a number");
    lexer_.next();
    if (lexer_.token().kind != Token::Kind::text) return fail("a file has a name in quotes");
    constexpr std::int64_t most_files = 100000;
    if (number_of_it.value < 0 || number_of_it.value > most_files) return fail(fmt::format("files have numbers up to {}", most_files));
    const auto index = static_cast<std::size_t>(number_of_it.value);
    if (program_.files.size() <= index) program_.files.resize(index + 1);
    program_.files[index] = lexer_.token().text;
    lexer_.next();
    while (take(',')) lexer_.next();
    return true;
}

bool Parser::skip_section() {
    while (!lexer_.at_end() && !lexer_.token().is('{')) lexer_.next();
    lexer_.skip_braces();
    return true;
}

bool Parser::skip_to_semicolon() {
    while (!lexer_.at_end() && !lexer_.token().is(';')) lexer_.next();
    return expect(';');
}

bool Parser::module_statement() {
    const Token token = lexer_.token();
    if (take(';')) return true;
    if (token.is('@')) {  // @@DWARF
        lexer_.skip_line();
        return true;
    }
    if (token.kind != Token::Kind::directive) return fail(fmt::format("a directive is expected here, not {}", shown(token)));
    if (program_.version == 0 && token.text != ".version" && token.text != ".file") return fail("PTX begins with .version");
    const auto is = [&](std::string_view word) { return take(word); };
    if (is(".version")) return version();
    if (is(".target")) return target();
    if (is(".address_size")) {
        if (lexer_.token().text != "64") return fail("addresses have 64 bits here: compile for 64 bits");
        lexer_.next();
        return true;
    }
    if (is(".file")) return file();
    if (is(".loc")) return location();
    if (is(".section")) return skip_section();
    if (is(".pragma") || is(".alias")) return skip_to_semicolon();
    Declared declared;
    while (true) {
        if (take(".extern")) {
            declared.is_extern = true;
        } else if (take(".visible") || take(".weak") || take(".common")) {
            declared.is_visible = true;
        } else {
            return declaration(declared);
        }
    }
}

bool Parser::declaration(Declared declared) {
    if (take(".entry")) return function(declared, true);
    if (take(".func")) return function(declared, false);
    if (take(".global")) return variables(Space::global, declared, program_.variables, Symbol::Kind::module_variable);
    if (take(".const")) return variables(Space::constant, declared, program_.variables, Symbol::Kind::module_variable);
    if (take(".shared")) return variables(Space::shared, declared, program_.variables, Symbol::Kind::module_variable);
    if (take(".tex")) return fail("there are no textures yet");
    return fail(fmt::format("{} is not known here", shown(lexer_.token())));
}

// --- Variables ---

bool Parser::variable_type(Variable &variable) {
    while (true) {
        const Token token = lexer_.token();
        if (take(".align")) {
            std::int64_t value = 0;
            if (!constant(value)) return false;
            if (value < 1 || value > 4096 || (value & (value - 1)) != 0) return fail(token, "an alignment is a power of two up to 4096");
            variable.alignment = static_cast<std::uint32_t>(value);
        } else if (take(".attribute")) {
            if (!expect('(')) return false;
            while (!lexer_.at_end() && !lexer_.token().is(')')) lexer_.next();
            if (!expect(')')) return false;
        } else if (take(".ptr")) {
            // Where a parameter points to, and how it is aligned: hints.
            while (take(".global") || take(".const") || take(".shared") || take(".local")) continue;
        } else {
            break;
        }
    }
    const Token token = lexer_.token();
    unsigned vector = 1;
    if (take(".v2")) vector = 2;
    if (take(".v4")) vector = 4;
    if (lexer_.token().kind != Token::Kind::directive) return fail(fmt::format("a type is expected here, not {}", shown(token)));
    variable.type = type_named(lexer_.token().text.substr(1));
    if (lexer_.token().is(".texref") || lexer_.token().is(".samplerref") || lexer_.token().is(".surfref"))
        return fail("there are no textures yet");
    if (variable.type == Type::none) return fail(fmt::format("there is no type {}", shown(lexer_.token())));
    if (variable.type == Type::pred) return fail("predicates are registers only");
    lexer_.next();
    variable.size = std::uint64_t{vector} * bits_of(variable.type) / 8;
    variable.alignment = std::max(variable.alignment, static_cast<std::uint32_t>(variable.size));
    while (take(".ptr") || take(".global") || take(".const") || take(".shared") || take(".local")) continue;
    if (take(".align")) {
        std::int64_t value = 0;
        if (!constant(value)) return false;
    }
    return true;
}

bool Parser::dimensions(Variable &variable) {
    bool is_first = true;
    while (take('[')) {
        variable.is_array = true;
        if (take(']')) {
            if (!is_first) return fail("only the first dimension of an array may be left out");
            variable.size = 0;
        } else {
            std::int64_t count = 0;
            if (!constant(count)) return false;
            if (count < 0 || static_cast<std::uint64_t>(count) > most_bytes ||
                variable.size * static_cast<std::uint64_t>(count) > most_bytes)
                return fail(fmt::format("a variable has at most {} bytes", most_bytes));
            variable.size *= static_cast<std::uint64_t>(count);
            if (!expect(']')) return false;
        }
        is_first = false;
    }
    return true;
}

bool Parser::variables(Space space, Declared declared, std::vector<Variable> &into, Symbol::Kind kind) {
    if (take('[')) {  // .const[3]: a bank of early versions
        std::int64_t bank = 0;
        if (!constant(bank) || !expect(']')) return false;
    }
    Variable shape;
    shape.space = space;
    shape.is_extern = declared.is_extern;
    shape.is_visible = declared.is_visible;
    if (!variable_type(shape)) return false;
    do {
        Variable variable = shape;
        const Token token = lexer_.token();
        variable.place = place();
        std::string_view name_of_it;
        if (!name(name_of_it, "a name of a variable")) return false;
        variable.name = name_of_it;
        if (take('<')) {  // .param .b32 p<4>: as with registers
            std::int64_t count = 0;
            if (!constant(count) || !expect('>')) return false;
            return fail(token, "numbered variables are not known here: registers alone are");
        }
        const std::uint64_t element = shape.size;
        if (!dimensions(variable)) return false;
        if (take('=')) {
            if (space != Space::global && space != Space::constant) return fail(token, "only variables of .global and .const have values");
            std::uint64_t at = 0;
            if (!initial_values(variable, at, static_cast<unsigned>(bits_of(variable.type) / 8))) return false;
            if (variable.is_array && variable.size == 0) variable.size = at;
            if (at > variable.size)
                return fail(token, fmt::format("{} has {} bytes of values in {} bytes", variable.name, at, variable.size));
        }
        if (variable.size == 0 && !(variable.is_extern && variable.is_array) && element != 0 && space != Space::shared)
            return fail(token, fmt::format("{} has no size", variable.name));
        // A variable may be declared before it is defined.
        const Symbol known = find(name_of_it);
        if (kind == Symbol::Kind::module_variable && known.kind == kind && !in_body_) {
            Variable &earlier = program_.variables[known.index];
            if (!earlier.is_extern && !variable.is_extern) return fail(token, fmt::format("{} is there already", name_of_it));
            if (earlier.is_extern) earlier = std::move(variable);
            continue;
        }
        if (!add_symbol(name_of_it, {kind, static_cast<std::uint32_t>(into.size())}, token)) return false;
        into.push_back(std::move(variable));
    } while (take(','));
    return expect(';');
}

bool Parser::initial_values(Variable &variable, std::uint64_t &at, unsigned bytes) {
    if (!take('{')) return initial_value(variable, at, bytes);
    if (++depth_ > most_depth) return fail("values are nested too deep");
    if (!take('}')) {
        do {
            if (!initial_values(variable, at, bytes)) return false;
        } while (take(','));
        if (!expect('}')) return false;
    }
    --depth_;
    return true;
}

bool Parser::initial_value(Variable &variable, std::uint64_t &at, unsigned bytes) {
    const Token token = lexer_.token();
    const auto put = [&](std::uint64_t bits) {
        for (unsigned byte = 0; byte < bytes; ++byte)
            variable.bytes.push_back(byte < 8 ? static_cast<std::uint8_t>(bits >> (8 * byte)) : 0);
        at += bytes;
    };
    variable.bytes.resize(at);
    if (token.kind == Token::Kind::word) {
        Fixup fixup;
        fixup.offset = at;
        fixup.bytes = static_cast<std::uint8_t>(bytes);
        std::string_view word = token.text;
        lexer_.next();
        if (word == "mask" && lexer_.token().is('(')) {
            lexer_.next();
            std::int64_t mask = 0;
            if (!constant(mask) || !expect(',')) return false;
            while (mask > 0xff) {
                mask = static_cast<std::int64_t>(static_cast<std::uint64_t>(mask) >> 8);
                fixup.shift = static_cast<std::uint8_t>(fixup.shift + 8);
            }
            fixup.bytes = 1;
            if (!name(word, "a variable")) return false;
            const bool is_generic = word == "generic" && take('(');
            if (is_generic && (!name(word, "a variable") || !expect(')'))) return false;
            if (!offset(fixup.addend) || !expect(')')) return false;
        } else {
            const bool is_generic = word == "generic" && take('(');
            if (is_generic && (!name(word, "a variable") || !expect(')'))) return false;
            if (!offset(fixup.addend)) return false;
            if (bytes != 8) return fail(token, "an address has 64 bits, and so has what holds one");
        }
        fixup.symbol = word;
        const Symbol symbol = find(word);
        if (symbol.kind != Symbol::Kind::module_variable && symbol.kind != Symbol::Kind::function)
            return fail(token, fmt::format("there is no variable or function {}", word));
        if (symbol.kind == Symbol::Kind::module_variable && program_.variables[symbol.index].space == Space::shared)
            return fail(token, fmt::format("{} is shared: its address is not known before a kernel runs", word));
        fixup.is_function = symbol.kind == Symbol::Kind::function;
        variable.fixups.push_back(std::move(fixup));
        put(0);
        return true;
    }
    if (token.kind == Token::Kind::text) {
        for (const char c : token.text) {
            variable.bytes.push_back(static_cast<std::uint8_t>(c));
            ++at;
        }
        lexer_.next();
        return true;
    }
    // A float has its bits or digits; anything else is an expression.
    Operand value;
    const bool is_negative = token.is('-');
    if (is_real(variable.type)) {
        if (is_negative) lexer_.next();
        if (lexer_.token().kind != Token::Kind::number || !number(lexer_.token().text, value)) return fail("a number is expected here");
        lexer_.next();
        double real = 0;
        switch (value.kind) {
            case Operand::Kind::single: real = std::bit_cast<float>(static_cast<std::uint32_t>(value.value)); break;
            case Operand::Kind::real: real = std::bit_cast<double>(value.value); break;
            default: real = static_cast<double>(value.value); break;
        }
        if (is_negative) real = -real;
        if (bytes == 8) {
            put(std::bit_cast<std::uint64_t>(real));
        } else if (bytes == 4 && value.kind == Operand::Kind::single && !is_negative) {
            put(static_cast<std::uint64_t>(value.value));
        } else if (bytes == 4) {
            put(std::bit_cast<std::uint32_t>(static_cast<float>(real)));
        } else if (value.kind == Operand::Kind::integer) {
            put(static_cast<std::uint64_t>(value.value));  // bits of a half
        } else {
            return fail(token, "halves are written as their bits, such as 0x3C00");
        }
        return true;
    }
    std::int64_t integer = 0;
    if (!constant(integer)) return false;
    put(static_cast<std::uint64_t>(integer));
    return true;
}

// --- Functions ---

bool Parser::formal(Function &function, std::vector<Formal> &formals) {
    const Token token = lexer_.token();
    Formal result;
    if (take(".reg")) {
        const Type type = lexer_.token().kind == Token::Kind::directive ? type_named(lexer_.token().text.substr(1)) : Type::none;
        if (type == Type::none) return fail(fmt::format("a type is expected here, not {}", shown(lexer_.token())));
        lexer_.next();
        std::string_view name_of_it;
        if (!name(name_of_it, "a register")) return false;
        result.is_register = true;
        result.index = function.add_register(std::string(name_of_it), type);
        formals.push_back(result);
        return add_symbol(name_of_it, {Symbol::Kind::reg, result.index}, token);
    }
    if (!take(".param")) return fail(fmt::format(".param or .reg is expected here, not {}", shown(token)));
    Variable variable;
    variable.space = Space::param;
    variable.place = place();
    if (!variable_type(variable)) return false;
    std::string_view name_of_it;
    const Token named = lexer_.token();
    if (!name(name_of_it, "a parameter's name")) return false;
    variable.name = name_of_it;
    if (!dimensions(variable)) return false;
    if (variable.size > 65536) return fail(named, "parameters of more than 65536 bytes are not known");
    result.index = static_cast<std::uint32_t>(function.variables.size());
    function.variables.push_back(std::move(variable));
    formals.push_back(result);
    return name_of_it == "_" || add_symbol(name_of_it, {Symbol::Kind::own_variable, result.index}, named);
}

bool Parser::formals(Function &function, std::vector<Formal> &list) {
    if (!expect('(')) return false;
    if (take(')')) return true;
    do {
        if (!formal(function, list)) return false;
    } while (take(','));
    return expect(')');
}

bool Parser::function_directives(Function &function) {
    while (lexer_.token().kind == Token::Kind::directive) {
        const Token token = lexer_.token();
        if (take(".pragma")) {
            if (!skip_to_semicolon()) return false;
            continue;
        }
        lexer_.next();
        std::array<std::uint32_t, 3> sizes = {1, 1, 1};
        std::size_t count = 0;
        while (lexer_.token().kind == Token::Kind::number) {
            std::int64_t value = 0;
            if (!constant(value)) return false;
            if (count < sizes.size()) sizes[count++] = static_cast<std::uint32_t>(value);
            if (!take(',')) break;
        }
        const std::uint64_t threads = std::uint64_t{sizes[0]} * sizes[1] * sizes[2];
        if (token.text == ".maxntid" || token.text == ".reqntid") {
            if (threads < 1 || threads > 1024 || sizes[0] > 1024 || sizes[1] > 1024) return fail(token, "a block has 1 to 1024 threads");
            function.max_threads = static_cast<std::uint32_t>(threads);
            if (token.text == ".reqntid") function.required_block = sizes;
        } else if (token.text != ".minnctapersm" && token.text != ".maxnctapersm" && token.text != ".maxnreg" &&
                   token.text != ".noreturn" && token.text != ".abi_preserve" && token.text != ".abi_preserve_control" &&
                   token.text != ".maxclusterrank" && token.text != ".reqnctapercluster" && token.text != ".explicitcluster" &&
                   token.text != ".blocksareclusters" && token.text != ".unique" && token.text != ".retain") {
            return fail(token, fmt::format("{} is not known here", shown(token)));
        }
    }
    return true;
}

bool Parser::same_formals(const Function &earlier, const Function &later, const Token &where) {
    const auto sizes = [](const Function &function, const std::vector<Formal> &list) {
        std::vector<std::uint64_t> result;
        for (const Formal &one : list)
            result.push_back(one.is_register ? bits_of(function.registers[one.index]) / 8 : function.variables[one.index].size);
        return result;
    };
    if (sizes(earlier, earlier.parameters) == sizes(later, later.parameters) &&
        sizes(earlier, earlier.returns) == sizes(later, later.returns))
        return true;
    return fail(where, fmt::format("{} was declared with other parameters", later.name));
}

bool Parser::function(Declared declared, bool is_entry) {
    Function function;
    function.is_entry = is_entry;
    function.is_extern = declared.is_extern;
    function.is_visible = declared.is_visible;
    own_symbols_.clear();
    ranges_.clear();
    scopes_.clear();
    labels_.clear();
    uses_.clear();
    table_uses_.clear();
    parents_.assign(1, 0);
    in_body_ = true;
    if (take(".attribute")) {
        while (!lexer_.at_end() && !lexer_.token().is(')')) lexer_.next();
        if (!expect(')')) return false;
    }
    if (lexer_.token().is('(') && !formals(function, function.returns)) return false;
    const Token named = lexer_.token();
    function.place = place();
    std::string_view name_of_it;
    if (!name(name_of_it, "a function's name")) return false;
    function.name = name_of_it;
    if (lexer_.token().is('(') && !formals(function, function.parameters)) return false;
    if (!function_directives(function)) return false;

    // Known before its body, which may call it.
    const auto known = module_symbols_.find(name_of_it);
    std::uint32_t index = static_cast<std::uint32_t>(program_.functions.size());
    if (known != module_symbols_.end()) {
        if (known->second.kind != Symbol::Kind::function) return fail(named, fmt::format("{} is there already", name_of_it));
        index = known->second.index;
        const Function &earlier = program_.functions[index];
        if (earlier.has_body && lexer_.token().is('{')) return fail(named, fmt::format("{} is there already", name_of_it));
        if (!same_formals(earlier, function, named)) return false;
    } else {
        module_symbols_.emplace(name_of_it, Symbol{Symbol::Kind::function, index});
        program_.functions.emplace_back();
        program_.functions[index].name = name_of_it;
    }
    const auto put = [&] {
        if (!program_.functions[index].has_body) program_.functions[index] = std::move(function);
        in_body_ = false;
        return true;
    };
    if (take(';')) return put();
    if (!lexer_.token().is('{')) return fail(fmt::format("a body or ; is expected here, not {}", shown(lexer_.token())));
    function.has_body = true;
    program_.functions[index].returns = function.returns;
    program_.functions[index].parameters = function.parameters;
    return body(function) && put();
}

// --- Numbers ---

bool Parser::number(std::string_view text, Operand &result) {
    const auto whole = [&](std::string_view digits, int base) {
        std::uint64_t value = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
        result.kind = Operand::Kind::integer;
        result.value = static_cast<std::int64_t>(value);
        return !digits.empty() && read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    };
    std::string_view digits = text;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'f' || text[1] == 'F') && text.size() == 10) {
        if (!whole(text.substr(2), 16)) return false;
        result.kind = Operand::Kind::single;
        return true;
    }
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'd' || text[1] == 'D') && text.size() == 18) {
        if (!whole(text.substr(2), 16)) return false;
        result.kind = Operand::Kind::real;
        return true;
    }
    if (text.find('.') != text.npos || (text.find_first_of("eE") != text.npos && !text.starts_with("0x") && !text.starts_with("0X"))) {
        double value = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        result.kind = Operand::Kind::real;
        result.value = std::bit_cast<std::int64_t>(value);
        return read.ec == std::errc() && read.ptr == text.data() + text.size();
    }
    if (digits.ends_with('U')) digits.remove_suffix(1);
    if (digits.starts_with("0x") || digits.starts_with("0X")) return whole(digits.substr(2), 16);
    if (digits.starts_with("0b") || digits.starts_with("0B")) return whole(digits.substr(2), 2);
    if (digits.size() > 1 && digits.front() == '0') return whole(digits.substr(1), 8);
    return whole(digits, 10);
}

bool Parser::factor(std::int64_t &value) {
    const Token token = lexer_.token();
    if (++depth_ > most_depth) return fail("the expression is nested too deep");
    bool is_good = true;
    if (take('-')) {
        is_good = factor(value);
        value = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value));
    } else if (take('+')) {
        is_good = factor(value);
    } else if (take('~')) {
        is_good = factor(value);
        value = ~value;
    } else if (take('!')) {
        is_good = factor(value);
        value = value == 0;
    } else if (take('(')) {
        is_good = constant(value) && expect(')');
    } else if (take("WARP_SZ")) {
        value = 32;
    } else {
        Operand result;
        if (token.kind != Token::Kind::number || !number(token.text, result) || result.kind != Operand::Kind::integer)
            return fail(token, fmt::format("a whole number is expected here, not {}", shown(token)));
        value = result.value;
        lexer_.next();
    }
    --depth_;
    return is_good;
}

bool Parser::constant(std::int64_t &value, unsigned level) {
    // From the loosest to the tightest.
    static constexpr std::string_view levels[] = {"|", "^", "&", "<>", "+-", "*/%"};
    if (level == std::size(levels)) return factor(value);
    if (!constant(value, level + 1)) return false;
    while (lexer_.token().kind == Token::Kind::mark && levels[level].find(lexer_.token().text) != std::string_view::npos) {
        const char mark = lexer_.token().text.front();
        const bool is_shift = mark == '<' || mark == '>';
        if (is_shift && !lexer_.touches(mark)) break;  // it closes %r<4>
        lexer_.next();
        if (is_shift) lexer_.next();
        std::int64_t right = 0;
        if (!constant(right, level + 1)) return false;
        const auto a = static_cast<std::uint64_t>(value), b = static_cast<std::uint64_t>(right);
        switch (mark) {
            case '|': value = static_cast<std::int64_t>(a | b); break;
            case '^': value = static_cast<std::int64_t>(a ^ b); break;
            case '&': value = static_cast<std::int64_t>(a & b); break;
            case '<': value = static_cast<std::int64_t>(b < 64 ? a << b : 0); break;
            case '>': value = b < 64 ? value >> b : 0; break;
            case '+': value = static_cast<std::int64_t>(a + b); break;
            case '-': value = static_cast<std::int64_t>(a - b); break;
            case '*': value = static_cast<std::int64_t>(a * b); break;
            default:
                if (right == 0) return fail("a division by zero");
                if (right == -1) {
                    value = mark == '/' ? static_cast<std::int64_t>(0 - a) : 0;
                } else {
                    value = mark == '/' ? value / right : value % right;
                }
        }
    }
    return true;
}

bool Parser::constant(std::int64_t &value) { return constant(value, 0); }

Result<Program> parse(std::string_view text, std::string_view name) { return Parser(text, name).parse(); }

}  // namespace mog::ptx
