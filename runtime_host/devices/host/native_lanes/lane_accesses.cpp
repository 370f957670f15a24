// lane_accesses.cpp: loads and stores. Lanes' words of DATA lie side by side, so that lanes which access the same address take one row of
// them; each its own is a gather.
#include "assembler/image/spaces.hpp"
#include "runtime_host/devices/host/native_lanes/lane_compiler.hpp"
#include "runtime_host/devices/host/native_lanes/lane_frame.hpp"
#include "runtime_host/devices/host/native_lanes/lane_registers.hpp"

namespace mog::lane_code {

namespace {

bool is_store(Op op) { return (info(op).writes & mog::Mem) != 0; }
bool is_signed(Op op) { return op == Op::lb_ || op == Op::lh_; }

/// Loads and stores of 1 to 8 bytes at once, of these: the others the interpreter does.
bool is_simple(Op op) {
    const OpInfo &row = info(op);
    return row.access && !row.access.any && ((row.reads & mog::Mem) == 0 || (row.writes & mog::Mem) == 0);
}

const std::vector<std::uint32_t> &lane_numbers() {
    static const std::vector<std::uint32_t> numbers = [] {
        std::vector<std::uint32_t> all;
        for (std::uint32_t i = 0; i < MOG_LANES; ++i) all.push_back(i);
        return all;
    }();
    return numbers;
}

}  // namespace

/// Whether all lanes are known to access the same address; then it is in `scratch`, from the beginning of DATA.
bool LaneCompiler::scalar_address(std::uint32_t at) {
    const AddressIn where = info(op(at)).access.address;
    const bool in_acc = where != AddressIn::reg, in_register = where != AddressIn::acc;
    const std::uint32_t r = operand(at);
    if (region_ == nullptr || (in_acc && !is_scalar(acc_variable)) || (in_register && (!is_scalar(r) || group_.in_pair(r)))) return false;
    constexpr auto base = static_cast<std::int32_t>(0u - MOG_DATA_BASE);
    if (in_acc) {
        const One &one = state_.one;
        if (one.in == One::In::constant) to_.mov(scratch, one.offset + base);
        else if (one.in == One::In::sum && has_scalar_home(one.reg))
            to_.lea(scratch, x86::ptr(x86::gpq(scalar_homes_.at(one.reg)), static_cast<std::int32_t>(one.offset + base)));
        else to_.lea(scratch, x86::ptr(one_register().r64(), base));
        if (in_register) to_.emit(x86::Inst::kIdAdd, scratch, scalar_operand(r));
    } else if (has_scalar_home(r)) {
        to_.lea(scratch, x86::ptr(x86::gpq(scalar_homes_.at(r)), base));
    } else {
        fetch_scalar(scratch, r);
        to_.add(scratch, base);
    }
    return true;
}

/// The addresses of lanes, from the beginning of DATA, in spare0.
void LaneCompiler::address(std::uint32_t at) {
    const AddressIn where = info(op(at)).access.address;
    const std::uint32_t r = operand(at);
    if (where == AddressIn::acc) {
        to_.vpsubd(spare0, acc_vector(), splat(MOG_DATA_BASE));
    } else if (where == AddressIn::reg) {
        to_.vpsubd(spare0, vector(r, spare0), splat(MOG_DATA_BASE));
    } else {
        const Zmm a = acc_vector();
        to_.emit(x86::Inst::kIdVpaddd, spare0, a, value(r, spare0));
        to_.vpsubd(spare0, spare0, splat(MOG_DATA_BASE));
    }
}

/// Goes to `bad` unless the access at `scratch` may be; the word there is `scratch2`, counted from the beginning of DATA.
void LaneCompiler::ask_scalar(std::uint32_t shift, bool stores, Label bad) {
    const ReadOnlyData &read_only = links_.read_only;
    if (stores && read_only.bytes() != 0) {
        to_.lea(scratch2, x86::ptr(scratch.r64(), static_cast<std::int32_t>(MOG_DATA_BASE - read_only.begin)));
        to_.cmp(scratch2, read_only.bytes());
        to_.jb(bad);
    }
    if (shift == 0) {
        to_.cmp(scratch, links_.data_bytes);
        to_.jae(bad);
    } else {
        to_.rorx(scratch2, scratch, shift);
        to_.cmp(scratch2, links_.data_bytes >> shift);
        to_.jae(bad);
    }
    if (shift < 2) {
        to_.mov(scratch2, scratch);
        to_.shr(scratch2, 2);
    }
    to_.shl(scratch2.r64(), shift == 3 ? 7 : 6);
}

/// From the rows at `scratch2`, of bytes and halves at `scratch`: into spare1, of doubles into spare1 and spare2, as words.
void LaneCompiler::load_scalar(std::uint32_t at) {
    const Op op = this->op(at);
    const std::uint32_t shift = info(op).access.shift;
    const auto row_there = [&](std::int32_t more) { return x86::zmmword_ptr(memory.r64(), scratch2.r64(), 0, more); };
    to_.vmovdqa32(spare1, row_there(0));
    if (shift == 3) to_.vmovdqa32(spare2, row_there(sizeof(LaneFrame::Row)));
    if (shift >= 2) return;
    const std::uint32_t size = shift == 0 ? 24 : 16;
    to_.and_(scratch, 3);
    to_.shl(scratch, 3);
    if (is_signed(op)) to_.xor_(scratch, size);
    to_.vmovd(spare2.xmm(), scratch);
    if (is_signed(op)) {
        to_.vpslld(spare1, spare1, spare2.xmm());
        to_.vpsrad(spare1, spare1, size);
    } else {
        to_.vpsrld(spare1, spare1, spare2.xmm());
        to_.vpandd(spare1, spare1, splat((1u << (8u << shift)) - 1));
    }
}

/// What is in spare1, or as words in spare1 and spare2, to the same places.
void LaneCompiler::store_scalar(std::uint32_t at) {
    const std::uint32_t shift = info(op(at)).access.shift;
    const auto row_there = [&](std::int32_t more) { return x86::zmmword_ptr(memory.r64(), scratch2.r64(), 0, more); };
    if (shift < 2) {
        to_.and_(scratch, 3);
        to_.shl(scratch, 3);
        to_.vmovd(spare2.xmm(), scratch);
        to_.vpslld(spare1, spare1, spare2.xmm());
        to_.vpbroadcastd(spare3, word((1u << (8u << shift)) - 1));
        to_.vpslld(spare3, spare3, spare2.xmm());
        to_.vpternlogd(spare3, spare1, row_there(0), 0xca);  // of each bit of the first: that of the second, else of the third
        masked();
        to_.vmovdqa32(row_there(0), spare3);
        return;
    }
    masked();
    to_.vmovdqa32(row_there(0), spare1);
    if (shift != 3) return;
    masked();
    to_.vmovdqa32(row_there(sizeof(LaneFrame::Row)), spare2);
}

/// What a store stores, into spare1, or as words into spare1 and spare2.
void LaneCompiler::value_to_store(std::uint32_t at) {
    const OpInfo &row = info(op(at));
    if (!is_store(op(at))) return;
    if (row.operand == OperandKind::Pair) {
        words_of_two(operand(at), spare1, spare2);
        return;
    }
    const Zmm from = row.access.address == AddressIn::reg ? acc_vector() : vector(operand(at), spare1);
    if (from != spare1) to_.vmovdqa32(spare1, from);
}

/// What is not in DATA, at `scratch`, may be one of the constants, which all lanes have the same: else goes to stop().
void LaneCompiler::load_constant(std::uint32_t at) {
    const Op op = this->op(at);
    const std::uint32_t shift = info(op).access.shift;
    to_.sub(scratch, constants_base - MOG_DATA_BASE);
    to_.rorx(scratch2, scratch, shift);
    to_.cmp(scratch2, links_.constants_bytes >> shift);
    to_.jae(*stop_);
    to_.mov(scratch2.r64(), reinterpret_cast<std::uintptr_t>(links_.constants));
    const auto there = [&](std::uint32_t size, std::int32_t more) { return Mem(scratch2.r64(), scratch.r64(), 0, more, size); };
    if (shift == 3) to_.vpbroadcastd(spare2, there(4, 4));
    if (shift >= 2) {
        to_.vpbroadcastd(spare1, there(4, 0));
        return;
    }
    if (is_signed(op)) to_.movsx(scratch, there(1u << shift, 0));
    else to_.movzx(scratch, there(1u << shift, 0));
    to_.vpbroadcastd(spare1, scratch);
}

bool LaneCompiler::access(std::uint32_t at) {
    const Op op = this->op(at);
    if (!is_simple(op)) return false;
    const OpInfo &row = info(op);
    const std::uint32_t shift = row.access.shift;
    const bool stores = is_store(op);
    if (stores && row.access.address == AddressIn::reg) (void)acc_vector();
    const auto transfer = [&] { stores ? store_scalar(at) : load_scalar(at); };
    const Label stopped = stop(), join = to_.newLabel();
    const bool may_be_constant = !stores && links_.constants_bytes != 0;
    const Label bad = may_be_constant ? to_.newLabel() : stopped;
    if (may_be_constant)
        later([=, this] {
            to_.bind(bad);
            stop_ = stopped;
            load_constant(at);
            to_.jmp(join);
        });
    if (scalar_address(at)) {
        ask_scalar(shift, stores, bad);
        value_to_store(at);
        transfer();
        to_.bind(join);
    } else {
        address(at);
        const Label apart = to_.newLabel();
        if (masked_) to_.k(lanes).z().vpcompressd(spare3, spare0);
        to_.vmovd(scratch, masked_ ? spare3.xmm() : spare0.xmm());
        to_.vpbroadcastd(spare3, scratch);
        to_.k(lanes).vpcmpd(condition, spare0, spare3, not_equal);
        to_.kortestw(condition, condition);
        to_.jne(apart);
        ask_scalar(shift, stores, bad);
        value_to_store(at);
        transfer();
        to_.bind(join);
        later([=, this] {
            to_.bind(apart);
            here_ = at;
            value_to_store(at);
            to_.call(apart_routine(op));
            to_.jne(stopped);
            to_.jmp(join);
        });
    }
    if (stores) return true;
    if (row.writes & D) {
        const DoubleResult result = masked_ ? DoubleResult{d_low, d_high, std::nullopt} : double_result(at);
        words_to_pair(spare1, spare2, result.low, result.high);
        is_double(result);
        return true;
    }
    if (const auto next = put_next(at)) {
        masked();
        to_.vmovdqa32(home(*next), spare1);
        state_.acc = {Acc::In::reg, *next};
        ++at_;
    } else {
        to_.vmovdqa32(acc, spare1);
        is_acc();
    }
    return true;
}

/// A pair as words.
void LaneCompiler::words_of_two(std::uint32_t r, const Zmm &low, const Zmm &high) {
    if (group_.is_pair[r]) {
        words_of_pair(r, false, low);
        words_of_pair(r, true, high);
        return;
    }
    for (const bool upper : {false, true}) {
        const Zmm &to = upper ? high : low, from = vector(r + upper, to);
        if (from != to) to_.vmovdqa32(to, from);
    }
}

// --- lanes that access each its own address ------------------------------------------------------------------------------

asmjit::Label LaneCompiler::apart_routine(Op op) {
    auto [found, is_new] = apart_routines_.try_emplace(op);
    if (is_new) found->second = to_.newLabel();
    return found->second;
}

/// As load_scalar and store_scalar, with the places in spare0. Behind it the flags say "not equal" if one of them is bad; nothing is done
/// then.
void LaneCompiler::write_apart_routine(Op op) {
    const std::uint32_t shift = info(op).access.shift;
    const Label bad = to_.newLabel();
    const Zmm words = spare3, count = spare4;
    const auto ask = [&](const Zmm &places, std::uint32_t limit, Label otherwise) {
        Zmm asked = places;
        if (shift != 0) {
            to_.vprord(words, places, shift);
            asked = words;
        }
        to_.k(lanes).vpcmpud(condition, asked, splat(limit >> shift), not_less);
        to_.kortestw(condition, condition);
        to_.jne(otherwise);
    };
    const Label elsewhere = is_store(op) || links_.constants_bytes == 0 ? bad : to_.newLabel();
    ask(spare0, links_.data_bytes, elsewhere);
    if (is_store(op) && links_.read_only.bytes() != 0) {
        to_.vpsubd(words, spare0, splat(links_.read_only.begin - MOG_DATA_BASE));
        to_.k(lanes).vpcmpud(condition, words, splat(links_.read_only.bytes()), less);
        to_.kortestw(condition, condition);
        to_.jne(bad);
    }
    to_.vpsrld(words, spare0, 2);
    to_.vpslld(words, words, 4);
    to_.vpord(words, words, table(lane_numbers()));
    const auto there = [&](std::int32_t more) { return x86::ptr(memory.r64(), words, 2, more); };
    const auto gather = [&](const Zmm &to, std::int32_t more) {
        to_.vpxord(to, to, to);
        to_.kmovw(spare_k, lanes);
        to_.k(spare_k).vpgatherdd(to, there(more));
    };
    const auto scatter = [&](const Zmm &from, std::int32_t more) {
        to_.kmovw(spare_k, lanes);
        to_.k(spare_k).vpscatterdd(there(more), from);
    };
    constexpr std::int32_t next = sizeof(LaneFrame::Row);
    const std::uint32_t bits_of_part = (1u << (8u << (shift & 1))) - 1, size = shift == 0 ? 24 : 16;
    if (shift < 2) {
        to_.vpandd(count, spare0, splat(3));
        to_.vpslld(count, count, 3);
    }
    const auto part = [&] {
        if (shift < 2) {
            to_.vpsrlvd(spare1, spare1, count);
            if (is_signed(op)) {
                to_.vpslld(spare1, spare1, size);
                to_.vpsrad(spare1, spare1, size);
            } else {
                to_.vpandd(spare1, spare1, splat(bits_of_part));
            }
        }
    };
    if (!is_store(op)) {
        gather(spare1, 0);
        if (shift == 3) gather(spare2, next);
        part();
    } else if (shift < 2) {
        to_.vpsllvd(spare1, spare1, count);
        to_.vpbroadcastd(spare2, word(bits_of_part));
        to_.vpsllvd(count, spare2, count);
        gather(spare2, 0);
        to_.vpternlogd(count, spare1, spare2, 0xca);
        scatter(count, 0);
    } else {
        scatter(spare1, 0);
        if (shift == 3) scatter(spare2, next);
    }
    to_.xor_(scratch, scratch);
    to_.ret();
    if (elsewhere.id() != bad.id()) {
        to_.bind(elsewhere);
        to_.vpsubd(spare0, spare0, splat(constants_base - MOG_DATA_BASE));
        ask(spare0, links_.constants_bytes, bad);
        if (shift < 2) {
            to_.vpandd(count, spare0, splat(3));
            to_.vpslld(count, count, 3);
        }
        to_.vpsrld(words, spare0, 2);
        to_.mov(scratch2.r64(), reinterpret_cast<std::uintptr_t>(links_.constants));
        for (std::uint32_t i = 0; i <= (shift == 3 ? 1u : 0u); ++i) {
            to_.kmovw(spare_k, lanes);
            to_.k(spare_k).vpgatherdd(i == 0 ? spare1 : spare2, x86::ptr(scratch2.r64(), words, 2, static_cast<std::int32_t>(4 * i)));
        }
        part();
        to_.xor_(scratch, scratch);
        to_.ret();
    }
    to_.bind(bad);
    to_.ret();
}

}  // namespace mog::lane_code
