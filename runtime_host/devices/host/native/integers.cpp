// integers.cpp: instructions on integers, as native code.
#include "assembler/image/constants.hpp"
#include "interp_templates/launch_abi.h"
#include "runtime_host/devices/host/native/function_compiler.hpp"

namespace mog {

using namespace native;
namespace x86 = asmjit::x86;
using x86::CondCode;

namespace {

/// A pointer that goes on by as much in each instruction of a block does not get round the end of the address space.
bool is_step(std::uint32_t offset) {
    const auto number = static_cast<std::int32_t>(offset);
    return number > -4096 && number < 4096;
}

}  // namespace

bool FunctionCompiler::integer(std::uint32_t at) {
    const std::uint32_t number = operand(at);
    switch (op(at)) {
        case Op::li_: acc_ = {Acc::In::constant, 0, constant_at(image_, at)}; return true;
        case Op::srsp_: put_sp(at); return true;
        case Op::add_: add(at, number); return true;
        case Op::addi_:
            if (acc_.in == Acc::In::float_acc) to_acc();
            if (acc_.in == Acc::In::acc) {
                to_.add(acc, constant_at(image_, at));
                condition_ = CondCode::kNZ;
            } else {
                acc_.offset += constant_at(image_, at);
            }
            return true;
        case Op::addo_:
        case Op::subo_: {
            const Acc before = acc_;
            acc_to(scratch);
            acc_ = before;
            with(number, [&](auto value) { op(at) == Op::addo_ ? to_.add(scratch, value) : to_.sub(scratch, value); });
            to_.jo(stop(at));
            const Gp to = result(at);
            to_.mov(to, scratch);
            is_result(to, at);
            return true;
        }
        case Op::sub_: {
            if (is_only_asked(at)) {
                const Gp value = acc_register();
                with(number, [&](auto other) { to_.cmp(value, other); });
                is_asked(CondCode::kNZ);
                return true;
            }
            const Gp to = result(at);
            if (to != acc && has_home(number) && home(number) == to) {
                to_acc();
                to_.sub(acc, to);
                to_.mov(to, acc);
            } else {
                acc_to(to);
                with(number, [&](auto value) { to_.sub(to, value); });
            }
            is_result(to, at);
            condition_ = CondCode::kNZ;
            return true;
        }
        case Op::neg_: {
            const Gp to = result(at);
            acc_to(to);
            to_.neg(to);
            is_result(to, at);
            condition_ = CondCode::kNZ;
            return true;
        }
        case Op::and_: bits(at, Bits::and_, false); return true;
        case Op::andi_: bits(at, Bits::and_, true); return true;
        case Op::or_: bits(at, Bits::or_, false); return true;
        case Op::ori_: bits(at, Bits::or_, true); return true;
        case Op::xor_: bits(at, Bits::xor_, false); return true;
        case Op::xori_: bits(at, Bits::xor_, true); return true;
        case Op::nor_: {
            acc_to(scratch);
            with(number, [&](auto value) { to_.or_(scratch, value); });
            to_.not_(scratch);
            const Gp to = result(at);
            to_.mov(to, scratch);
            is_result(to, at);
            return true;
        }
        case Op::fence_:  // what is locked is one, for less than mfence takes
            to_.lock().or_(x86::dword_ptr(x86::rsp), 0);
            condition_.reset();
            return true;
        case Op::acquire_: return true;  // x86 does loads in order, and code here is in the order of the program
        case Op::sll_:
        case Op::srl_:
        case Op::sra_:
        case Op::rotr_:
        case Op::slli_:
        case Op::srli_:
        case Op::srai_:
        case Op::rotri_: shift(at); return true;
        case Op::slt_:
        case Op::sltu_: compare(at, false); return true;
        case Op::slti_:
        case Op::sltui_: compare(at, true); return true;
        case Op::mul_: {
            const Gp to = result(at);
            if (acc_.in == Acc::In::constant) {
                const auto value = static_cast<std::int32_t>(acc_.offset);
                with(number, [&](auto other) { to_.imul(to, other, value); });
            } else if (to != acc && has_home(number) && home(number) == to) {
                to_.imul(to, acc_register());
            } else {
                acc_to(to);
                with(number, [&](auto other) { to_.imul(to, other); });
            }
            is_result(to, at);
            return true;
        }
        case Op::mulh_:
        case Op::mulhu_: {
            to_acc();
            with(
                number, [&](auto other) { op(at) == Op::mulh_ ? to_.imul(scratch2, acc, other) : to_.mul(scratch2, acc, other); }, scratch);
            const Gp to = result(at);
            to_.mov(to, scratch2);
            is_result(to, at);
            return true;
        }
        case Op::div_:
        case Op::divu_:
        case Op::rem_:
        case Op::remu_: divide(at); return true;
        case Op::clz_: {
            const Gp to = result(at);
            to_.lzcnt(to, acc_register());
            is_result(to, at);
            return true;
        }
        case Op::seb_: {
            const Gp to = result(at);
            to_.movsx(to, acc_register().r8());
            is_result(to, at);
            return true;
        }
        case Op::seh_: {
            const Gp to = result(at);
            to_.movsx(to, acc_register().r16());
            is_result(to, at);
            return true;
        }
        case Op::wsbh_: {
            const Gp to = result(at);
            acc_to(to);
            to_.bswap(to);
            to_.rol(to, 16);
            is_result(to, at);
            return true;
        }
        case Op::tz_:
        case Op::tnz_: {
            const Gp value = acc_register();
            to_.test(value, value);
            op(at) == Op::tz_ ? to_.jz(stop(at)) : to_.jnz(stop(at));
            return true;
        }
        default: return false;
    }
}

/// ACC into a register.
void FunctionCompiler::put(std::uint32_t at) {
    const std::uint32_t r = operand(at);
    d_apart_from(r);
    const auto known = at_least_.find(r);
    const bool steps = acc_.in == Acc::In::sum && acc_.reg == r && is_step(acc_.offset);
    const std::optional<std::int64_t> least =
        steps && known != at_least_.end() ? std::optional(known->second + static_cast<std::int32_t>(acc_.offset)) : std::nullopt;
    changes(r);
    if (least) at_least_[r] = *least;
    if (acc_.in == Acc::In::sum && acc_.reg == r && (acc_.offset == 0 || !(float_has_home(r) || is_half(r)))) {
        if (acc_.offset == 0) return;
        with(r, [&](auto value) { to_.add(value, acc_.offset); });
        acc_.offset = 0;
        condition_ = CondCode::kNZ;
        return;
    }
    if (float_has_home(r)) {
        if (acc_.in == Acc::In::float_acc) to_.vmovaps(float_home(r), float_acc);
        else if (acc_.in == Acc::In::sum && acc_.offset == 0 && float_has_home(acc_.reg)) to_.vmovaps(float_home(r), float_home(acc_.reg));
        else to_.vmovd(float_home(r), acc_register());
        return;
    }
    if (is_half(r)) {
        if (acc_.in == Acc::In::float_acc) return put_half(r, float_acc);
        if (acc_.in == Acc::In::acc) return put_half(r, acc);
        acc_to(scratch);
        put_half(r, scratch);
        if (acc_.in == Acc::In::sum) acc_ = {Acc::In::sum, r, 0};
        return;
    }
    if (has_home(r)) {
        acc_to(home(r));
        if (acc_.in != Acc::In::constant && acc_.in != Acc::In::float_acc) acc_ = {Acc::In::sum, r, 0};
        return;
    }
    switch (acc_.in) {
        case Acc::In::constant: to_.mov(word(r), acc_.offset); return;
        case Acc::In::float_acc: to_.vmovss(word(r), float_acc); return;
        default: to_.mov(word(r), acc_register()); return;
    }
}

/// The same for the stack pointer, that must not meet the heap. One of a stack in the heap is left to the interpreter.
void FunctionCompiler::put_sp(std::uint32_t at) {
    const Acc before = acc_;
    acc_to(scratch);
    acc_ = before;
    to_.cmp(scratch, data_at(4 * MOG_CB_BRK));
    to_.jb(stop(at));
    to_.lea(scratch2, x86::ptr(scratch.r64(), static_cast<std::int32_t>(0u - MOG_DATA_BASE)));
    to_.cmp(scratch2, links_.data_bytes);
    to_.ja(stop(at));
    put(at);
}

void FunctionCompiler::add(std::uint32_t at, std::uint32_t r) {
    if (acc_.in == Acc::In::constant) {
        acc_ = {Acc::In::sum, r, acc_.offset};
        return;
    }
    const Gp to = result(at);
    bool sets_flags = true;
    const bool plain = acc_.in == Acc::In::sum && acc_.offset == 0 && has_home(acc_.reg);
    const bool in_register = plain || acc_.in == Acc::In::acc;
    const Gp value = plain ? home(acc_.reg) : acc;
    if (in_register && has_home(r)) {
        if (to == value) to_.add(to, home(r));
        else if (to == home(r)) to_.add(to, value);
        else to_.lea(to, x86::ptr(value.r64(), home(r).r64())), sets_flags = false;
    } else if (to != acc && has_home(r) && home(r) == to) {
        to_acc();
        to_.add(to, acc);
    } else {
        acc_to(to);
        with(r, [&](auto other) { to_.add(to, other); });
    }
    is_result(to, at);
    if (sets_flags) condition_ = CondCode::kNZ;
}

void FunctionCompiler::bits(std::uint32_t at, Bits how, bool constant) {
    const std::uint32_t r = operand(at);
    if (how != Bits::or_ && acc_.in != Acc::In::constant && is_only_asked(at)) {
        const Gp value = acc_register();
        const auto ask = [&](auto other) {
            if (how == Bits::xor_) to_.cmp(value, other);
            else if constexpr (std::is_same_v<decltype(other), Mem>) to_.test(other, value);
            else to_.test(value, other);
        };
        if (constant) ask(constant_at(image_, at));
        else with(r, ask);
        return is_asked(CondCode::kNZ);
    }
    const Gp to = result(at);
    const auto emit = [&](auto other) {
        switch (how) {
            case Bits::and_: to_.and_(to, other); break;
            case Bits::or_: to_.or_(to, other); break;
            case Bits::xor_: to_.xor_(to, other); break;
        }
    };
    if (constant) {
        acc_to(to);
        emit(constant_at(image_, at));
    } else if (acc_.in == Acc::In::constant) {  // the other way round
        fetch(to, r);
        emit(acc_.offset);
    } else if (to != acc && has_home(r) && home(r) == to) {
        emit(acc_register());
    } else {
        acc_to(to);
        with(r, emit);
    }
    is_result(to, at);
    condition_ = CondCode::kNZ;
}

void FunctionCompiler::shift(std::uint32_t at) {
    const Gp to = result(at);
    const unsigned number = operand(at) & 31u;
    switch (op(at)) {
        case Op::slli_: acc_to(to), to_.shl(to, number); break;
        case Op::srli_: acc_to(to), to_.shr(to, number); break;
        case Op::srai_: acc_to(to), to_.sar(to, number); break;
        case Op::rotri_: acc_to(to), to_.ror(to, number); break;
        default: {
            const std::uint32_t r = operand(at);
            const Gp value = acc_register();
            const Gp by = has_home(r) ? home(r) : scratch;
            if (by == scratch) fetch(scratch, r);
            if (op(at) == Op::sll_) to_.shlx(to, value, by);
            else if (op(at) == Op::srl_) to_.shrx(to, value, by);
            else if (op(at) == Op::sra_) to_.sarx(to, value, by);
            else {
                if (by != scratch) to_.mov(scratch, by);
                if (to != value) to_.mov(to, value);
                to_.ror(to, x86::cl);
            }
        }
    }
    is_result(to, at);
    if (number != 0 && (op(at) == Op::slli_ || op(at) == Op::srli_ || op(at) == Op::srai_)) condition_ = CondCode::kNZ;
}

void FunctionCompiler::compare(std::uint32_t at, bool constant) {
    const bool is_signed = op(at) == Op::slt_ || op(at) == Op::slti_;
    const Gp value = acc_register();
    if (constant) to_.cmp(value, constant_at(image_, at));
    else with(operand(at), [&](auto other) { to_.cmp(value, other); });
    is_condition(at, is_signed ? CondCode::kL : CondCode::kB);
}

/// Whether ACC, as the instruction leaves it, is for the branch behind it alone, which asks whether it is 0.
bool FunctionCompiler::is_only_asked(std::uint32_t at) const {
    const bool branches =
        at + 1 < group_.end(block_) && (op(at + 1) == Op::jf_ || op(at + 1) == Op::jt_) && group_.nans->before(at + 1).empty();
    if (!branches || has_break(at + 1)) return false;
    const auto target = named_block(image_, group_.plan.code, at + 1);
    return target && !units_.acc_is_live(*target) && group_.end(block_) < image_.text.size() &&
           !units_.acc_is_live(group_.plan.code.block_of[group_.end(block_)]);
}

/// The flags say whether ACC is 0, and nothing else is asked of it.
void FunctionCompiler::is_asked(CondCode condition) {
    acc_ = {};
    condition_ = condition;
}

/// ACC becomes 1 or 0, as the flags say; if only a branch asks, they are enough.
void FunctionCompiler::is_condition(std::uint32_t at, CondCode condition) {
    if (is_only_asked(at)) return is_asked(condition);
    const Gp to = result(at);
    to_.set(condition, scratch.r8());
    to_.movzx(to, scratch.r8());
    is_result(to, at);
    condition_ = condition;
}

/// The quotient, or the remainder, in place of the dividend in `quotient`; all are registers of as many bits, those that the processor's
/// division has. By 0 the quotient is the dividend.
void FunctionCompiler::quotient_or_rest(Gp quotient, Gp rest, Gp divisor, bool is_signed, bool remainder) {
    const Label by_zero = to_.newLabel(), by_minus_one = to_.newLabel(), done = to_.newLabel();
    to_.test(divisor, divisor);
    to_.jz(by_zero);
    if (is_signed) {
        to_.cmp(divisor, -1);
        to_.je(by_minus_one);
        quotient.size() == 8 ? to_.cqo() : to_.cdq();
        to_.idiv(rest, quotient, divisor);
    } else {
        to_.xor_(rest.r32(), rest.r32());
        to_.div(rest, quotient, divisor);
    }
    if (remainder) to_.mov(quotient, rest);
    to_.bind(done);
    later([this, by_zero, by_minus_one, done, is_signed, remainder, quotient] {
        to_.bind(by_zero);
        if (remainder) to_.xor_(quotient.r32(), quotient.r32());
        to_.jmp(done);
        if (!is_signed) return;
        to_.bind(by_minus_one);
        remainder ? to_.xor_(quotient.r32(), quotient.r32()) : to_.neg(quotient);
        to_.jmp(done);
    });
}

void FunctionCompiler::divide(std::uint32_t at) {
    const bool is_signed = op(at) == Op::div_ || op(at) == Op::rem_, remainder = op(at) == Op::rem_ || op(at) == Op::remu_;
    with(operand(at), [&](auto other) { to_.mov(scratch, other); });
    to_acc();
    quotient_or_rest(acc, scratch2, scratch, is_signed, remainder);
    const Gp to = result(at);
    if (to != acc) to_.mov(to, acc);
    is_result(to, at);
}

/// D and a pair as integers of 64 bits. The processor's division takes the place of ACC for its own.
void FunctionCompiler::divide64(std::uint32_t at) {
    const bool is_signed = op(at) == Op::div64_ || op(at) == Op::rem64_, remainder = op(at) == Op::rem64_ || op(at) == Op::remu64_;
    const Gp quotient = acc.r64(), divisor = scratch.r64();
    const std::uint32_t r = operand(at);
    const Xmm dividend = d_register();
    const bool keeps_acc = acc_.in == Acc::In::acc;
    if (keeps_acc) to_.vmovd(float_scratch, acc);
    to_.vmovq(quotient, dividend);
    pair_has_home(r) ? to_.vmovq(divisor, pair_home(r)) : to_.mov(divisor, two_words(r));
    quotient_or_rest(quotient, scratch2.r64(), divisor, is_signed, remainder);
    const Xmm to = result_d(at);
    to_.vmovq(to, quotient);
    if (keeps_acc) to_.vmovd(acc, float_scratch);
    is_result_d(to, at);
    condition_.reset();
}

}  // namespace mog
