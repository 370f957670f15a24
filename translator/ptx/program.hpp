// program.hpp: PTX text as data: variables, functions, instructions with typed registers. What the parser makes, passes change and
// execution starts from.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "translator/ptx/forms.hpp"

namespace mog::ptx {

enum class Special : std::uint8_t {
#define MOG_PTX_SPECIAL(name, text, type, when) name,
#include "translator/ptx/specials.def"
};
struct SpecialInfo {
    std::string_view text;
    Type type;
    bool is_anew;  ///< each reading may give something else
};
const SpecialInfo &info(Special special);
std::optional<Special> special_named(std::string_view text);

/// Where something stands in the text of PTX, and the line of the source that it was made of (.loc).
struct Place {
    std::uint32_t line = 0, column = 0;  ///< from 1
    std::uint32_t file = 0;              ///< into Program::files, from 1; 0: not known
    std::uint32_t source_line = 0;
};

/// What stands for an address in the bytes of a variable.
struct Fixup {
    std::uint64_t offset = 0;  ///< bytes from the variable's beginning
    std::uint8_t bytes = 8;
    std::uint8_t shift = 0;  ///< of mask(): which byte of the address
    bool is_function = false;
    std::string symbol;
    std::int64_t addend = 0;
};

struct Variable {
    std::string name;
    Type type = Type::none;
    Space space = Space::global;
    std::uint32_t alignment = 1;
    std::uint64_t size = 0;  ///< bytes; 0: .extern .shared x[], as large as the launch says
    bool is_array = false;
    bool is_extern = false;
    bool is_visible = false;
    std::vector<std::uint8_t> bytes;  ///< initial value, zeros behind its end
    std::vector<Fixup> fixups;
    Place place;
};

struct Operand {
    enum class Kind : std::uint8_t {
        none,
        reg,              ///< index: register
        integer,          ///< value
        single,           ///< value: bits of a float
        real,             ///< value: bits of a double
        special,          ///< index: Special
        module_variable,  ///< its address plus value; index: into Program::variables
        own_variable,     ///< the same of Function::variables
        function,         ///< its address; index: into Program::functions
        label,            ///< index: into Function::labels
        table,            ///< index: into Function::tables
        prototype,        ///< index: into Function::prototypes
        list,             ///< elements [index, index + count) of Function::elements; is_address: [texture, {coordinates}]
        pair,             ///< the same: two, where p|q stands
        sink,             ///< _
        text,             ///< what is not understood; index: into Function::texts
    };
    Kind kind = Kind::none;
    bool is_negated = false;  ///< !p
    bool is_address = false;  ///< in brackets: the memory there; value is added to a register
    std::uint32_t index = 0, count = 0;
    std::int64_t value = 0;
    bool operator==(const Operand &) const = default;
};

/// The bits of a number, integer or not, as an operand of a type.
std::uint64_t number_as(const Operand &operand, Type type);

struct Instruction {
    std::uint32_t opcode = 0;  ///< into Program::opcodes
    std::int32_t guard = -1;   ///< a predicate; -1: none
    bool guard_negated = false;
    std::uint16_t operand_count = 0;
    std::uint32_t first_operand = 0;  ///< into Function::operands
    Place place;
};

/// Registers of one declaration: "%r<40>" or a name of its own.
struct RegisterRange {
    std::string name;
    Type type = Type::none;
    bool is_numbered = false;
    std::uint32_t first = 0, count = 1;
};

struct Label {
    std::string name;
    std::uint32_t at = 0;  ///< the instruction that it stands before
};

struct Table {
    std::string name;
    std::vector<std::uint32_t> targets;  ///< into Function::labels
    std::vector<std::string> labels;
};

/// What a function takes or gives: a variable of .param, or a register.
struct Formal {
    bool is_register = false;
    std::uint32_t index = 0;  ///< into variables or registers of the function
};

struct Prototype {
    std::string name;
    std::vector<std::uint64_t> returns, parameters;  ///< bytes of each
};

struct Function {
    std::string name;
    bool is_entry = false, is_extern = false, has_body = false, is_visible = false;
    std::vector<Formal> returns, parameters;
    std::vector<RegisterRange> ranges;
    std::vector<Type> registers;
    std::vector<Variable> variables;  ///< of .param and .local
    std::vector<Instruction> code;
    std::vector<Operand> operands, elements;
    std::vector<Label> labels;
    std::vector<Table> tables;
    std::vector<Prototype> prototypes;
    std::vector<std::string> texts;  ///< operands of instructions that cannot be executed
    std::uint32_t max_threads = 1024;
    std::optional<std::array<std::uint32_t, 3>> required_block;
    Place place;

    std::span<const Operand> operands_of(const Instruction &instruction) const {
        return std::span(operands).subspan(instruction.first_operand, instruction.operand_count);
    }
    std::span<Operand> operands_of(const Instruction &instruction) {
        return std::span(operands).subspan(instruction.first_operand, instruction.operand_count);
    }
    std::span<const Operand> elements_of(const Operand &list) const { return std::span(elements).subspan(list.index, list.count); }
    std::string register_name(std::uint32_t reg) const;
    std::uint32_t add_register(std::string reg_name, Type type);
};

struct Program {
    std::string name;      ///< of the text, for messages
    unsigned version = 0;  ///< 10 times that of .version: 60, 78
    std::string target;
    std::vector<std::string> files;   ///< of .file, by number; empty ones are not named
    std::vector<Variable> variables;  ///< of .global, .const and .shared, those that stand in functions too
    std::vector<Function> functions;
    Opcodes opcodes;

    const Opcode &opcode_of(const Instruction &instruction) const { return opcodes[instruction.opcode]; }
    const Function *function(std::string_view name) const;
    /// "kernel.ptx:12" or "kernel.ptx:12 (kernel.cu:3)".
    std::string text_of(const Place &place) const;
};

/// Reads PTX text. Errors name line and column, and what was expected there.
Result<Program> parse(std::string_view text, std::string_view name);

/// What is wrong with a program that the parser cannot see: types that do not fit, operands that are missing. An error names the place.
Result<void> verify(const Program &program);
Result<void> verify(const Program &program, const Function &function);

/// As text that parse() reads again.
std::string print(const Program &program);
std::string print(const Program &program, const Function &function);
std::string print(const Program &program, const Function &function, const Instruction &instruction);

}  // namespace mog::ptx
