/* vocabulary.h: the words in which the bodies of isa.def are written, in terms of a machine's variables.
 *
 * A machine (interpreter.c, or the reference machine) has in scope:
 *   u32 acc; u64 dacc; u32 pc, ir;   pc is already that of the next instruction while a body runs
 *   u32 stop, info;                  why the PE stopped (enum mog_stop), 0 while it runs
 *   mem                              pointer to this PE's first word of DATA, lanes MOG_WARP words apart
 *   u32 data_bytes                   size of DATA, a multiple of 8
 *   cpool, code_map                  the program's constants and its code addresses
 *   REG(n)                           register n as an lvalue
 * and from the generator: MOG_CPOOL_SHIFT, MOG_CODE_BASE, MOG_CODE_WORDS.
 */
#define ACC acc
#define D dacc
#define PC pc
#define OPND (ir & 0xffu)
#define R(n) REG(n)
#define R2(n) ((u64)REG(n) | ((u64)REG((n) + 1u) << 32))
#define SETR2(n, v) { REG(n) = (u32)(v); REG((n) + 1u) = (u32)((v) >> 32); }

/* The paper's hashed constant pool: the address of the instruction and its encoding find the constant; the
 * assembler picks the operand byte so that no two constants meet. */
#define MOG_CPOOL_HASH(pc_, ir_) ((pc_) * 0x9e3779b1u + (ir_) * 0x85ebca6bu)
#define IMM cpool[MOG_CPOOL_HASH(pc, ir) >> MOG_CPOOL_SHIFT]

#define SEXT8(x) ((u32)((i32)((x) << 24) >> 24))
#define SEXT16(x) ((u32)((i32)((x) << 16) >> 16))
#define ROTR(x, n) (((x) >> (n)) | ((x) << ((32u - (n)) & 31u)))

/* A stopped PE carries an instruction word that nobody serves until the pass is over. */
#define TRAP(cause, why) { stop = (u32)(cause); info = (u32)(why); ir = MOG_NO_OP; }

#define JUMP(a) { u32 a_ = (a); u32 t_ = MOG_NO_CODE;                                                     \
    if ((a_ & 3u) == 0u && ((a_ - MOG_CODE_BASE) >> 2) < MOG_CODE_WORDS) t_ = code_map[(a_ - MOG_CODE_BASE) >> 2]; \
    if (t_ == MOG_NO_CODE) TRAP(MOG_STOP_JUMP_RANGE, a_) else pc = t_; }

#define SET_STACK(lvalue, a) { if ((a) < MEM32(4u * MOG_CB_BRK) || (a) - MOG_DATA_BASE > data_bytes) TRAP(MOG_STOP_STACK, (a)) \
    else lvalue = (a); }

/* Offsets into DATA: o is in bytes from MOG_DATA_BASE. Lanes of a warp stand in neighbouring words. */
#define MEM32(o) mem[(size_t)((o) >> 2) * MOG_WARP]
#define MEM8(o) (((DATA_SPACE u8 *)mem)[(size_t)((o) >> 2) * (4u * MOG_WARP) + ((o) & 3u)])
/* Halves through words and bytes: a u16 pointer to u32 data would break the aliasing rules of C and OpenCL C. */
#define MEM16(o) ((MEM32(o) >> (8u * ((o) & 2u))) & 0xffffu)

/* Out of DATA, or misaligned (mask). The size is a multiple of 8, so an aligned address inside has room. */
#define BAD(o, mask) ((o) >= data_bytes || ((o) & (mask)))
#define MEM_TRAP(kind, o, mask) TRAP(((o) & (mask)) ? MOG_STOP_##kind##_ALIGN : MOG_STOP_##kind##_RANGE, (o) + MOG_DATA_BASE)
#define LOAD8(dst, a)  { u32 o_ = (a) - MOG_DATA_BASE; if (BAD(o_, 0u)) MEM_TRAP(LOAD, o_, 0u) else dst = MEM8(o_); }
#define LOAD16(dst, a) { u32 o_ = (a) - MOG_DATA_BASE; if (BAD(o_, 1u)) MEM_TRAP(LOAD, o_, 1u) else dst = MEM16(o_); }
#define LOADS8(dst, a)  { u32 o_ = (a) - MOG_DATA_BASE; if (BAD(o_, 0u)) MEM_TRAP(LOAD, o_, 0u) else dst = SEXT8((u32)MEM8(o_)); }
#define LOADS16(dst, a) { u32 o_ = (a) - MOG_DATA_BASE; if (BAD(o_, 1u)) MEM_TRAP(LOAD, o_, 1u) else dst = SEXT16(MEM16(o_)); }
#define LOAD32(dst, a) { u32 o_ = (a) - MOG_DATA_BASE; if (BAD(o_, 3u)) MEM_TRAP(LOAD, o_, 3u) else dst = MEM32(o_); }
#define LOAD64(dst, a) { u32 o_ = (a) - MOG_DATA_BASE; if (BAD(o_, 7u)) MEM_TRAP(LOAD, o_, 7u) \
    else dst = (u64)MEM32(o_) | ((u64)MEM32(o_ + 4u) << 32); }
#define STORE8(a, v)  { u32 o_ = (a) - MOG_DATA_BASE; if (BAD(o_, 0u)) MEM_TRAP(STORE, o_, 0u) else MEM8(o_) = (u8)(v); }
#define STORE16(a, v) { u32 o_ = (a) - MOG_DATA_BASE; if (BAD(o_, 1u)) MEM_TRAP(STORE, o_, 1u) else { u32 v_ = (v); MEM8(o_) = (u8)v_; MEM8(o_ + 1u) = (u8)(v_ >> 8); } }
#define STORE32(a, v) { u32 o_ = (a) - MOG_DATA_BASE; if (BAD(o_, 3u)) MEM_TRAP(STORE, o_, 3u) else MEM32(o_) = (v); }
#define STORE64(a, v) { u32 o_ = (a) - MOG_DATA_BASE; if (BAD(o_, 7u)) MEM_TRAP(STORE, o_, 7u) \
    else { u64 v_ = (v); MEM32(o_) = (u32)v_; MEM32(o_ + 4u) = (u32)(v_ >> 32); } }

/* The unaligned pairs, little-endian: byte k of the word at address a is a & 3. */
#define LOADL(dst, a, old) { u32 o_ = (a) - MOG_DATA_BASE; u32 old_ = (old); if (BAD(o_, 0u)) MEM_TRAP(LOAD, o_, 0u) \
    else { u32 s_ = 24u - 8u * (o_ & 3u); dst = (MEM32(o_) << s_) | (old_ & ((1u << s_) - 1u)); } }
#define LOADR(dst, a, old) { u32 o_ = (a) - MOG_DATA_BASE; u32 old_ = (old); if (BAD(o_, 0u)) MEM_TRAP(LOAD, o_, 0u) \
    else { u32 s_ = 8u * (o_ & 3u); dst = (MEM32(o_) >> s_) | (old_ & ~(0xffffffffu >> s_)); } }
#define STOREL(a, v) { u32 o_ = (a) - MOG_DATA_BASE; u32 v_ = (v); if (BAD(o_, 0u)) MEM_TRAP(STORE, o_, 0u) \
    else { u32 s_ = 24u - 8u * (o_ & 3u); MEM32(o_) = (v_ >> s_) | (MEM32(o_) & ~(0xffffffffu >> s_)); } }
#define STORER(a, v) { u32 o_ = (a) - MOG_DATA_BASE; u32 v_ = (v); if (BAD(o_, 0u)) MEM_TRAP(STORE, o_, 0u) \
    else { u32 s_ = 8u * (o_ & 3u); MEM32(o_) = (v_ << s_) | (MEM32(o_) & ((1u << s_) - 1u)); } }
#define LOADU(dst, a) { u32 o_ = (a) - MOG_DATA_BASE; if (o_ >= data_bytes || data_bytes - o_ < 4u) MEM_TRAP(LOAD, o_, 0u) \
    else { u32 s_ = 8u * (o_ & 3u); u32 w_ = MEM32(o_); \
           if (s_) { w_ = (w_ >> s_) | (MEM32(o_ + 4u) << (32u - s_)); } dst = w_; } }
#define STOREU(a, v) { u32 o_ = (a) - MOG_DATA_BASE; u32 v_ = (v); \
    if (o_ >= data_bytes || data_bytes - o_ < 4u) MEM_TRAP(STORE, o_, 0u) \
    else { MEM8(o_) = (u8)v_; MEM8(o_ + 1u) = (u8)(v_ >> 8); MEM8(o_ + 2u) = (u8)(v_ >> 16); MEM8(o_ + 3u) = (u8)(v_ >> 24); } }
