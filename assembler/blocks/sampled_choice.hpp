// sampled_choice.hpp: which basic blocks are compiled, of a program that runs: by where its PEs were seen.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "assembler/blocks/block_choice.hpp"
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

/// What a device's driver takes for code that is compiled, and for code that is not.
struct DriverCosts {
    double least_seconds;      ///< for a kernel with hardly anything in it
    double built_per_second;   ///< MOG instructions that it compiles in one more
    double interpreted_takes;  ///< times as long as a compiled instruction, an interpreted one
    double counts;             ///< of the time that compiling takes: all of it where PEs run on the same cores

    /// PoCL: 0.9 s for hardly anything (docs/benchmarks.md); 1450 to 2200 instructions a second were measured, less than mogcc counts on,
    /// for it compiles all three times; 12 to 15 times, with no superinstructions.
    static constexpr DriverCosts pocl() { return {0.9, 1500, 15, 1}; }
    /// NVIDIA's: nvcc 13 took 0.7 s for hardly anything, and 700 to 2400 instructions a second, the fewer the larger the kernel. An H100
    /// took 20 to 100 times as long for what was interpreted. Of other makers' GPUs nothing is known yet, so these are theirs, too.
    static constexpr DriverCosts cuda() { return {0.7, 900, 30, 0.25}; }
};

/// What to compile, what is compiled already included.
struct CodeChoice {
    std::vector<bool> blocks;                       ///< by block of code_blocks()
    std::uint32_t functions = 0, instructions = 0;  ///< that have a block among them; MOG instructions in all
    // Of what has paid; there may be more:
    double lost = 0;     ///< seconds that it took to interpret rather than execute it
    double seconds = 0;  ///< that a driver's compiler takes for it, and for what is compiled already, about
    double cost = 0;     ///< as much of them as counts

    /// A run that has lost as much as compiling takes compiles: so no run takes more than twice as long as the best that it could have
    /// done, and short ones do not compile.
    bool pays() const { return lost >= cost; }
    /// Several runs together have lost twice as much as compiling takes: each was over before the kernel was there. Then one of them waits
    /// for it.
    bool is_overdue() const { return lost >= 2 * seconds; }
};

class SampledChoice {
public:
    SampledChoice(const Image &image, const DriverCosts &costs, LibraryGroups libraries);

    /// `compiled`: by TEXT index, what is compiled already; or empty.
    CodeChoice choose(const SampledCode &seen, const std::vector<bool> &compiled) const;
    /// What is compiled already, by TEXT index, or empty; where libraries are apart, their functions whole or not at all: then other
    /// programs have the same.
    CodeChoice keep(const std::vector<bool> &compiled) const;
    /// These blocks in groups, with what samples and estimates say of them.
    BlockPlan plan(const SampledCode &seen, std::vector<bool> blocks) const;

private:
    void count(CodeChoice &choice) const;
    std::vector<std::uint32_t> piece_of(std::uint32_t function, const std::vector<double> &seen) const;
    bool is_apart(std::uint32_t function) const { return mog::is_apart(image_, origin_, code_, function, libraries_); }
    std::uint32_t size(std::uint32_t block) const { return code_.end(image_, block) - code_.start[block]; }

    const Image &image_;
    const DriverCosts costs_;
    const LibraryGroups libraries_;
    const CodeOrigin origin_;
    const CodeBlocks code_;
    const Execution estimate_;
};

}  // namespace mog
