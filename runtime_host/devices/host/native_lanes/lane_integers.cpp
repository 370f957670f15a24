// lane_integers.cpp: registers, constants and integers.
#include "assembler/image/constants.hpp"
#include "runtime_host/devices/host/native_lanes/lane_compiler.hpp"
#include "runtime_host/devices/host/native_lanes/lane_frame.hpp"
#include "runtime_host/devices/host/native_lanes/lane_registers.hpp"

namespace mog::lane_code {

namespace Id = x86::Inst;

namespace {

/// Instructions that are one of the processor's.
Id::Id instruction_for(Op op) {
    switch (op) {
        case Op::add_:
        case Op::addi_: return Id::kIdVpaddd;
        case Op::sub_: return Id::kIdVpsubd;
        case Op::and_:
        case Op::andi_: return Id::kIdVpandd;
        case Op::or_:
        case Op::ori_: return Id::kIdVpord;
        case Op::xor_:
        case Op::xori_: return Id::kIdVpxord;
        case Op::mul_: return Id::kIdVpmulld;
        case Op::rotr_: return Id::kIdVprorvd;
        case Op::rotri_: return Id::kIdVprord;
        case Op::slli_: return Id::kIdVpslld;
        case Op::srli_: return Id::kIdVpsrld;
        case Op::srai_: return Id::kIdVpsrad;
        case Op::sll_: return Id::kIdVpsllvd;
        case Op::srl_: return Id::kIdVpsrlvd;
        case Op::sra_: return Id::kIdVpsravd;
        default: return Id::kIdNone;
    }
}

}  // namespace

bool LaneCompiler::integer(std::uint32_t at) {
    const Op op = this->op(at);
    const OpInfo &row = info(op);
    const std::uint32_t r = operand(at);
    if (const auto id = instruction_for(op); id != Id::kIdNone) {
        const Zmm a = acc_vector();
        if (row.operand == OperandKind::Const) {
            emit_result(at, id, a, splat(constant_at(image_, at)));
        } else if (row.operand == OperandKind::Byte) {
            emit_result(at, id, a, asmjit::imm(r & 31));
        } else if (op == Op::sll_ || op == Op::srl_ || op == Op::sra_) {
            to_.vpandd(spare1, vector(r, spare0), splat(31));
            emit_result(at, id, a, spare1);
        } else {
            emit_result(at, id, a, value(r, spare0));
        }
        return true;
    }
    const auto compare = [&](bool is_signed, std::uint8_t how, const Operand &with) {
        const Zmm a = acc_vector();
        to_.emit(is_signed ? Id::kIdVpcmpd : Id::kIdVpcmpud, condition, a, with, asmjit::imm(how));
        is_condition();
    };
    switch (op) {
        case Op::li_: state_.acc = {Acc::In::constant, constant_at(image_, at)}; break;
        case Op::lr_:
            if (group_.in_pair(r) || is_scalar(r)) {
                const Zmm from = vector(r, acc);
                if (from != acc) to_.vmovdqa32(acc, from);
                is_acc();
            } else {
                state_.acc = {Acc::In::reg, r};
            }
            break;
        case Op::sr_: put(r, acc_vector()); break;
        case Op::srsp_: put_sp(at); break;
        case Op::neg_: {
            const Zmm a = acc_vector();
            to_.vpxord(spare0, spare0, spare0);
            emit_result(at, Id::kIdVpsubd, spare0, a);
            break;
        }
        case Op::nor_: {
            const Zmm a = acc_vector();
            to_.vpord(spare0, a, vector(r, spare0));
            to_.vpternlogd(spare1, spare1, spare1, 0xff);
            emit_result(at, Id::kIdVpxord, spare0, spare1);
            break;
        }
        case Op::slt_: compare(true, less, value(r, spare0)); break;
        case Op::sltu_: compare(false, less, value(r, spare0)); break;
        case Op::slti_: compare(true, less, splat(constant_at(image_, at))); break;
        case Op::sltui_: compare(false, less, splat(constant_at(image_, at))); break;
        case Op::mulh_:
        case Op::mulhu_: high_product(at); break;
        case Op::div_:
        case Op::divu_:
        case Op::rem_:
        case Op::remu_: divide(at); break;
        case Op::clz_: emit_result(at, Id::kIdVplzcntd, acc_vector()); break;
        case Op::seb_:
        case Op::seh_: {
            const std::uint32_t by = op == Op::seb_ ? 24 : 16;
            to_.vpslld(spare0, acc_vector(), by);
            emit_result(at, Id::kIdVpsrad, spare0, asmjit::imm(by));
            break;
        }
        case Op::wsbh_: {
            std::vector<std::uint32_t> words;
            for (std::uint32_t i = 0; i < 16; ++i) words.push_back(0x02030001 + 0x04040404 * (i % 4));
            const Zmm a = acc_vector();
            to_.vpshufb(acc, a, table(words));
            is_acc();
            break;
        }
        case Op::tz_:
        case Op::tnz_: {
            const Zmm a = acc_vector();
            to_.k(lanes);
            if (op == Op::tz_) to_.vptestnmd(condition, a, a);
            else to_.vptestmd(condition, a, a);
            stop_if_any(condition);
            break;
        }
        default: return false;
    }
    return true;
}

/// The stack pointer, unless it meets the heap, above which it was.
void LaneCompiler::put_sp(std::uint32_t at) {
    const Zmm to = acc_vector();
    const Zmm old = vector(operand(at), spare0);
    to_.vmovdqa32(spare1, x86::zmmword_ptr(memory.r64(), static_cast<std::int32_t>(sizeof(LaneFrame::Row) * MOG_CB_BRK)));
    to_.k(lanes).vpcmpud(condition, to, spare1, less);
    to_.k(condition).vpcmpud(condition, old, spare1, not_less);
    to_.vpsubd(spare1, to, splat(MOG_DATA_BASE));
    to_.k(lanes).vpcmpud(spare_k, spare1, splat(links_.data_bytes), greater);
    to_.korw(condition, condition, spare_k);
    stop_if_any(condition);
    put(operand(at), to);
}

/// The high words of products: of every other lane at a time.
void LaneCompiler::high_product(std::uint32_t at) {
    const bool is_signed = op(at) == Op::mulh_;
    const auto multiply = [&](const Zmm &to, const Zmm &a, const Zmm &b) { is_signed ? to_.vpmuldq(to, a, b) : to_.vpmuludq(to, a, b); };
    const Zmm a = acc_vector(), b = vector(operand(at), spare0);
    to_.vpsrlq(spare1, a, 32);
    to_.vpsrlq(spare2, b, 32);
    multiply(spare1, spare1, spare2);
    multiply(acc, a, b);
    to_.vpsrlq(acc, acc, 32);
    to_.mov(scratch2, 0xaaaa);
    to_.kmovw(spare_k, scratch2);
    to_.k(spare_k).vmovdqa32(acc, spare1);
    is_acc();
}

/// Integers of 32 bits are exact as doubles, and so is the integer part of their quotient. By 0: the dividend, and a remainder of 0.
void LaneCompiler::divide(std::uint32_t at) {
    const Op op = this->op(at);
    const bool is_signed = op == Op::div_ || op == Op::rem_, is_quotient = op == Op::div_ || op == Op::divu_;
    const Zmm a = acc_vector(), b = vector(operand(at), spare0);
    const auto half = [&](const Zmm &to, bool high) {
        const auto number = [&](const Zmm &of, const Zmm &from) {
            if (high) to_.vextracti64x4(of.ymm(), from, 1);
            const auto narrow = high ? of.ymm() : from.ymm();
            is_signed ? to_.vcvtdq2pd(of, narrow) : to_.vcvtudq2pd(of, narrow);
        };
        number(spare3, a);
        number(spare4, b);
        to_.vdivpd(spare3, spare3, spare4);
        is_signed ? to_.vcvttpd2dq(to.ymm(), spare3) : to_.vcvttpd2udq(to.ymm(), spare3);
    };
    half(spare1, false);
    half(spare2, true);
    to_.vinserti64x4(spare1, spare1, spare2.ymm(), 1);
    to_.vptestnmd(spare_k, b, b);
    if (is_quotient) {
        to_.k(spare_k).vmovdqa32(spare1, a);
        to_.vmovdqa32(acc, spare1);
    } else {
        to_.vpmulld(spare1, spare1, b);
        to_.vpsubd(acc, a, spare1);
        to_.k(spare_k).vpxord(acc, acc, acc);
    }
    is_acc();
}

}  // namespace mog::lane_code
