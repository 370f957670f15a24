// image_check.cpp: what every image promises to those who run it; and where its code comes from.
#include "assembler/image/image_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assembler/image/constants.hpp"
#include "assembler/image/read_only.hpp"
#include "assembler/image/spaces.hpp"
#include "interp_templates/launch_abi.h"
#include "support/text.hpp"

namespace mog {
namespace {

template <typename... Args>
Error damaged(fmt::format_string<Args...> format, Args &&...args) {
    return {"the image is inconsistent: " + fmt::format(format, std::forward<Args>(args)...), {}};
}

/// By TEXT index: whether a label stands there. Asked for every jump and code address of a program.
std::vector<bool> labels_by_index(const Image &image) {
    std::vector<bool> labels(image.text.size());
    for (const std::uint32_t at : image.label_at) labels[at] = true;
    return labels;
}

Result<void> check_text(const Image &image, const std::vector<bool> &labels) {
    const std::size_t registers = image.register_names.size();
    for (std::size_t i = 0; i < image.text.size(); ++i) {
        const OpInfo *row = find_op(static_cast<std::uint8_t>(image.text[i] >> 8));
        const std::size_t operand = image.text[i] & 0xffu;
        if (!row) return damaged("unknown opcode {:#04x} at TEXT {}", image.text[i] >> 8, i);
        if ((row->operand == OperandKind::Reg && operand >= registers) || (row->operand == OperandKind::Pair && operand + 1 >= registers))
            return damaged("register {} of {} at TEXT {}", operand, registers, i);
        if (row->operand != OperandKind::Label) continue;
        if (const std::uint32_t target = constant_at(image, i); target >= labels.size() || !labels[target])
            return damaged("the jump at TEXT {} leads to {}, which is not a label", i, target);
    }
    for (std::size_t i = 0; i < image.text.size(); ++i) {
        const OpInfo &row = info(op_at(image, i));
        const bool fits = image.jumps[i] == JumpKind::plain || (image.jumps[i] == JumpKind::call && is_jump(row)) ||
                          (image.jumps[i] == JumpKind::returns && jumps_to_address(row.op));
        if (!fits) return damaged("`{}` at TEXT {} is no such jump as it is said to be", row.name, i);
    }
    if (image.jumps.back() == JumpKind::call) return damaged("the last instruction is a call, which comes back to nowhere");
    if (!ends_block(find_op(static_cast<std::uint8_t>(image.text.back() >> 8))->op))
        return damaged("the last instruction goes on to nowhere");
    return {};
}

/// Where a superinstruction begins, its parts stand.
Result<void> check_fused(const Image &image, const std::vector<std::uint8_t> &fused) {
    if (fused.empty()) return {};
    if (fused.size() != image.text.size()) return damaged("superinstructions for other code");
    const std::vector<std::uint32_t> next = static_successors(image);
    for (std::size_t i = 0; i < fused.size(); ++i) {
        if (fused[i] == 0) continue;
        const auto super = std::find_if(image.superinstructions.begin(), image.superinstructions.end(),
                                        [&](const Superinstruction &s) { return s.code == static_cast<Op>(fused[i]); });
        if (super == image.superinstructions.end()) return damaged("unknown superinstruction {:#04x} at TEXT {}", fused[i], i);
        std::size_t at = i;
        for (const Op part : super->parts) {
            if (at >= image.text.size() || image.text[at] >> 8 != static_cast<unsigned>(part))
                return damaged("superinstruction {:#04x} does not fit at TEXT {}", fused[i], i);
            at = next[at];
        }
    }
    return {};
}

/// Every part is an instruction, and what follows each but the last is known.
Result<void> check_superinstructions(const Image &image) {
    const std::vector<Op> free = free_opcodes();
    std::vector<bool> taken(256);
    for (const Superinstruction &super : image.superinstructions) {
        const auto code = static_cast<std::uint8_t>(super.code);
        if (!std::binary_search(free.begin(), free.end(), super.code) || taken[code])
            return damaged("a superinstruction has opcode {:#04x}, which is not free", code);
        taken[code] = true;
        if (super.parts.size() < 2 || super.parts.size() > most_parts)
            return damaged("superinstruction {:#04x} has {} parts", code, super.parts.size());
        for (std::size_t k = 0; k < super.parts.size(); ++k)
            if (!find_op(static_cast<std::uint8_t>(super.parts[k])) || (k + 1 < super.parts.size() && !may_continue(super.parts[k])))
                return damaged("part {} of superinstruction {:#04x} cannot stand there", k, code);
    }
    for (const Shape shape : {Shape::sequence, Shape::switch_})
        if (auto checked = check_fused(image, fused_opcodes(image, shape)); !checked) return checked;
    return {};
}

/// As many as there are addresses for.
bool has_good_constants(const Image &image) {
    const std::size_t bytes = constants_of(image).size();
    std::size_t addresses = 0;
    for (const Space &space : spaces_of(image))
        if (space.is_constants()) addresses += space.base == constants_base ? space.bytes : most_constants;
    return bytes == addresses && bytes % 8 == 0 && bytes <= most_constants;
}

}  // namespace

Result<void> check_image(const Image &image) {
    const std::size_t size = image.text.size();
    if (size == 0) return damaged("no code");
    if (size >= MOG_NO_CODE) return damaged("too much code");
    if (image.cpool_shift < 1 || image.cpool_shift > 31 || image.cpool.size() != std::size_t{1} << (32 - image.cpool_shift))
        return damaged("{} constants and shift {} do not fit", image.cpool.size(), image.cpool_shift);
    if (image.entry >= size) return damaged("the entry is outside");
    if (image.source_address.size() != size || image.retires.size() != size) return damaged("source addresses for other code");
    if (image.register_names.empty() || image.register_names.size() > 256) return damaged("{} registers", image.register_names.size());
    for (const std::uint8_t number : image.roles)
        if (number >= image.register_names.size()) return damaged("a role has no register");
    if (image.data.size() % 4 != 0) return damaged("DATA is not whole words");
    if (image.data.size() < 4 * MOG_CB_WORDS) return damaged("DATA has no control block");
    if (image.data.size() > 0xffffffffu - MOG_DATA_BASE) return damaged("DATA is beyond the address space");
    if (image.brk < MOG_DATA_BASE) return damaged("the program break {:#x} is below DATA", image.brk);
    if (image.products.has(ProductKind::read_only)) {
        const ReadOnlyData data = read_only_of(image);
        if (data.begin % 8 != 0 || data.end % 8 != 0 || data.begin < MOG_DATA_BASE + 4 * MOG_CB_WORDS || data.begin >= data.end ||
            data.end > image.brk)
            return damaged("read-only data from {:#x} to {:#x}", data.begin, data.end);
    }
    if (!has_good_constants(image)) return damaged("constants without their space");
    if (image.labels.size() != image.label_at.size()) return damaged("labels without places");
    if (image.label_at.empty() || image.label_at.front() != 0 || image.label_at.back() >= size ||
        !std::is_sorted(image.label_at.begin(), image.label_at.end()))
        return damaged("a label is out of place");
    const std::vector<bool> labels = labels_by_index(image);
    if (!labels[image.entry]) return damaged("the entry is not a label");
    if (image.code_map.empty()) return damaged("no code map");
    if (image.code_base % 4 != 0 || image.code_map.size() > (0xffffffffu - image.code_base) / 4)
        return damaged("code addresses from {:#x} on, {} words", image.code_base, image.code_map.size());
    for (const std::uint32_t target : image.code_map)
        if (target != MOG_NO_CODE && (target >= size || !labels[target]))
            return damaged("a code address leads to {}, which is not a label", target);
    if (image.entries.size() != image.code_map.size() || image.jumps.size() != size) return damaged("calls or entries of other code");
    for (const Entry entry : image.entries)
        if (entry > Entry::Label) return damaged("an entry of an unknown kind");
    for (const Line &line : image.lines)
        if (line.line != 0 && line.file >= image.files.size()) return damaged("a line of an unknown file");
    for (const FrameRule &rule : image.frames)
        if (rule.base > FrameRule::Base::Fp) return damaged("a frame rule for an unknown register");
    if (auto checked = check_text(image, labels); !checked) return checked;
    return check_superinstructions(image);
}

SourcePlace find_source(const Image &image, std::uint32_t mips_address) {
    SourcePlace place;
    // The nearest symbol at or below; one with a size only if the address is inside.
    auto symbol = std::upper_bound(image.symbols.begin(), image.symbols.end(), mips_address,
                                   [](std::uint32_t address, const Symbol &s) { return address < s.address; });
    while (symbol != image.symbols.begin()) {
        --symbol;
        if (!symbol->is_code) continue;
        if (symbol->size == 0 || mips_address - symbol->address < symbol->size) {
            place.function = demangled(symbol->name);
            break;
        }
        if (mips_address - symbol->address >= (1u << 20)) break;
    }
    auto line = std::upper_bound(image.lines.begin(), image.lines.end(), mips_address,
                                 [](std::uint32_t address, const Line &l) { return address < l.address; });
    if (line != image.lines.begin() && (--line)->line != 0 && line->file < image.files.size()) {
        place.file = image.files[line->file];
        place.line = line->line;
    }
    return place;
}

}  // namespace mog
