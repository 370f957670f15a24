// execution.cpp: the blocks and functions of an encoded program.
#include "assembler/profile/execution.hpp"

#include <algorithm>

#include "assembler/image/constants.hpp"

namespace mog {
CodeBlocks code_blocks(const Image &image) {
    const auto size = static_cast<std::uint32_t>(image.text.size());
    std::vector<bool> leads(size + 1);
    leads[0] = leads[image.entry] = true;
    for (std::uint32_t i = 0; i < size; ++i) {
        const bool jumps = info(op_at(image, i)).operand == OperandKind::Label;
        if (jumps) leads[constant_at(image, i)] = true;
        if (jumps || ends_block(op_at(image, i))) leads[i + 1] = true;
    }
    for (const std::uint32_t target : image.code_map)
        if (target < size) leads[target] = true;

    // A function begins with the first block whose source lies in it; instructions without a source belong to the
    // function before them.
    std::vector<std::uint32_t> code_symbols;
    for (std::uint32_t s = 0; s < image.symbols.size(); ++s)
        if (image.symbols[s].is_code && image.symbols[s].size != 0) code_symbols.push_back(s);
    const auto symbol_of = [&](std::uint32_t address) {
        const auto next = std::upper_bound(code_symbols.begin(), code_symbols.end(), address,
                                           [&](std::uint32_t a, std::uint32_t s) { return a < image.symbols[s].address; });
        return next == code_symbols.begin() ? CodeBlocks::no_symbol : *(next - 1);
    };
    CodeBlocks blocks;
    blocks.block_of.resize(size);
    for (std::uint32_t i = 0; i < size; ++i) {
        if (leads[i]) {
            const auto block = static_cast<std::uint32_t>(blocks.start.size());
            blocks.start.push_back(i);
            std::uint32_t symbol = blocks.functions.empty() ? CodeBlocks::no_symbol : blocks.functions.back().symbol;
            if (image.source_address[i] != 0) symbol = symbol_of(image.source_address[i]);
            if (blocks.functions.empty() || blocks.functions.back().symbol != symbol) blocks.functions.push_back({block, 0, symbol});
            ++blocks.functions.back().blocks;
            blocks.function.push_back(static_cast<std::uint32_t>(blocks.functions.size() - 1));
        }
        blocks.block_of[i] = static_cast<std::uint32_t>(blocks.start.size() - 1);
    }
    for (std::uint32_t word = 0; word < image.code_map.size(); ++word)
        if (image.code_map[word] < size)
            blocks.addresses.push_back({blocks.block_of[image.code_map[word]], image.code_base + 4 * word, image.entries[word]});
    std::ranges::stable_sort(blocks.addresses, {}, &CodeBlocks::Address::block);
    return blocks;
}

std::span<const CodeBlocks::Address> addresses_of(const CodeBlocks &blocks, std::uint32_t block) {
    const auto found = std::ranges::equal_range(blocks.addresses, block, {}, &CodeBlocks::Address::block);
    return {found.begin(), found.end()};
}

std::optional<std::uint32_t> return_address(const Image &image, const CodeBlocks &blocks, std::uint32_t at) {
    if (!is_call(image, at)) return {};
    const auto addresses = addresses_of(blocks, blocks.block_of[at + 1]);
    for (const Entry entry : {Entry::Return, Entry::Label})
        for (const CodeBlocks::Address &address : addresses)
            if (address.entry == entry) return address.address;
    return {};
}

std::optional<std::uint32_t> named_block(const Image &image, const CodeBlocks &blocks, std::uint32_t at) {
    if (info(op_at(image, at)).operand != OperandKind::Label) return {};
    return blocks.block_of[constant_at(image, at)];
}

}  // namespace mog
