// markov_chain.hpp: a program as the order search sees it: a Markov chain that walks over kinds of instructions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assembler/profile/execution.hpp"

namespace mog {

/// A kind of instruction that a subinterpreter serves: a row of isa.def, or whatever else has an opcode.
struct Kind {
    Op op{};
    std::string name;
    double cost = 1;          ///< one execution of its body, in units of a register move
    std::vector<Op> parts{};  ///< of a superinstruction
};

/// Nodes and the chances of what follows them. The frequencies are the chain's own stationary ones. In the flow of a
/// program a node is an instruction in its place, in that of its digrams a kind (node k is kind k).
struct MarkovChain {
    struct Successor {
        std::uint32_t node = 0;
        double share = 0;  ///< how often it comes next, of all that come next; sums to 1
    };
    std::vector<Kind> kinds;                         ///< each has at least one slot in every order
    std::vector<std::uint32_t> kind_of;              ///< by node
    std::vector<double> frequency;                   ///< by node; sums to 1; may be 0
    std::vector<std::vector<Successor>> successors;  ///< by node; empty if it is never executed
    /// Instructions of the program that are done when a node is, in the mean: more than 1 with superinstructions.
    double instructions = 1;

    std::size_t nodes() const { return kind_of.size(); }
    /// The sums of the frequencies of a kind's nodes.
    std::vector<double> kind_frequency() const;
};

/// What a sequence for the image serves: kinds of instruction in the order of isa.def, then superinstructions.
std::vector<Kind> kinds_of(const Image &image);

/// One node for each instruction that was executed; with superinstructions in the sequence, one for each place where a PE
/// was dispatched on. A PE that ended is followed by one that starts.
MarkovChain flow_of(const Image &image, const Execution &execution);

/// The same with all nodes of a kind made one: what is left of a program when only digrams are known.
MarkovChain digrams_of(const MarkovChain &flow);
MarkovChain digrams_of(const Image &image, const Execution &execution);

/// Without the successors that are rarer than `least` of all executed instructions: nearly the same, and much smaller.
MarkovChain without_rare(const MarkovChain &flow, double least);

/// The digrams of kinds from counts[a * n + b], times that b followed a.
MarkovChain flow_of_counts(std::vector<Kind> kinds, const std::vector<double> &counts);

}  // namespace mog
