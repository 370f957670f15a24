// random_program.cpp: programs with everything a program can have.
#include "tests/assembler/random_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "interp_templates/launch_abi.h"

namespace mog::test {
namespace {

/// Names as compilers make them, and worse.
std::string random_name(Random &random, std::size_t number) {
    static const char *const shapes[] = {"main",
                                         ".L{}",
                                         "_ZN3foo3barEv{}",
                                         "f{}.constprop.0",
                                         "$L{}",
                                         "operator new({})",
                                         "q\"uo{}te",
                                         "tab\t{}",
                                         "{}",
                                         "back\\{}slash",
                                         "ümlaut{}",
                                         "x@{}",
                                         "sqlite3_result_error_nomem{}"};
    return fmt::format("{}_{}", fmt::format(fmt::runtime(shapes[random.below(std::size(shapes))]), number), number);
}

std::uint32_t random_constant(Random &random) {
    switch (random.below(4)) {
        case 0: return random.below(10);
        case 1: return 0u - random.below(40000);
        case 2: return 0x10000000u + random.below(4096);
        default: return static_cast<std::uint32_t>(random.next());
    }
}

Instruction random_instruction(Random &random, std::size_t registers, std::size_t blocks) {
    for (;;) {
        const OpInfo &row = isa.begin()[random.below(static_cast<std::size_t>(isa.end() - isa.begin()))];
        if ((row.writes & Pc) != 0) continue;  // only at the end of a block
        Instruction instruction{row.op, 0, 0, random.below(3)};
        switch (row.operand) {
            case OperandKind::None: break;
            case OperandKind::Reg: instruction.operand = random.below(registers); break;
            case OperandKind::Pair: instruction.operand = random.below(registers - 1); break;
            case OperandKind::Byte: instruction.operand = random.below(256); break;
            case OperandKind::Const: instruction.operand = random_constant(random); break;
            case OperandKind::Label: instruction.operand = random.below(blocks); break;
        }
        return instruction;
    }
}

std::vector<std::uint8_t> random_data(Random &random) {
    std::vector<std::uint8_t> data(4 * MOG_CB_WORDS);
    for (std::size_t part = random.below(12); part > 0; --part) {
        const std::size_t length = random.below(60);
        const std::uint32_t kind = random.below(4);
        for (std::size_t i = 0; i < length; ++i)
            data.push_back(static_cast<std::uint8_t>(kind == 0   ? 0
                                                     : kind == 1 ? ' ' + random.below(95)
                                                     : kind == 2 ? random.below(256)
                                                                 : random.below(3) * random.below(128)));
    }
    data.resize((data.size() + 3) / 4 * 4);
    return data;
}

}  // namespace

MogProgram random_program(Random &random, std::size_t blocks) {
    MogProgram program;
    const std::size_t registers = role_count + 2 + random.below(100);
    for (std::size_t i = 0; i < registers; ++i)
        program.register_names.push_back(i < role_count ? role_name(static_cast<Role>(i)) : random_name(random, i));
    for (std::size_t i = 0; i < role_count; ++i) program.roles[i] = static_cast<std::uint8_t>(i);
    if (random.below(2)) std::swap(program.roles[0], program.roles[3]);

    program.code_base = 0x00400000;
    program.code_bytes = static_cast<std::uint32_t>(4 * (blocks + random.below(100)));
    std::uint32_t address = program.code_base;
    for (std::size_t i = 0; i < blocks; ++i) {
        Block block;
        block.id = static_cast<BlockId>(i);
        block.label = random_name(random, i);
        if (random.below(3) == 0) block.code_address = static_cast<std::uint32_t>(program.code_base + 4 * i);
        for (std::size_t n = random.below(12); n > 0; --n) {
            block.code.push_back(random_instruction(random, registers, blocks));
            if (random.below(2)) address += 4;
            block.code.back().address = random.below(9) ? address : 0;
        }
        static constexpr Op jumps[] = {Op::jf_, Op::jt_, Op::ja_, Op::j_};
        const Op jump = i + 1 == blocks ? Op::ja_ : jumps[random.below(4)];
        if (i + 1 == blocks || random.below(2)) block.code.push_back({jump, jump == Op::j_ ? 0 : random.below(blocks), address, 1});
        if (!block.code.empty() && is_jump(info(block.code.back().op)) && i + 1 < blocks) {
            const bool anywhere = block.code.back().op == Op::j_;
            block.code.back().jump = static_cast<JumpKind>(random.below(anywhere ? 3 : 2));
        }
        if (block.code_address) block.entry = static_cast<Entry>(random.below(3));
        if (block.code.empty()) block.code_address.reset();  // its place's address is that of the block with the code
        program.blocks.push_back(std::move(block));
    }
    program.entry = random.below(blocks);
    // A block without code shares its place with the next, and execution starts there all the same: name that one.
    while (program.blocks[program.entry].code.empty()) ++program.entry;
    for (Block &block : program.blocks)
        for (Instruction &instruction : block.code)
            if (info(instruction.op).operand == OperandKind::Label)
                while (program.blocks[instruction.operand].code.empty()) ++instruction.operand;

    program.data = random_data(random);
    program.brk = static_cast<std::uint32_t>(MOG_DATA_BASE + program.data.size() + random.below(1000));
    for (int i = 0; i < 4; ++i)
        program.data[4 * MOG_CB_BRK + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(program.brk >> (8 * i));
    std::set<std::uint32_t> places;
    for (std::size_t n = random.below(20); n > 0; --n)
        places.insert(random.below(2) ? address - 4 * random.below(99) : MOG_DATA_BASE + random.below(400));
    for (const std::uint32_t place : places)
        program.symbols.push_back({random_name(random, place), place, random.below(50), place < MOG_DATA_BASE});
    for (std::size_t n = random.below(4); n > 0; --n) program.files.push_back(random_name(random, n) + ".c");
    std::uint32_t line_address = program.code_base;
    for (std::size_t n = program.files.empty() ? 0 : random.below(30); n > 0; --n)
        program.lines.push_back({line_address += 4 + 4 * random.below(5), random.below(program.files.size()), random.below(500)});
    std::uint32_t frame_address = program.code_base;
    for (std::size_t n = random.below(9); n > 0; --n) {
        FrameRule rule{frame_address += 4 * random.below(9), static_cast<FrameRule::Base>(random.below(3)), 0, 0, 0};
        if (rule.base != FrameRule::Base::None) {
            rule.offset = static_cast<std::int32_t>(random.below(99));
            rule.ra = -4 * static_cast<std::int32_t>(random.below(3));
            rule.fp = 4 - static_cast<std::int32_t>(random.below(99));
        }
        program.frames.push_back(rule);
    }
    return program;
}

bool same_blocks(const MogProgram &a, const MogProgram &b) {
    return a.entry == b.entry &&
           std::equal(a.blocks.begin(), a.blocks.end(), b.blocks.begin(), b.blocks.end(), [](const Block &x, const Block &y) {
               return std::tie(x.id, x.label, x.code_address, x.code) == std::tie(y.id, y.label, y.code_address, y.code) &&
                      (!x.code_address || x.entry == y.entry);
           });
}

bool same_rest(const MogProgram &a, const MogProgram &b) {
    const auto all = [](const MogProgram &p) {
        return std::tie(p.register_names, p.roles, p.code_base, p.code_bytes, p.data, p.brk, p.symbols, p.files, p.lines, p.frames);
    };
    return all(a) == all(b);
}

}  // namespace mog::test
