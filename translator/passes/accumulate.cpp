// accumulate: three-operand MIPS code becomes accumulator code, by the lowering column of mips.def.
//
//     addu $2,$3,$4   =>   lr $3; add $4; sr $2
//
// Register 0 is folded away where an operand of zero means something simpler; where it cannot be, register `zero` stands for
// it, which nothing writes. What is redundant in the result, the next pass finds.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "translator/passes/passes.hpp"

namespace mog {
namespace {

/// A name for a block that mogas accepts: the symbol at its address, if there is one, else the address.
std::string label_of(const std::unordered_map<std::uint32_t, std::string> &names, std::uint32_t address) {
    const auto found = names.find(address);
    return found != names.end() ? found->second : label_of_address(address);
}

std::unordered_map<std::uint32_t, std::string> label_names(const Segments &segments) {
    std::unordered_map<std::uint32_t, std::string> names;
    std::set<std::string> used;
    for (const Symbol &symbol : segments.symbols) {
        if (!symbol.is_code || names.contains(symbol.address)) continue;
        std::string name;
        for (const char ch : symbol.name) name += std::isalnum(static_cast<unsigned char>(ch)) || ch == '_' || ch == '.' ? ch : '_';
        if (std::isdigit(static_cast<unsigned char>(name.front()))) name.insert(0, 1, '_');
        // Static functions of several files may share a name.
        if (!used.insert(name).second) {
            name += fmt::format(".{:x}", symbol.address);
            used.insert(name);
        }
        names.emplace(symbol.address, name);
    }
    return names;
}

/// True if the FPU's control register means anything to the program.
bool uses_fcsr(const MipsProgram &program) {
    for (const MipsBlock &block : program.blocks) {
        for (const MipsInstruction &instruction : block.body)
            if (instruction.touches_fcsr()) return true;
        for (const MipsInstruction &instruction : block.slot)
            if (instruction.touches_fcsr()) return true;
    }
    return false;
}

/// The operation that does the same as long as nobody looks at FCSR.
Op without_fcsr(Op op) {
    switch (op) {
        case Op::f2ir_: return Op::f2in_;
        case Op::d2ir_: return Op::d2in_;
        case Op::seqfs_: return Op::seqf_;
        case Op::sltfs_: return Op::sltf_;
        case Op::slefs_: return Op::slef_;
        case Op::sunfs_: return Op::sunf_;
        case Op::seqds_: return Op::seqd_;
        case Op::sltds_: return Op::sltd_;
        case Op::sleds_: return Op::sled_;
        case Op::sunds_: return Op::sund_;
        default: return op;
    }
}

/// True if a program starts threads: by one function of MOG's library alone. Without symbols there is no telling.
bool starts_threads(const Segments &segments) {
    return segments.symbols.empty() || std::ranges::any_of(segments.symbols, [](const Symbol &s) { return s.name == "__mog_clone"; });
}

class Accumulator {
public:
    explicit Accumulator(MipsProgram &mips)
        : mips_(mips), names_(label_names(mips.segments)), fcsr_(uses_fcsr(mips)), threads_(starts_threads(mips.segments)) {}

    MogUnit run() {
        for (const MipsBlock &block : mips_.blocks) ids_[block.address] = unit_.next_id++;
        for (const MipsBlock &block : mips_.blocks) {
            begin(ids_.at(block.address), label_of(names_, block.address));
            if (const auto entry = mips_.entries.find(block.address); entry != mips_.entries.end()) {
                blocks().back().code_address = block.address;
                blocks().back().entry = entry->second;
            }
            if (block.address == mips_.entry && threads_) {
                // The first thread's variables are where the linker has put them. Other threads are given theirs.
                emit(Op::li_, mips_.segments.thread_pointer, block.address);
                emit(Op::sr_, vreg::tp, block.address);
            }
            for (const MipsInstruction &instruction : block.body) lower(instruction, instruction.op->lowering.size());
            if (block.branch) lower_branch(block);
            if (!ends_here() && !follows(block)) jump_to(block.next);
        }
        for (const auto &[address, id] : outside_) {
            begin(id, fmt::format("outside_{:x}", address));
            emit(Op::li_, address, address);
            emit(Op::j_, 0, address);
        }
        unit_.program.entry = ids_.at(mips_.entry);
        finish();
        return std::move(unit_);
    }

private:
    std::vector<Block> &blocks() { return unit_.program.blocks; }

    void begin(BlockId id, std::string label) {
        blocks().push_back(Block{.id = id, .label = std::move(label), .code_address = {}, .code = {}});
    }

    /// Starts a further block for the rest of the code of the current one.
    BlockId split(std::uint32_t address) {
        const BlockId id = unit_.next_id++;
        begin(id, fmt::format("{}.{}", label_of_address(address), id));
        return id;
    }

    bool ends_here() const {
        const auto &code = unit_.program.blocks.back().code;
        return !code.empty() && ends_block(code.back().op);
    }

    void emit(Op op, std::uint32_t operand, std::uint32_t address) {
        // A constant and an immediate operation on it, as `li $2,5` is: addiu $2,$0,5.
        auto &code = blocks().back().code;
        if (!code.empty() && code.back().op == Op::li_ && code.back().address == address) {
            std::uint32_t &constant = code.back().operand;
            switch (op) {
                case Op::addi_: constant += operand; return;
                case Op::ori_: constant |= operand; return;
                case Op::xori_: constant ^= operand; return;
                default: break;
            }
        }
        blocks().back().code.push_back({op, operand, address, pending_retires_});
        pending_retires_ = 0;
    }

    /// The block at a MIPS address. Outside the code there is none: one that stops the PE as the jump would stands for it.
    BlockId block_at(std::uint32_t address) {
        if (const auto id = ids_.find(address); id != ids_.end()) return id->second;
        const auto [at, fresh] = outside_.try_emplace(address, unit_.next_id);
        if (fresh) ++unit_.next_id;
        return at->second;
    }

    /// Ends the current block with a jump to where the MIPS program goes on.
    void jump_to(std::uint32_t address) { emit(Op::ja_, block_at(address), address); }

    /// Emits one lowered instruction, register 0 folded.
    void emit_folded(Op op, std::uint32_t operand, const MipsInstruction &from) {
        const OpInfo &row = info(op);
        if (op == Op::lr_ && operand == vreg::tp && !threads_) return emit(Op::li_, mips_.segments.thread_pointer, from.address);
        if (row.operand == OperandKind::Reg && operand == vreg::zero) {
            switch (op) {
                case Op::sr_:
                case Op::add_:
                case Op::addo_:
                case Op::sub_:
                case Op::subo_:
                case Op::or_:
                case Op::xor_:
                case Op::sll_:
                case Op::srl_:
                case Op::sra_:
                case Op::rotr_: return;
                case Op::lr_:
                case Op::and_:
                case Op::mul_:
                case Op::mulh_:
                case Op::mulhu_:
                case Op::sltu_: return emit(Op::li_, 0, from.address);
                case Op::nor_: return emit(Op::xori_, 0xffffffffu, from.address);
                case Op::slt_: return emit(Op::slti_, 0, from.address);
                case Op::lwx_: return emit(Op::lw_, 0, from.address);
                default: break;
            }
        }
        const bool nothing = (operand == 0 && (op == Op::addi_ || op == Op::ori_ || op == Op::xori_ || op == Op::slli_ || op == Op::srli_ ||
                                               op == Op::srai_ || op == Op::rotri_)) ||
                             (operand == 0xffffffffu && op == Op::andi_);
        if (!nothing) emit(op == Op::sr_ && moves_stack_down(from, operand) ? Op::srsp_ : op, operand, from.address);
    }

    /// Where a function makes room on the stack, or alloca does: that is where the stack can meet the heap.
    static bool moves_stack_down(const MipsInstruction &from, std::uint32_t reg) {
        if (reg != vreg::sp) return false;
        const std::string_view name = from.op->name;
        return (name == "addiu" && field_immediate(from.word) < 0) || name == "addu" || name == "subu" || name == "and";
    }

    /// Lowers the first `count` operations of an instruction.
    void lower(const MipsInstruction &instruction, std::size_t count) {
        if (!instruction.is_nop()) ++pending_retires_;
        std::optional<BlockId> after;
        for (std::size_t i = 0; i < count; ++i) {
            const LoweredOp &lowered = instruction.op->lowering[i];
            if (lowered.field == Field::Next) {
                after = unit_.next_id++;
                emit(lowered.op, *after, instruction.address);
                split(instruction.address);
                continue;
            }
            emit_folded(fcsr_ ? lowered.op : without_fcsr(lowered.op), field_value(instruction, lowered), instruction);
        }
        if (after) begin(*after, fmt::format("{}.{}", label_of_address(instruction.address), *after));
    }

    void lower_slot(const MipsBlock &block) {
        for (const MipsInstruction &slot : block.slot) lower(slot, slot.op->lowering.size());
    }

    void lower_branch(const MipsBlock &block) {
        const MipsInstruction &branch = *block.branch;
        const LoweredOp jump = branch.op->lowering.back();
        const bool direct = jump.field == Field::Target;
        const std::uint32_t target = direct ? block_at(branch.target()) : 0;
        const auto mark = [&] {
            if (branch.op->links) blocks().back().code.back().jump = JumpKind::call;
            else if (!direct && field_rs(branch.word) == vreg::ra) blocks().back().code.back().jump = JumpKind::returns;
        };

        lower(branch, branch.op->lowering.size() - 1);
        switch (block.slot_when) {
            case MipsBlock::Slot::IfTaken: {
                // Jump around slot and jump if the branch is not taken.
                const BlockId around = unit_.next_id++;
                emit(jump.op == Op::jt_ ? Op::jf_ : Op::jt_, around, branch.address);
                split(branch.address);
                lower_slot(block);
                emit(Op::ja_, target, branch.address);
                mark();
                begin(around, fmt::format("{}.{}", label_of_address(branch.address), around));
                return;
            }
            case MipsBlock::Slot::Between: {
                const bool decides = jump.op != Op::ja_;
                if (decides) emit(Op::sr_, vreg::c, branch.address);
                lower_slot(block);
                if (decides) emit(Op::lr_, vreg::c, branch.address);
                break;
            }
            default: break;
        }
        emit(jump.op, target, branch.address);
        if (!is_branch(jump.op)) mark();
        // The two-way end of a block is the end of a MOG block; what follows a conditional jump is the next one.
        if (branch.op->conditional && !follows(block)) split(branch.address);
    }

    /// True if the block that comes next in order is where this one falls through to.
    bool follows(const MipsBlock &block) const {
        const MipsBlock *end = mips_.blocks.data() + mips_.blocks.size();
        return &block + 1 != end && (&block + 1)->address == block.next;
    }

    void finish() {
        MogProgram &program = unit_.program;
        Segments &segments = mips_.segments;
        for (std::uint32_t reg = 0; reg < vreg::count; ++reg) program.register_names.push_back(vreg::name(reg));
        program.roles = vreg::roles;
        program.code_base = segments.code_base;
        program.code_bytes = static_cast<std::uint32_t>(segments.code.size() * 4);
        program.data = std::move(segments.data);
        program.brk = segments.brk;
        program.read_only = segments.read_only;
        program.constants = std::move(segments.constants);
        program.window_bytes = segments.window_bytes;
        program.symbols = std::move(segments.symbols);
        program.files = std::move(segments.files);
        program.lines = std::move(segments.lines);
        program.frames = std::move(segments.frames);
    }

    MipsProgram &mips_;
    std::unordered_map<std::uint32_t, std::string> names_;
    bool fcsr_;
    bool threads_;  ///< it starts some
    std::unordered_map<std::uint32_t, BlockId> ids_;
    std::map<std::uint32_t, BlockId> outside_;
    MogUnit unit_;
    std::uint32_t pending_retires_ = 0;
};

}  // namespace

MogUnit accumulate(MipsProgram program) { return Accumulator(program).run(); }

}  // namespace mog
