// dump.cpp: for people's eyes and for golden tests; mogas's own text form is print.hpp of the assembler.
#include "translator/dump.hpp"

#include <fmt/format.h>

namespace mog {

std::string dump(const MipsProgram &program) {
    std::string text;
    auto line = [&](const MipsInstruction &instruction, std::string_view note) {
        text += fmt::format("  {:08x}  {}{}\n", instruction.address, disassemble_mips(instruction), note);
    };
    for (const MipsBlock &block : program.blocks) {
        text += fmt::format("{:08x}:{}\n", block.address, program.entries.contains(block.address) ? "  (entry)" : "");
        for (const MipsInstruction &instruction : block.body) line(instruction, "");
        if (block.branch) line(*block.branch, "");
        for (const MipsInstruction &slot : block.slot) {
            line(slot, block.slot_when == MipsBlock::Slot::IfTaken   ? "\t; in the slot, if taken"
                       : block.slot_when == MipsBlock::Slot::Between ? "\t; in the slot, after the decision"
                                                                     : "\t; in the slot");
        }
        if (!block.branch || block.branch->op->conditional) text += fmt::format("  => {:08x}\n", block.next);
    }
    return text;
}

std::string dump(const MogUnit &unit) {
    const MogProgram &program = unit.program;
    std::string text;
    const auto positions = program.positions();
    for (const Block &block : program.blocks) {
        text += fmt::format("{}:{}\n", block.label, block.code_address ? fmt::format("  (entry {:#x})", *block.code_address) : "");
        for (const Instruction &instruction : block.code) {
            const OpInfo &row = info(instruction.op);
            std::string operand;
            switch (row.operand) {
                case OperandKind::Reg:
                case OperandKind::Pair: operand = " $" + program.register_names[instruction.operand]; break;
                case OperandKind::Byte: operand = fmt::format(" {}", instruction.operand); break;
                case OperandKind::Const: operand = fmt::format(" {:#x}", instruction.operand); break;
                case OperandKind::Label: operand = " " + program.blocks[positions.at(instruction.operand)].label; break;
                case OperandKind::None: break;
            }
            text += fmt::format("  {}{}\n", row.name, operand);
        }
    }
    return text;
}

std::string verify(const MipsProgram &program) {
    std::uint32_t last = 0;
    for (const MipsBlock &block : program.blocks) {
        if (block.address <= last && last != 0) return fmt::format("blocks out of order at {:#x}", block.address);
        last = block.address;
        for (const MipsInstruction &instruction : block.body) {
            if (instruction.op->branches) return fmt::format("a branch inside the block at {:#x}", instruction.address);
        }
    }
    return {};
}

std::string verify(const MogUnit &unit) {
    const MogProgram &program = unit.program;
    const auto positions = program.positions();
    if (positions.size() != program.blocks.size()) return "two blocks with one id";
    if (!positions.contains(program.entry)) return "no entry block";
    for (const Block &block : program.blocks) {
        for (std::size_t i = 0; i < block.code.size(); ++i) {
            const Instruction &instruction = block.code[i];
            const OpInfo &row = info(instruction.op);
            if ((row.writes & Pc) != 0 && i + 1 != block.code.size()) return "a jump inside block " + block.label;
            if (instruction.jump != JumpKind::plain && ((row.writes & Pc) == 0 || is_branch(instruction.op)))
                return "a call or return that is none in block " + block.label;
            if (instruction.jump == JumpKind::returns && !jumps_to_address(instruction.op))
                return "a return to a place that is known in block " + block.label;
            if (row.operand == OperandKind::Label && !positions.contains(instruction.operand))
                return "a jump to nowhere in block " + block.label;
            if ((row.operand == OperandKind::Reg || row.operand == OperandKind::Pair) &&
                instruction.operand >= program.register_names.size())
                return "an unknown register in block " + block.label;
        }
    }
    if (!program.blocks.empty() && (program.blocks.back().code.empty() || !ends_block(program.blocks.back().code.back().op)))
        return "the last block falls off the end";
    return {};
}

}  // namespace mog
