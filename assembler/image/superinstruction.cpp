// superinstruction.cpp: what superinstructions mean, wherever they come from.
#include "assembler/image/superinstruction.hpp"

#include "assembler/image/constants.hpp"
#include "assembler/image/image.hpp"

namespace mog {

bool may_continue(Op op) { return !always_stops(op) && (!ends_block(op) || info(op).operand == OperandKind::Label); }

std::vector<Op> free_opcodes() {
    std::vector<Op> codes;
    for (unsigned code = 1; code < 0xff; ++code)
        if (!find_op(static_cast<std::uint8_t>(code))) codes.push_back(static_cast<Op>(code));
    return codes;
}

std::vector<std::uint32_t> static_successors(const Image &image) {
    std::vector<std::uint32_t> next(image.text.size());
    for (std::uint32_t i = 0; i < next.size(); ++i) {
        const Op op = op_at(image, i);
        next[i] = !may_continue(op) ? unknown_index : ends_block(op) ? constant_at(image, i) : i + 1;
    }
    return next;
}

const std::vector<std::uint8_t> &fused_opcodes(const Image &image, Shape shape) {
    return shape == Shape::switch_ ? image.fused_switch : image.fused_sequence;
}

std::vector<std::uint16_t> fused_text(const Image &image, Shape shape) {
    std::vector<std::uint16_t> text = image.text;
    const auto &fused = fused_opcodes(image, shape);
    for (std::size_t i = 0; i < fused.size(); ++i)
        if (fused[i] != 0) text[i] = static_cast<std::uint16_t>(fused[i] << 8 | (text[i] & 0xffu));
    return text;
}

LoadedText text_to_load(const Image &image, Shape shape, bool plain) {
    if (plain) return {image.text, 0};
    return {fused_text(image, shape), superinstructions_of(image, shape).size()};
}

std::vector<Superinstruction> superinstructions_of(const Image &image, Shape shape) {
    bool stands[256] = {};
    for (const std::uint8_t code : fused_opcodes(image, shape)) stands[code] = true;
    std::vector<Superinstruction> result;
    for (const Superinstruction &super : image.superinstructions)
        if (stands[static_cast<std::uint8_t>(super.code)]) result.push_back(super);
    return result;
}

std::vector<std::uint8_t> part_counts(const Image &image) {
    std::vector<std::uint8_t> counts(256, 1);
    for (const Superinstruction &super : image.superinstructions)
        counts[static_cast<std::uint8_t>(super.code)] = static_cast<std::uint8_t>(super.parts.size());
    return counts;
}

std::string op_name(const Image &image, Op op) {
    if (const OpInfo *row = find_op(static_cast<std::uint8_t>(op))) return std::string(row->name);
    std::string name;
    for (const Superinstruction &super : image.superinstructions)
        for (const Op part : super.parts)
            if (super.code == op) name += (name.empty() ? "" : "+") + std::string(info(part).name);
    return name;
}

}  // namespace mog
