// known_targets.cpp: the calls of a function, or functions or blocks of one that have a code address.
#include "assembler/blocks/known_targets.hpp"

#include <algorithm>

#include "assembler/image/constants.hpp"

namespace mog {
namespace {

constexpr std::size_t most_targets = 256;

/// Whether a jump through a register to this address leads to TEXT index `to`.
bool leads_to(const Image &image, std::uint32_t address, std::uint32_t to) {
    const std::uint32_t word = (address - image.code_base) / 4;
    return address % 4 == 0 && word < image.code_map.size() && image.code_map[word] == to;
}

}  // namespace

bool has_address(const Image &image, const CodeBlocks &code, std::uint32_t function) {
    const std::uint32_t to = code.start[code.functions[function].first_block];
    return leads_to(image, image.source_address[to], to);
}

std::vector<CodeAddress> known_targets(const Image &image, const BlockPlan &plan, std::uint32_t group, std::uint32_t at) {
    const CodeBlocks &code = plan.code;
    const std::uint32_t function = code.function[code.block_of[at]];
    std::vector<CodeAddress> targets;
    const auto add = [&](std::uint32_t address, std::uint32_t to) {
        const bool is_there = to < image.text.size() && plan.group_of[code.block_of[to]] == group && leads_to(image, address, to);
        if (is_there && targets.size() < most_targets) targets.push_back({address, to});
    };
    if (is_return(image, at)) {
        const bool by_address = has_address(image, code, function);
        for (const std::uint32_t block : plan.groups[group - 1].blocks) {
            const std::uint32_t last = code.end(image, block) - 1;
            const auto address = return_address(image, code, last);
            const auto called = named_block(image, code, last);
            if (address && (called ? code.function[*called] == function : by_address)) add(*address, last + 1);
        }
    } else if (is_call(image, code, at)) {
        for (const std::uint32_t block : plan.groups[group - 1].blocks)
            if (code.functions[code.function[block]].first_block == block) add(image.source_address[code.start[block]], code.start[block]);
    } else {
        const CodeBlocks::Function &whole = code.functions[function];
        for (std::uint32_t block = whole.first_block; block < whole.first_block + whole.blocks; ++block) {
            const std::uint32_t to = code.start[block];
            if (to == 0 || !is_call(image, code, to - 1)) add(image.source_address[to], to);
        }
    }
    return targets;
}

}  // namespace mog
