// nan_results.cpp: which variables are read later, then what is in them, from instruction to instruction.
#include "assembler/nan_results.hpp"

#include <algorithm>
#include <bitset>
#include <set>

#include "assembler/generate.hpp"

namespace mog {

namespace {

enum class Use : std::uint8_t {
    bits,       ///< of what it reads
    floats,     ///< does not tell NaNs apart; its result is none, or the default one
    operation,  ///< neither; its result may be a NaN
    move,
};

Use use_of(Op op) {
    switch (op) {
    case Op::addf_: case Op::subf_: case Op::mulf_: case Op::divf_: case Op::sqrtf_:
    case Op::addd_: case Op::subd_: case Op::muld_: case Op::divd_: case Op::sqrtd_: return Use::operation;
    case Op::seqf_: case Op::sltf_: case Op::slef_: case Op::sunf_: case Op::seqfs_: case Op::sltfs_: case Op::slefs_: case Op::sunfs_:
    case Op::f2i_: case Op::f2in_: case Op::f2iu_: case Op::f2id_: case Op::f2ir_: case Op::f2d_:
    case Op::seqd_: case Op::sltd_: case Op::sled_: case Op::sund_: case Op::seqds_: case Op::sltds_: case Op::sleds_: case Op::sunds_:
    case Op::d2i_: case Op::d2in_: case Op::d2iu_: case Op::d2id_: case Op::d2ir_: case Op::d2f_: return Use::floats;
    case Op::lr_: case Op::sr_: case Op::lrd_: case Op::srd_: return Use::move;
    default: return Use::bits;
    }
}

}  // namespace

class NanAnalysis {
public:
    using Variable = NanResults::Variable;
    using Set = std::bitset<258>;

    NanAnalysis(const Image &image, const BlockPlan &plan, std::uint32_t group, const std::array<bool, 257> &is_pair, NanResults &results)
        : image_(image), plan_(plan), group_(group), blocks_(plan.groups[group - 1].blocks), is_pair_(is_pair), results_(results) {}

    void run(const std::function<bool(std::uint32_t)> &begins) {
        find_live();
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            const std::uint32_t block = blocks_[i];
            if (i == 0 || blocks_[i - 1] + 1 != block || begins(block)) any_.reset();
            const bool ends = i + 1 == blocks_.size() || blocks_[i + 1] != block + 1 || begins(block + 1);
            walk(block, ends);
        }
    }

private:
    bool here(std::uint32_t block) const { return block < plan_.group_of.size() && plan_.group_of[block] == group_; }
    std::uint32_t begin(std::uint32_t block) const { return plan_.code.start[block]; }
    std::uint32_t end(std::uint32_t block) const { return plan_.code.end(image_, block); }

    /// The variable that a register is in.
    Variable home(std::uint32_t r) const { return static_cast<Variable>(r > 0 && is_pair_[r - 1] ? r - 1 : r); }
    bool is_single(std::uint32_t r) const { return home(r) == r && !is_pair_[r]; }

    Set operand(std::uint32_t at, OperandKind kind) const {
        const std::uint32_t r = image_.text[at] & 0xffu;
        Set set;
        set.set(home(r));
        if (kind == OperandKind::Pair) set.set(home(r + 1));
        return set;
    }
    Set read(std::uint32_t at) const {
        const OpInfo &row = info(op_at(image_, at));
        // A system call reads registers that are not its operands.
        if (row.op == Op::sys_) return Set().set();
        Set set;
        if (row.reads & Acc) set.set(NanResults::acc);
        if (row.reads & D) set.set(NanResults::d);
        // Half of a pair is written so that the other one is read.
        if (row.reads & (Reg | Pair)) set |= operand(at, row.operand);
        else if (row.writes & (Reg | Pair)) set |= operand(at, row.operand) & ~written(at);
        return set;
    }
    /// As a whole.
    Set written(std::uint32_t at) const {
        const OpInfo &row = info(op_at(image_, at));
        const std::uint32_t r = image_.text[at] & 0xffu;
        Set set;
        if (row.writes & Acc) set.set(NanResults::acc);
        if (row.writes & D) set.set(NanResults::d);
        if ((row.writes & Reg) && is_single(r)) set.set(r);
        if (row.writes & Pair) {
            if (is_pair_[r]) set.set(r);
            else
                for (const std::uint32_t half : {r, r + 1})
                    if (is_single(half)) set.set(half);
        }
        return set;
    }

    /// What is read from this instruction on before it is written, where `after` is that from the next one on.
    Set live_before(std::uint32_t at, const Set &after) const { return (after & ~written(at)) | read(at); }

    /// What is read from the beginning of each block on before it is written. Outside of the group, everything.
    void find_live() {
        live_.assign(blocks_.back() + 2 - blocks_.front(), Set().set());
        for (const std::uint32_t block : blocks_) live(block).reset();
        for (bool changes = true; changes;) {
            changes = false;
            for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
                Set set = live_after(*block);
                for (std::uint32_t at = end(*block); at-- > begin(*block);) set = live_before(at, set);
                changes |= set != live(*block);
                live(*block) = set;
            }
        }
    }
    Set &live(std::uint32_t block) { return live_[block - blocks_.front()]; }
    Set live_at(std::uint32_t block) { return here(block) ? live(block) : Set().set(); }

    Set live_after(std::uint32_t block) {
        const std::uint32_t last = end(block) - 1;
        const OpInfo &row = info(op_at(image_, last));
        const auto named = named_block(image_, plan_.code, last);
        Set set;
        if (named) set |= live_at(*named);
        else if ((row.writes & Pc) || ends_block(row.op)) set.set();
        if (!ends_block(row.op)) set |= live_at(block + 1);
        return set;
    }

    void walk(std::uint32_t block, bool ends) {
        std::vector<Set> needed(end(block) - begin(block));
        Set after = live_after(block);
        for (std::uint32_t at = end(block); at-- > begin(block);) needed[at - begin(block)] = after = live_before(at, after);
        for (std::uint32_t at = begin(block); at < end(block); ++at) step(at, needed[at - begin(block)]);

        const std::uint32_t last = end(block) - 1;
        const OpInfo &row = info(op_at(image_, last));
        if (row.writes & Pc) {
            const auto named = named_block(image_, plan_.code, last);
            note(last).on_jump = list(any_ & (named ? live_at(*named) : Set().set()));
        }
        if (ends && !ends_block(row.op)) {
            note(last).at_end = list(any_ & live_at(block + 1));
            any_.reset();
        }
        if (ends_block(row.op)) any_.reset();
    }

    /// Before the instruction, any_ are the variables that may hold any NaN; afterwards, too.
    /// `needed`: what is read from here on before it is written.
    void step(std::uint32_t at, const Set &needed) {
        const OpInfo &row = info(op_at(image_, at));
        const std::uint32_t r = image_.text[at] & 0xffu;
        const Use use = use_of(row.op);
        // Floats in halves of a pair are looked at as bits.
        const bool by_halves = (row.operand == OperandKind::Reg && !is_single(r)) || (row.operand == OperandKind::Pair && !is_pair_[r]);
        Set must = any_ & read(at);
        if (row.op == Op::sys_) must.reset();  // which always stops
        if (use != Use::bits && !by_halves) must.reset();
        else if (use == Use::floats || use == Use::operation) must &= operand(at, row.operand);
        if (must.any()) note(at).before = list(must);
        any_ &= ~must;
        if (row.writes & Stop) note_stop(at, any_ & needed);

        Set moved;
        if (use == Use::move && !by_halves) {
            const Variable from = row.op == Op::sr_ ? NanResults::acc : row.op == Op::srd_ ? NanResults::d : home(r);
            const Variable to = row.op == Op::lr_ ? NanResults::acc : row.op == Op::lrd_ ? NanResults::d : home(r);
            if (any_[from]) moved.set(to);
        }
        any_ &= ~written(at);
        any_ |= moved;
        if (use != Use::operation) return;
        note(at).any_nan = true;
        any_.set(row.writes & D ? NanResults::d : NanResults::acc);
    }

    void note_stop(std::uint32_t at, const Set &set) {
        if (set.none()) return;
        const NanResults::Variables variables = list(set);
        const auto known = std::ranges::find(results_.stop_sets_, variables);
        note(at).on_stop = static_cast<std::uint32_t>(known - results_.stop_sets_.begin()) + 1;
        if (known == results_.stop_sets_.end()) results_.stop_sets_.push_back(variables);
    }

    NanResults::Instruction &note(std::uint32_t at) { return results_.instructions_[at]; }
    static NanResults::Variables list(const Set &set) {
        NanResults::Variables variables;
        for (std::size_t i = 0; i < set.size(); ++i)
            if (set[i]) variables.push_back(static_cast<Variable>(i));
        return variables;
    }

    const Image &image_;
    const BlockPlan &plan_;
    std::uint32_t group_;
    const std::vector<std::uint32_t> &blocks_;
    const std::array<bool, 257> &is_pair_;
    NanResults &results_;
    std::vector<Set> live_;  ///< by block, from the first one on
    Set any_;
};

NanResults::NanResults(const Image &image, const BlockPlan &plan, std::uint32_t group, const std::array<bool, 257> &is_pair,
                       const std::function<bool(std::uint32_t)> &begins) {
    // With the control register, operations set its flags, and are done in software.
    if (!keeps_fcsr(image)) NanAnalysis(image, plan, group, is_pair, *this).run(begins);
}

}  // namespace mog
