// known_targets.cpp: the calls of a function, or functions or blocks of one that have a code address.
#include "assembler/blocks/known_targets.hpp"

#include <algorithm>

#include "assembler/image/constants.hpp"

namespace mog {
namespace {

constexpr std::size_t most_targets = 256;

}  // namespace

bool has_address(const CodeBlocks &code, std::uint32_t function) {
    return std::ranges::any_of(addresses_of(code, code.functions[function].first_block),
                               [](const CodeBlocks::Address &address) { return address.entry != Entry::Return; });
}

std::vector<CodeAddress> known_targets(const Image &image, const BlockPlan &plan, std::uint32_t group, std::uint32_t at) {
    const CodeBlocks &code = plan.code;
    const std::uint32_t function = code.function[code.block_of[at]];
    std::vector<CodeAddress> targets;
    const auto add = [&](std::uint32_t address, std::uint32_t block) {
        if (plan.group_of[block] == group && targets.size() < most_targets) targets.push_back({address, code.start[block]});
    };
    /// By addresses that are taken.
    const auto add_taken = [&](std::uint32_t block) {
        for (const CodeBlocks::Address &address : addresses_of(code, block))
            if (address.entry != Entry::Return) add(address.address, block);
    };
    if (is_return(image, at)) {
        const bool by_address = has_address(code, function);
        for (const std::uint32_t block : plan.groups[group - 1].blocks) {
            const std::uint32_t last = code.end(image, block) - 1;
            const auto address = return_address(image, code, last);
            const auto called = named_block(image, code, last);
            if (address && (called ? code.function[*called] == function : by_address)) add(*address, block + 1);
        }
    } else if (is_call(image, at)) {
        for (const std::uint32_t block : plan.groups[group - 1].blocks)
            if (code.functions[code.function[block]].first_block == block) add_taken(block);
    } else {
        const CodeBlocks::Function &whole = code.functions[function];
        for (std::uint32_t block = whole.first_block; block < whole.first_block + whole.blocks; ++block) add_taken(block);
    }
    return targets;
}

}  // namespace mog
