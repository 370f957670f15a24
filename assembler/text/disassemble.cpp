// disassemble.cpp: an image as the program it was made from.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "assembler/image/constants.hpp"
#include "assembler/image/encode.hpp"
#include "assembler/image/read_only.hpp"
#include "assembler/image/spaces.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {
namespace {

/// The blocks without their code, one per label, and the TEXT index of each in `starts`. Where code addresses outnumber
/// the labels of a place (no image of encode() is so), labels are made up.
std::vector<Block> make_blocks(const Image &image, std::vector<std::uint32_t> &starts) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> code;  // TEXT index, code address
    for (std::size_t i = 0; i < image.code_map.size(); ++i)
        if (image.code_map[i] != MOG_NO_CODE) code.emplace_back(image.code_map[i], image.code_base + 4 * static_cast<std::uint32_t>(i));
    std::sort(code.begin(), code.end());

    std::vector<Block> blocks;
    auto address = code.begin();
    for (std::size_t i = 0; i < image.labels.size();) {
        // The labels of one place. The last of them has the code; so the last ones have the code addresses.
        const std::uint32_t at = image.label_at[i];
        std::vector<std::string> names;
        for (; i < image.labels.size() && image.label_at[i] == at; ++i) names.push_back(image.labels[i]);
        std::ptrdiff_t addresses = std::find_if(address, code.end(), [&](const auto &c) { return c.first != at; }) - address;
        for (std::ptrdiff_t n = std::ssize(names); n < addresses; ++n)
            names.insert(names.end() - 1, fmt::format("{}.alias{}", image.labels[i - 1], n));
        for (std::size_t k = 0; k < names.size(); ++k) {
            Block block;
            block.id = static_cast<BlockId>(blocks.size());
            block.label = std::move(names[k]);
            if (std::ssize(names) - static_cast<std::ptrdiff_t>(k) <= addresses) {
                block.code_address = (address++)->second;
                block.entry = image.entries[(*block.code_address - image.code_base) / 4];
                --addresses;
            }
            blocks.push_back(std::move(block));
            starts.push_back(at);
        }
    }
    return blocks;
}

}  // namespace

MogProgram disassemble(const Image &image) {
    MogProgram program;
    std::vector<std::uint32_t> starts;
    program.blocks = make_blocks(image, starts);

    // Of the blocks that start at a TEXT index, the last one has the code; jumps are said to lead there.
    std::vector<BlockId> block_at(image.text.size(), 0);
    for (const Block &block : program.blocks) block_at[starts[block.id]] = block.id;
    program.entry = block_at[image.entry];

    std::size_t block = 0;
    for (std::size_t i = 0; i < image.text.size(); ++i) {
        while (block + 1 < starts.size() && starts[block + 1] <= i) ++block;
        const OpInfo &row = info(op_at(image, i));
        Instruction instruction{row.op, image.text[i] & 0xffu, image.source_address[i], image.retires[i], image.jumps[i]};
        if (row.operand == OperandKind::Const) instruction.operand = constant_at(image, i);
        if (row.operand == OperandKind::Label) instruction.operand = block_at[constant_at(image, i)];
        if (row.operand == OperandKind::None) instruction.operand = 0;
        program.blocks[block].code.push_back(instruction);
    }

    program.register_names = image.register_names;
    program.roles = image.roles;
    program.code_base = image.code_base;
    program.code_bytes = static_cast<std::uint32_t>(4 * image.code_map.size());
    program.data = image.data;
    program.brk = image.brk;
    program.read_only = read_only_of(image);
    const std::span<const std::uint8_t> constants = constants_of(image);
    program.constants.assign(constants.begin(), constants.end());
    program.window_bytes = window_bytes(image);
    program.symbols = image.symbols;
    program.files = image.files;
    program.lines = image.lines;
    program.frames = image.frames;
    return program;
}

}  // namespace mog
