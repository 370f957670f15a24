// sampled_choice.cpp: functions in which more time was lost than compiling them takes.
#include "assembler/blocks/sampled_choice.hpp"

#include <algorithm>

#include "assembler/blocks/block_choice.hpp"

namespace mog {

namespace {

/// Seconds of PoCL's compiler for a kernel with hardly anything in it (docs/benchmarks.md).
constexpr double least_seconds = 1.2;
/// How many times as long as a compiled instruction an interpreted one takes: 12 to 15 were measured on PoCL, with no superinstructions.
constexpr double interpreted_takes = 15;
/// A kernel that is built anyway takes more than what has paid already: the program may run on for longer than it has, and is run again.
constexpr double foresight = 4;

}  // namespace

void SampledCode::add(std::uint32_t at, double instructions, bool is_compiled) {
    all[at] += instructions;
    if (is_compiled) compiled += instructions;
    else interpreted[at] += instructions;
}

void SampledCode::begin_anew() {
    interpreted.clear();
    compiled = seconds = 0;
}

SampledChoice::SampledChoice(const Image &image) : image_(image), code_(code_blocks(image)), estimate_(static_execution(image)) {}

/// The blocks of a function that are compiled with it: all, for who leaves compiled code for a rare block comes back to it only at the next
/// jump; of a long one those in which PEs were seen, and those that estimates do not take for rare. `seen`: by block.
std::vector<std::uint32_t> SampledChoice::piece_of(std::uint32_t function, const std::vector<double> &seen) const {
    const CodeBlocks::Function &of = code_.functions[function];
    std::uint32_t instructions = 0;
    double hottest = 0;
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t block = of.first_block; block < of.first_block + of.blocks; ++block) {
        instructions += size(block);
        hottest = std::max(hottest, estimate_.count[code_.start[block]]);
        blocks.push_back(block);
    }
    if (instructions > long_function)
        std::erase_if(blocks,
                      [&](std::uint32_t block) { return seen[block] == 0 && estimate_.count[code_.start[block]] < rare * hottest; });
    return blocks;
}

CodeChoice SampledChoice::choose(const SampledCode &seen, const std::vector<bool> &compiled) const {
    CodeChoice choice;
    for (const std::uint32_t at : code_.start) choice.blocks.push_back(at < compiled.size() && compiled[at]);
    std::vector<double> by_block(code_.start.size()), by_function(code_.functions.size());
    double interpreted = 0;
    for (const auto &[at, instructions] : seen.interpreted) {
        if (at >= code_.block_of.size()) continue;
        by_block[code_.block_of[at]] += instructions;
        by_function[code_.function[code_.block_of[at]]] += instructions;
        interpreted += instructions;
    }
    const double all = interpreted_takes * interpreted + seen.compiled;
    for (std::uint32_t f = 0; f < by_function.size() && all > 0; ++f) {
        if (by_function[f] == 0) continue;
        const double lost = seen.seconds * (interpreted_takes - 1) * by_function[f] / all;
        std::vector<std::uint32_t> piece = piece_of(f, by_block);
        std::erase_if(piece, [&](std::uint32_t block) { return choice.blocks[block]; });
        double instructions = 0;
        for (const std::uint32_t block : piece) instructions += size(block);
        if (piece.empty() || foresight * lost < instructions / compiled_per_second) continue;
        for (const std::uint32_t block : piece) choice.blocks[block] = true;
        choice.lost += lost;
    }
    for (const CodeBlocks::Function &function : code_.functions) {
        std::uint32_t instructions = 0;
        for (std::uint32_t block = function.first_block; block < function.first_block + function.blocks; ++block)
            if (choice.blocks[block]) instructions += size(block);
        choice.functions += instructions != 0;
        choice.instructions += instructions;
    }
    choice.cost = least_seconds + choice.instructions / compiled_per_second;
    return choice;
}

/// Within a function the estimate tells what is executed more, and between functions samples do.
BlockPlan SampledChoice::plan(const SampledCode &seen, std::vector<bool> blocks) const {
    std::vector<double> sampled(code_.functions.size()), estimated(sampled.size());
    for (const auto &[at, instructions] : seen.all)
        if (at < code_.block_of.size()) sampled[code_.function[code_.block_of[at]]] += instructions;
    for (std::size_t at = 0; at < code_.block_of.size(); ++at) estimated[code_.function[code_.block_of[at]]] += estimate_.count[at];
    const auto scale = [&](std::uint32_t at) {
        const std::uint32_t f = code_.function[code_.block_of[at]];
        return estimated[f] > 0 ? sampled[f] / estimated[f] : 0;
    };
    Execution execution = estimate_;
    for (std::uint32_t at = 0; at < code_.block_of.size(); ++at) execution.count[at] *= scale(at);
    for (Execution::Jump &jump : execution.jumps) jump.count *= scale(jump.from);
    return plan_chosen_blocks(image_, execution, std::move(blocks));
}

}  // namespace mog
