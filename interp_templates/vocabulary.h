/* vocabulary.h: the words in which the bodies of isa.def are written, in terms of a machine's variables.
 *
 * A machine (interpreter.c, or the reference machine) has in scope:
 *   u32 acc; u64 dacc; u32 pc, ir;   pc is already that of the next instruction while a body runs
 *   u32 fcsr;                        the FPU's control register, in programs that have to do with it
 *   u32 stop, info;                  why the PE stopped (enum mog_stop), 0 while it runs
 *   mem                              pointer to this PE's first word of DATA, lanes MOG_WARP words apart
 *   u32 data_bytes                   size of DATA, a multiple of 8
 *   cpool, code_map                  the program's constants and its code addresses
 * (dialect_cuda.h says how to read what no kernel writes, CONSTANT_AT; elsewhere it is read like all else)
 *   REG(n)                           register n as an lvalue
 * and from the generator: MOG_CPOOL_SHIFT, MOG_CODE_BASE, MOG_CODE_WORDS.
 */
#ifndef MAYBE_UNUSED
#define MAYBE_UNUSED  /* before a declaration: compilers shall not warn */
#endif
#ifndef CONSTANT_AT
#define CONSTANT_AT(array, i) (array)[i]
#endif

#define ACC acc
#define D dacc
#define PC pc
#define FCSR fcsr
#define OPND (ir & 0xffu)
#define R(n) REG(n)
#define R2(n) ((u64)REG(n) | ((u64)REG((n) + 1u) << 32))
#define SETR2(n, v) { REG(n) = (u32)(v); REG((n) + 1u) = (u32)((v) >> 32); }

/* The paper's hashed constant pool: the address of the instruction and its encoding find the constant; the
 * assembler picks the operand byte so that no two constants meet. */
#define MOG_CPOOL_HASH(pc_, ir_) ((pc_) * 0x9e3779b1u + (ir_) * 0x85ebca6bu)
#define IMM CONSTANT_AT(cpool, MOG_CPOOL_HASH(pc, ir) >> MOG_CPOOL_SHIFT)

#define SEXT8(x) ((u32)((i32)((x) << 24) >> 24))
#define SEXT16(x) ((u32)((i32)((x) << 16) >> 16))
#define ROTR(x, n) (((x) >> (n)) | ((x) << ((32u - (n)) & 31u)))

/* A stopped PE carries an instruction word that nobody serves until the pass is over. */
#define TRAP(cause, why) STOP_PE(cause, why)
#define STOP_PE(cause, why) { stop = (u32)(cause); info = (u32)(why); ir = MOG_NO_OP; }

#define JUMP(a) { u32 a_ = (a); u32 t_ = MOG_NO_CODE;                                                     \
    if ((a_ & 3u) == 0u && ((a_ - MOG_CODE_BASE) >> 2) < MOG_CODE_WORDS) t_ = CONSTANT_AT(code_map, (a_ - MOG_CODE_BASE) >> 2); \
    if (t_ == MOG_NO_CODE) TRAP(MOG_STOP_JUMP_RANGE, a_) else pc = t_; }

/* A cause that is enabled, or the one that always is, traps at once. */
#define SET_FCSR(v) { u32 v_ = (v) & MOG_FCSR_BITS; fcsr = v_; if (((v_ >> 7 & 0x1fu) | 0x20u) & (v_ >> 12)) TRAP(MOG_STOP_FPU, v_) }

#define SET_STACK(lvalue, a) { if ((a) < MEM32(4u * MOG_CB_BRK) || (a) - MOG_DATA_BASE > data_bytes) TRAP(MOG_STOP_STACK, (a)) \
    else lvalue = (a); }

/* Offsets into DATA: o is in bytes from MOG_DATA_BASE. Lanes of a warp stand in neighbouring words; of a warp of one PE bytes
 * are neighbours too, which a compiler does not find out by itself. WORD_AT: of a byte offset that is known to be a word's.
 * HALF: through bytes, which compilers join, or through the word: a u16 pointer to u32 data would break the aliasing rules of C and
 * OpenCL C. */
#define WORD(w) mem[(size_t)(w) * MOG_WARP]
#define MEM32(o) WORD((o) >> 2)
#if MOG_WARP == 1
#define MEM8(o) (((DATA_SPACE u8 *)mem)[o])
#define WORD_AT(o) (*(DATA_SPACE u32 *)((DATA_SPACE u8 *)mem + (o)))
#define HALF(o, e) ((u32)MEM8(o) | (u32)MEM8((o) + 1u) << 8)
#else
#define MEM8(o) (((DATA_SPACE u8 *)mem)[(size_t)((o) >> 2) * (4u * MOG_WARP) + ((o) & 3u)])
#define WORD_AT(o) MEM32(o)
#define HALF(o, e) ((WORD((e) >> 1) >> (16u * ((e) & 1u))) & 0xffffu)
#endif

/* An access of 2^s bytes at offset o is good if o is a multiple of its size and less than data_bytes, which is a multiple of 8. One
 * comparison answers both: rotated to the right, o is the number of the element, or too large because of the bits that came
 * in from below. MOG_UNCHECKED leaves the question out: a wild access then goes to other PEs' memory, or the host's.
 * BAD_WORD: a word at any alignment. */
#ifdef MOG_UNCHECKED
#define ELEMENT(o, s) ((o) >> (s))
#define BAD(element, s) 0
#define BAD_WORD(o) 0
#else
#define ELEMENT(o, s) ROTR(o, s)
#define BAD(element, s) ((element) >= data_bytes >> (s))
#define BAD_WORD(o) ((o) >= data_bytes || data_bytes - (o) < 4u)
#endif
#define MEM_TRAP(kind, o, s) TRAP(((o) & ((1u << (s)) - 1u)) ? MOG_STOP_##kind##_ALIGN : MOG_STOP_##kind##_RANGE, (o) + MOG_DATA_BASE)
/* Unless the access is bad: `action`, with o_ and the number e_ of the element. */
#define ACCESS(kind, a, s, action) { u32 o_ = (a) - MOG_DATA_BASE; MAYBE_UNUSED u32 e_ = ELEMENT(o_, s); \
    if (BAD(e_, s)) MEM_TRAP(kind, o_, s) else { action } }

#define LOAD8(dst, a)   ACCESS(LOAD, a, 0u, dst = MEM8(e_);)
#define LOADS8(dst, a)  ACCESS(LOAD, a, 0u, dst = SEXT8((u32)MEM8(e_));)
#define LOAD16(dst, a)  ACCESS(LOAD, a, 1u, dst = HALF(o_, e_);)
#define LOADS16(dst, a) ACCESS(LOAD, a, 1u, dst = SEXT16(HALF(o_, e_));)
#define LOAD32(dst, a)  ACCESS(LOAD, a, 2u, dst = WORD(e_);)
#define LOAD64(dst, a)  ACCESS(LOAD, a, 3u, dst = (u64)WORD(2u * e_) | ((u64)WORD(2u * e_ + 1u) << 32);)
#define STORE8(a, v)    ACCESS(STORE, a, 0u, MEM8(e_) = (u8)(v);)
#define STORE16(a, v)   ACCESS(STORE, a, 1u, u32 v_ = (v); MEM8(o_) = (u8)v_; MEM8(o_ + 1u) = (u8)(v_ >> 8);)
#define STORE32(a, v)   ACCESS(STORE, a, 2u, WORD(e_) = (v);)
#define STORE64(a, v)   ACCESS(STORE, a, 3u, u64 v_ = (v); WORD(2u * e_) = (u32)v_; WORD(2u * e_ + 1u) = (u32)(v_ >> 32);)

/* The unaligned pairs, little-endian: byte k of the word at address a is a & 3. */
#define LOADL(dst, a, old) ACCESS(LOAD, a, 0u, u32 s_ = 24u - 8u * (o_ & 3u); dst = (MEM32(o_) << s_) | ((old) & ((1u << s_) - 1u));)
#define LOADR(dst, a, old) ACCESS(LOAD, a, 0u, u32 s_ = 8u * (o_ & 3u); dst = (MEM32(o_) >> s_) | ((old) & ~(0xffffffffu >> s_));)
#define STOREL(a, v) ACCESS(STORE, a, 0u, u32 v_ = (v); u32 s_ = 24u - 8u * (o_ & 3u); MEM32(o_) = (v_ >> s_) | (MEM32(o_) & ~(0xffffffffu >> s_));)
#define STORER(a, v) ACCESS(STORE, a, 0u, u32 v_ = (v); u32 s_ = 8u * (o_ & 3u); MEM32(o_) = (v_ << s_) | (MEM32(o_) & ((1u << s_) - 1u));)
#define LOADU(dst, a) { u32 o_ = (a) - MOG_DATA_BASE; if (BAD_WORD(o_)) MEM_TRAP(LOAD, o_, 0u) \
    else { u32 s_ = 8u * (o_ & 3u); u32 w_ = MEM32(o_); \
           if (s_) { w_ = (w_ >> s_) | (MEM32(o_ + 4u) << (32u - s_)); } dst = w_; } }
#define STOREU(a, v) { u32 o_ = (a) - MOG_DATA_BASE; u32 v_ = (v); \
    if (BAD_WORD(o_)) MEM_TRAP(STORE, o_, 0u) \
    else { MEM8(o_) = (u8)v_; MEM8(o_ + 1u) = (u8)(v_ >> 8); MEM8(o_ + 2u) = (u8)(v_ >> 16); MEM8(o_ + 3u) = (u8)(v_ >> 24); } }
