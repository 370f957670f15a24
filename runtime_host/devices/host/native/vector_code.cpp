// vector_code.cpp: AVX2.
#include "runtime_host/devices/host/native/vector_code.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "assembler/image/constants.hpp"
#include "runtime_host/devices/host/native/native_registers.hpp"

namespace mog {

using namespace native;
namespace x86 = asmjit::x86;

namespace {

using Node = VectorLoop::Node;

/// Where streams are: the address of the first element, in all rounds or, of those whose elements are not dense, in the rounds at hand.
constexpr Gp bases[] = {x86::esi, x86::edi, x86::r8d, x86::r9d, x86::r10d, x86::r11d, x86::r12d};
constexpr Gp work = x86::eax, work2 = x86::edx;

/// Instructions that are one of the processor's, with a second operand or none.
x86::Inst::Id instruction_for(Op op) {
    switch (op) {
        case Op::add_:
        case Op::addi_: return x86::Inst::kIdVpaddd;
        case Op::sub_: return x86::Inst::kIdVpsubd;
        case Op::and_:
        case Op::andi_: return x86::Inst::kIdVpand;
        case Op::or_:
        case Op::ori_: return x86::Inst::kIdVpor;
        case Op::xor_:
        case Op::xori_: return x86::Inst::kIdVpxor;
        case Op::mul_: return x86::Inst::kIdVpmulld;
        case Op::addf_: return x86::Inst::kIdVaddps;
        case Op::subf_: return x86::Inst::kIdVsubps;
        case Op::mulf_: return x86::Inst::kIdVmulps;
        case Op::divf_: return x86::Inst::kIdVdivps;
        case Op::addd_: return x86::Inst::kIdVaddpd;
        case Op::subd_: return x86::Inst::kIdVsubpd;
        case Op::muld_: return x86::Inst::kIdVmulpd;
        case Op::divd_: return x86::Inst::kIdVdivpd;
        case Op::sll_: return x86::Inst::kIdVpsllvd;
        case Op::srl_: return x86::Inst::kIdVpsrlvd;
        case Op::sra_: return x86::Inst::kIdVpsravd;
        case Op::sqrtf_: return x86::Inst::kIdVsqrtps;
        case Op::sqrtd_: return x86::Inst::kIdVsqrtpd;
        case Op::i2f_: return x86::Inst::kIdVcvtdq2ps;
        case Op::i2d_: return x86::Inst::kIdVcvtdq2pd;
        case Op::f2d_: return x86::Inst::kIdVcvtps2pd;
        case Op::d2f_: return x86::Inst::kIdVcvtpd2ps;
        default: return x86::Inst::kIdNone;
    }
}

bool has_vectors() {
    const char *const named = std::getenv("MOG_NATIVE");
    return __builtin_cpu_supports("avx2") && (!named || std::string_view(named) != "scalar");
}

}  // namespace

bool VectorCode::fits(const VectorLoop &loop) { return has_vectors() && places(loop).has_value(); }

bool VectorCode::accesses_less(const VectorLoop &loop) {
    return std::ranges::any_of(loop.streams,
                               [&](const VectorLoop::Stream &stream) { return stream.is_dense() && loop.lanes << stream.shift < 16; });
}

/// What is there in all rounds has a register of its own; other values have one until their last use.
std::optional<std::vector<std::uint8_t>> VectorCode::places(const VectorLoop &loop) {
    constexpr std::uint8_t nowhere = 0xff;
    const auto count = static_cast<std::uint32_t>(loop.nodes.size());
    std::vector<std::uint8_t> places(count + loop.totals.size(), nowhere);
    std::vector<std::uint8_t> free;
    for (auto number = static_cast<std::uint8_t>(first_spare); number-- > 0;) free.push_back(number);
    const auto take = [&](std::uint32_t who) {
        if (free.empty()) return false;
        places[who] = free.back();
        free.pop_back();
        return true;
    };
    const auto lasts = [&](const Node &node) {
        return node.kind == Node::Kind::stays || node.kind == Node::Kind::goes_on ||
               (node.kind == Node::Kind::load && loop.streams[node.number].step == 0);
    };
    for (std::uint32_t n = 0; n < count; ++n)
        if (loop.nodes[n].is_wanted && lasts(loop.nodes[n]) && !take(n)) return std::nullopt;
    for (std::uint32_t t = 0; t < loop.totals.size(); ++t)
        if (!take(count + t)) return std::nullopt;
    std::vector<std::uint32_t> last_use(count, 0);
    for (std::uint32_t n = 0; n < count; ++n) {
        if (!loop.nodes[n].is_wanted) continue;
        for (const std::uint32_t operand : {loop.nodes[n].a, loop.nodes[n].b, loop.nodes[n].c})
            if (operand != VectorLoop::none) last_use[operand] = n;
    }
    for (const VectorLoop::Store &store : loop.stores) last_use[store.node] = VectorLoop::none;
    for (const VectorLoop::Skipped &skipped : loop.skipped) last_use[skipped.node] = VectorLoop::none;
    for (const VectorLoop::Total &total : loop.totals) last_use[total.node] = VectorLoop::none;
    for (std::uint32_t n = 0; n < count; ++n) {
        const Node &node = loop.nodes[n];
        if (!node.is_wanted || lasts(node) || node.kind == Node::Kind::constant) continue;
        const auto let_go = [&](std::uint32_t operand) {
            if (operand == VectorLoop::none || last_use[operand] != n || places[operand] == nowhere || lasts(loop.nodes[operand])) return;
            free.push_back(places[operand]);
        };
        let_go(node.a);
        if (node.b != node.a) let_go(node.b);
        if (node.c != node.a && node.c != node.b) let_go(node.c);
        if (!take(n)) return std::nullopt;
    }
    return places;
}

VectorCode::VectorCode(const VectorLoop &loop, const VectorMemory &memory, x86::Assembler &to)
    : loop_(loop), memory_(memory), to_(to), places_(*places(loop)) {}

void VectorCode::write(Label other) {
    find_streams(other);
    ask_whether_apart(other);
    begin_values();
    const Label rounds = to_.newLabel(), through = to_.newLabel();
    to_.xor_(done, done);
    to_.xor_(more_done, more_done);
    to_.align(asmjit::AlignMode::kCode, 16);
    to_.bind(rounds);
    for (std::uint32_t n = 0; n < loop_.nodes.size(); ++n)
        if (loop_.nodes[n].is_wanted) value(n);
    for (const VectorLoop::Store &store : loop_.stores) {
        const Node &node = loop_.nodes[store.node];
        if (!store.may_be_nan) continue;
        const Vec found = spare(0, node.is_wide), from = of(store.node);
        node.is_wide ? to_.vcmppd(found, from, from, x86::VCmpImm::kUNORD_Q) : to_.vcmpps(found, from, from, x86::VCmpImm::kUNORD_Q);
        node.is_wide ? to_.vtestpd(found, found) : to_.vtestps(found, found);
        to_.jnz(through);
    }
    for (const VectorLoop::Store &one : loop_.stores) store(one);
    for (const VectorLoop::Skipped &skipped : loop_.skipped) {
        to_.vmovmskps(work, of(skipped.node));
        to_.popcnt(work, work);
        if (skipped.size > 1) to_.imul(work, work, skipped.size);
        to_.add(more_done, work);
    }
    for (std::uint32_t t = 0; t < loop_.totals.size(); ++t) {
        const Vec total = vector(places_[loop_.nodes.size() + t], false);
        to_.emit(x86::Inst::kIdVpaddd, total, total, operand(loop_.totals[t].node));
    }
    for (std::uint32_t n = 0; n < loop_.nodes.size(); ++n) {
        const Node &node = loop_.nodes[n];
        if (!node.is_wanted || node.kind != Node::Kind::goes_on || node.step == 0) continue;
        to_.vpaddd(of(n), of(n), everywhere(loop_.lanes * static_cast<std::uint32_t>(node.step)));
    }
    for (std::uint32_t s = 0; s < loop_.streams.size(); ++s) {
        const VectorLoop::Stream &stream = loop_.streams[s];
        if (!stream.is_dense() && stream.step != 0) to_.add(base(s).r64(), static_cast<std::int32_t>(loop_.lanes) * stream.step);
    }
    to_.add(done, loop_.lanes);
    to_.cmp(done, wanted);
    to_.jb(rounds);
    to_.bind(through);
    for (std::uint32_t t = 0; t < loop_.totals.size(); ++t) add_up(t);
    to_.vzeroupper();
}

void VectorCode::write_constants() {
    if (constants_.empty()) return;
    to_.align(asmjit::AlignMode::kData, 32);
    for (const auto &[numbers, label] : constants_) {
        to_.bind(label);
        for (const std::uint32_t number : numbers) to_.embedUInt32(number);
    }
}

// --- memory -----------------------------------------------------------------------------------------------------------

/// Where each begins; and whether all of it is in DATA, aligned, and none of it read only where it stores.
void VectorCode::find_streams(Label other) {
    for (std::uint32_t s = 0; s < loop_.streams.size(); ++s) {
        const VectorLoop::Stream &stream = loop_.streams[s];
        const std::uint32_t bytes = 1u << stream.shift;
        to_.mov(base(s), stream.address.constant);
        for (const std::uint32_t r : stream.address.registers)
            if (r != CountedLoop::none) to_.add(base(s), register_of_pe(r, 4));
        if (bytes > 1) {
            to_.test(base(s), bytes - 1);
            to_.jnz(other);
        }
        lowest(work, s);
        to_.cmp(work.r64(), static_cast<std::int32_t>(stream.stores && has_read_only() ? memory_.read_only.end : MOG_DATA_BASE));
        to_.jl(other);
        end(work, s);
        to_.sub(work.r64(), static_cast<std::int32_t>(MOG_DATA_BASE));
        to_.cmp(work.r64(), static_cast<std::int32_t>(memory_.data_bytes));
        to_.jg(other);
    }
}

/// The address of the lowest element that is accessed, of 64 bits.
void VectorCode::lowest(Gp to, std::uint32_t stream) {
    const std::int32_t step = loop_.streams[stream].step;
    if (step >= 0) {
        to_.mov(to, base(stream));
        return;
    }
    to_.lea(to, x86::ptr(wanted.r64(), -1));
    to_.imul(to.r64(), to.r64(), step);
    to_.add(to.r64(), base(stream).r64());
}

/// The address behind the highest one, or some bytes further.
void VectorCode::end(Gp to, std::uint32_t stream) {
    const std::int32_t step = loop_.streams[stream].step;
    if (step <= 0) {
        to_.lea(to.r64(), x86::ptr(base(stream).r64(), 1 << loop_.streams[stream].shift));
        return;
    }
    to_.lea(to, x86::ptr(wanted.r64(), -1));
    to_.imul(to.r64(), to.r64(), step);
    to_.lea(to.r64(), x86::ptr(base(stream).r64(), to.r64(), 0, 1 << loop_.streams[stream].shift));
}

void VectorCode::ask_whether_apart(Label other) {
    for (const VectorLoop::Apart &apart : loop_.apart) {
        const VectorLoop::Stream &stores = loop_.streams[apart.stores], &loads = loop_.streams[apart.other];
        const std::uint32_t room = loop_.lanes << stores.shift;
        if (stores.is_dense() && loads.is_dense() && loads.shift == stores.shift) {
            to_.mov(work, base(apart.stores));
            to_.sub(work, base(apart.other));
            if (apart.follows) {  // not 1 to room - 1 behind it
                to_.sub(work, 1);
                to_.cmp(work, room - 1);
                to_.jb(other);
            } else {
                to_.sub(work, room);
                to_.cmp(work, 0u - 2 * room);
                to_.ja(other);
            }
            continue;
        }
        // All of one below all of the other.
        const Label is_apart = to_.newLabel();
        end(work, apart.stores);
        lowest(work2, apart.other);
        to_.cmp(work.r64(), work2.r64());
        to_.jle(is_apart);
        end(work, apart.other);
        lowest(work2, apart.stores);
        to_.cmp(work.r64(), work2.r64());
        to_.jg(other);
        to_.bind(is_apart);
    }
}

VectorCode::Gp VectorCode::base(std::uint32_t stream) const { return bases[stream]; }

VectorCode::Mem VectorCode::element(std::uint32_t stream, std::int32_t further) const {
    const bool counts = loop_.streams[stream].is_dense();
    Mem mem =
        counts ? x86::ptr(base(stream).r64(), done.r64(), loop_.streams[stream].shift, further) : x86::ptr(base(stream).r64(), further);
    if (memory_.by_segment) mem.setSegment(pe_segment);
    return mem;
}

VectorCode::Mem VectorCode::register_of_pe(std::uint32_t r, std::uint32_t bytes) {
    return Mem(registers, static_cast<std::int32_t>(4 * r), bytes);
}

// --- values -----------------------------------------------------------------------------------------------------------

VectorCode::Vec VectorCode::vector(unsigned number, bool wide) const {
    if (wide || loop_.lanes == 8) return x86::ymm(number);
    return x86::xmm(number);
}

VectorCode::Mem VectorCode::words(std::vector<std::uint32_t> eight, bool all) {
    auto known = std::ranges::find(constants_, eight, &std::pair<std::vector<std::uint32_t>, Label>::first);
    if (known == constants_.end()) known = constants_.insert(constants_.end(), {std::move(eight), to_.newLabel()});
    return x86::ptr(known->second, 0, all || loop_.lanes == 8 ? 32 : 16);
}

VectorCode::Mem VectorCode::everywhere(std::uint32_t word) { return words(std::vector<std::uint32_t>(8, word)); }

VectorCode::Operand VectorCode::operand(std::uint32_t node) {
    if (loop_.nodes[node].kind == Node::Kind::constant) return everywhere(loop_.nodes[node].number);
    return of(node);
}

/// What is there before the first round.
void VectorCode::begin_values() {
    if (!memory_.by_segment) {
        for (std::uint32_t s = 0; s < loop_.streams.size(); ++s)
            to_.lea(base(s).r64(), x86::ptr(memory, base(s).r64(), 0, static_cast<std::int32_t>(0u - MOG_DATA_BASE)));
    }
    for (std::uint32_t t = 0; t < loop_.totals.size(); ++t) {
        const Vec total = vector(places_[loop_.nodes.size() + t], false);
        to_.vpxor(total, total, total);
    }
    for (std::uint32_t n = 0; n < loop_.nodes.size(); ++n) {
        const Node &node = loop_.nodes[n];
        if (!node.is_wanted) continue;
        const bool lasts = node.kind == Node::Kind::load && loop_.streams[node.number].step == 0;
        if (lasts && node.is_wide) {
            Mem from = element(node.number);
            from.setSize(8);
            to_.vbroadcastsd(of(n), from);
        } else if (lasts) {
            one_element(node.what, element(node.number));
            to_.vmovd(x86::xmm(places_[n]), work);
            to_.vpbroadcastd(of(n), x86::xmm(places_[n]));
        } else if (node.kind == Node::Kind::stays && node.is_wide) {
            to_.vbroadcastsd(of(n), register_of_pe(node.number, 8));
        } else if (node.kind == Node::Kind::stays || node.kind == Node::Kind::goes_on) {
            to_.vpbroadcastd(of(n), register_of_pe(node.number, 4));
            std::vector<std::uint32_t> more(8, node.more);
            for (std::uint32_t lane = 0; lane < 8; ++lane) more[lane] += lane * static_cast<std::uint32_t>(node.step);
            if (std::ranges::any_of(more, [](std::uint32_t word) { return word != 0; })) to_.vpaddd(of(n), of(n), words(more));
        }
    }
}

void VectorCode::value(std::uint32_t number) {
    const Node &node = loop_.nodes[number];
    if (node.kind == Node::Kind::load && loop_.streams[node.number].step != 0) load(number);
    if (node.kind == Node::Kind::instruction) instruction(number);
    if (node.kind == Node::Kind::unless_zero) unless_zero(number);
    if (node.kind == Node::Kind::either) either(number);
}

void VectorCode::unless_zero(std::uint32_t number) {
    const Node &node = loop_.nodes[number];
    const Vec to = of(number), other = spare(1, false);
    to_.vpxor(other, other, other);
    to_.emit(x86::Inst::kIdVpcmpeqd, to, other, operand(node.a));
    if (node.number == 0) return;
    to_.vpcmpeqd(other, other, other);
    to_.vpxor(to, to, other);
}

void VectorCode::either(std::uint32_t number) {
    const Node &node = loop_.nodes[number];
    Vec mask = of(node.a), other = spare(0, node.is_wide);
    if (const Operand value = operand(node.c); value.isMem()) to_.vmovdqu(other, value.as<Mem>());
    else other = value.as<Vec>();
    if (node.is_wide) {
        to_.vpmovsxdq(spare(1, true), mask);
        mask = spare(1, true);
    }
    to_.emit(node.is_wide ? x86::Inst::kIdVblendvpd : x86::Inst::kIdVblendvps, of(number), other, operand(node.b), mask);
}

/// 1 or 0, as floats compare.
void VectorCode::compare(std::uint32_t number, x86::VCmpImm how) {
    const Node &node = loop_.nodes[number];
    const Vec to = of(number);
    if (!is_wide(node.a)) {
        Vec a = spare(0, false);
        if (const Operand first = operand(node.a); first.isMem()) to_.vmovdqu(a, first.as<Mem>());
        else a = first.as<Vec>();
        to_.emit(x86::Inst::kIdVcmpps, to, a, operand(node.b), asmjit::Imm(how));
    } else {
        const x86::Xmm low = x86::xmm(first_spare), high = x86::xmm(first_spare + 1);
        to_.vcmppd(x86::ymm(first_spare), of(node.a), of(node.b), how);
        to_.vextractf128(high, x86::ymm(first_spare), 1);
        to_.vshufps(to, low, high, 0x88);  // the first word of each two
    }
    to_.vpsrld(to, to, 31);
}

void VectorCode::load(std::uint32_t number) {
    const Node &node = loop_.nodes[number];
    const Vec to = of(number);
    if (!loop_.streams[node.number].is_dense()) return load_apart(to, node);
    Mem from = element(node.number);
    from.setSize(loop_.lanes << loop_.streams[node.number].shift);
    switch (node.what) {
        case Op::lb_: to_.vpmovsxbd(to, from); break;
        case Op::lbu_: to_.vpmovzxbd(to, from); break;
        case Op::lh_: to_.vpmovsxwd(to, from); break;
        case Op::lhu_: to_.vpmovzxwd(to, from); break;
        case Op::lwd_: to_.vmovupd(to, from); break;
        default: to_.vmovdqu(to, from); break;
    }
}

/// An element as a word, in `work`.
void VectorCode::one_element(Op what, const Mem &from) {
    Mem mem = from;
    const auto sized = [&](std::uint32_t bytes) -> const Mem & {
        mem.setSize(bytes);
        return mem;
    };
    switch (what) {
        case Op::lb_: to_.movsx(work, sized(1)); break;
        case Op::lbu_: to_.movzx(work, sized(1)); break;
        case Op::lh_: to_.movsx(work, sized(2)); break;
        case Op::lhu_: to_.movzx(work, sized(2)); break;
        default: to_.mov(work, sized(4)); break;
    }
}

/// Elements that do not stand one behind the other, one by one.
void VectorCode::load_apart(Vec to, const Node &node) {
    const std::int32_t step = loop_.streams[node.number].step;
    const x86::Xmm low = x86::xmm(to.id()), high = x86::xmm(first_spare);
    const auto at = [&](std::int32_t lane) { return element(node.number, lane * step); };
    if (node.is_wide) {
        const auto two = [&](x86::Xmm half, std::int32_t first) {
            Mem one = at(first), other = at(first + 1);
            one.setSize(8), other.setSize(8);
            to_.vmovsd(half, one);
            to_.vmovhpd(half, half, other);
        };
        two(low, 0);
        two(high, 2);
        to_.vinsertf128(x86::ymm(to.id()), x86::ymm(to.id()), high, 1);
        return;
    }
    const auto four = [&](x86::Xmm half, std::int32_t first) {
        for (std::int32_t lane = 0; lane < 4; ++lane) {
            Mem mem = at(first + lane);
            if (node.what == Op::lw_ || node.what == Op::lwx_) {
                mem.setSize(4);
                lane == 0 ? to_.vmovd(half, mem) : to_.vpinsrd(half, half, mem, lane);
                continue;
            }
            one_element(node.what, mem);
            lane == 0 ? to_.vmovd(half, work) : to_.vpinsrd(half, half, work, lane);
        }
    };
    four(low, 0);
    if (loop_.lanes == 4) return;
    four(high, 4);
    to_.vinserti128(x86::ymm(to.id()), x86::ymm(to.id()), high, 1);
}

/// An instruction's result. Its register may be that of one of its operands, so it is written last.
void VectorCode::instruction(std::uint32_t number) {
    const Node &node = loop_.nodes[number];
    const Vec to = of(number);
    Operand first = operand(node.a);
    const bool is_in_memory = first.isMem();
    const auto a = [&]() -> Vec {
        if (!is_in_memory) return first.as<Vec>();
        const Vec copy = spare(0, is_wide(node.a));
        to_.vmovdqu(copy, first.as<Mem>());
        return copy;
    };
    const auto ones = [&](Vec in) { to_.vpcmpeqd(in, in, in); };
    switch (node.what) {
        case Op::slli_: to_.vpslld(to, a(), node.number); return;
        case Op::srli_: to_.vpsrld(to, a(), node.number); return;
        case Op::srai_: to_.vpsrad(to, a(), node.number); return;
        case Op::seb_:
        case Op::seh_: {
            const unsigned by = node.what == Op::seb_ ? 24 : 16;
            to_.vpslld(to, a(), by);
            to_.vpsrad(to, to, by);
            return;
        }
        case Op::neg_: {
            const Vec zero = spare(1, false);
            to_.vpxor(zero, zero, zero);
            to_.vpsubd(to, zero, a());
            return;
        }
        case Op::nor_: {
            const Vec all = spare(1, false);
            to_.emit(x86::Inst::kIdVpor, to, a(), operand(node.b));
            ones(all);
            to_.vpxor(to, to, all);
            return;
        }
        case Op::sll_:
        case Op::srl_:
        case Op::sra_: {
            const Vec by = spare(1, false);
            const Operand amount = operand(node.b);
            if (amount.isMem()) to_.vmovdqu(by, amount.as<Mem>());
            to_.vpand(by, amount.isMem() ? by : amount.as<Vec>(), everywhere(31));
            to_.emit(instruction_for(node.what), to, a(), by);
            return;
        }
        case Op::slt_:
        case Op::slti_: {  // b above a
            const Vec below = a(), above = spare(1, false);
            const Operand b = operand(node.b);
            if (b.isMem()) to_.vmovdqu(above, b.as<Mem>());
            to_.vpcmpgtd(to, b.isMem() ? above : b.as<Vec>(), below);
            to_.vpsrld(to, to, 31);
            return;
        }
        case Op::sltu_:
        case Op::sltui_: {  // 1 less 1 if the larger one is a
            const Vec one = a(), all = spare(1, false);
            to_.emit(x86::Inst::kIdVpmaxud, all, one, operand(node.b));
            to_.vpcmpeqd(to, all, one);
            ones(all);
            to_.vpsubd(to, to, all);
            return;
        }
        case Op::negf_: to_.vpxor(to, a(), everywhere(0x80000000)); return;
        case Op::absf_: to_.vpand(to, a(), everywhere(0x7fffffff)); return;
        case Op::negd_: to_.vpxor(to, a(), words({0, 0x80000000, 0, 0x80000000, 0, 0x80000000, 0, 0x80000000}, true)); return;
        case Op::absd_: {
            constexpr std::uint32_t all = 0xffffffff, but_sign = 0x7fffffff;
            to_.vpand(to, a(), words({all, but_sign, all, but_sign, all, but_sign, all, but_sign}, true));
            return;
        }
        case Op::seqf_:
        case Op::seqfs_:
        case Op::seqd_:
        case Op::seqds_: compare(number, x86::VCmpImm::kEQ_OQ); return;
        case Op::sltf_:
        case Op::sltfs_:
        case Op::sltd_:
        case Op::sltds_: compare(number, x86::VCmpImm::kLT_OQ); return;
        case Op::slef_:
        case Op::slefs_:
        case Op::sled_:
        case Op::sleds_: compare(number, x86::VCmpImm::kLE_OQ); return;
        case Op::sunf_:
        case Op::sunfs_:
        case Op::sund_:
        case Op::sunds_: compare(number, x86::VCmpImm::kUNORD_Q); return;
        default: break;
    }
    if (node.b == VectorLoop::none) to_.emit(instruction_for(node.what), to, a());
    else to_.emit(instruction_for(node.what), to, a(), operand(node.b));
}

/// Elements that do not stand one behind the other, one by one.
void VectorCode::store_apart(const VectorLoop::Store &store, Vec from) {
    const VectorLoop::Stream &stream = loop_.streams[store.stream];
    const std::int32_t in_half = is_wide(store.node) ? 2 : 4;
    for (std::int32_t lane = 0; lane < static_cast<std::int32_t>(loop_.lanes); ++lane) {
        x86::Xmm half = x86::xmm(from.id());
        if (lane >= in_half) {
            half = x86::xmm(first_spare + 1);
            if (lane == in_half) to_.vextracti128(half, x86::ymm(from.id()), 1);
        }
        Mem to = element(store.stream, lane * stream.step);
        to.setSize(1u << stream.shift);
        const std::int32_t place = lane % in_half;
        switch (stream.shift) {
            case 0: to_.vpextrb(to, half, 4 * place); break;
            case 1: to_.vpextrw(to, half, 2 * place); break;
            case 2: place == 0 ? to_.vmovd(to, half) : to_.vpextrd(to, half, place); break;
            default: place == 0 ? to_.vmovlpd(to, half) : to_.vmovhpd(to, half); break;
        }
    }
}

void VectorCode::store(const VectorLoop::Store &store) {
    const std::uint32_t shift = loop_.streams[store.stream].shift;
    Vec from = spare(0, is_wide(store.node));
    if (const Operand value = operand(store.node); value.isMem()) to_.vmovdqu(from, value.as<Mem>());
    else from = value.as<Vec>();
    if (!loop_.streams[store.stream].is_dense()) return store_apart(store, from);
    Mem to = element(store.stream);
    to.setSize(loop_.lanes << shift);
    if (shift >= 2) {
        to_.vmovdqu(to, from);
        return;
    }
    // The low bytes of each four words to the first word, or two.
    constexpr std::uint32_t none = 0x80808080;
    const std::vector<std::uint32_t> bytes{0x0c080400, none, none, none, 0x0c080400, none, none, none},
        halves{0x05040100, 0x0d0c0908, none, none, 0x05040100, 0x0d0c0908, none, none};
    const Vec packed = spare(0, false);
    const x86::Xmm low = x86::xmm(first_spare), high = x86::xmm(first_spare + 1);
    to_.vpshufb(packed, from, words(shift == 0 ? bytes : halves));
    if (loop_.lanes == 8) {
        to_.vextracti128(high, x86::ymm(first_spare), 1);
        shift == 0 ? to_.vpunpckldq(low, low, high) : to_.vpunpcklqdq(low, low, high);
    }
    switch (loop_.lanes << shift) {
        case 4: to_.vmovd(to, low); break;
        case 8: to_.vmovq(to, low); break;
        default: to_.vmovdqu(to, low); break;
    }
}

/// The lanes of a total, and the register that it is added to.
void VectorCode::add_up(std::uint32_t number) {
    const unsigned place = places_[loop_.nodes.size() + number];
    const x86::Xmm sum = x86::xmm(place), half = x86::xmm(first_spare);
    if (loop_.lanes == 8) {
        to_.vextracti128(half, x86::ymm(place), 1);
        to_.vpaddd(sum, sum, half);
    }
    to_.vpshufd(half, sum, 0x4e);
    to_.vpaddd(sum, sum, half);
    to_.vpshufd(half, sum, 0xb1);
    to_.vpaddd(sum, sum, half);
    to_.vmovd(work, sum);
    to_.add(register_of_pe(loop_.totals[number].reg, 4), work);
}

}  // namespace mog
