// lane_copies.cpp: copies of loops that all lanes go through together (guarded_regions.hpp), in which what is the same in all of them is
// computed once, in the processor's own registers.
#include <algorithm>

#include "assembler/image/constants.hpp"
#include "runtime_host/devices/host/native_lanes/lane_compiler.hpp"
#include "runtime_host/devices/host/native_lanes/lane_frame.hpp"
#include "runtime_host/devices/host/native_lanes/lane_registers.hpp"

namespace mog::lane_code {

using x86::CondCode;
namespace Id = x86::Inst;

namespace {

constexpr std::uint32_t all_lanes = 0xffff;

template <typename F>
void for_each(const RegisterSet &set, F f) {
    for (std::uint32_t variable = 0; variable < set.size(); ++variable)
        if (set[variable]) f(variable);
}

}  // namespace

void LaneCompiler::find_guards() {
    for (std::size_t region = 0; region < regions_.size(); ++region) {
        for (const GuardedRegion::Block &block : regions_[region].blocks)
            if (block.is_head) {
                const std::uint32_t number = first_guard_ + guards_++;
                heads_[block.block][region] = number;
                questions_[number] = to_.newLabel();
                without_copy_[number] = to_.newLabel();
            }
        for (const std::uint32_t at : regions_[region].confirmed) again_.try_emplace(at, to_.newLabel());
    }
}

void LaneCompiler::copies() {
    for (std::size_t number = 0; number < regions_.size(); ++number) {
        region_ = &regions_[number];
        region_number_ = number;
        masked_ = false;
        copied_.clear();
        give_scalar_homes();
        for (const GuardedRegion::Block &block : region_->blocks) copied_[block.block] = to_.newLabel();
        for (const GuardedRegion::Block &block : region_->blocks)
            if (block.is_head) question(block);
        for (const GuardedRegion::Block &block : region_->blocks)
            if (!block.joins) copied_block(block);
        write_what_is_later();
    }
    region_ = nullptr;
    masked_ = true;
}

/// Those that are used most where they are scalars.
void LaneCompiler::give_scalar_homes() {
    scalar_homes_.clear();
    std::map<std::uint32_t, double> uses;
    for (const GuardedRegion::Block &block : region_->blocks) {
        RegisterSet differs = block.differs;
        const double often = group_.plan.executed.empty() ? 1 : group_.plan.executed[block.block] + 1e-9;
        for (std::uint32_t at = group_.begin(block.block); at < group_.end(block.block); ++at) {
            const divergence::LaneStep step = region_->step(group_, at);
            for_each((step.reads & ~differs) | step.writes, [&](std::uint32_t r) {
                if (r < acc_variable && !group_.in_pair(r)) uses[r] += often;
            });
            differs = step.differ_behind(differs, block.joins.has_value());
        }
    }
    std::vector<std::pair<double, std::uint32_t>> wishes;
    for (const auto &[r, often] : uses) wishes.emplace_back(often, r);
    std::ranges::sort(wishes, std::greater<>());
    for (std::size_t i = 0; i < std::size(scalar_homes) && i < wishes.size(); ++i) scalar_homes_[wishes[i].second] = scalar_homes[i].id();
}

/// Whether what has to be the same is; if so, it becomes scalars, and control comes into the copy.
void LaneCompiler::question(const GuardedRegion::Block &head) {
    const std::uint32_t number = heads_.at(head.block).at(region_number_);
    const Label no = to_.newLabel();
    state_ = {};
    state_.differs = ~RegisterSet();  // still as lanes have them
    to_.bind(questions_.at(number));
    to_.cmp(field(offsetof(LaneFrame, divergence), 4), region_->has_some() ? 2 : 1);
    to_.jb(no);
    to_.add(field(offsetof(LaneFrame, asked), 8), 1);
    bool asks = false;
    for_each(head.asked, [&](std::uint32_t variable) {
        const Zmm each = variable == acc_variable ? acc : vector(variable, spare1);
        const Gp to = variable == acc_variable ? one_acc : has_scalar_home(variable) ? x86::gpd(scalar_homes_.at(variable)) : scratch2;
        to_.vmovd(to, each.xmm());
        to_.vpbroadcastd(spare2, to);
        if (asks) to_.vpternlogd(spare3, each, spare2, 0xf6);  // of bits: the first, or the others differ
        else to_.vpxord(spare3, each, spare2);
        asks = true;
        if (variable != acc_variable && !has_scalar_home(variable))
            to_.mov(field(offsetof(LaneFrame, scalars) + 4 * variable, 4), scratch2);
    });
    if (asks) {
        to_.vptestmd(condition, spare3, spare3);
        to_.kortestw(condition, condition);
        to_.jne(no);
    }
    to_.mov(field(offsetof(LaneFrame, entered), 4), number);
    to_.mov(scratch.r64(), field(offsetof(LaneFrame, guards), 8));
    for (const std::size_t offset : {offsetof(LaneGuard, patience), offsetof(LaneGuard, visits), offsetof(LaneGuard, failures)})
        to_.mov(guard_field(number, offset), 0);
    to_.add(field(offsetof(LaneFrame, held), 8), 1);
    to_.mov(field(offsetof(LaneFrame, entered_with), 4), passes);
    to_.xor_(scalars, scalars);
    to_.jmp(copied_.at(head.block));
    to_.bind(no);
    to_.mov(bits, all_lanes);
    to_.mov(wait, 0xffffffffu);
    to_.mov(scratch2, number);
    try_later();
    to_.jmp(without_copy_.at(number));
}

/// Of a guard's number in `scratch2`: where it is.
void LaneCompiler::to_guard() {
    constexpr std::uint32_t log2_of_guard = 4;
    static_assert(sizeof(LaneGuard) == 1 << log2_of_guard);
    to_.shl(scratch2.r64(), log2_of_guard);
    to_.add(scratch2.r64(), field(offsetof(LaneFrame, guards), 8));
}

x86::Mem LaneCompiler::of_guard(std::size_t offset) { return Mem(scratch2.r64(), static_cast<std::int32_t>(offset), 4); }

/// A guard, by its number in `scratch2`, is asked later, each time twice as much.
void LaneCompiler::try_later() {
    constexpr std::uint32_t most = 12;
    const Label enough = to_.newLabel();
    to_guard();
    to_.mov(scratch, of_guard(offsetof(LaneGuard, wait)));
    to_.push(x86::rsi);
    to_.mov(x86::esi, 1);
    to_.shl(x86::esi, x86::cl);
    to_.mov(of_guard(offsetof(LaneGuard, patience)), x86::esi);
    to_.pop(x86::rsi);
    to_.cmp(scratch, most);
    to_.jge(enough);
    to_.add(of_guard(offsetof(LaneGuard, wait)), 1);
    to_.bind(enough);
}

/// Control leaves the copy, with all in lanes' variables.
void LaneCompiler::leave_copy() {
    to_.mov(scratch, field(offsetof(LaneFrame, entered_with), 4));
    to_.sub(scratch, passes);
    to_.add(field(offsetof(LaneFrame, guarded), 8), scratch.r64());
    to_.add(field(offsetof(LaneFrame, scalar), 8), scalars.r64());
    to_.mov(bits, all_lanes);
    to_.mov(wait, 0xffffffffu);
}

void LaneCompiler::spread_one(std::uint32_t variable) {
    if (variable == acc_variable) {
        one_to(one_acc);
        to_.vpbroadcastd(acc, one_acc);
        return;
    }
    if (variable > acc_variable || group_.in_pair(variable) || !group_.used[variable]) return;
    const Zmm to = has_home(variable) ? home(variable) : spare0;
    if (has_scalar_home(variable)) to_.vpbroadcastd(to, x86::gpd(scalar_homes_.at(variable)));
    else to_.vpbroadcastd(to, field(offsetof(LaneFrame, scalars) + 4 * variable, 4));
    if (!has_home(variable)) to_.vmovdqa32(row(variable), to);
}

void LaneCompiler::spread(const RegisterSet &which) {
    for_each(which, [&](std::uint32_t variable) { spread_one(variable); });
}

/// An instruction of it is for the interpreter.
void LaneCompiler::stop_in_copy(std::uint32_t at, std::uint32_t left) {
    to_.add(passes, left);
    if (joins_) return some_stopped(at, left);
    settle_out();
    to_.mov(one_acc, at);
    to_.jmp(stopped_);
}

asmjit::Label LaneCompiler::here_or_out(std::uint32_t target) {
    const auto to = group_.block_at(target);
    if (to && region_->find(*to) != nullptr) return copied_.at(*to);
    return out_to(target);
}

/// The label where the copy is left for good, with all as it is now.
asmjit::Label LaneCompiler::out_to(std::uint32_t target) {
    const Label out = to_.newLabel();
    later([=, this] {
        to_.bind(out);
        settle_out();
        // It has been worth it.
        to_.mov(scratch2, field(offsetof(LaneFrame, entered), 4));
        to_guard();
        to_.mov(of_guard(offsetof(LaneGuard, wait)), 0);
        go(target);
    });
    return out;
}

/// Lanes' variables become what scalars are, and the accumulators are in their places.
void LaneCompiler::settle_out() {
    if (!is_scalar(acc_variable)) to_acc();
    to_d();
    spread(to_write_back());
    leave_copy();
}

/// The label for lanes that part: those of `condition` go to `to`, the others to `next`; the copy may not have been left by all.
asmjit::Label LaneCompiler::out_parted(std::uint32_t next, std::uint32_t to) {
    const Label out = to_.newLabel();
    later([=, this] {
        to_.bind(out);
        settle_out();
        const Label together = to_.newLabel();
        to_.kmovw(scratch, condition);
        to_.cmp(scratch, all_lanes);
        to_.je(together);
        to_.test(scratch, scratch);
        to_.je(together);
        to_.mov(scratch2, field(offsetof(LaneFrame, entered), 4));
        try_later();
        to_.bind(together);
        diverge(next, to);
    });
    return out;
}

void LaneCompiler::copied_block(const GuardedRegion::Block &block) {
    const std::uint32_t b = block.block, first = group_.begin(b), end = group_.end(b);
    block_ = b;
    joins_ = block.joins;
    state_ = {};
    state_.differs = block.differs;
    masked_ = joins_.has_value();
    if (joins_) {
        begin_some(b);
    } else {
        to_.bind(copied_.at(b));
        if (block.is_head) {
            const Label paused = to_.newLabel();
            to_.test(passes, passes);
            to_.jle(paused);
            later([=, this] {
                to_.bind(paused);
                spread(to_write_back());
                leave_copy();
                to_.mov(one_acc, first);
                to_.jmp(stopped_);
            });
        }
        to_.sub(passes, end - first);
        if (block.scalars != 0) to_.add(scalars, block.scalars);
    }
    for (at_ = first; at_ < end;) {
        const std::uint32_t at = here_ = at_++;
        if (at + 1 == end && (info(op(at)).writes & Pc) != 0) before_way_out();
        copied_instruction(at);
        if (is_over_) break;
    }
    const bool is_over = std::exchange(is_over_, false);
    const Op last = op(end - 1);
    if (joins_) {
        if (!is_over) end_some();
        to_.jmp(copied_.at(*block.joins));
        joins_.reset();
        masked_ = false;
        return;
    }
    if (is_over || ends_block(last)) return;
    if ((info(last).writes & Pc) == 0) {
        default_nans(nans_after(end - 1));
        before_way_out();
    }
    const GuardedRegion::Block *next = region_->find(b + 1);
    if (next != nullptr && next->joins) {
        copied_block(*next);
        return;
    }
    if ((info(last).writes & Pc) == 0) settle(end - 1);
    // Blocks stand in ascending order, but for those of some of the lanes.
    to_.jmp(here_or_out(end));
}

/// Before a block's jump: what is a scalar here, and may be read where it is expected in lanes' variables.
void LaneCompiler::before_way_out() {
    const std::uint32_t last = group_.end(block_) - 1;
    RegisterSet expected;
    const auto add_next = [&](std::optional<std::uint32_t> next) {
        if (const GuardedRegion::Block *to = next ? region_->find(*next) : nullptr) expected |= to->differs & to->live;
    };
    if (!joins_ && !is_call(image_, last)) {
        add_next(named_block(image_, group_.plan.code, last));
        if (!ends_block(op(last))) add_next(block_ + 1);
    }
    spread(~state_.differs & expected);
}

void LaneCompiler::copied_instruction(std::uint32_t at) {
    const Op op = this->op(at);
    const divergence::LaneStep step = region_->step(group_, at);
    const bool is_same = step.is_same(state_.differs) && !step.is_confirmed && !joins_;
    if (state_.acc.in == Acc::In::condition && !is_branch(op)) to_acc();
    if (state_.one.in == One::In::flags && !is_branch(op)) one_register();
    default_nans(nans_before(at));
    stop_.reset();
    if (info(op).operand == OperandKind::Label) {
        copied_branch(at);
        return;
    }
    before_ = state_;
    bool done = is_same && scalar(at);
    keeps_acc_ = step.is_confirmed || is_same;
    if (is_same && !done) {
        // As vectors, whose first lane is as good as any other.
        done = integer(at);
        if (done && step.writes[acc_variable]) {
            acc_as_it_is();
            to_.vmovd(one_acc, acc.xmm());
            state_.one = {};
        }
    } else if (!is_same) {
        done = integer(at) || access(at) || floats(at) || doubles(at);
    }
    if (!done) {
        keeps_acc_ = false;
        to_.jmp(stop());
        is_over_ = true;
        return;
    }
    if (step.is_confirmed) confirm(at);
    keeps_acc_ = false;
    for (std::uint32_t done_at = at; done_at < at_; ++done_at)
        state_.differs = region_->step(group_, done_at).differ_behind(state_.differs, joins_.has_value());
}

/// What each lane has loaded has to be the same: else they leave the copy, to load it again for each.
void LaneCompiler::confirm(std::uint32_t at) {
    const Label out = to_.newLabel();
    to_.vpbroadcastd(spare0, acc.xmm());
    to_.vpcmpd(condition, acc, spare0, not_equal);
    to_.kortestw(condition, condition);
    to_.jne(out);
    to_.vmovd(scratch, acc.xmm());
    later([=, this, before = before_] {
        state_ = before;
        to_.bind(out);
        to_.mov(scratch2, field(offsetof(LaneFrame, entered), 4));
        try_later();
        settle_out();
        to_.jmp(again_.at(at));
    });
    to_.mov(one_acc, scratch);
    state_.one = {};
}

void LaneCompiler::copied_branch(std::uint32_t at) {
    const std::uint32_t target = constant_at(image_, at);
    const auto inside = [&](std::uint32_t to) { return group_.block_at(to) ? region_->find(*group_.block_at(to)) : nullptr; };
    if (is_call(image_, at) || op(at) == Op::ja_) {
        settle(at);
        to_.jmp(is_call(image_, at) ? out_to(target) : here_or_out(target));
        return;
    }
    if (is_scalar(acc_variable)) {
        const bool is_live = (live_behind(at) & 1) != 0;
        if (is_live && state_.one.in == One::In::flags) one_register();
        CondCode taken = CondCode::kNZ;
        if (state_.one.in == One::In::flags) {
            taken = state_.one.set;
        } else {
            const Gp value = one_register();
            to_.test(value, value);
        }
        if (op(at) == Op::jf_) taken = x86::negateCond(taken);
        if (is_live) {
            // Moves leave the flags as they are.
            one_to(one_acc);
        }
        state_.acc = {};
        if ((live_behind(at) & 2) != 0) to_d();
        state_.one = {};
        to_.j(taken, here_or_out(target));
        if (const GuardedRegion::Block *next = inside(at + 1); next != nullptr && next->joins) to_.mov(scratch, all_lanes);
        return;
    }
    taken(at);
    to_.kmovw(scratch, condition);
    const GuardedRegion::Block *next = inside(at + 1), *other = inside(target);
    if (next != nullptr && next->joins) {
        to_.xor_(scratch, all_lanes);
        to_.je(copied_.at(*group_.block_at(target)));
        return;  // the block that comes next has the others in `scratch`
    }
    const Label out = out_parted(at + 1, target);
    if (next != nullptr && other == nullptr) {
        to_.test(scratch, scratch);
        to_.jne(out);
        return;
    }
    to_.cmp(scratch, all_lanes);
    to_.jne(out);
    to_.jmp(copied_.at(*group_.block_at(target)));
}

// --- blocks of some of the lanes, which are in `scratch` ------------------------------------------------------------------

void LaneCompiler::begin_some(std::uint32_t b) {
    const std::uint32_t instructions = group_.end(b) - group_.begin(b);
    to_.kmovw(lanes, scratch);
    to_.kshiftrw(high_lanes, lanes, 8);
    to_.sub(passes, instructions);
    count_away(instructions, true);
    to_.vmovdqa32(field(offsetof(LaneFrame, acc), 64), acc);
}

/// The lanes of `scratch` execute so many instructions that the others do not, who are counted all the same when it is over; or, when they
/// stop, do not.
void LaneCompiler::count_away(std::uint32_t instructions, bool executed) {
    to_.popcnt(scratch2, scratch);
    to_.sub(scratch2, MOG_LANES);
    to_.imul(scratch2, scratch2, static_cast<std::int32_t>(instructions));
    to_.movsxd(scratch2.r64(), scratch2);
    if (executed) to_.add(field(offsetof(LaneFrame, executed), 8), scratch2.r64());
    else to_.sub(field(offsetof(LaneFrame, executed), 8), scratch2.r64());
}

/// ACC of the others is what it was.
void LaneCompiler::merge_some() {
    if (is_scalar(acc_variable)) return;
    to_acc();
    to_.knotw(condition, lanes);
    to_.k(condition).vmovdqa32(acc, field(offsetof(LaneFrame, acc), 64));
}

void LaneCompiler::end_some() {
    merge_some();
    to_.kxnorw(lanes, lanes, lanes);
    to_.kshiftrw(high_lanes, lanes, 8);
}

void LaneCompiler::some_stopped(std::uint32_t at, std::uint32_t left) {
    to_.kmovw(scratch, lanes);
    count_away(left, false);
    merge_some();
    spread(to_write_back());
    to_.kmovw(spare_k2, lanes);
    leave_copy();
    to_.kxnorw(lanes, lanes, lanes);
    to_.kshiftrw(high_lanes, lanes, 8);
    stand(lanes, group_.begin(*joins_));
    stand(spare_k2, at);
    to_.jmp(leave_);
}

// --- scalars -----------------------------------------------------------------------------------------------------------

asmjit::Operand LaneCompiler::scalar_operand(std::uint32_t r) const {
    if (has_scalar_home(r)) return x86::gpd(scalar_homes_.at(r));
    return field(offsetof(LaneFrame, scalars) + 4 * r, 4);
}

void LaneCompiler::fetch_scalar(Gp to, std::uint32_t r) {
    const Operand from = scalar_operand(r);
    if (from != to) to_.emit(Id::kIdMov, to, from);
}

/// The scalar's value; leaves the flags alone.
void LaneCompiler::one_to(Gp to) {
    const One one = state_.one;
    switch (one.in) {
        case One::In::acc:
            if (to != one_acc) to_.mov(to, one_acc);
            break;
        case One::In::constant: to_.mov(to, one.offset); break;
        case One::In::sum:
            if (one.offset != 0 && has_scalar_home(one.reg)) {
                to_.lea(to, x86::ptr(x86::gpq(scalar_homes_.at(one.reg)), static_cast<std::int32_t>(one.offset)));
                break;
            }
            fetch_scalar(to, one.reg);
            if (one.offset != 0) to_.lea(to, x86::ptr(to.r64(), static_cast<std::int32_t>(one.offset)));
            break;
        case One::In::flags:
            to_.mov(to, 0);
            to_.set(one.set, to.r8());
            break;
    }
}

x86::Gp LaneCompiler::one_register() {
    if (state_.one.in == One::In::sum && state_.one.offset == 0 && has_scalar_home(state_.one.reg))
        return x86::gpd(scalar_homes_.at(state_.one.reg));
    one_to(one_acc);
    state_.one = {};
    return one_acc;
}

/// Where a result goes that the next instruction puts into a register.
x86::Gp LaneCompiler::one_result(std::uint32_t at) const {
    if (at + 1 < group_.end(block_) && op(at + 1) == Op::sr_ && has_scalar_home(operand(at + 1)) && nans_before(at + 1).empty())
        return x86::gpd(scalar_homes_.at(operand(at + 1)));
    return one_acc;
}

void LaneCompiler::is_one(Gp in, std::uint32_t at) {
    state_.one = {};
    if (in == one_acc) return;
    state_.one = {One::In::sum, operand(at + 1), 0};
    ++at_;
}

/// An instruction of which all lanes would compute the same. False: not as a scalar.
bool LaneCompiler::scalar(std::uint32_t at) {
    const Op op = this->op(at);
    const OpInfo &row = info(op);
    const std::uint32_t r = operand(at);
    if (row.operand == OperandKind::Reg && group_.in_pair(r)) return false;
    const bool constant = row.operand == OperandKind::Const;
    // ACC's value in `to`, and then one instruction on it; its operand may not be `to`.
    const auto combine = [&](Id::Id id) {
        Gp to = one_result(at);
        if (!constant && to != one_acc && scalar_operand(r) == to) to = one_acc;
        one_to(to);
        if (constant) to_.emit(id, to, asmjit::imm(static_cast<std::int32_t>(constant_at(image_, at))));
        else to_.emit(id, to, scalar_operand(r));
        is_one(to, at);
    };
    const auto compare = [&](CondCode set) {
        const Gp value = one_register();
        if (constant) to_.cmp(value, static_cast<std::int32_t>(constant_at(image_, at)));
        else to_.emit(Id::kIdCmp, value, scalar_operand(r));
        state_.one = {One::In::flags, 0, 0, set};
    };
    const auto shift = [&](Id::Id by_constant, Id::Id by_register) {
        Gp to = one_result(at);
        if (row.operand == OperandKind::Byte) {
            one_to(to);
            to_.emit(by_constant, to, asmjit::imm(r & 31));
        } else {
            const Gp value = one_register();
            fetch_scalar(scratch, r);
            if (op == Op::rotr_) {
                to = one_acc;
                if (value != to) to_.mov(to, value);
                to_.ror(to, x86::cl);
            } else {
                to_.emit(by_register, to, value, scratch);
            }
        }
        is_one(to, at);
    };
    const auto in_place = [&](auto emit) {
        const Gp to = one_result(at);
        one_to(to);
        emit(to);
        is_one(to, at);
    };
    switch (op) {
        case Op::li_: state_.one = {One::In::constant, 0, constant_at(image_, at)}; break;
        case Op::lr_: state_.one = {One::In::sum, r, 0}; break;
        case Op::sr_:
            if (state_.one.in == One::In::sum && state_.one.reg == r && state_.one.offset == 0) break;
            if (has_scalar_home(r)) {
                one_to(x86::gpd(scalar_homes_.at(r)));
                if (state_.one.in == One::In::sum) state_.one = {One::In::sum, r, 0};
            } else {
                const Gp value = one_register();
                to_.mov(field(offsetof(LaneFrame, scalars) + 4 * r, 4), value);
            }
            break;
        case Op::addi_:
            if (state_.one.in == One::In::sum || state_.one.in == One::In::constant) {
                state_.one.offset += constant_at(image_, at);
                if (const Gp to = one_result(at); to != one_acc) {
                    one_to(to);
                    is_one(to, at);
                }
                break;
            }
            combine(Id::kIdAdd);
            break;
        case Op::add_: combine(Id::kIdAdd); break;
        case Op::sub_: combine(Id::kIdSub); break;
        case Op::and_:
        case Op::andi_: combine(Id::kIdAnd); break;
        case Op::or_:
        case Op::ori_: combine(Id::kIdOr); break;
        case Op::xor_:
        case Op::xori_: combine(Id::kIdXor); break;
        case Op::mul_: combine(Id::kIdImul); break;
        case Op::slli_: shift(Id::kIdShl, Id::kIdShlx); break;
        case Op::srli_: shift(Id::kIdShr, Id::kIdShrx); break;
        case Op::srai_: shift(Id::kIdSar, Id::kIdSarx); break;
        case Op::sll_: shift(Id::kIdShl, Id::kIdShlx); break;
        case Op::srl_: shift(Id::kIdShr, Id::kIdShrx); break;
        case Op::sra_: shift(Id::kIdSar, Id::kIdSarx); break;
        case Op::rotr_:
        case Op::rotri_: shift(Id::kIdRor, Id::kIdRor); break;
        case Op::neg_: in_place([&](Gp to) { to_.neg(to); }); break;
        case Op::nor_: {
            Gp to = one_result(at);
            if (scalar_operand(r) == to) to = one_acc;
            one_to(to);
            to_.emit(Id::kIdOr, to, scalar_operand(r));
            to_.not_(to);
            is_one(to, at);
            break;
        }
        case Op::clz_: in_place([&](Gp to) { to_.lzcnt(to, to); }); break;
        case Op::seb_: in_place([&](Gp to) { to_.shl(to, 24), to_.sar(to, 24); }); break;
        case Op::seh_: in_place([&](Gp to) { to_.shl(to, 16), to_.sar(to, 16); }); break;
        case Op::wsbh_: in_place([&](Gp to) { to_.bswap(to), to_.ror(to, 16); }); break;
        case Op::slt_:
        case Op::slti_: compare(CondCode::kL); break;
        case Op::sltu_:
        case Op::sltui_: compare(CondCode::kB); break;
        case Op::tz_:
        case Op::tnz_: {
            const Gp value = one_register();
            to_.test(value, value);
            to_.j(op == Op::tz_ ? CondCode::kZ : CondCode::kNZ, stop());
            break;
        }
        default: return false;
    }
    return true;
}

}  // namespace mog::lane_code
