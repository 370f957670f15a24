// remove_delay_slots: branch delay slots become straight-line order.
//
// MIPS runs the instruction after a branch before the branch takes effect, but after it has read its registers. Mostly the
// two have nothing to do with each other, and the slot simply goes first:
//
//     bne $2,$0,L          addiu $4,$4,1
//     addiu $4,$4,1   =>   bne $2,$0,L
//
// Otherwise the branch decides first and jumps later (Slot::Between; accumulate keeps the decision in a scratch
// register). The slot of a branch-likely runs only if it jumps (Slot::IfTaken).
#include "translator/passes/passes.hpp"

namespace mog {

Result<MipsProgram> remove_delay_slots(MipsProgram program) {
    for (MipsBlock &block : program.blocks) {
        if (block.slot_when != MipsBlock::Slot::Pending) continue;
        const MipsInstruction &branch = *block.branch;
        const MipsInstruction &slot = block.slot.front();
        if (slot.is_nop()) {
            block.slot_when = MipsBlock::Slot::None;
        } else if (branch.op->likely) {
            block.slot_when = MipsBlock::Slot::IfTaken;
        } else if (const RegisterSet branch_uses = branch.reads() | branch.writes();
                   (slot.writes() & branch_uses).any() || (slot.reads() & branch.writes()).any() || slot.op->lowering.empty() ||
                   slot.op->name == "illegal") {
            block.slot_when = MipsBlock::Slot::Between;
        } else {
            block.body.push_back(slot);
            block.slot_when = MipsBlock::Slot::None;
        }
        if (block.slot_when == MipsBlock::Slot::None) block.slot.clear();
    }
    return program;
}

}  // namespace mog
