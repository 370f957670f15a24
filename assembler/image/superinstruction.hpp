// superinstruction.hpp: several instructions served by one subinterpreter, without a dispatch between them.
//
// The parts stay in TEXT word for word; only the opcode of the first is replaced when a device loads the program
// (fused_text). The subinterpreter takes the operands of the others from the words that follow. So nothing moves: jumps
// into the middle, the constant pool's hashes, fault addresses, source lines and slices that end anywhere are those of
// the plain program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assembler/ir/isa.hpp"

namespace mog {

struct Image;

struct Superinstruction {
    Op code{};              ///< an opcode that isa.def leaves free
    std::vector<Op> parts;  ///< 2 to most_parts instructions of isa.def, of which may_continue holds but for the last

    bool operator==(const Superinstruction &) const = default;
};

inline constexpr std::size_t most_parts = 8;

/// How an interpreter comes to the subinterpreter of an instruction: it tries one after the other, or jumps there. In a
/// sequence each superinstruction makes the way to all others longer, so it may have fewer of them than the switch.
enum class Shape : std::uint8_t { sequence, switch_ };

/// True if it is known in TEXT what is executed after `op` unless the PE stops there or takes a conditional jump: the
/// next word, or where `ja` leads.
bool may_continue(Op op);

/// The opcodes that isa.def leaves free, ascending; neither 0 nor that of stopped PEs.
std::vector<Op> free_opcodes();

/// No TEXT index: what follows an instruction is not known.
inline constexpr std::uint32_t unknown_index = 0xffffffffu;

/// By TEXT index: the index of what is executed next, unless the PE stops or takes a conditional jump; unknown_index
/// after `j`, `sys` and what ends a block otherwise.
std::vector<std::uint32_t> static_successors(const Image &image);

/// By TEXT index: the opcode of the superinstruction that begins there in this shape, or 0. Empty: none anywhere.
const std::vector<std::uint8_t> &fused_opcodes(const Image &image, Shape shape);

/// TEXT as devices load it for this shape: at each index the opcode of the superinstruction that begins there, if one does.
std::vector<std::uint16_t> fused_text(const Image &image, Shape shape);

/// TEXT to load, and how many superinstructions it has. `plain`: none, as what counts or ends by the instruction needs it, and what
/// compiled blocks leave to the interpreter (interpreter.c).
struct LoadedText {
    std::vector<std::uint16_t> words;
    std::size_t superinstructions = 0;
};
LoadedText text_to_load(const Image &image, Shape shape, bool plain);

/// The superinstructions that stand in that text, in the order of the image's list.
std::vector<Superinstruction> superinstructions_of(const Image &image, Shape shape);

/// By opcode: how many instructions it executes, 1 for those of isa.def.
std::vector<std::uint8_t> part_counts(const Image &image);

/// The name of an instruction, or of a superinstruction of the image: "lr+add+sw".
std::string op_name(const Image &image, Op op);

}  // namespace mog
