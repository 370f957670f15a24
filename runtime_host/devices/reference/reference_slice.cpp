// reference_slice.cpp: the bodies of isa.def as the cases of one switch. They are the same tokens that generated
// interpreters print. Compiled once for each arithmetic: MOG_REFERENCE names the function, float_modes.h says what else
// is defined.
//
// The vocabulary's macros have names like D and PC, so everything else is included before it, and nothing after.
#include "runtime_host/devices/reference/reference_machine.hpp"
#include "runtime_host/memory/shadow.hpp"
#include "runtime_host/races/race_checker.hpp"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace mog::reference {
namespace {
#include "interp_templates/launch_abi.h"
#define MOG_F64
#define MOG_WARP 1u
#include "interp_templates/arithmetic/float_modes.h"
// Each stands on the one before.
// clang-format off
#include "interp_templates/dialects/dialect_host.h"
#include "interp_templates/arithmetic/soft_float.h"
#include "interp_templates/arithmetic/pair_float.h"
#include "interp_templates/kernels/vocabulary.h"
#include "interp_templates/kernels/reserve.h"
#include "interp_templates/kernels/space_private.h"
#include "interp_templates/kernels/form_interpreter.h"
#include "interp_templates/kernels/form_every_instruction.h"
#include "interp_templates/arithmetic/integer_arithmetic.h"
#include "interp_templates/arithmetic/float_arithmetic.h"
#include "interp_templates/arithmetic/double_arithmetic.h"
// clang-format on
#undef REG
#define REG(n) registers[n]
#define MOG_CPOOL_SHIFT program.cpool_shift
#define MOG_CODE_BASE program.code_base
#define MOG_CODE_WORDS program.code_words
#define MOG_READ_ONLY_BASE program.read_only.begin

// A program's spaces besides "private" are flat here, one behind the other in a buffer: that which an address is in.
#define FLAT_BASE flat->base
#define FLAT_BYTES flat->bytes
#define FLAT_BYTE(o) reinterpret_cast<volatile u8 *>(flat->words)[o]
#define FLAT_HALF(e) reinterpret_cast<volatile u16 *>(flat->words)[e]
#define FLAT_GET8(o) FLAT_BYTE(o)
#define FLAT_GET16(o, e) FLAT_HALF(e)
#define FLAT_WORD(w) flat->words[w]
#define FLAT_GET32(w) reinterpret_cast<volatile u32 *>(flat->words)[w]
#define FLAT_PUT8(o, v) FLAT_BYTE(o) = (u8)(v);
#define FLAT_PUT16(o, e, v) FLAT_HALF(e) = (u16)(v);
#define FLAT_PUT32(w, v) reinterpret_cast<volatile u32 *>(flat->words)[w] = (v);
#define FLAT_PUT_PART(w, v, mask) PUT_BYTES(FLAT, w, v, mask)
#define IS_LOAD false
#define IS_STORE true
#define MAPPED_ACCESS(kind, a, s, action, x, y)                                                  \
    {                                                                                            \
        const u32 in_ = (a);                                                                     \
        const FlatSpace *flat = space_of(program, in_, IS_##kind);                               \
        if (flat) ACCESS_IN(FLAT, kind, in_, s, action, x, y)                                    \
        else ACCESS_IN(PRIVATE, kind, in_, s, action, x, y)                                      \
        if constexpr (Checking)                                                                  \
            if (!(flat && flat->is_read_only) && stop == 0u) TELL_##action(kind, in_, 1u << (s)) \
    }
#define MAPPED_ACCESS_WORD(kind, a, action, x, y)                                         \
    {                                                                                     \
        const u32 in_ = (a);                                                              \
        const FlatSpace *flat = space_of(program, in_, IS_##kind);                        \
        if (flat) ACCESS_WORD_IN(FLAT, kind, in_, action, x, y)                           \
        else ACCESS_WORD_IN(PRIVATE, kind, in_, action, x, y)                             \
        if constexpr (Checking)                                                           \
            if (!(flat && flat->is_read_only) && stop == 0u) TELL_##action(kind, in_, 4u) \
    }

// --check-races: which bytes an access was to, by what it did. Of parts of words: the low bytes up to an address, or the high ones from it.
#define TELL(kind, from, bytes) TELL_##kind(from, bytes)
#define TELL_LOAD(from, bytes) pe.races->load(pe.number, from, bytes, at, REG(program.ra));
#define TELL_STORE(from, bytes) pe.races->store(pe.number, from, bytes, at, REG(program.ra));
#define TELL_DO_LOAD8 TELL
#define TELL_DO_LOADS8 TELL
#define TELL_DO_LOAD16 TELL
#define TELL_DO_LOADS16 TELL
#define TELL_DO_LOAD32 TELL
#define TELL_DO_LOAD64 TELL
#define TELL_DO_LOADU TELL
#define TELL_DO_STORE8 TELL
#define TELL_DO_STORE16 TELL
#define TELL_DO_STORE32 TELL
#define TELL_DO_STORE64 TELL
#define TELL_DO_STOREU TELL
#define TELL_DO_LOADL(kind, a, size) TELL(kind, (a) & ~3u, ((a)&3u) + 1u)
#define TELL_DO_LOADR(kind, a, size) TELL(kind, a, 4u - ((a)&3u))
#define TELL_DO_STOREL(kind, a, size) TELL(kind, (a) & ~3u, ((a)&3u) + 1u)
#define TELL_DO_STORER(kind, a, size) TELL(kind, a, 4u - ((a)&3u))
// The values are those of the registers, and ACC, which has replaced the address, is what was there.
#define TELL_IN_ONE_STEP(a, is_stored, changed_bits) pe.races->in_one_step(pe.number, a, is_stored, changed_bits, at, REG(program.ra));
#define TELL_DO_CAS32(kind, a, size) \
    TELL_IN_ONE_STEP(a, acc == registers[word & 0xffu], registers[word & 0xffu] ^ registers[(word & 0xffu) + 1u])
#define TELL_DO_RESERVE(kind, a, size) TELL_IN_ONE_STEP(a, HAS_ROOM(acc, registers[word & 0xffu], registers[(word & 0xffu) + 1u]), ~0u)
#define TELL_DO_AMO_ADD(kind, a, size) TELL_IN_ONE_STEP(a, true, ~0u)
#define TELL_DO_AMO_AND(kind, a, size) TELL_IN_ONE_STEP(a, true, ~registers[word & 0xffu])
#define TELL_DO_AMO_OR(kind, a, size) TELL_IN_ONE_STEP(a, true, registers[word & 0xffu])
#define TELL_DO_AMO_XOR(kind, a, size) TELL_IN_ONE_STEP(a, true, registers[word & 0xffu])
#define TELL_DO_AMO_SWAP(kind, a, size) TELL_IN_ONE_STEP(a, true, ~0u)
// A stack pointer that meets the heap is a trap with the new one; of a thread, whose stack has nothing below it that would stop it, each
// new one is looked at here. The old one is the operand.
#undef TRAP_IF
#define TRAP_IF(condition, cause, why) \
    if ((condition) || ((cause) == MOG_STOP_STACK && leaves_stack<Checking>(pe, REG(OPND), why))) TRAP(cause, why)
#undef FENCE
#define FENCE                                \
    __atomic_thread_fence(__ATOMIC_SEQ_CST); \
    if constexpr (Checking) pe.races->fence(pe.number);
#undef ACQUIRE
#define ACQUIRE FENCE

/// The space that has this address, if the access may be; null: private memory, or none.
inline const FlatSpace *space_of(const Program &program, u32 address, bool stores) {
    for (u32 i = 0u; i < program.spaces; i++)
        if (address - program.flat[i].base < program.flat[i].bytes && !(stores && program.flat[i].is_read_only)) return &program.flat[i];
    return nullptr;
}

#define SPACE MAPPED

template <bool Checking>
bool leaves_stack([[maybe_unused]] const Pe &pe, [[maybe_unused]] u32 from, [[maybe_unused]] u32 to) {
    if constexpr (Checking) return pe.races->leaves_stack(pe.number, from, to);
    else return false;
}

/// Opcodes by their names, here where the vocabulary has made words like D its own.
enum : u32 {
#define MOG_OP(name, code, operand, access, reads, writes, cost, body, manual) name##_opcode = code,
#include "interp_templates/isa.def"
};

/// Counts the slots that a PE tries for the instruction at `at`, which went on to `pc`: none if it is a part of a
/// superinstruction that the PE is in.
void follow(const Sequence &sequence, Place &place, u64 *attempts, u32 at, u32 opcode, u32 pc) {
    if (place.inside == 0u) {
        const u32 served = sequence.text[at] >> 8;
        const u32 distance = sequence.distance[place.slot * 256u + served];
        *attempts += distance;
        place.slot = (place.slot + distance) % sequence.slots;
        place.inside = sequence.parts[served];
    }
    place.inside--;
    // A conditional jump that is taken leaves it.
    if ((opcode == jf_opcode || opcode == jt_opcode) && pc != at + 1u) place.inside = 0u;
}

template <bool Watching, bool Checking, bool Shadowing = false>
bool run_slice(const Program &program, const Pe &pe, u32 passes, u32 *q, u64 *retired, Watcher *watcher, [[maybe_unused]] Counts *counts) {
    const u16 *text = program.text;
    const u32 *cpool = program.cpool;
    const u32 *code_map = program.code_map;
    u32 *mem = pe.mem;
    u32 *state = pe.state;
    u32 *registers = state + MOG_S_REGS;
    u32 data_bytes = 4u * pe.data_words;
    const u32 read_only_bytes = program.read_only.bytes();
    u32 pc = state[MOG_S_PC];
    u32 acc = state[MOG_S_ACC];
    u64 dacc = (u64)state[MOG_S_DLO] | ((u64)state[MOG_S_DHI] << 32);
    u32 fcsr = state[MOG_S_FCSR];
    u64 executed = 0u;
    u64 done = 0u;
    u32 stop = 0u;
    u32 info = 0u;
    u32 ir = text[pc++];
    do {
        const u32 at = pc - 1u;
        [[maybe_unused]] const u32 word = ir;
        if constexpr (Shadowing) memory::step(*pe.shadow, at, (u16)word, acc);
        switch (ir >> 8) {
#define MOG_OP(name, code, operand, access, reads, writes, cost, body, manual) \
    case code: {                                                               \
        [[maybe_unused]] const u32 address_ = ADDRESS_##access;                \
        body                                                                   \
    } break;
#include "interp_templates/isa.def"
            default: TRAP(MOG_STOP_BAD_OPCODE, ir >> 8)
        }
        if (stop < MOG_STOP_FIRST_FAULT) {
            executed++;
            if constexpr (Watching) {
                done += program.retires[at];
                if (pe.sequence) follow(*pe.sequence, *pe.place, pe.attempts, at, word >> 8, pc);
                if (watcher) watcher->executed(at, (u16)word, acc, dacc);
                if (counts) {
                    counts->executed[at]++;
                    if (pc != at + 1u && stop == 0u) counts->taken[at]++;
                    if (word >> 8 == j_opcode && stop == 0u) counts->jumps[(u64)at << 32 | pc]++;
                }
            }
        }
        if (stop != 0u) break;
        ir = text[pc++];
    } while (--passes != 0u);

    if (stop == 0u || stop >= MOG_STOP_FIRST_FAULT) pc--;
    u64 total = (u64)state[MOG_S_COUNT_LO] | ((u64)state[MOG_S_COUNT_HI] << 32);
    total += executed;
    state[MOG_S_COUNT_LO] = (u32)total;
    state[MOG_S_COUNT_HI] = (u32)(total >> 32);
    state[MOG_S_PC] = pc;
    state[MOG_S_ACC] = acc;
    state[MOG_S_DLO] = (u32)dacc;
    state[MOG_S_DHI] = (u32)(dacc >> 32);
    state[MOG_S_FCSR] = fcsr;
    if (retired) *retired += done;
    if (stop == 0u) return false;

    u32 sp = REG(program.sp);
    u32 o = sp - MOG_DATA_BASE;
    q[MOG_Q_PE] = pe.number;
    q[MOG_Q_STOP] = stop;
    q[MOG_Q_PC] = pc;
    q[MOG_Q_INFO] = info;
    q[MOG_Q_SP] = sp;
    q[MOG_Q_RA] = REG(program.ra);
    q[MOG_Q_LEFT] = passes - 1u;
    q[MOG_Q_NUMBER] = REG(program.v0);
    q[MOG_Q_ARG] = REG(program.a0);
    q[MOG_Q_ARG + 1u] = REG(program.a1);
    q[MOG_Q_ARG + 2u] = REG(program.a2);
    q[MOG_Q_ARG + 3u] = REG(program.a3);
    for (u32 k = 4u; k < 8u; k++)
        q[MOG_Q_ARG + k] = (o & 3u) == 0u && o < data_bytes && data_bytes - o >= 32u ? PRIVATE_GET32((o >> 2) + k) : 0u;
    return true;
}

}  // namespace

bool MOG_REFERENCE(const Program &program, const Pe &pe, std::uint32_t passes, std::uint32_t *request, std::uint64_t *retired,
                   Watcher *watcher, Counts *counts) {
    if (pe.shadow) return run_slice<true, false, true>(program, pe, passes, request, retired, watcher, counts);
    if (pe.races) return run_slice<true, true>(program, pe, passes, request, retired, watcher, counts);
    if (retired || watcher || counts || pe.sequence) return run_slice<true, false>(program, pe, passes, request, retired, watcher, counts);
    return run_slice<false, false>(program, pe, passes, request, retired, watcher, counts);
}

}  // namespace mog::reference
