// assign_registers: numbers for the registers that are left, the most used first (regmap of the paper).
//
// $sp is register 0 and $ra register 1; the registers of system calls always exist, since the host reads and writes
// them; doubles need their two halves side by side. Fewer registers mean more PEs in flight, so unused ones get none.
#include <algorithm>

#include "translator/mips/mips_program.hpp"
#include "translator/passes/passes.hpp"

namespace mog {

MogUnit assign_registers(MogUnit unit) {
    MogProgram &program = unit.program;
    std::vector<std::uint64_t> uses(vreg::count);
    std::vector<bool> in_pair(vreg::count);
    for (const Block &block : program.blocks) {
        for (const Instruction &instruction : block.code) {
            const OperandKind kind = info(instruction.op).operand;
            if (kind == OperandKind::Reg) ++uses[instruction.operand];
            if (kind == OperandKind::Pair) {
                uses[instruction.operand] += 2;
                in_pair[instruction.operand] = true;
            }
        }
    }
    // One unit of allocation is a register or a pair; its first register stands for it.
    struct Piece {
        std::uint32_t first, size;
        std::uint64_t uses;
    };
    std::vector<Piece> pieces;
    for (std::uint32_t reg = 0; reg < vreg::count; ++reg) {
        const bool role = std::find(program.roles.begin(), program.roles.end(), reg) != program.roles.end();
        if (in_pair[reg]) {
            pieces.push_back({reg, 2, uses[reg] + uses[reg + 1]});
            ++reg;
        } else if (uses[reg] != 0 || role) {
            pieces.push_back({reg, 1, uses[reg]});
        }
    }
    auto rank = [](const Piece &piece) { return piece.first == vreg::sp ? 0 : piece.first == vreg::ra ? 1 : 2; };
    std::stable_sort(pieces.begin(), pieces.end(),
                     [&](const Piece &a, const Piece &b) { return rank(a) != rank(b) ? rank(a) < rank(b) : a.uses > b.uses; });

    std::vector<std::uint32_t> number(vreg::count, 0xff);
    std::vector<std::string> names;
    for (auto piece = pieces.begin(); piece != pieces.end(); ++piece) {
        // A pair begins at an even number, so that it is aligned where registers lie in memory: behind the next single one if need be.
        if (piece->size == 2 && names.size() % 2 != 0) {
            const auto single = std::find_if(piece, pieces.end(), [](const Piece &other) { return other.size == 1; });
            if (single != pieces.end()) std::rotate(piece, single, single + 1);
        }
        for (std::uint32_t k = 0; k < piece->size; ++k) {
            number[piece->first + k] = static_cast<std::uint32_t>(names.size());
            names.push_back(program.register_names[piece->first + k]);
        }
    }
    for (Block &block : program.blocks) {
        for (Instruction &instruction : block.code) {
            const OperandKind kind = info(instruction.op).operand;
            if (kind == OperandKind::Reg || kind == OperandKind::Pair) instruction.operand = number[instruction.operand];
        }
    }
    for (std::uint8_t &role : program.roles) role = static_cast<std::uint8_t>(number[role]);
    program.register_names = std::move(names);
    return unit;
}

}  // namespace mog
