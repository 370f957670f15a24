// shadow.hpp: --check=memory, what is known of a PE's registers and memory beside what is in them: for each bit whether it was ever given a
// value, for each byte whether the program may touch it. Of an instruction's effects on that, all is here; what is found goes to the
// checker.
//
// Values travel unchecked, through copies too; what is told is only where one without a value decides something: a jump, an address, a
// trap, a system call. N. Nethercote, J. Seward, "Valgrind: A Framework for Heavyweight Dynamic Binary Instrumentation", PLDI 2007, has
// these rules; ours are of the accumulator machine's instructions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "assembler/ir/isa.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {
class MemoryChecker;
}

namespace mog::memory {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// What is special about an instruction, by TEXT index.
enum Mark : u8 {
    begins_function = 1,  ///< one that the checker knows: it is asked
    calls = 2,
    saves_return = 4,  ///< stores the return address into its function's frame
};

/// A byte of these for each word of DATA: the four bytes that may not be touched, and
inline constexpr u8 no_access = 15;
inline constexpr u8 holds_return = 16;  ///< that a return address is saved there

/// Where a function will come back to.
struct CallFrame {
    u32 return_address, sp;
};

/// A function that the checker knows, entered and not left yet.
struct Entered {
    u32 function = 0;  ///< its number in the checker
    u32 return_address = 0, sp = 0;
    u32 address = 0, bytes = 0, front = 0;  ///< of the block that it is about
    bool is_quiet = false;                  ///< what it touches is its own affair
};

struct Shadow {
    MemoryChecker *checker = nullptr;
    u32 pe = 0;
    // Bits that have no value; of registers and memory they are by place.
    u32 acc = 0;
    u64 d = 0;
    std::array<u32, 257> registers{};  ///< one more: a pair may begin at the last
    u32 *values = nullptr;             ///< by word of DATA
    u8 *bytes = nullptr;               ///< by word of DATA: Mark of memory, as above
    u32 data_bytes = 0;
    const u32 *data = nullptr;
    u32 *held = nullptr;             ///< the registers themselves
    const u8 *marks = nullptr;       ///< by TEXT index
    const u32 *constants = nullptr;  ///< by TEXT index
    u32 sp = 0, ra = 0;              ///< their numbers
    u32 stack_top = 0;               ///< the highest stack pointer seen
    u32 quiet = 0;                   ///< functions entered that are
    std::vector<CallFrame> callers;
    std::vector<Entered> entered;

    u32 stack_pointer() const { return held[sp]; }
    /// Between the heap and the stack is nobody's memory.
    bool is_between(u32 address) const {
        if (address >= held[sp] || address < data[MOG_CB_BRK]) return false;
        return data[MOG_CB_FLOOR] == 0 || address < data[MOG_CB_FLOOR];
    }
};

// ---- what the checker is told (memory_checker.cpp)

void invalid_access(Shadow &s, u32 at, u32 address, u32 bytes, bool is_store);
void overwrites_return(Shadow &s, u32 at, u32 address);
void undefined_address(Shadow &s, u32 at);
void undefined_condition(Shadow &s, u32 at);
void undefined_target(Shadow &s, u32 at);
/// A function that the checker knows begins; it may change registers, and ACC where that holds the same.
void enters(Shadow &s, u32 at, u32 &acc);
/// The innermost of those entered returns.
void leaves(Shadow &s);

/// Memory from `begin` on has no values any more, or all of it.
inline void set_values(Shadow &s, u32 begin, u32 end, u32 bits) {
    for (; begin < end && (begin & 3) != 0; ++begin) {
        u32 &word = s.values[(begin - MOG_DATA_BASE) / 4];
        word = (word & ~(0xffu << 8 * (begin & 3))) | ((bits & 0xffu) << 8 * (begin & 3));
    }
    const u32 whole = begin < end ? (end - begin) / 4 : 0;
    if (whole != 0) std::memset(&s.values[(begin - MOG_DATA_BASE) / 4], static_cast<int>(bits & 0xff), 4ull * whole);
    for (begin += 4 * whole; begin < end; ++begin) {
        u32 &word = s.values[(begin - MOG_DATA_BASE) / 4];
        word = (word & ~(0xffu << 8 * (begin & 3))) | ((bits & 0xffu) << 8 * (begin & 3));
    }
}

inline void moves_stack(Shadow &s, u32 from, u32 to) {
    constexpr u32 most = 1u << 24;  // more is another stack
    const u32 end = MOG_DATA_BASE + s.data_bytes;
    if (to < from && from - to <= most && to >= s.data[MOG_CB_BRK] && from <= end) {
        set_values(s, to, from, ~0u);
        const u32 first = (to - MOG_DATA_BASE) / 4;
        std::memset(s.bytes + first, 0, (from - MOG_DATA_BASE + 3) / 4 - first);
    }
    if (to > from) {
        s.stack_top = std::max(s.stack_top, to);
        // Functions that were left otherwise than by returning.
        while (!s.entered.empty() && s.entered.back().sp < to) {
            s.quiet -= s.entered.back().is_quiet;
            s.entered.pop_back();
        }
    }
}

/// Whether `size` bytes can be there at all; else the instruction stops its PE, or memory is not the PE's own.
inline bool is_own(const Shadow &s, u32 address, u32 size) {
    const u32 offset = address - MOG_DATA_BASE;
    return offset < s.data_bytes && s.data_bytes - offset >= size;
}

template <bool is_store>
inline void look_at(Shadow &s, u32 at, u32 address, u32 size) {
    const u32 word = (address - MOG_DATA_BASE) / 4;
    const u32 mask = ((1u << size) - 1) << (address & 3);
    const bool crosses = (mask >> 4) != 0;
    const u8 state = s.bytes[word], next = crosses ? s.bytes[word + 1] : u8{0};
    if ((state | next) == 0 && address >= s.held[s.sp]) [[likely]]
        return;
    if (s.quiet != 0) return;
    if ((state & mask & no_access) != 0 || (next & mask >> 4 & no_access) != 0 || s.is_between(address))
        return invalid_access(s, at, address, size, is_store);
    if (is_store && ((state | next) & holds_return) != 0 && address >= s.held[s.sp] && address < s.stack_top &&
        (s.marks[at] & saves_return) == 0)
        overwrites_return(s, at, address);
}

inline u32 load(Shadow &s, u32 at, u32 address, u32 of_address, u32 size, bool is_signed = false) {
    if (of_address != 0) undefined_address(s, at);
    if (!is_own(s, address, size)) return 0;
    look_at<false>(s, at, address, size);
    const u32 word = (address - MOG_DATA_BASE) / 4, shift = 8 * (address & 3);
    u32 bits = s.values[word];
    if (shift != 0) {
        bits >>= shift;
        if (shift + 8 * size > 32) bits |= s.values[word + 1] << (32 - shift);
    }
    if (size == 4) return bits;
    bits &= (1u << 8 * size) - 1;
    return is_signed && (bits >> (8 * size - 1)) != 0 ? bits | ~0u << 8 * size : bits;
}

inline void store(Shadow &s, u32 at, u32 address, u32 of_address, u32 size, u32 bits) {
    if (of_address != 0) undefined_address(s, at);
    if (!is_own(s, address, size)) return;
    look_at<true>(s, at, address, size);
    const u32 word = (address - MOG_DATA_BASE) / 4, shift = 8 * (address & 3);
    if (size == 4 && shift == 0) {
        s.values[word] = bits;
        if ((s.marks[at] & saves_return) != 0) s.bytes[word] |= holds_return;
        return;
    }
    const u64 mask = (size == 4 ? 0xffffffffull : (1ull << 8 * size) - 1) << shift, shifted = static_cast<u64>(bits) << shift;
    s.values[word] = static_cast<u32>((s.values[word] & ~mask) | (shifted & mask));
    if ((mask >> 32) != 0) s.values[word + 1] = static_cast<u32>((s.values[word + 1] & ~(mask >> 32)) | ((shifted & mask) >> 32));
}

/// From the lowest bit without a value on: where carries go.
inline u32 upwards(u32 bits) { return bits | (0u - bits); }

/// Of a comparison: 0 or 1, if what has values decides it.
/// `sign`: what makes numbers with a sign order as those without.
inline u32 compare(u32 a, u32 of_a, u32 b, u32 of_b, u32 sign) {
    if ((of_a | of_b) == 0) return 0;
    a ^= sign;
    b ^= sign;
    const u32 least_a = a & ~of_a, most_a = a | of_a, least_b = b & ~of_b, most_b = b | of_b;
    return most_a < least_b || least_a >= most_b ? 0 : 1;
}

/// A word decides by being 0 or not: it does so whatever else is in it, if a bit that has a value is 1.
inline bool decides(u32 value, u32 bits) { return bits == 0 || (value & ~bits) != 0; }

/// Before an instruction is executed.
inline void step(Shadow &s, u32 at, u16 word, u32 &acc) {
    const u32 n = word & 0xffu;
    const u8 mark = s.marks[at];
    u32 *const r = s.registers.data();
    u32 *const held = s.held;
    if (mark != 0) [[unlikely]] {
        if ((mark & begins_function) != 0) enters(s, at, acc);
        if ((mark & memory::calls) != 0) {
            const u32 sp = held[s.sp];
            while (!s.callers.empty() && s.callers.back().sp <= sp) s.callers.pop_back();
            s.callers.push_back({held[s.ra], sp});
        }
    }
    const auto any = [](u32 bits) { return bits != 0 ? ~0u : 0u; };
    const auto any2 = [](u64 bits) { return bits != 0 ? ~0ull : 0ull; };
    const auto pair = [r](u32 at_register) { return r[at_register] | static_cast<u64>(r[at_register + 1]) << 32; };
    switch (static_cast<Op>(word >> 8)) {
        case Op::li_:
        case Op::lfcsr_: s.acc = 0; break;
        case Op::lr_: s.acc = r[n]; break;
        case Op::sr_:
        case Op::srsp_:
            r[n] = s.acc;
            if (n == s.sp && acc != held[n]) moves_stack(s, held[n], acc);
            break;

        case Op::lb_: s.acc = load(s, at, acc, s.acc, 1, true); break;
        case Op::lbu_: s.acc = load(s, at, acc, s.acc, 1); break;
        case Op::lh_: s.acc = load(s, at, acc, s.acc, 2, true); break;
        case Op::lhu_: s.acc = load(s, at, acc, s.acc, 2); break;
        case Op::lw_:
        case Op::lwu_: s.acc = load(s, at, acc, s.acc, 4); break;
        case Op::lwx_: s.acc = load(s, at, acc + held[n], s.acc | r[n], 4); break;
        case Op::lwl_: {
            const u32 kept = 3 - (acc & 3), bits = load(s, at, acc & ~3u, s.acc, 4 - kept);
            s.acc = (bits << 8 * kept) | (r[n] & ((1u << 8 * kept) - 1));
            break;
        }
        case Op::lwr_: {
            const u32 left = acc & 3, bits = load(s, at, acc, s.acc, 4 - left);
            s.acc = left == 0 ? bits : bits | (r[n] & (~0u << (32 - 8 * left)));
            break;
        }
        case Op::lwd_: {
            const u32 low = load(s, at, acc, s.acc, 4);
            s.d = low | static_cast<u64>(load(s, at, acc + 4, 0, 4)) << 32;
            break;
        }
        case Op::sb_: store(s, at, held[n], r[n], 1, s.acc); break;
        case Op::sh_: store(s, at, held[n], r[n], 2, s.acc); break;
        case Op::sw_: store(s, at, held[n], r[n], 4, s.acc); break;
        case Op::stb_: store(s, at, acc, s.acc, 1, r[n]); break;
        case Op::sth_: store(s, at, acc, s.acc, 2, r[n]); break;
        case Op::stw_:
        case Op::stu_: store(s, at, acc, s.acc, 4, r[n]); break;
        case Op::stl_: {
            const u32 size = (acc & 3) + 1;
            store(s, at, acc & ~3u, s.acc, size, r[n] >> (32 - 8 * size));
            break;
        }
        case Op::str_: store(s, at, acc, s.acc, 4 - (acc & 3), r[n]); break;
        case Op::std_:
            store(s, at, acc, s.acc, 4, r[n]);
            store(s, at, acc + 4, 0, 4, r[n + 1]);
            break;
        case Op::cas_:
        case Op::amoadd_:
        case Op::amoand_:
        case Op::amoor_:
        case Op::amoxor_:
        case Op::amoswap_: {
            const u32 before = load(s, at, acc, s.acc, 4);
            if (static_cast<Op>(word >> 8) != Op::cas_)
                store(s, at, acc, 0, 4, static_cast<Op>(word >> 8) == Op::amoswap_ ? r[n] : upwards(before | r[n]));
            else store(s, at, acc, 0, 4, before & r[n + 1]);
            s.acc = before;
            break;
        }

        case Op::reserve_: {
            const u32 before = load(s, at, acc, s.acc, 4);
            store(s, at, acc, 0, 4, upwards(before | r[n] | r[n + 1]));
            s.acc = before;
            s.d = (before | r[n] | r[n + 1]) != 0 ? ~u64{0} : 0;
            break;
        }

        case Op::add_:
        case Op::addo_:
        case Op::sub_:
        case Op::subo_:
        case Op::mul_: s.acc = upwards(s.acc | r[n]); break;
        case Op::addi_:
        case Op::neg_: s.acc = upwards(s.acc); break;
        case Op::and_: s.acc = (s.acc & r[n]) | (s.acc & held[n]) | (r[n] & acc); break;
        case Op::andi_: s.acc &= s.constants[at]; break;
        case Op::or_:
        case Op::nor_: s.acc = (s.acc & r[n]) | (s.acc & ~held[n]) | (r[n] & ~acc); break;
        case Op::ori_: s.acc &= ~s.constants[at]; break;
        case Op::xor_: s.acc |= r[n]; break;
        case Op::xori_: break;
        case Op::sll_: s.acc = (r[n] & 31) != 0 ? ~0u : s.acc << (held[n] & 31); break;
        case Op::srl_: s.acc = (r[n] & 31) != 0 ? ~0u : s.acc >> (held[n] & 31); break;
        case Op::sra_: s.acc = (r[n] & 31) != 0 ? ~0u : static_cast<u32>(static_cast<std::int32_t>(s.acc) >> (held[n] & 31)); break;
        case Op::rotr_: s.acc = (r[n] & 31) != 0 ? ~0u : std::rotr(s.acc, static_cast<int>(held[n] & 31)); break;
        case Op::slli_: s.acc <<= n & 31; break;
        case Op::srli_: s.acc >>= n & 31; break;
        case Op::srai_: s.acc = static_cast<u32>(static_cast<std::int32_t>(s.acc) >> (n & 31)); break;
        case Op::rotri_: s.acc = std::rotr(s.acc, static_cast<int>(n & 31)); break;
        case Op::slt_: s.acc = compare(acc, s.acc, held[n], r[n], 0x80000000u); break;
        case Op::sltu_: s.acc = compare(acc, s.acc, held[n], r[n], 0); break;
        case Op::slti_: s.acc = compare(acc, s.acc, s.constants[at], 0, 0x80000000u); break;
        case Op::sltui_: s.acc = compare(acc, s.acc, s.constants[at], 0, 0); break;
        case Op::mulh_:
        case Op::mulhu_:
        case Op::div_:
        case Op::divu_:
        case Op::rem_:
        case Op::remu_:
        case Op::addf_:
        case Op::subf_:
        case Op::mulf_:
        case Op::divf_: s.acc = any(s.acc | r[n]); break;
        case Op::clz_: s.acc = (acc & ~s.acc) > s.acc ? 0 : any(s.acc); break;
        case Op::seb_: s.acc = static_cast<u32>(static_cast<std::int32_t>(s.acc << 24) >> 24); break;
        case Op::seh_: s.acc = static_cast<u32>(static_cast<std::int32_t>(s.acc << 16) >> 16); break;
        case Op::wsbh_: s.acc = ((s.acc & 0x00ff00ffu) << 8) | ((s.acc >> 8) & 0x00ff00ffu); break;
        case Op::sqrtf_:
        case Op::i2f_:
        case Op::u2f_:
        case Op::f2i_:
        case Op::f2in_:
        case Op::f2iu_:
        case Op::f2id_:
        case Op::f2ir_: s.acc = any(s.acc); break;
        case Op::negf_: break;
        case Op::absf_: s.acc &= 0x7fffffffu; break;
        case Op::seqf_:
        case Op::sltf_:
        case Op::slef_:
        case Op::sunf_:
        case Op::seqfs_:
        case Op::sltfs_:
        case Op::slefs_:
        case Op::sunfs_: s.acc = any(s.acc | r[n]) & 1; break;
        case Op::lrd_: s.d = pair(n); break;
        case Op::srd_:
            r[n] = static_cast<u32>(s.d);
            r[n + 1] = static_cast<u32>(s.d >> 32);
            break;
        case Op::addd_:
        case Op::subd_:
        case Op::muld_:
        case Op::divd_:
        case Op::div64_:
        case Op::divu64_:
        case Op::rem64_:
        case Op::remu64_: s.d = any2(s.d | pair(n)); break;
        case Op::sqrtd_: s.d = any2(s.d); break;
        case Op::negd_: break;
        case Op::absd_: s.d &= 0x7fffffffffffffffull; break;
        case Op::seqd_:
        case Op::sltd_:
        case Op::sled_:
        case Op::sund_:
        case Op::seqds_:
        case Op::sltds_:
        case Op::sleds_:
        case Op::sunds_: s.acc = (s.d | pair(n)) != 0; break;
        case Op::i2d_:
        case Op::f2d_: s.d = any2(s.acc); break;
        case Op::d2f_:
        case Op::d2i_:
        case Op::d2in_:
        case Op::d2iu_:
        case Op::d2id_:
        case Op::d2ir_: s.acc = s.d != 0 ? ~0u : 0; break;

        case Op::jf_:
        case Op::jt_:
        case Op::tz_:
        case Op::tnz_:
            if (!decides(acc, s.acc)) undefined_condition(s, at);
            break;
        case Op::j_:
            if (s.acc != 0) undefined_target(s, at);
            if (!s.entered.empty() && s.entered.back().return_address == acc && s.entered.back().sp == held[s.sp]) leaves(s);
            break;
        default: break;  // nothing travels
    }
}

}  // namespace mog::memory
