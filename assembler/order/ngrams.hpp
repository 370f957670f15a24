// ngrams.hpp: which sequences of instructions a program executes most.
#pragma once

#include <cstdint>
#include <vector>

#include "assembler/order/markov_chain.hpp"

namespace mog {

struct Ngram {
    std::vector<std::uint32_t> kinds;  ///< numbers of the flow's kinds, in the order of execution
    double frequency = 0;              ///< of all sequences of this length
};

/// The `most` most frequent sequences of `length` kinds (at least 1), the most frequent first. Within straight code they follow
/// exactly from how often each instruction is executed; across branches a way counts as the product of what each branch
/// does on the whole, whatever came before it. Ways rarer than a millionth are left out.
std::vector<Ngram> frequent_ngrams(const MarkovChain &flow, std::size_t length, std::size_t most);

}  // namespace mog
