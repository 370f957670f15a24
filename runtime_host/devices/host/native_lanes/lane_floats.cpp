// lane_floats.cpp: floats, 16 to a vector, and doubles, eight.
#include "runtime_host/devices/host/native_lanes/lane_compiler.hpp"
#include "runtime_host/devices/host/native_lanes/lane_registers.hpp"

namespace mog::lane_code {

namespace Id = x86::Inst;

namespace {

/// By which side to round, and that nobody is told of it.
constexpr std::uint8_t nearest = 8, down = 9, up = 10;

Id::Id float_instruction(Op op) {
    switch (op) {
        case Op::addf_: return Id::kIdVaddps;
        case Op::subf_: return Id::kIdVsubps;
        case Op::mulf_: return Id::kIdVmulps;
        case Op::divf_: return Id::kIdVdivps;
        case Op::addd_: return Id::kIdVaddpd;
        case Op::subd_: return Id::kIdVsubpd;
        case Op::muld_: return Id::kIdVmulpd;
        case Op::divd_: return Id::kIdVdivpd;
        default: return Id::kIdNone;
    }
}

std::optional<std::uint8_t> comparison(Op op) {
    switch (op) {
        case Op::seqf_:
        case Op::seqfs_:
        case Op::seqd_:
        case Op::seqds_: return equal_floats;
        case Op::sltf_:
        case Op::sltfs_:
        case Op::sltd_:
        case Op::sltds_: return less_floats;
        case Op::slef_:
        case Op::slefs_:
        case Op::sled_:
        case Op::sleds_: return less_or_equal_floats;
        case Op::sunf_:
        case Op::sunfs_:
        case Op::sund_:
        case Op::sunds_: return unordered;
        default: return std::nullopt;
    }
}

}  // namespace

/// The float in `acc` is the result of the instruction.
void LaneCompiler::is_float(std::uint32_t at) {
    is_acc();
    if (!group_.nans->any_nan(at)) default_nan(acc, false, false);
}

bool LaneCompiler::floats(std::uint32_t at) {
    const Op op = this->op(at);
    const std::uint32_t r = operand(at);
    const bool is_any = group_.nans->any_nan(at);
    if (info(op).operand == OperandKind::Reg) {
        if (const auto id = float_instruction(op); id != Id::kIdNone) {
            const Zmm a = acc_vector();
            if (is_any) {
                emit_result(at, id, a, value(r, spare0));
            } else {
                to_.emit(id, acc, a, value(r, spare0));
                is_float(at);
            }
            return true;
        }
        if (const auto how = comparison(op)) {
            const Zmm a = acc_vector();
            to_.emit(Id::kIdVcmpps, condition, a, value(r, spare0), asmjit::imm(*how));
            is_condition();
            return true;
        }
    }
    switch (op) {
        case Op::sqrtf_:
            if (is_any) {
                emit_result(at, Id::kIdVsqrtps, acc_vector());
            } else {
                to_.vsqrtps(acc, acc_vector());
                is_float(at);
            }
            break;
        case Op::negf_: emit_result(at, Id::kIdVpxord, acc_vector(), splat(0x80000000)); break;
        case Op::absf_: emit_result(at, Id::kIdVpandd, acc_vector(), splat(0x7fffffff)); break;
        case Op::i2f_: emit_result(at, Id::kIdVcvtdq2ps, acc_vector()); break;
        case Op::u2f_: emit_result(at, Id::kIdVcvtudq2ps, acc_vector()); break;
        case Op::f2i_: to_integer(std::nullopt, false); break;
        case Op::f2in_:
        case Op::f2ir_: to_integer(nearest, false); break;
        case Op::f2iu_: to_integer(up, false); break;
        case Op::f2id_: to_integer(down, false); break;
        default: return false;
    }
    return true;
}

/// What does not fit, and NaNs, become the largest number.
void LaneCompiler::to_integer(std::optional<std::uint8_t> round, bool is_double) {
    constexpr std::uint32_t largest = 0x7fffffff, limit = 0x4f000000, least = 0xcf000000;      // 2^31, -2^31
    constexpr std::uint64_t limit_d = 0x41e0000000000000, below_least_d = 0xc1e0000000200000;  // 2^31, -2^31 - 1
    if (!is_double) {
        Zmm from = acc_vector();
        if (round) {
            to_.vrndscaleps(spare0, from, *round);
            from = spare0;
        }
        to_.emit(Id::kIdVcmpps, spare_k, from, splat(limit), asmjit::imm(less_floats));
        constexpr std::uint8_t greater_or_equal = 0x1d;
        to_.k(spare_k);
        to_.emit(Id::kIdVcmpps, spare_k, from, splat(least), asmjit::imm(greater_or_equal));
        to_.vcvttps2dq(spare1, from);
    } else {
        const Two d = d_value();
        const auto half = [&](const Zmm &from, const KReg &fits, const Zmm &to) {
            Zmm rounded = from;
            if (round) {
                to_.vrndscalepd(spare2, from, *round);
                rounded = spare2;
            }
            constexpr std::uint8_t greater_than = 0x1e;
            to_.emit(Id::kIdVcmppd, fits, rounded, splat_double(limit_d), asmjit::imm(less_floats));
            to_.k(fits);
            to_.emit(Id::kIdVcmppd, fits, rounded, splat_double(below_least_d), asmjit::imm(greater_than));
            to_.vcvttpd2dq(to.ymm(), rounded);
        };
        half(d.low.as<Zmm>(), spare_k, spare1);
        half(d.high.as<Zmm>(), spare_k2, spare3);
        to_.vinserti64x4(spare1, spare1, spare3.ymm(), 1);
        to_.kunpckbw(spare_k, spare_k2, spare_k);
    }
    to_.vpbroadcastd(acc, word(largest));
    to_.k(spare_k).vmovdqa32(acc, spare1);
    is_acc();
}

void LaneCompiler::compare_doubles(std::uint32_t at, std::uint8_t how) {
    const Two d = d_value(), with = pair(operand(at), spare0, spare1);
    to_.emit(Id::kIdVcmppd, spare_k, d.low, with.low, asmjit::imm(how));
    to_.emit(Id::kIdVcmppd, condition, d.high, with.high, asmjit::imm(how));
    to_.kunpckbw(condition, condition, spare_k);
    is_condition();
}

/// Calls emit(to, whether of the upper eight lanes) for both halves of what becomes D, or the pair that the next instruction makes of it.
template <typename F>
void LaneCompiler::emit_double(std::uint32_t at, F emit) {
    const bool asks = !group_.nans->any_nan(at) && (info(op(at)).reads & Floats) != 0;
    const DoubleResult result = asks && masked_ ? DoubleResult{d_low, d_high, std::nullopt} : double_result(at);
    for (const bool upper : {false, true}) {
        if (result.pair) upper ? masked_high() : masked();
        emit(upper ? result.high : result.low, upper);
    }
    is_double(result);
    if (!asks) return;
    default_nan(result.low, true, false);
    default_nan(result.high, true, true);
}

bool LaneCompiler::doubles(std::uint32_t at) {
    const Op op = this->op(at);
    const std::uint32_t r = operand(at);
    if (info(op).operand == OperandKind::Pair) {
        if (const auto id = float_instruction(op); id != Id::kIdNone) {
            const Two a = d_value(), b = pair(r, spare0, spare1);
            emit_double(at, [&](const Zmm &to, bool upper) { to_.emit(id, to, upper ? a.high : a.low, upper ? b.high : b.low); });
            return true;
        }
        if (const auto how = comparison(op)) {
            compare_doubles(at, *how);
            return true;
        }
    }
    switch (op) {
        case Op::lrd_:
            // Of two registers that are set each by itself D is a copy.
            state_.d = {true, r};
            if (!group_.is_pair[r]) to_d();
            break;
        case Op::srd_: put_pair(r); break;
        case Op::sqrtd_: {
            const Two a = d_value();
            emit_double(at, [&](const Zmm &to, bool upper) { to_.emit(Id::kIdVsqrtpd, to, upper ? a.high : a.low); });
            break;
        }
        case Op::negd_:
        case Op::absd_: {
            const Two a = d_value();
            const bool negates = op == Op::negd_;
            const Mem with = splat_double(negates ? 0x8000000000000000 : 0x7fffffffffffffff);
            emit_double(at, [&](const Zmm &to, bool upper) {
                to_.emit(negates ? Id::kIdVpxorq : Id::kIdVpandq, to, upper ? a.high : a.low, with);
            });
            break;
        }
        case Op::i2d_:
        case Op::f2d_: {
            const Zmm from = acc_vector();
            to_.vextracti64x4(spare0.ymm(), from, 1);
            const auto id = op == Op::i2d_ ? Id::kIdVcvtdq2pd : Id::kIdVcvtps2pd;
            emit_double(at, [&](const Zmm &to, bool upper) { to_.emit(id, to, upper ? spare0.ymm() : from.ymm()); });
            break;
        }
        case Op::d2f_: {
            const Two a = d_value();
            to_.emit(Id::kIdVcvtpd2ps, spare0.ymm(), a.low);
            to_.emit(Id::kIdVcvtpd2ps, spare1.ymm(), a.high);
            to_.vinserti64x4(acc, spare0, spare1.ymm(), 1);
            is_float(at);
            break;
        }
        case Op::d2i_: to_integer(std::nullopt, true); break;
        case Op::d2in_:
        case Op::d2ir_: to_integer(nearest, true); break;
        case Op::d2iu_: to_integer(up, true); break;
        case Op::d2id_: to_integer(down, true); break;
        default: return false;
    }
    return true;
}

}  // namespace mog::lane_code
