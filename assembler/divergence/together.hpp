// together.hpp: which variables have the same value in all lanes that go through a piece of code together.
//
// Lanes go together if they enter at the same place and every branch comes out the same in all of them. Then an instruction
// that reads only what is the same in all lanes writes the same in all, and what lanes did before does not matter: no history need be
// known, only that some variables are the same at the entry, which is asked there. (Sampaio, "Divergence analysis with affine
// constraints", 2013, has the same for threads that are together from the beginning; LLVM's UniformityAnalysis says "uniform if
// converged".) It is the simple analysis with all branches of one mind, turned round: not what follows from how lanes came here,
// but the least that has to be asked for the same to follow. So it is solved over sets of all variables, by block, and not over SSA values:
// what is asked at each of several entries is such a set, and so is what each block takes for scalars. Where both can be asked they
// say the same, which a test compares. Short pieces that only some of the lanes execute are allowed: what is written in them differs from
// then on.
#pragma once

#include <vector>

#include "assembler/analysis/effects.hpp"
#include "assembler/analysis/graph.hpp"

namespace mog::divergence {

/// An instruction, as far as it matters here.
struct LaneStep {
    RegisterSet reads, writes;
    bool is_own = false;  ///< what it writes is each lane's own, whatever it reads: a load from its memory
    /// Of what it reads: what is worth being the same, all of it or nothing: an address, the condition of a branch.
    RegisterSet wanted;
    /// It is its own, but lanes only stay together if it is found to be the same in all of them: that is asked each time.
    bool is_confirmed = false;

    /// Whether it writes the same in all lanes, where these variables may differ.
    bool is_same(const RegisterSet &differs) const { return (!is_own || is_confirmed) && (reads & differs).none(); }
    /// The variables that may differ behind it. `some`: it is executed by some of the lanes only.
    RegisterSet differ_behind(const RegisterSet &differs, bool some) const {
        return some || !is_same(differs) ? differs | writes : differs & ~writes;
    }
};

/// A piece of code that lanes enter at `entries`. Nodes that these do not lead to are as if all were the same there.
struct LaneCode {
    Graph graph;
    std::vector<std::vector<LaneStep>> steps;  ///< by node
    std::vector<bool> some;                    ///< by node: only some of the lanes may execute it
    std::vector<Graph::Node> entries;
};

/// By node: the variables that may differ at its beginning, where those of `at_entries` (likewise) may if it is entered there. The least
/// solution. What a node that only some lanes execute writes differs from its beginning on.
std::vector<RegisterSet> differing(const LaneCode &code, const std::vector<RegisterSet> &at_entries);

/// The variables that have to be the same for all to be the same that is wanted and can be: `differs`, what differing() gave, says what
/// can. By node, at its beginning: at entries, what has to be asked there.
std::vector<RegisterSet> needed(const LaneCode &code, const std::vector<RegisterSet> &differs);

/// Steps that are confirmed for nothing are no longer: those which nothing that is wanted rests on, that some of the lanes execute, or that
/// have no one address.
void confirm_what_is_needed(LaneCode &code, const std::vector<RegisterSet> &differs);

}  // namespace mog::divergence
