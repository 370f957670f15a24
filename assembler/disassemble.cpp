// disassemble.cpp: an image as the program it was made from.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "assembler/constants.hpp"
#include "assembler/encode.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {
namespace {

/// The blocks without their code, one per label, and the TEXT index of each in `starts`. Where code addresses outnumber the
/// labels of a place (no image of encode() is so), labels are made up.
std::vector<Block> make_blocks(const Image &image, std::vector<std::uint32_t> &starts) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> code;  // TEXT index, code address
    for (std::size_t i = 0; i < image.code_map.size(); ++i)
        if (image.code_map[i] != MOG_NO_CODE)
            code.emplace_back(image.code_map[i], image.code_base + 4 * static_cast<std::uint32_t>(i));
    std::sort(code.begin(), code.end());

    std::vector<Block> blocks;
    auto next = code.begin();
    const auto add = [&](std::string label, std::uint32_t at) {
        Block block;
        block.id = static_cast<BlockId>(blocks.size());
        block.label = std::move(label);
        if (next != code.end() && next->first == at) block.code_address = (next++)->second;
        blocks.push_back(std::move(block));
        starts.push_back(at);
    };
    for (std::size_t i = 0; i < image.labels.size(); ++i) {
        const std::uint32_t at = image.label_at[i];
        const bool last_here = i + 1 == image.labels.size() || image.label_at[i + 1] != at;
        // Aliases go before the last label of a place, whose block has the code.
        for (int n = 1; last_here && code.end() - next >= 2 && next[1].first == at; ++n)
            add(fmt::format("{}.alias{}", image.labels[i], n), at);
        add(image.labels[i], at);
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
        const OpInfo &row = info(static_cast<Op>(image.text[i] >> 8));
        Instruction instruction{row.op, image.text[i] & 0xffu, image.source_address[i], image.retires[i]};
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
    program.symbols = image.symbols;
    program.files = image.files;
    program.lines = image.lines;
    return program;
}

}  // namespace mog
