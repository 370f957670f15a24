// sampled_choice.hpp: which basic blocks are compiled, of a program that runs: by where its PEs were seen.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "assembler/blocks/block_plan.hpp"

namespace mog {

/// What samples say of a run. Instructions are those that a sample stands for, by TEXT index of where a PE stood.
struct SampledCode {
    std::map<std::uint32_t, double> all;  ///< from the beginning
    // Since other code was compiled:
    std::map<std::uint32_t, double> interpreted;
    double compiled = 0;  ///< instructions, in compiled code
    double seconds = 0;   ///< of launches

    /// A PE stood at `at`, about so many instructions after it was seen before.
    void add(std::uint32_t at, double instructions, bool is_compiled);
    /// Other code is compiled now.
    void begin_anew();

    static void carry(auto &self, auto &archive) { archive(self.all, self.interpreted, self.compiled, self.seconds); }
};

/// What to compile, what is compiled already included.
struct CodeChoice {
    std::vector<bool> blocks;                       ///< by block of code_blocks()
    std::uint32_t functions = 0, instructions = 0;  ///< that have a block among them; MOG instructions in all
    // Of what has paid; there may be more:
    double lost = 0;  ///< seconds that it took to interpret rather than execute it
    double cost = 0;  ///< seconds that a driver's compiler takes for it, and for what is compiled already, about

    /// A run that has lost as much as compiling takes compiles: so no run takes more than twice as long as the best that it could have
    /// done, and short ones do not compile.
    bool pays() const { return lost >= cost; }
};

class SampledChoice {
public:
    explicit SampledChoice(const Image &image);

    /// `compiled`: by TEXT index, what is compiled already; or empty.
    CodeChoice choose(const SampledCode &seen, const std::vector<bool> &compiled) const;
    /// These blocks in groups, with what samples and estimates say of them.
    BlockPlan plan(const SampledCode &seen, std::vector<bool> blocks) const;

private:
    std::vector<std::uint32_t> piece_of(std::uint32_t function, const std::vector<double> &seen) const;
    std::uint32_t size(std::uint32_t block) const { return code_.end(image_, block) - code_.start[block]; }

    const Image &image_;
    const CodeBlocks code_;
    const Execution estimate_;
};

}  // namespace mog
