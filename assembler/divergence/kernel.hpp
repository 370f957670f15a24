// kernel.hpp: code that many lanes run together, as the analyses of divergence see it, whatever it was written in.
//
// A front end gives variables, blocks and instructions; nothing here is of one machine. Values are integers of the
// width of their variable, and arithmetic is modulo 2^width, unless an instruction is marked `exact`: then its result,
// as a signed integer, is that of the integers without end. Who marks one vouches for it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/analysis/graph.hpp"

namespace mog::divergence {

using BlockIndex = Graph::Node;
using Variable = std::uint32_t;
inline constexpr Variable no_variable = 0xffffffff;

/// A place in the user's text.
struct Place {
    std::uint32_t file = 0;  ///< index into Kernel::files
    std::uint32_t line = 0;  ///< from 1; 0: not known
    bool operator==(const Place &) const = default;
};

/// Numbers that differ among lanes, or are the same for all, by what the machine is.
enum class Special : std::uint8_t {
    tid,  ///< the number of the lane's thread among all: a warp has consecutive ones
    tid_x,
    tid_y,
    tid_z,  ///< in its block, by dimension; x runs fastest
    lane,   ///< in its warp
    ntid_x,
    ntid_y,
    ntid_z,  ///< the size of blocks
    ctaid_x,
    ctaid_y,
    ctaid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    warp,   ///< the number of the warp
    clock,  ///< anything that one lane may read otherwise than another
};
std::string_view name_of(Special special);

/// What an instruction does. operations.def has each with its word and whether a machine can execute it.
enum class Operation : std::uint8_t {
#define MOG_DIVERGENCE_OPERATION(name, word, operands, shape) name,
#include "assembler/divergence/operations.def"
};

/// How an operation treats polynomials in the number of the thread.
enum class Shape : std::uint8_t {
    constant,
    parameter,
    special,
    copy,
    sum,
    difference,
    product,
    multiply_add,
    shift,
    narrow,
    widen,
    zeroes,
    pure,
    equality,
    order,
    select,
    load,
    store,
    atomic,
    opaque,
    barrier
};

struct OperationInfo {
    std::string_view name;  ///< for messages
    std::string_view word;  ///< as texts have it; empty: none
    std::uint8_t operands;
    Shape shape;
};
const OperationInfo &info(Operation operation);

/// What is known of memory that is read.
enum class Memory : std::uint8_t {
    constant,  ///< nobody writes it while the kernel runs: equal addresses give equal values, whenever they are read
    shared,    ///< lanes see the same cell at the same address, but others may write between two readings
    own,       ///< each lane has its own: equal addresses say nothing
    warp,      ///< each warp has its own, whose lanes see the same cell at the same address
};
/// What stands before an address in it, as "local ", in texts; empty: nothing.
std::string_view prefix_of(Memory memory);

/// A variable, or a constant if it has none: a signed number of the width of the instruction's operands.
struct Operand {
    Variable variable = no_variable;
    std::int64_t constant = 0;

    static Operand of(Variable variable) { return {variable, 0}; }
    static Operand number(std::int64_t constant) { return {no_variable, constant}; }
    bool is_constant() const { return variable == no_variable; }
    bool operator==(const Operand &) const = default;
};

struct Instruction {
    Operation operation = Operation::copy;
    Variable result = no_variable;
    /// As the operation has them. load: address; store: address, value; atomic: address, value.
    std::vector<Operand> operands;
    Special special = Special::tid;  ///< of Operation::special
    Memory memory = Memory::shared;  ///< of loads and stores
    bool exact = false;              ///< see the head of this file
    bool is_unsigned = false;        ///< of ordered comparisons, shifts to the right, extensions
    /// The next one is a part of the same instruction of the front end, which reads all that it reads before it writes anything.
    bool goes_on = false;
    Place place;
    std::string word;  ///< as its front end calls what has no word here; empty: as it is called here
};

/// How a block ends. Branches have a condition and two targets: where it is not 0, and where it is. A switch has a
/// condition and any number. Where the targets are not known, there is none: control leaves the kernel.
struct End {
    enum class Kind : std::uint8_t { jump, branch, choice, stop };
    Kind kind = Kind::stop;
    Operand condition;
    std::vector<BlockIndex> targets;
    Place place;
};

struct Block {
    std::string label;
    std::vector<Instruction> code;
    End end;
};

struct VariableInfo {
    std::string name;
    std::uint8_t width = 32;  ///< bits, 1 to 64; 64 at most
    /// False: who gives out registers leaves it alone. It is kept elsewhere, as predicates are, or only between parts of an instruction.
    bool wants_register = true;
};

/// What a variable holds before anything is assigned to it.
enum class Incoming : std::uint8_t { uniform, divergent };

struct Kernel {
    std::string name;
    std::vector<std::string> files;
    std::vector<VariableInfo> variables;
    std::vector<Incoming> incoming;  ///< by variable
    std::vector<Block> blocks;       ///< control begins in the first, and never comes back to it

    Variable add_variable(std::string name_of_it, std::uint8_t width = 32, Incoming before = Incoming::uniform) {
        variables.push_back({std::move(name_of_it), width});
        incoming.push_back(before);
        return static_cast<Variable>(variables.size() - 1);
    }
    Graph graph() const;
    /// "file:line", "file" or "".
    std::string place_text(const Place &place) const;
    /// A sentence that says what is malformed: targets that do not exist, operands that are missing. Empty: nothing.
    std::string check() const;
};

/// The width in which an instruction takes its operands: that of the first that is a variable; if none is, 64.
unsigned operand_width(const Kernel &kernel, const Instruction &instruction);
/// What an Operation::special reads, by name.
std::string name_in(const Instruction &special);
/// An operand as texts show it.
std::string text_of(const Kernel &kernel, const Operand &operand);
/// An instruction as texts show it, as "d = d + 1".
std::string text_of(const Kernel &kernel, const Instruction &instruction);
/// The same with other names of its result and operands; `result`: empty if it has none.
std::string text_with(const Instruction &instruction, const std::string &result, const std::function<std::string(std::size_t)> &operand);

}  // namespace mog::divergence
