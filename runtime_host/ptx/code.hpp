// code.hpp: a function as operations over lanes, with the layout of its frame.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime_host/ptx/code/kernel_source.hpp"
#include "runtime_host/ptx/lanes.hpp"
#include "translator/ptx/program.hpp"

namespace mog::ptx {

/// Functions that kernels may call without their having a body.
enum class Builtin : std::uint8_t { none, vprintf, assert_fail, malloc, free };

/// What a frame has in it from the beginning.
struct Constant {
    enum class Kind : std::uint8_t {
        number,   ///< value
        special,  ///< value: which Special
        local,    ///< an address of .local: the frame's, plus value
        param,    ///< a pointer to the lane's own variable of .param, which is at `value` in the frame, with `stride`
        given,    ///< a pointer into the parameters of the kernel, at value
    };
    Kind kind = Kind::number;
    std::uint8_t bytes = 4;  ///< of an element: 2, 4, 8; 0: a predicate
    std::uint32_t offset = 0, stride = 0;
    std::uint64_t value = 0;
};

/// Where what is passed to a function or comes back from it stands in a frame.
struct Passed {
    bool is_variable = false;  ///< of .param: bytes of each lane, `stride` apart
    std::uint32_t offset = 0, stride = 0;
    std::uint32_t bytes = 4;  ///< of an element; of registers 2, 4, 8, or 0 for predicates
};

struct CallSite {
    std::uint32_t function = no_offset;  ///< into Program::functions; no_offset: its address is in a register
    std::uint32_t address = 0;           ///< offset of that register
    Builtin builtin = Builtin::none;
    std::vector<Passed> returns, parameters;
};

struct Code {
    const Function *function = nullptr;
    std::vector<Op> ops;
    std::vector<Constant> constants;
    std::vector<CallSite> calls;
    std::vector<std::vector<std::uint32_t>> tables;  ///< targets, of branches with an index
    std::vector<Passed> returns, parameters;         ///< of a function that is called
    std::uint32_t frame_bytes = 0;
    std::uint32_t local_bytes = 0;
    std::uint32_t registers = 0;  ///< words of 32 bits that a thread uses
    bool calls_others = false;
    std::vector<std::string> errors;      ///< of operations that cannot be executed, by Op::target
    std::vector<std::uint32_t> first_op;  ///< by instruction, and one more
    FunctionPlaces places;                ///< for code that is compiled
};

/// Where the module's variables are, for code that names them.
struct Addresses {
    std::vector<std::uint64_t> variables;  ///< by Program::variables: pointers, or of .shared offsets
    std::vector<std::uint64_t> functions;  ///< by Program::functions
    std::vector<bool> is_dynamic_shared;
};

/// What an atomic operation does; nullptr: there is none of this word and type.
Handler atomic_handler(Word word, Type type, Addressing addressing);
/// Whether a generic address is in a space.
Handler space_handler(Space space);
/// What asks a texture or a surface of so many dimensions: of it and of coordinates (b, c, e; a layer is the last) elements from d on.
Handler texture_handler(const Opcode &opcode, unsigned dimensions);

/// Makes operations of a function. Error: something that cannot be executed, if `late_errors` does not put it off.
Result<std::unique_ptr<Code>> decode(const Program &program, const Function &function, const Addresses &addresses, bool late_errors);

}  // namespace mog::ptx
