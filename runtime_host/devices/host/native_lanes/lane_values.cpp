// lane_values.cpp: where values are, and how they come to where they belong.
#include "runtime_host/devices/host/native/native_registers.hpp"
#include "runtime_host/devices/host/native_lanes/lane_compiler.hpp"
#include "runtime_host/devices/host/native_lanes/lane_frame.hpp"
#include "runtime_host/devices/host/native_lanes/lane_registers.hpp"

namespace mog::lane_code {

namespace {

/// The words of 16 numbers, by which two vectors become one or the other way round.
std::vector<std::uint32_t> every(std::uint32_t first, bool interleaved) {
    std::vector<std::uint32_t> words;
    for (std::uint32_t i = 0; i < 16; ++i) words.push_back(interleaved ? first + i / 2 + 16 * (i % 2) : 2 * i + first);
    return words;
}

}  // namespace

/// A vector with ACC's value: a home, or `acc` from now on.
x86::Zmm LaneCompiler::acc_vector() {
    if (!is_scalar(acc_variable) && state_.acc.in == Acc::In::reg && has_home(state_.acc.value)) return home(state_.acc.value);
    to_acc();
    return acc;
}

void LaneCompiler::to_acc() {
    if (is_scalar(acc_variable)) spread_one(acc_variable);
    else acc_as_it_is();
}

void LaneCompiler::acc_as_it_is() {
    switch (state_.acc.in) {
        case Acc::In::acc: break;
        case Acc::In::reg:
            if (has_home(state_.acc.value)) to_.vmovdqa32(acc, home(state_.acc.value));
            else to_.vmovdqa32(acc, row(state_.acc.value));
            break;
        case Acc::In::constant:
            if (state_.acc.value == 0) to_.vpxord(acc, acc, acc);
            else to_.vpbroadcastd(acc, word(state_.acc.value));
            break;
        case Acc::In::condition: to_.k(condition).z().vpbroadcastd(acc, word(1)); break;
    }
    state_.acc = {};
}

asmjit::Operand LaneCompiler::value(std::uint32_t r, const Zmm &spare) {
    if (is_scalar(r) && !group_.in_pair(r)) {
        if (!has_scalar_home(r)) return field(offsetof(LaneFrame, scalars) + 4 * r, 4)._1to16();
        to_.vpbroadcastd(spare, x86::gpd(scalar_homes_.at(r)));
        return spare;
    }
    if (group_.in_pair(r)) {
        const bool high = !group_.is_pair[r];
        words_of_pair(high ? r - 1 : r, high, spare);
        return spare;
    }
    if (has_home(r)) return home(r);
    return row(r);
}

x86::Zmm LaneCompiler::vector(std::uint32_t r, const Zmm &spare) {
    const Operand there = value(r, spare);
    if (there.isReg()) return there.as<Zmm>();
    const Mem mem = there.as<Mem>();
    if (mem.hasBroadcast()) to_.vpbroadcastd(spare, field(offsetof(LaneFrame, scalars) + 4 * r, 4));
    else to_.vmovdqa32(spare, mem);
    return spare;
}

/// A register, in the lanes that execute.
void LaneCompiler::put(std::uint32_t r, const Zmm &value) {
    if (group_.in_pair(r)) return put_half(r, value);
    if (state_.acc.in == Acc::In::reg && state_.acc.value == r && !(has_home(r) && value == home(r))) to_acc();
    if (has_home(r) && value == home(r)) return;
    masked();
    if (has_home(r)) to_.vmovdqa32(home(r), value);
    else to_.vmovdqa32(row(r), value);
}

std::optional<std::uint32_t> LaneCompiler::put_next(std::uint32_t at) const {
    if (keeps_acc_ || at + 1 >= group_.end(block_) || op(at + 1) != Op::sr_ || !nans_before(at + 1).empty()) return std::nullopt;
    const std::uint32_t r = operand(at + 1);
    if (group_.in_pair(r) || !has_home(r) || again_.contains(at + 1)) return std::nullopt;
    return r;
}

/// One of the processor's instructions, whose result becomes ACC.
void LaneCompiler::emit_result(std::uint32_t at, x86::Inst::Id id, const Operand &a, const Operand &b) {
    const auto r = put_next(at);
    const Zmm to = r ? home(*r) : acc;
    if (r) masked();
    if (!b.isNone()) to_.emit(id, to, a, b);
    else to_.emit(id, to, a);
    state_.acc = {};
    if (!r) return;
    state_.acc = {Acc::In::reg, *r};
    ++at_;
}

std::optional<std::uint32_t> LaneCompiler::put_pair_next(std::uint32_t at) const {
    if (keeps_acc_ || at + 1 >= group_.end(block_) || op(at + 1) != Op::srd_ || !nans_before(at + 1).empty()) return std::nullopt;
    const std::uint32_t r = operand(at + 1);
    if (!group_.is_pair[r] || !has_home(r) || again_.contains(at + 1)) return std::nullopt;
    return r;
}

/// Where a result belongs that becomes D.
LaneCompiler::DoubleResult LaneCompiler::double_result(std::uint32_t at) const {
    if (const auto r = put_pair_next(at)) return {home(*r), x86::zmm(homes_.at(*r) + 1), r};
    return {d_low, d_high, std::nullopt};
}

void LaneCompiler::is_double(const DoubleResult &result) {
    state_.d = {};
    if (!result.pair) return;
    state_.d = {true, *result.pair};
    ++at_;
}

// --- pairs -------------------------------------------------------------------------------------------------------------

void LaneCompiler::words_to_pair(const Zmm &low, const Zmm &high, const Zmm &to_low, const Zmm &to_high) {
    to_.vmovdqa32(to_low, table(every(0, true)));
    to_.vmovdqa32(to_high, table(every(8, true)));
    to_.vpermi2d(to_low, low, high);
    to_.vpermi2d(to_high, low, high);
}

/// The low or high words of what is one variable.
void LaneCompiler::words_of_pair(std::uint32_t r, bool high, const Zmm &to) {
    to_.vmovdqa32(to, table(every(high, false)));
    if (has_home(r)) {
        to_.vpermi2d(to, home(r), x86::zmm(homes_.at(r) + 1));
    } else {
        to_.vmovdqa32(spare4, row(r));
        to_.vpermi2d(to, spare4, row(r, 64));
    }
}

LaneCompiler::Two LaneCompiler::pair(std::uint32_t r, const Zmm &low, const Zmm &high) {
    if (group_.is_pair[r]) {
        if (has_home(r)) return {home(r), x86::zmm(homes_.at(r) + 1)};
        return {row(r), row(r, 64)};
    }
    words_to_pair(vector(r, spare3), vector(r + 1, spare2), low, high);
    return {low, high};
}

/// As vectors.
LaneCompiler::Two LaneCompiler::d_value() {
    if (!state_.d.in_pair) return {d_low, d_high};
    if (has_home(state_.d.reg)) return {home(state_.d.reg), x86::zmm(homes_.at(state_.d.reg) + 1)};
    to_d();
    return {d_low, d_high};
}

void LaneCompiler::to_d() {
    if (!state_.d.in_pair) return;
    const std::uint32_t r = state_.d.reg;
    state_.d = {};
    const Two from = pair(r, d_low, d_high);
    if (from.low == d_low) return;
    to_.emit(x86::Inst::kIdVmovapd, d_low, from.low);
    to_.emit(x86::Inst::kIdVmovapd, d_high, from.high);
}

/// D in its own place, if it is what a pair holds of which this register is one, which changes.
void LaneCompiler::d_apart_from(std::uint32_t r) {
    if (state_.d.in_pair && (state_.d.reg == r || state_.d.reg + 1 == r)) to_d();
}

/// A pair becomes D.
void LaneCompiler::put_pair(std::uint32_t r) {
    if (state_.d.in_pair && state_.d.reg == r) return;
    if (!group_.is_pair[r]) {
        // One of them may be half of what D is.
        to_d();
        for (const bool upper : {false, true}) {
            to_.vmovdqa32(spare0, table(every(upper, false)));
            to_.vpermi2d(spare0, d_low, d_high);
            put(r + upper, spare0);
        }
        return;
    }
    const Two from = d_value();
    masked();
    to_.emit(x86::Inst::kIdVmovapd, has_home(r) ? Operand(home(r)) : Operand(row(r)), from.low);
    masked_high();
    to_.emit(x86::Inst::kIdVmovapd, has_home(r) ? Operand(x86::zmm(homes_.at(r) + 1)) : Operand(row(r, 64)), from.high);
    if (has_home(r)) state_.d = {true, r};
}

/// Half of a pair, in the lanes that execute.
void LaneCompiler::put_half(std::uint32_t r, const Zmm &value) {
    const bool high = !group_.is_pair[r];
    const std::uint32_t first = high ? r - 1 : r;
    d_apart_from(first);
    constexpr std::uint32_t even_words = 0x5555, odd_words = 0xaaaa;
    to_.mov(scratch2, high ? odd_words : even_words);
    to_.kmovw(spare_k, scratch2);
    to_.vextracti64x4(spare2.ymm(), value, 1);
    to_.vpmovzxdq(spare1, value.ymm());
    to_.vpmovzxdq(spare2, spare2.ymm());
    if (high) {
        to_.vpsllq(spare1, spare1, 32);
        to_.vpsllq(spare2, spare2, 32);
    }
    const auto blend = [&](const Zmm &words, const Operand &old, bool upper) {
        // The other words as they are; then of all that, the lanes that execute.
        to_.emit(x86::Inst::kIdVmovdqa64, spare3, old);
        to_.k(spare_k).vmovdqa32(spare3, words);
        upper ? masked_high() : masked();
        to_.emit(x86::Inst::kIdVmovdqa64, old, spare3);
    };
    const Two old = pair(first, spare0, spare0);
    blend(spare1, old.low, false);
    blend(spare2, old.high, true);
}

// --- NaNs --------------------------------------------------------------------------------------------------------------

/// Of the lanes that execute, or the upper eight of these.
void LaneCompiler::default_nan(const Zmm &of, bool is_double, bool upper) {
    to_.k(upper ? high_lanes : lanes);
    if (is_double) to_.vcmppd(spare_k, of, of, unordered);
    else to_.vcmpps(spare_k, of, of, unordered);
    to_.k(spare_k);
    if (is_double) to_.vbroadcastsd(of, two_words(native::default_nand));
    else to_.vbroadcastss(of, word(native::default_nanf));
}

void LaneCompiler::default_nans(const NanResults::Variables &variables) {
    const auto fix = [&](const Operand &place, bool is_double, bool upper) {
        if (place.isReg()) return default_nan(place.as<Zmm>(), is_double, upper);
        to_.emit(x86::Inst::kIdVmovapd, spare0, place);
        default_nan(spare0, is_double, upper);
        to_.emit(x86::Inst::kIdVmovapd, place, spare0);
    };
    for (const NanResults::Variable v : variables) {
        if (v == NanResults::acc) {
            if (is_scalar(acc_variable)) continue;  // no scalar is a result of floats
            to_acc();
            default_nan(acc, false, false);
        } else if (v == NanResults::d) {
            to_d();
            default_nan(d_low, true, false);
            default_nan(d_high, true, true);
        } else if (group_.is_pair[v]) {
            const Two two = pair(v, spare1, spare2);
            fix(two.low, true, false);
            fix(two.high, true, true);
        } else if (!is_scalar(v)) {
            fix(value(v, spare1), false, false);
        }
    }
}

}  // namespace mog::lane_code
