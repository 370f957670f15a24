// floats.cpp: instructions on floats and doubles, as native code, for programs that leave the FPU's control register alone.
//
// A result that is a NaN becomes the default one (float_arithmetic.h), beside the way of all others.
#include "assembler/image/constants.hpp"
#include "runtime_host/devices/host/native/function_compiler.hpp"

namespace mog {

using namespace native;
namespace x86 = asmjit::x86;
using x86::CondCode;

namespace {

// As float_arithmetic.h has them.
constexpr std::uint32_t float_sign = 0x80000000;
constexpr std::uint64_t double_sign = 0x8000000000000000;

enum class Rounding : std::uint8_t { nearest = 0, down = 1, up = 2, none = 0xff };

Rounding rounding_of(Op op) {
    switch (op) {
        case Op::f2in_:
        case Op::f2ir_:
        case Op::d2in_:
        case Op::d2ir_: return Rounding::nearest;
        case Op::f2id_:
        case Op::d2id_: return Rounding::down;
        case Op::f2iu_:
        case Op::d2iu_: return Rounding::up;
        default: return Rounding::none;
    }
}

}  // namespace

/// What is a NaN becomes the default one, and goes to memory again if that is where it came from.
void FunctionCompiler::default_nan_float(Xmm of, std::optional<Mem> back_to) {
    const Label is_nan = to_.newLabel(), back = to_.newLabel();
    to_.vucomiss(of, of);
    to_.jp(is_nan);
    to_.bind(back);
    later([this, of, back_to, is_nan, back] {
        to_.bind(is_nan);
        to_.mov(scratch, default_nanf);
        to_.vmovd(of, scratch);
        if (back_to) to_.vmovss(*back_to, of);
        to_.jmp(back);
    });
}

void FunctionCompiler::default_nan_double(Xmm of, std::optional<Mem> back_to) {
    const Label is_nan = to_.newLabel(), back = to_.newLabel();
    to_.vucomisd(of, of);
    to_.jp(is_nan);
    to_.bind(back);
    later([this, of, back_to, is_nan, back] {
        to_.bind(is_nan);
        to_.mov(scratch.r64(), default_nand);
        to_.vmovq(of, scratch.r64());
        if (back_to) to_.vmovsd(*back_to, of);
        to_.jmp(back);
    });
}

/// What operations left that did not look after it (nan_results.hpp).
void FunctionCompiler::default_nans(const NanResults::Variables &variables) {
    for (const NanResults::Variable v : variables) {
        condition_.reset();
        if (v == NanResults::acc) {
            default_nan_float(acc_as_float());
        } else if (v == NanResults::d) {
            default_nan_double(d_register());
        } else if (!group_.is_pair[v]) {
            if (float_has_home(v)) {
                default_nan_float(float_home(v));
            } else if (has_home(v)) {
                to_.vmovd(float_scratch, home(v));
                const Label is_nan = to_.newLabel(), back = to_.newLabel();
                to_.vucomiss(float_scratch, float_scratch);
                to_.jp(is_nan);
                to_.bind(back);
                later([this, to = home(v), is_nan, back] {
                    to_.bind(is_nan);
                    to_.mov(to, default_nanf);
                    to_.jmp(back);
                });
            } else if (is_half(v)) {
                const Xmm half = half_as_float(float_scratch, v);
                const Label is_nan = to_.newLabel(), back = to_.newLabel();
                to_.vucomiss(half, half);
                to_.jp(is_nan);
                to_.bind(back);
                later([this, v, is_nan, back] {
                    to_.bind(is_nan);
                    to_.mov(scratch, default_nanf);
                    put_half(v, scratch);
                    to_.jmp(back);
                });
            } else {
                to_.vmovss(float_scratch, word(v));
                default_nan_float(float_scratch, word(v));
            }
        } else if (pair_has_home(v)) {
            default_nan_double(pair_home(v));
        } else {
            to_.vmovsd(float_scratch, two_words(v));
            default_nan_double(float_scratch, two_words(v));
        }
    }
}

/// The result is in such a register: `float_acc`, or the home that the next instruction puts it into.
void FunctionCompiler::is_float(Xmm in, std::uint32_t at) {
    if (!group_.nans->any_nan(at)) default_nan_float(in);
    is_float_result(in, at);
}

void FunctionCompiler::is_float_result(Xmm in, std::uint32_t at) {
    acc_ = {Acc::In::float_acc};
    if (in == float_acc) return;
    const std::uint32_t r = operand(at + 1);
    changes(r);
    acc_ = {Acc::In::sum, r, 0};
    ++at_;
}

void FunctionCompiler::is_double(Xmm in, std::uint32_t at) {
    if (!group_.nans->any_nan(at)) default_nan_double(in);
    is_result_d(in, at);
}

/// The integer towards zero, or 0x7fffffff if there is none. The processor says 0x80000000 then, which may be the right one too.
void FunctionCompiler::float_to_integer(std::uint32_t at, Xmm from, bool is_double) {
    if (const Rounding rounding = rounding_of(op(at)); rounding != Rounding::none) {
        const auto how = static_cast<std::uint8_t>(rounding);
        is_double ? to_.vroundsd(float_scratch, from, from, how) : to_.vroundss(float_scratch, from, from, how);
        from = float_scratch;
    } else if (from != float_scratch) {
        to_.vmovapd(float_scratch, from);  // ACC's or D's own may be gone when it is asked again
    }
    const Label extreme = to_.newLabel(), back = to_.newLabel();
    const Gp to = acc;
    is_double ? to_.vcvttsd2si(to, float_scratch) : to_.vcvttss2si(to, float_scratch);
    to_.cmp(to, 0x80000000u);
    to_.je(extreme);
    to_.bind(back);
    later([this, extreme, back, is_double] {
        to_.bind(extreme);
        is_double ? to_.vcvttsd2si(scratch.r64(), float_scratch) : to_.vcvttss2si(scratch.r64(), float_scratch);
        to_.movsxd(scratch2.r64(), acc);
        to_.cmp(scratch.r64(), scratch2.r64());
        to_.je(back);
        to_.mov(acc, 0x7fffffff);
        to_.jmp(back);
    });
    acc_ = {};
}

bool FunctionCompiler::floats(std::uint32_t at) {
    const std::uint32_t r = operand(at);
    const Op what = op(at);
    const bool computes = (info(what).writes & Fpu) != 0;
    if (computes && !links_.floats) return false;
    /// Calls emit with the operand: a register, or in memory.
    const auto with_float = [&](auto emit) {
        if (float_has_home(r)) {
            emit(float_home(r));
        } else if (has_home(r)) {
            to_.vmovd(float_scratch, home(r));
            emit(float_scratch);
        } else if (is_half(r)) {
            emit(half_as_float(float_scratch, r));
        } else {
            emit(word(r));
        }
    };
    const auto with_double = [&](auto emit) {
        if (pair_has_home(r)) emit(pair_home(r));
        else emit(two_words(r));
    };
    const auto one_double = [&] {  // in a register
        if (pair_has_home(r)) return pair_home(r);
        to_.vmovsd(float_scratch, two_words(r));
        return float_scratch;
    };
    const auto one_float = [&] {
        if (float_has_home(r)) return float_home(r);
        if (is_half(r)) return half_as_float(float_scratch, r);
        with_float([&](auto value) {
            if constexpr (std::is_same_v<decltype(value), Mem>) to_.vmovss(float_scratch, value);
        });
        return float_scratch;
    };
    const auto equal = [&] {  // and not unordered
        to_.set(CondCode::kE, scratch.r8());
        to_.set(CondCode::kNP, scratch2.r8());
        to_.and_(scratch.r8(), scratch2.r8());
        to_.movzx(acc, scratch.r8());
        acc_ = {};
        condition_ = CondCode::kNZ;
    };
    const auto float_operation = [&](auto emit) {
        const Xmm a = acc_as_float(), to = float_result(at);
        with_float([&](auto b) { emit(to, a, b); });
        is_float(to, at);
        return true;
    };
    const auto double_operation = [&](auto emit) {
        const Xmm a = d_register(), to = result_d(at);
        with_double([&](auto b) { emit(to, a, b); });
        is_double(to, at);
        return true;
    };
    switch (what) {
        case Op::addf_: return float_operation([&](Xmm to, Xmm a, auto b) { to_.vaddss(to, a, b); });
        case Op::subf_: return float_operation([&](Xmm to, Xmm a, auto b) { to_.vsubss(to, a, b); });
        case Op::mulf_: return float_operation([&](Xmm to, Xmm a, auto b) { to_.vmulss(to, a, b); });
        case Op::divf_: return float_operation([&](Xmm to, Xmm a, auto b) { to_.vdivss(to, a, b); });
        case Op::sqrtf_: {
            const Xmm a = acc_as_float(), to = float_result(at);
            to_.vsqrtss(to, a, a);
            is_float(to, at);
            return true;
        }
        case Op::negf_:
        case Op::absf_: {
            const Xmm a = acc_as_float(), to = float_result(at);
            to_.mov(scratch, what == Op::negf_ ? float_sign : ~float_sign);
            to_.vmovd(float_scratch, scratch);
            what == Op::negf_ ? to_.vxorps(to, a, float_scratch) : to_.vandps(to, a, float_scratch);
            is_float_result(to, at);
            return true;
        }
        case Op::seqf_:
        case Op::seqfs_: {
            const Xmm a = acc_as_float();
            with_float([&](auto b) { to_.vucomiss(a, b); });
            equal();
            return true;
        }
        case Op::sltf_:
        case Op::sltfs_:
        case Op::slef_:
        case Op::slefs_: {
            const Xmm a = acc_as_float();
            to_.vucomiss(one_float(), a);  // b above a
            is_condition(at, what == Op::sltf_ || what == Op::sltfs_ ? CondCode::kA : CondCode::kAE);
            return true;
        }
        case Op::sunf_:
        case Op::sunfs_: {
            const Xmm a = acc_as_float();
            with_float([&](auto b) { to_.vucomiss(a, b); });
            is_condition(at, CondCode::kP);
            return true;
        }
        case Op::i2f_: {
            const Gp value = acc_register();
            const Xmm to = float_result(at);
            to_.vxorps(float_scratch, float_scratch, float_scratch);
            to_.vcvtsi2ss(to, float_scratch, value);
            is_float_result(to, at);
            return true;
        }
        case Op::u2f_: {
            acc_to(scratch);
            const Xmm to = float_result(at);
            to_.vxorps(float_scratch, float_scratch, float_scratch);
            to_.vcvtsi2ss(to, float_scratch, scratch.r64());
            is_float_result(to, at);
            return true;
        }
        case Op::f2i_:
        case Op::f2in_:
        case Op::f2iu_:
        case Op::f2id_:
        case Op::f2ir_: float_to_integer(at, acc_as_float(), false); return true;

        case Op::lrd_: d_ = {true, r}; return true;
        case Op::srd_: {
            if (acc_.in == Acc::In::sum && (acc_.reg == r || acc_.reg == r + 1)) to_acc();
            if (d_.in_pair && d_.reg == r) return true;
            const Xmm value = d_register();
            pair_changes(r);
            if (!pair_has_home(r)) {
                to_.vmovsd(two_words(r), value);
                if (d_.in_pair && (d_.reg + 1 == r || d_.reg == r + 1)) d_ = {};  // cannot be: such pairs have no homes
                return true;
            }
            to_.vmovapd(pair_home(r), value);
            d_ = {true, r};
            return true;
        }
        case Op::addd_: return double_operation([&](Xmm to, Xmm a, auto b) { to_.vaddsd(to, a, b); });
        case Op::subd_: return double_operation([&](Xmm to, Xmm a, auto b) { to_.vsubsd(to, a, b); });
        case Op::muld_: return double_operation([&](Xmm to, Xmm a, auto b) { to_.vmulsd(to, a, b); });
        case Op::div64_:
        case Op::divu64_:
        case Op::rem64_:
        case Op::remu64_: divide64(at); return true;
        case Op::divd_: return double_operation([&](Xmm to, Xmm a, auto b) { to_.vdivsd(to, a, b); });
        case Op::sqrtd_: {
            const Xmm a = d_register(), to = result_d(at);
            to_.vsqrtsd(to, a, a);
            is_double(to, at);
            return true;
        }
        case Op::negd_:
        case Op::absd_: {
            const Xmm a = d_register(), to = result_d(at);
            to_.mov(scratch.r64(), what == Op::negd_ ? double_sign : ~double_sign);
            to_.vmovq(float_scratch, scratch.r64());
            what == Op::negd_ ? to_.vxorpd(to, a, float_scratch) : to_.vandpd(to, a, float_scratch);
            is_result_d(to, at);
            return true;
        }
        case Op::seqd_:
        case Op::seqds_: {
            const Xmm a = d_register();
            with_double([&](auto b) { to_.vucomisd(a, b); });
            equal();
            return true;
        }
        case Op::sltd_:
        case Op::sltds_:
        case Op::sled_:
        case Op::sleds_: {
            const Xmm a = d_register();
            to_.vucomisd(one_double(), a);
            is_condition(at, what == Op::sltd_ || what == Op::sltds_ ? CondCode::kA : CondCode::kAE);
            return true;
        }
        case Op::sund_:
        case Op::sunds_: {
            const Xmm a = d_register();
            with_double([&](auto b) { to_.vucomisd(a, b); });
            is_condition(at, CondCode::kP);
            return true;
        }
        case Op::i2d_: {
            const Xmm to = result_d(at);
            const Gp value = acc_register();
            to_.vxorpd(float_scratch, float_scratch, float_scratch);
            to_.vcvtsi2sd(to, float_scratch, value);
            is_result_d(to, at);
            return true;
        }
        case Op::f2d_: {
            const Xmm a = acc_as_float(), to = result_d(at);
            to_.vcvtss2sd(to, a, a);
            default_nan_double(to);
            is_result_d(to, at);
            return true;
        }
        case Op::d2f_: {
            const Xmm a = d_register();
            const Xmm to = float_result(at);
            to_.vcvtsd2ss(to, a, a);
            default_nan_float(to);
            is_float_result(to, at);
            return true;
        }
        case Op::d2i_:
        case Op::d2in_:
        case Op::d2iu_:
        case Op::d2id_:
        case Op::d2ir_: float_to_integer(at, d_register(), true); return true;
        default: return false;
    }
}

}  // namespace mog
