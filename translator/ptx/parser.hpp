// parser.hpp: the parser's inside: what parse.cpp (modules) and parse_body.cpp (what is in braces) share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "translator/ptx/lexer.hpp"
#include "translator/ptx/program.hpp"

namespace mog::ptx {

class Parser {
public:
    Parser(std::string_view text, std::string_view name);
    Result<Program> parse();

private:
    /// What a name stands for.
    struct Symbol {
        enum class Kind : std::uint8_t { none, reg, module_variable, own_variable, function, table, prototype };
        Kind kind = Kind::none;
        std::uint32_t index = 0;
    };
    using Symbols = std::unordered_map<std::string_view, Symbol>;
    struct NumberedRange {
        std::string_view prefix;
        std::uint32_t first, count;
    };
    /// What declarations in braces hide until these close.
    struct Scope {
        std::vector<std::pair<std::string_view, Symbol>> hidden;
        std::size_t ranges = 0;
        std::size_t number = 0, parent = 0;
    };
    /// A label that is read before it is known.
    struct LabelUse {
        std::string_view name;
        std::size_t scope;
        Token where;
        std::uint32_t operand = 0;  // of an instruction
    };

    // Each returns whether it went well; if not, error_ says why.
    bool fail(const Token &where, std::string message);
    bool fail(std::string message) { return fail(lexer_.token(), std::move(message)); }
    bool expect(char mark);
    bool take(char mark);
    bool take(std::string_view word);
    bool name(std::string_view &result, const char *what);

    bool module_statement();
    bool version();
    bool target();
    bool file();
    bool skip_section();
    bool skip_to_semicolon();
    bool linkage();

    struct Declared {
        bool is_extern = false, is_visible = false;
    };
    bool declaration(Declared declared);
    bool function(Declared declared, bool is_entry);
    bool formals(Function &function, std::vector<Formal> &formals);
    bool formal(Function &function, std::vector<Formal> &formals);
    bool function_directives(Function &function);
    bool same_formals(const Function &earlier, const Function &later, const Token &where);

    bool variables(Space space, Declared declared, std::vector<Variable> &into, Symbol::Kind kind);
    bool variable_type(Variable &variable);
    bool dimensions(Variable &variable);
    bool initialiser(Variable &variable);
    bool initial_values(Variable &variable, std::uint64_t &at, unsigned bytes);
    bool initial_value(Variable &variable, std::uint64_t &at, unsigned bytes);

    bool body(Function &function);
    bool statement(Function &function);
    bool open_scope();
    void close_scope();
    bool registers(Function &function);
    bool one_register(Function &function, Type type);
    bool location();
    bool label(Function &function);
    bool table(Function &function, std::string_view name);
    bool prototype(Function &function, std::string_view name);
    bool prototype_formals(std::vector<std::uint64_t> &sizes);
    bool instruction(Function &function);
    bool operands(Function &function, const Opcode &opcode, std::vector<Operand> &into);
    bool call_operands(Function &function, std::vector<Operand> &into);
    bool list_in_parentheses(Function &function, Operand &list);
    bool operand(Function &function, Operand &result);
    bool plain_operand(Function &function, Operand &result);
    bool named_operand(Operand &result);
    bool address(Function &function, Operand &result);
    bool coordinates(Function &function, Operand &result);
    bool elements(Function &function, Operand &result, char closing);
    bool offset(std::int64_t &value);
    bool resolve_labels(Function &function);
    static void make_names_unique(Function &function);

    bool number(std::string_view text, Operand &result);
    /// A constant expression of integers.
    bool constant(std::int64_t &value);
    bool constant(std::int64_t &value, unsigned level);
    bool factor(std::int64_t &value);

    Symbol find(std::string_view name) const;
    std::optional<std::uint32_t> numbered(std::string_view name) const;
    bool add_symbol(std::string_view name, Symbol symbol, const Token &where);
    Place place() const;

    Lexer lexer_;
    Program program_;
    std::optional<Error> error_;
    Symbols module_symbols_, own_symbols_;
    std::vector<NumberedRange> ranges_;
    std::vector<Scope> scopes_;
    std::vector<std::size_t> parents_;                                                                 // by scope number
    std::unordered_map<std::string_view, std::vector<std::pair<std::size_t, std::uint32_t>>> labels_;  // scope, label
    std::vector<LabelUse> uses_;
    std::vector<std::vector<LabelUse>> table_uses_;
    std::uint32_t loc_file_ = 0, loc_line_ = 0;
    static constexpr unsigned most_depth = 64;
    unsigned depth_ = 0;  // of nested expressions and lists
    bool in_body_ = false;
};

}  // namespace mog::ptx
