// lane_compiler.cpp: the frame of a group's code, whose turn it is, blocks and the ways between them.
#include "runtime_host/devices/host/native_lanes/lane_compiler.hpp"

#include <algorithm>

#include "assembler/image/constants.hpp"
#include "runtime_host/devices/host/native/native_units.hpp"
#include "runtime_host/devices/host/native_lanes/lane_frame.hpp"
#include "runtime_host/devices/host/native_lanes/lane_registers.hpp"

namespace mog::lane_code {

using x86::CondCode;

LaneCompiler::LaneCompiler(const Image &image, const BlockPlan &plan, std::uint32_t number, std::uint32_t first_guard,
                           const LaneLinks &links, asmjit::CodeHolder &holder)
    : image_(image),
      links_(links),
      group_(image, plan, number, EnteredAt::any_block),
      regions_(find_guarded_regions(group_, CopiesFor::lanes)),
      to_(&holder),
      first_guard_(first_guard),
      begin_(to_.newLabel()) {}

void LaneCompiler::compile() {
    select_ = to_.newLabel();
    choose_ = to_.newLabel();
    leave_ = to_.newLabel();
    stopped_ = to_.newLabel();
    entries_ = to_.newLabel();
    for (const std::uint32_t b : group_.group.blocks) labels_[b] = to_.newLabel();
    find_guards();
    give_homes();

    to_.bind(begin_);
    for (const Gp &reg : {x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15}) to_.push(reg);
    to_.mov(frame, x86::rdi);
    to_.mov(memory, x86::rsi);
    to_.mov(passes, field(offsetof(LaneFrame, passes), 4));
    to_.mov(field(offsetof(LaneFrame, counted), 4), passes);
    load_variables();
    to_.jmp(choose_);
    for (std::size_t i = 0; i < group_.group.blocks.size(); ++i)
        block(group_.group.blocks[i], i + 1 < group_.group.blocks.size() ? group_.group.blocks[i + 1] : 0xffffffffu);
    write_what_is_later();
    copies();
    turns();
    epilogue();
    for (const auto &[op, label] : apart_routines_) {
        to_.bind(label);
        write_apart_routine(op);
    }
    data();
}

/// What stands behind the blocks at hand, which may be followed by more of it.
void LaneCompiler::write_what_is_later() {
    for (std::size_t i = 0; i < later_.size(); ++i) std::function<void()>(std::move(later_[i]))();
    later_.clear();
}

// --- the frame ---------------------------------------------------------------------------------------------------------

x86::Mem LaneCompiler::field(std::size_t offset, std::uint32_t size) const { return Mem(frame, static_cast<std::int32_t>(offset), size); }

x86::Mem LaneCompiler::row(std::uint32_t r, std::uint32_t more) const {
    return field(offsetof(LaneFrame, registers) + sizeof(LaneFrame::Row) * r + more, 64);
}

/// Of a guard that is known, where `scratch` has the address of the first one.
x86::Mem LaneCompiler::guard_field(std::uint32_t number, std::size_t offset) const {
    return Mem(scratch.r64(), static_cast<std::int32_t>(sizeof(LaneGuard) * number + offset), 4);
}

x86::Mem LaneCompiler::word(std::uint32_t value) {
    auto [found, is_new] = splats_.try_emplace(value);
    if (is_new) found->second = x86::dword_ptr(to_.newLabel());
    return found->second;
}

x86::Mem LaneCompiler::two_words(std::uint64_t value) {
    auto [found, is_new] = double_splats_.try_emplace(value);
    if (is_new) found->second = x86::qword_ptr(to_.newLabel());
    return found->second;
}

x86::Mem LaneCompiler::table(const std::vector<std::uint32_t> &words) {
    auto [found, is_new] = tables_.try_emplace(words);
    if (is_new) found->second = to_.newLabel();
    return x86::zmmword_ptr(found->second);
}

void LaneCompiler::data() {
    to_.align(asmjit::AlignMode::kData, 64);
    for (const auto &[words, label] : tables_) {
        to_.bind(label);
        for (const std::uint32_t word : words) to_.embedUInt32(word);
    }
    for (const auto &[value, mem] : double_splats_) {
        to_.bind(Label(mem.baseId()));
        to_.embedUInt64(value);
    }
    to_.bind(entries_);
    for (const std::uint32_t b : group_.group.blocks) to_.embedLabel(labels_.at(b));
    for (const auto &[value, mem] : splats_) {
        to_.bind(Label(mem.baseId()));
        to_.embedUInt32(value);
    }
}

/// Those variables have vectors that are used most, by what is known of how often blocks are executed.
void LaneCompiler::give_homes() {
    std::map<std::uint32_t, double> uses;
    for (const std::uint32_t b : group_.group.blocks)
        for (std::uint32_t at = group_.begin(b); at < group_.end(b); ++at) {
            const OpInfo &row = info(op(at));
            const double often = group_.plan.executed.empty() ? 1 : group_.plan.executed[b] + 1e-9;
            const auto use = [&](std::uint32_t r) {
                const bool high = r > 0 && group_.is_pair[r - 1];
                uses[high ? r - 1 : r] += often;
            };
            if (row.operand == OperandKind::Reg) use(operand(at));
            if (row.operand != OperandKind::Pair) continue;
            use(operand(at));
            if (!group_.is_pair[operand(at)]) use(operand(at) + 1);
        }
    std::vector<std::pair<double, std::uint32_t>> wishes;
    for (const auto &[r, often] : uses) wishes.emplace_back(group_.is_pair[r] ? often / 2 : often, r);
    std::ranges::sort(wishes, std::greater<>());
    std::uint32_t next = first_home;
    for (const auto &[often, r] : wishes) {
        const std::uint32_t size = group_.is_pair[r] ? 2 : 1;
        if (next + size > last_home + 1) continue;
        homes_[r] = next;
        next += size;
    }
}

/// Variables from the rows of the frame, where a pair is two rows of words.
void LaneCompiler::load_variables() {
    group_.for_each_variable([&](std::uint32_t r, bool is_pair) {
        if (!is_pair) {
            if (has_home(r)) to_.vmovdqa32(home(r), row(r));
            return;
        }
        to_.vmovdqa32(spare0, row(r));
        to_.vmovdqa32(spare1, row(r + 1));
        const Zmm low = has_home(r) ? home(r) : spare2, high = has_home(r) ? x86::zmm(homes_.at(r) + 1) : spare3;
        words_to_pair(spare0, spare1, low, high);
        if (has_home(r)) return;
        to_.vmovdqa32(row(r), low);
        to_.vmovdqa32(row(r, 64), high);
    });
}

void LaneCompiler::store_variables() {
    group_.for_each_variable([&](std::uint32_t r, bool is_pair) {
        if (!is_pair) {
            if (has_home(r) && group_.written[r]) to_.vmovdqa32(row(r), home(r));
            return;
        }
        words_of_pair(r, false, spare0);
        words_of_pair(r, true, spare1);
        to_.vmovdqa32(row(r), spare0);
        to_.vmovdqa32(row(r + 1), spare1);
    });
}

// --- turns -------------------------------------------------------------------------------------------------------------

/// The lowest place of these lanes, of which there are some.
void LaneCompiler::least_of_running(Gp to, const KReg &of) {
    to_.vpternlogd(spare1, spare1, spare1, 0xff);
    to_.k(of).vmovdqa32(spare1, spare0);
    to_.vextracti64x4(spare2.ymm(), spare1, 1);
    to_.vpminud(spare1.ymm(), spare1.ymm(), spare2.ymm());
    to_.vextracti128(spare2.xmm(), spare1.ymm(), 1);
    to_.vpminud(spare1.xmm(), spare1.xmm(), spare2.xmm());
    to_.vpshufd(spare2.xmm(), spare1.xmm(), 0b01001110);
    to_.vpminud(spare1.xmm(), spare1.xmm(), spare2.xmm());
    to_.vpshufd(spare2.xmm(), spare1.xmm(), 0b10110001);
    to_.vpminud(spare1.xmm(), spare1.xmm(), spare2.xmm());
    to_.vmovd(to, spare1.xmm());
}

/// What those have executed whose turn is over is counted, and their accumulators are kept. Then those at the lowest place go on.
void LaneCompiler::turns() {
    to_.bind(stopped_);  // all at one_acc, and the interpreter is asked
    stand(lanes, std::nullopt);
    to_.jmp(leave_);

    to_.bind(select_);
    const auto count = [&] {
        to_.mov(scratch, field(offsetof(LaneFrame, counted), 4));
        to_.sub(scratch, passes);
        to_.popcnt(scratch2, bits);
        to_.imul(scratch.r64(), scratch2.r64());
        to_.add(field(offsetof(LaneFrame, executed), 8), scratch.r64());
        to_.mov(field(offsetof(LaneFrame, counted), 4), passes);
        to_.k(lanes).vmovdqa32(field(offsetof(LaneFrame, acc), 64), acc);
        if (!group_.uses_d) return;
        to_.k(lanes).vmovdqa64(field(offsetof(LaneFrame, d), 64), d_low);
        to_.k(high_lanes).vmovdqa64(field(offsetof(LaneFrame, d) + 64, 64), d_high);
    };
    count();
    to_.bind(choose_);
    to_.vmovdqa32(spare0, field(offsetof(LaneFrame, pcs), 64));
    to_.kmovw(condition, field(offsetof(LaneFrame, running), 2));
    least_of_running(one_acc, condition);
    to_.vpbroadcastd(spare3, one_acc);
    to_.k(condition).vpcmpd(lanes, spare0, spare3, equal);
    to_.kmovw(bits, lanes);
    to_.kshiftrw(high_lanes, lanes, 8);
    to_.kandnw(condition, lanes, condition);
    const Label alone = to_.newLabel(), others = to_.newLabel();
    to_.kortestw(condition, condition);
    to_.mov(wait, 0xffffffffu);
    to_.je(alone);
    least_of_running(wait, condition);
    to_.bind(alone);
    to_.vmovdqa32(acc, field(offsetof(LaneFrame, acc), 64));
    if (group_.uses_d) {
        to_.vmovdqa64(d_low, field(offsetof(LaneFrame, d), 64));
        to_.vmovdqa64(d_high, field(offsetof(LaneFrame, d) + 64, 64));
    }
    to_.mov(scratch2.r64(), reinterpret_cast<std::uintptr_t>(links_.entry_of));
    to_.mov(scratch, x86::dword_ptr(scratch2.r64(), one_acc.r64(), 2));
    to_.mov(scratch2, scratch);
    to_.shr(scratch2, 16);
    to_.cmp(scratch2, group_.number);
    to_.jne(others);
    to_.movzx(scratch, scratch.r16());
    to_.lea(scratch2.r64(), x86::ptr(entries_));
    to_.jmp(x86::qword_ptr(scratch2.r64(), scratch.r64(), 3));
    to_.bind(leave_);
    count();
    to_.bind(others);
}

void LaneCompiler::epilogue() {
    store_variables();
    to_.mov(field(offsetof(LaneFrame, passes), 4), passes);
    to_.vzeroupper();
    for (const Gp &reg : {x86::r15, x86::r14, x86::r13, x86::r12, x86::rbp, x86::rbx}) to_.pop(reg);
    to_.ret();
}

// --- blocks ------------------------------------------------------------------------------------------------------------

/// Which of the accumulators, 1 and 2, may be read behind the block whose last instruction this is.
std::uint8_t LaneCompiler::live_behind(std::uint32_t last) const {
    constexpr std::uint8_t both = acc_bit | d_bit;
    if (jumps_to_address(op(last))) return both;
    std::uint8_t live = 0;
    const auto from = [&](std::optional<std::uint32_t> block) {
        live |= block && *block < links_.live_accumulators->size() ? (*links_.live_accumulators)[*block] : both;
    };
    if (const auto named = named_block(image_, group_.plan.code, last)) from(*named);
    if (!ends_block(op(last))) from(group_.block_at(last + 1));
    return live;
}

/// The accumulators to where they are expected behind a block, if anybody reads them there.
void LaneCompiler::settle(std::uint32_t last) {
    const std::uint8_t live = live_behind(last);
    if (live & acc_bit) {
        if (is_scalar(acc_variable)) one_to(one_acc);
        else to_acc();
    }
    if (live & d_bit) to_d();
    // Of no use to anybody there, or there.
    state_.acc = {};
    state_.d = {};
    state_.one = {};
}

void LaneCompiler::begin_block(std::uint32_t b) {
    const auto head = heads_.find(b);
    if (head != heads_.end() && b > 0 && group_.here(b - 1))
        for (const auto &[region, number] : head->second) {
            if (regions_[region].find(b - 1) != nullptr) continue;
            // Control comes from outside: it is asked at once, unless that has failed three times in a row.
            const Label skip = to_.newLabel(), due = to_.newLabel();
            to_.cmp(bits, 0xffff);
            to_.jne(skip);
            to_.mov(scratch.r64(), field(offsetof(LaneFrame, guards), 8));
            to_.sub(guard_field(number, offsetof(LaneGuard, visits)), 1);
            to_.js(due);
            to_.bind(skip);
            later([=, this, n = number] {
                to_.bind(due);
                to_.mov(guard_field(n, offsetof(LaneGuard, patience)), 0);
                to_.push(scratch.r64());
                to_.mov(scratch, guard_field(n, offsetof(LaneGuard, failures)));
                to_.mov(scratch2, 1);
                to_.shl(scratch2, scratch.r8());
                to_.shr(scratch2, 3);
                to_.pop(scratch.r64());
                to_.mov(guard_field(n, offsetof(LaneGuard, visits)), scratch2);
                to_.cmp(guard_field(n, offsetof(LaneGuard, failures)), 11);
                to_.jge(skip);
                to_.add(guard_field(n, offsetof(LaneGuard, failures)), 1);
                to_.jmp(skip);
            });
        }
    to_.bind(labels_.at(b));
    state_ = {};
    if (head != heads_.end())
        for (const auto &[region, number] : head->second) {
            const Label without = without_copy_.at(number);
            to_.cmp(bits, 0xffff);
            to_.jne(without);
            to_.mov(scratch.r64(), field(offsetof(LaneFrame, guards), 8));
            to_.sub(guard_field(number, offsetof(LaneGuard, patience)), 1);
            to_.js(questions_.at(number));
            to_.bind(without);
        }
    const std::uint32_t first = group_.begin(b);
    const Label stood = to_.newLabel(), paused = to_.newLabel();
    to_.cmp(wait, first);
    to_.jbe(stood);
    to_.test(passes, passes);
    to_.jle(paused);
    to_.sub(passes, group_.end(b) - first);
    later([=, this] {
        to_.bind(paused);
        to_.mov(one_acc, first);
        to_.jmp(stopped_);
        to_.bind(stood);
        stand(lanes, first);
        to_.jmp(select_);
    });
}

void LaneCompiler::block(std::uint32_t b, std::uint32_t next) {
    block_ = b;
    begin_block(b);
    const std::uint32_t end = group_.end(b);
    for (at_ = group_.begin(b); at_ < end;) {
        const std::uint32_t at = here_ = at_++;
        instruction(at);
        if (is_over_) break;
    }
    if (std::exchange(is_over_, false) || ends_block(op(end - 1))) return;
    default_nans(nans_after(end - 1));
    settle(end - 1);
    if (next != b + 1) go(end);
}

void LaneCompiler::instruction(std::uint32_t at) {
    const Op op = this->op(at);
    if (const auto again = again_.find(at); again != again_.end() && region_ == nullptr) {
        // Control may come from a copy, with all in its place.
        to_acc();
        to_d();
        to_.bind(again->second);
    }
    if (state_.acc.in == Acc::In::condition && !is_branch(op)) to_acc();
    default_nans(nans_before(at));
    stop_.reset();
    if (info(op).operand == OperandKind::Label) {
        if (op == Op::ja_) {
            settle(at);
            go(constant_at(image_, at));
        } else {
            branch(at);
        }
        return;
    }
    if (op == Op::j_) return jump(at);
    if (integer(at) || access(at) || floats(at) || doubles(at)) return;
    to_.jmp(stop());
    is_over_ = true;
}

/// To code somewhere, with the accumulators in their places.
void LaneCompiler::go(std::uint32_t target) {
    if (is_here(target)) {
        to_.jmp(labels_.at(*group_.block_at(target)));
        return;
    }
    stand(lanes, target);
    to_.jmp(select_);
}

/// These lanes stand at a TEXT index, or where one_acc says.
void LaneCompiler::stand(const KReg &of, std::optional<std::uint32_t> at) {
    if (at) to_.mov(one_acc, *at);
    to_.vpbroadcastd(spare0, one_acc);
    to_.k(of).vmovdqa32(field(offsetof(LaneFrame, pcs), 64), spare0);
}

/// The lanes that take a branch, of those that execute, in `condition`; the accumulators are in their places.
void LaneCompiler::taken(std::uint32_t at) {
    const bool if_set = op(at) == Op::jt_;
    if (state_.acc.in == Acc::In::condition) {
        if ((live_behind(at) & acc_bit) != 0) {
            to_.kmovw(spare_k2, condition);
            to_acc();
            to_.kmovw(condition, spare_k2);
        }
        if (if_set) to_.kandw(condition, lanes, condition);
        else to_.kandnw(condition, condition, lanes);
        state_.acc = {};
    } else {
        const Zmm value = acc_vector();
        to_.k(lanes);
        if (if_set) to_.vptestmd(condition, value, value);
        else to_.vptestnmd(condition, value, value);
    }
    settle(at);
}

void LaneCompiler::branch(std::uint32_t at) {
    const std::uint32_t target = constant_at(image_, at);
    taken(at);
    const Label all = is_here(target) ? labels_.at(*group_.block_at(target)) : to_.newLabel(), apart = to_.newLabel(),
                next = to_.newLabel();
    to_.kmovw(scratch, condition);
    to_.test(scratch, scratch);
    to_.je(next);
    to_.cmp(scratch, bits);
    to_.je(all);
    to_.jmp(apart);
    to_.bind(next);
    later([=, this] {
        if (!is_here(target)) {
            to_.bind(all);
            go(target);
        }
        to_.bind(apart);
        diverge(at + 1, target);
    });
}

/// The lanes of `condition` stand at `to` now, the others at `next`.
void LaneCompiler::diverge(std::uint32_t next, std::uint32_t to) {
    stand(lanes, next);
    stand(condition, to);
    to_.jmp(select_);
}

/// To the code address in ACC, each lane to its own.
void LaneCompiler::jump(std::uint32_t at) {
    const Zmm to = acc_vector();
    const Label stop = this->stop();
    to_.vpsubd(spare0, to, splat(image_.code_base));
    to_.vprord(spare0, spare0, 2);
    to_.k(lanes).vpcmpud(condition, spare0, splat(static_cast<std::uint32_t>(image_.code_map.size())), not_less);
    to_.kortestw(condition, condition);
    to_.jne(stop);
    to_.mov(scratch2.r64(), reinterpret_cast<std::uintptr_t>(image_.code_map.data()));
    to_.kmovw(spare_k, lanes);
    to_.k(spare_k).vpgatherdd(spare1, x86::ptr(scratch2.r64(), spare0, 2));
    to_.k(lanes).vpcmpud(condition, spare1, splat(MOG_NO_CODE), equal);
    to_.kortestw(condition, condition);
    to_.jne(stop);
    to_.k(lanes).vmovdqa32(field(offsetof(LaneFrame, pcs), 64), spare1);
    settle(at);
    to_.jmp(select_);
}

NanResults::Variables LaneCompiler::nans_before(std::uint32_t at) const {
    NanResults::Variables nans = group_.nans->before(at);
    if ((info(op(at)).writes & Pc) == 0) return nans;
    for (const NanResults::Variables *more : {&group_.nans->on_jump(at), &group_.nans->at_end(at)})
        for (const NanResults::Variable v : *more)
            if (std::ranges::find(nans, v) == nans.end()) nans.push_back(v);
    return nans;
}

NanResults::Variables LaneCompiler::nans_after(std::uint32_t last) const {
    return info(op(last)).writes & Pc ? NanResults::Variables() : group_.nans->at_end(last);
}

asmjit::Label LaneCompiler::stop() {
    if (stop_) return *stop_;
    const std::uint32_t at = here_;
    const Label label = to_.newLabel();
    stop_ = label;
    later([=, this, left = group_.left(block_, at)] {
        to_.bind(label);
        if (const std::uint32_t nans = group_.nans->on_stop(at); nans != 0) default_nans(group_.nans->stop_sets()[nans - 1]);
        if (region_ != nullptr) {
            stop_in_copy(at, left);
            return;
        }
        to_acc();
        to_d();
        to_.add(passes, left);
        to_.mov(one_acc, at);
        to_.jmp(stopped_);
    });
    return label;
}

/// If it does not happen in all lanes that execute: the interpreter does it for all of them.
void LaneCompiler::stop_if_any(const KReg &of) {
    to_.kortestw(of, of);
    to_.jne(stop());
}

}  // namespace mog::lane_code
