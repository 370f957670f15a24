// sampled_choice.cpp: functions in which more time was lost than compiling them takes.
#include "assembler/blocks/sampled_choice.hpp"

#include <algorithm>

#include "assembler/image/constants.hpp"

namespace mog {

namespace {

/// A kernel that is built anyway takes more than what has paid already, as long as it costs no more than this many times what was lost: the
/// program may run on for longer than it has, and is run again; and where PEs come out of compiled code and go in again costs more than
/// samples tell.
constexpr double foresight = 16, most_for_foresight = 2;

/// Of a long function: control is likely to go on to a block that is executed so much as often as the one before it.
constexpr double likely = 0.1;

/// A function, or of a long one a part, that is not compiled yet.
struct Piece {
    std::vector<std::uint32_t> blocks;
    double lost = 0, cost = 0;  ///< seconds that interpreting took longer than compiled code would have; to compile it
};

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

SampledChoice::SampledChoice(const Image &image, const DriverCosts &costs, LibraryGroups libraries)
    : image_(image), costs_(costs), libraries_(libraries), origin_(image), code_(code_blocks(image)), estimate_(static_execution(image)) {}

/// The blocks of a function that are compiled with it: all, for who leaves compiled code for a rare block comes back to it only at the next
/// jump; of a long one those in which PEs were seen, and those to which control is likely to go from there by itself. So of an
/// interpreter's big switch the cases are compiled that this program runs. Of libraries that are apart, all: then other programs have the
/// same. `seen`: by block.
std::vector<std::uint32_t> SampledChoice::piece_of(std::uint32_t function, const std::vector<double> &seen) const {
    const CodeBlocks::Function &of = code_.functions[function];
    const std::uint32_t end = of.first_block + of.blocks;
    std::vector<std::uint32_t> blocks, open;
    for (std::uint32_t block = of.first_block; block < end; ++block) {
        blocks.push_back(block);
        if (seen[block] > 0) open.push_back(block);
    }
    if (!is_long(image_, code_, of) || is_apart(function)) return blocks;
    std::vector<bool> taken(of.blocks);
    const auto executed = [&](std::uint32_t block) { return estimate_.count[code_.start[block]]; };
    for (const std::uint32_t block : open) taken[block - of.first_block] = true;
    while (!open.empty()) {
        const std::uint32_t block = open.back(), last = code_.end(image_, block) - 1;
        open.pop_back();
        const auto go = [&](std::uint32_t to) {
            if (to < of.first_block || to >= end || taken[to - of.first_block] || executed(to) < likely * executed(block)) return;
            taken[to - of.first_block] = true;
            open.push_back(to);
        };
        if (const auto target = named_block(image_, code_, last)) go(*target);
        if (!ends_block(op_at(image_, last)) || is_call(image_, last)) go(block + 1);
    }
    std::erase_if(blocks, [&](std::uint32_t block) { return !taken[block - of.first_block]; });
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
    const double all = costs_.interpreted_takes * interpreted + seen.compiled;
    std::vector<Piece> pieces;
    for (std::uint32_t f = 0; f < by_function.size() && all > 0; ++f) {
        if (by_function[f] == 0) continue;
        Piece piece{piece_of(f, by_block), seen.seconds * (costs_.interpreted_takes - 1) * by_function[f] / all};
        std::erase_if(piece.blocks, [&](std::uint32_t block) { return choice.blocks[block]; });
        for (const std::uint32_t block : piece.blocks) piece.cost += costs_.counts * size(block) / costs_.built_per_second;
        if (!piece.blocks.empty()) pieces.push_back(std::move(piece));
    }
    std::ranges::stable_sort(pieces, [](const Piece &a, const Piece &b) { return a.lost * b.cost > b.lost * a.cost; });
    choice.cost = costs_.counts * costs_.least_seconds;
    for (std::uint32_t block = 0; block < code_.start.size(); ++block)
        if (choice.blocks[block]) choice.cost += costs_.counts * size(block) / costs_.built_per_second;
    const auto take = [&](const Piece &piece) {
        for (const std::uint32_t block : piece.blocks) choice.blocks[block] = true;
    };
    for (const Piece &piece : pieces) {
        if (piece.lost < piece.cost) continue;
        choice.lost += piece.lost;
        choice.cost += piece.cost;
        take(piece);
    }
    choice.seconds = choice.cost / costs_.counts;
    double cost = choice.cost;
    for (const Piece &piece : pieces) {
        if (piece.lost >= piece.cost || foresight * piece.lost < piece.cost) continue;
        if (cost + piece.cost > most_for_foresight * choice.lost) continue;
        cost += piece.cost;
        take(piece);
    }
    count(choice);
    return choice;
}

CodeChoice SampledChoice::keep(const std::vector<bool> &compiled) const {
    CodeChoice choice;
    for (const std::uint32_t at : code_.start) choice.blocks.push_back(at < compiled.size() && compiled[at]);
    for (std::uint32_t f = 0; f < code_.functions.size(); ++f) {
        const auto first = choice.blocks.begin() + code_.functions[f].first_block, end = first + code_.functions[f].blocks;
        if (is_apart(f) && std::find(first, end, false) != end) std::fill(first, end, false);
    }
    count(choice);
    return choice;
}

/// What its blocks come to.
void SampledChoice::count(CodeChoice &choice) const {
    for (const CodeBlocks::Function &function : code_.functions) {
        std::uint32_t instructions = 0;
        for (std::uint32_t block = function.first_block; block < function.first_block + function.blocks; ++block)
            if (choice.blocks[block]) instructions += size(block);
        choice.functions += instructions != 0;
        choice.instructions += instructions;
    }
}

/// Within a function the estimate tells what is executed more, and between functions samples do.
BlockPlan SampledChoice::plan(const SampledCode &seen, std::vector<bool> blocks) const {
    std::vector<double> sampled(code_.functions.size()), estimated(sampled.size());
    for (const auto &[at, instructions] : seen.all)
        if (at < code_.block_of.size()) sampled[code_.function[code_.block_of[at]]] += instructions;
    for (std::size_t at = 0; at < code_.block_of.size(); ++at) estimated[code_.function[code_.block_of[at]]] += estimate_.count[at];
    const auto scale = [&](std::uint32_t at) {
        const std::uint32_t f = code_.function[code_.block_of[at]];
        // What is written for a library's function shall not depend on the run.
        if (is_apart(f)) return 1.0;
        return estimated[f] > 0 ? sampled[f] / estimated[f] : 0.0;
    };
    Execution execution = estimate_;
    for (std::uint32_t at = 0; at < code_.block_of.size(); ++at) execution.count[at] *= scale(at);
    for (Execution::Jump &jump : execution.jumps) jump.count *= scale(jump.from);
    return plan_chosen_blocks(image_, execution, std::move(blocks), libraries_);
}

}  // namespace mog
