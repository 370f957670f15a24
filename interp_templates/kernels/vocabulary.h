/* vocabulary.h: the words in which the bodies of isa.def are written, in terms of a machine's variables.
 *
 * A machine (interpreter.c, compiled blocks, or the reference machine) has in scope:
 *   u32 acc; u64 dacc; u32 pc, ir;   pc is already that of the next instruction while a body runs
 *   u32 fcsr;                        the FPU's control register, in programs that have to do with it
 *   u32 stop, info;                  why the PE stopped (enum mog_stop), 0 while it runs
 *   cpool, code_map                  the program's constants and its code addresses
 *   REG(n)                           register n as an lvalue
 *   read_only_bytes                  how many bytes from MOG_READ_ONLY_BASE on may not be written
 * and what its spaces want (space_private.h). From the generator: MOG_CPOOL_SHIFT, MOG_CODE_BASE, MOG_CODE_WORDS,
 * MOG_READ_ONLY_BASE, MOG_READ_ONLY_BYTES.
 * (dialect_cuda.h says how to read what no kernel writes, CONSTANT_AT; elsewhere it is read like all else.)
 *
 * Operands are words too, which stand for something else in each instruction of a program; a row of isa.def has those
 * that its columns call for (operand_words() in isa.cpp):
 *   SRC, SRC2     the value of the register, or of the pair of registers, that the operand names
 *   DST, DST2     that register or pair as a place; PUT(DST, value) and PUT2(DST2, value) set it
 *   IMM, NUMBER   the constant; the number from 0 to 255
 *   SPACE         where an access to memory goes, and
 *   ADDRESS       the address it has there
 *   WAY           statements that go where the instruction jumps
 *   FPU           FPU(place, operation) computes with floats: FPU itself, or ANY_NAN (integer_arithmetic.h)
 * Instructions become macros of these (OP_lw(SPACE, ADDRESS), made from isa.def by the generator), and whoever writes
 * code names the operands. What TRAP, BRANCH and JUMP do is said by the form that the code has: form_interpreter.h,
 * form_thread.h, form_warp.h, form_lanes.h.
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
#define SET(to, v) to = (v);
/* A pair in two variables: two is (low, high). */
#define SET_TWO(two, v) SET(LOW_OF two, LOW(v)) SET(HIGH_OF two, HIGH(v))
#define LOW_OF(low, high) low
#define HIGH_OF(low, high) high

/* The paper's hashed constant pool: the address of the instruction and its encoding find the constant; the
 * assembler picks the operand byte so that no two constants meet. */
#define MOG_CPOOL_HASH(pc_, ir_) ((pc_) * 0x9e3779b1u + (ir_) * 0x85ebca6bu)

#define SEXT8(x) ((u32)((i32)((x) << 24) >> 24))
#define SEXT16(x) ((u32)((i32)((x) << 16) >> 16))
#define ROTR(x, n) (((x) >> (n)) | ((x) << ((32u - (n)) & 31u)))

/* Whether a sum or a difference has overflowed: operands' signs and the result's. */
#define SUM_OVERFLOWS(a, b, sum) (((((a) ^ (sum)) & ((b) ^ (sum))) >> 31) != 0u)
#define DIFFERENCE_OVERFLOWS(a, b, dif) (((((a) ^ (b)) & ((a) ^ (dif))) >> 31) != 0u)
/* MIPS's trap and break instructions say by a number why. */
#define TRAP_CAUSE(number, other) \
    ((number) == 7u ? MOG_STOP_DIVIDE : (number) == 6u ? MOG_STOP_OVERFLOW : (other))
/* The stack pointer becomes `a`, and has met the heap, or left DATA. One that was below the heap's end is that of a
 * thread whose stack the program has allocated by itself. */
#define STACK_MEETS_HEAP(a, old) \
    (((a) < PRIVATE_GET32(MOG_CB_BRK) && (old) >= PRIVATE_GET32(MOG_CB_BRK)) || (a) - PRIVATE_BASE > PRIVATE_BYTES)
#define TRAP_IF(condition, cause, why) if (condition) TRAP(cause, why)
#define LET_OTHERS_RUN TRAP(MOG_STOP_YIELD, 0u)
#define CALL_HOST(number) TRAP(MOG_STOP_SYS, number)

/* The TEXT index of a code address, or MOG_NO_CODE. */
#define FIND_CODE(a, index) { u32 at_code_ = ((a) - MOG_CODE_BASE) >> 2; \
    if (((a) & 3u) == 0u && at_code_ < MOG_CODE_WORDS) index = CONSTANT_AT(code_map, at_code_); }

/* A cause that is enabled, or the one that always is, traps at once. */
#define SET_FCSR(v) { u32 v_ = (v) & MOG_FCSR_BITS; fcsr = v_; \
    TRAP_IF(((v_ >> 7 & 0x1fu) | 0x20u) & (v_ >> 12), MOG_STOP_FPU, v_) }

/* ---- memory: every access is one to a space, whose page (space_private.h) says where its words are ----
 *
 * An access of 2^s bytes at offset o is good if o is a multiple of its size and less than the space's bytes, which are
 * a multiple of 8. One comparison answers both: rotated to the right, o is the number of the element, or too large
 * because of the bits that came in from below. MOG_UNCHECKED leaves the question out: a wild access then goes to other
 * PEs' memory, or the host's. So does an asks_ of 0 in the scope of an access that is known to be good. BAD_WORD: a
 * word at any alignment. */
enum { asks_ = 1 };
#ifdef MOG_UNCHECKED
#define ELEMENT(o, s) ((o) >> (s))
#define BAD(element, s, bytes) 0
#define BAD_WORD(o, bytes) 0
#define READ_ONLY(a) 0
#define READ_ONLY_WORD(a) 0
#else
#define ELEMENT(o, s) ROTR(o, s)
#define BAD(element, s, bytes) (asks_ && (element) >= (bytes) >> (s))
#define BAD_WORD(o, bytes) ((o) >= (bytes) || (bytes) - (o) < 4u)
/* Constants stand in DATA like variables, and begin and end at a multiple of 8: what is not a word at any alignment is
 * among them or not with its first byte. Programs without are told 0 bytes. */
#define READ_ONLY(a) ((a) - MOG_READ_ONLY_BASE < read_only_bytes)
#define READ_ONLY_WORD(a) (read_only_bytes != 0u && (a) - MOG_READ_ONLY_BASE + 3u < read_only_bytes + 3u)
#endif
#define FORBIDDEN_LOAD(what) 0
#define FORBIDDEN_STORE(what) what
#define FORBIDDEN(kind, a) FORBIDDEN_##kind(READ_ONLY(a))
#define FORBIDDEN_WORD(kind, a) FORBIDDEN_##kind(READ_ONLY_WORD(a))
#define MEM_TRAP(kind, a, s) TRAP(((a) & ((1u << (s)) - 1u)) ? MOG_STOP_##kind##_ALIGN : MOG_STOP_##kind##_RANGE, a)
/* Unless the access is bad: action(space, x, y), with the offset o_ and the number e_ of the element. */
#define ACCESS_IN(space, kind, a, s, action, x, y) { u32 o_ = (a) - space##_BASE; \
    MAYBE_UNUSED u32 e_ = ELEMENT(o_, s); \
    if (BAD(e_, s, space##_BYTES) || FORBIDDEN(kind, o_ + space##_BASE)) MEM_TRAP(kind, o_ + space##_BASE, s) \
    else { action(space, x, y) } }
/* The same for a word at any alignment. */
#define ACCESS_WORD_IN(space, kind, a, action, x, y) { u32 o_ = (a) - space##_BASE; \
    if (BAD_WORD(o_, space##_BYTES) || FORBIDDEN_WORD(kind, o_ + space##_BASE)) \
        MEM_TRAP(kind, o_ + space##_BASE, 0u) \
    else { action(space, x, y) } }
/* An access names its space, as most do, or is MAPPED: that, the generator defines where a program has several spaces,
 * and asks for each whether the address is IN_SPACE. */
#define ACCESS(space, kind, a, s, action, x, y) space##_ACCESS(kind, a, s, action, x, y)
#define ACCESS_WORD(space, kind, a, action, x, y) space##_ACCESS_WORD(kind, a, action, x, y)
#define IN_SPACE(space, a) if ((a) - space##_BASE < space##_BYTES)
/* What other spaces than "private" are found by: a kernel's last buffer, if the program has any. */
#ifndef SPACES_PARAMETER
#define SPACES_PARAMETER
#define SPACES_ARGUMENT
#define SPACES_MAYBE_UNUSED
#endif

#define LOAD8(space, dst, a)       ACCESS(space, LOAD, a, 0u, DO_LOAD8, dst, 0)
#define LOADS8(space, dst, a)      ACCESS(space, LOAD, a, 0u, DO_LOADS8, dst, 0)
#define LOAD16(space, dst, a)      ACCESS(space, LOAD, a, 1u, DO_LOAD16, dst, 0)
#define LOADS16(space, dst, a)     ACCESS(space, LOAD, a, 1u, DO_LOADS16, dst, 0)
#define LOAD32(space, dst, a)      ACCESS(space, LOAD, a, 2u, DO_LOAD32, dst, 0)
#define LOAD64(space, dst, a)      ACCESS(space, LOAD, a, 3u, DO_LOAD64, dst, 0)
#define LOADL(space, dst, a, old)  ACCESS(space, LOAD, a, 0u, DO_LOADL, dst, old)
#define LOADR(space, dst, a, old)  ACCESS(space, LOAD, a, 0u, DO_LOADR, dst, old)
#define LOADU(space, dst, a)       ACCESS_WORD(space, LOAD, a, DO_LOADU, dst, 0)
#define STORE8(space, a, v)        ACCESS(space, STORE, a, 0u, DO_STORE8, v, 0)
#define STORE16(space, a, v)       ACCESS(space, STORE, a, 1u, DO_STORE16, v, 0)
#define STORE32(space, a, v)       ACCESS(space, STORE, a, 2u, DO_STORE32, v, 0)
#define STORE64(space, a, v)       ACCESS(space, STORE, a, 3u, DO_STORE64, v, 0)
#define CAS32(space, dst, a, pair) ACCESS(space, STORE, a, 2u, DO_CAS32, dst, pair)
#define AMO32(space, dst, a, v, how) ACCESS(space, STORE, a, 2u, DO_AMO_##how, dst, v)
#define STOREL(space, a, v)        ACCESS(space, STORE, a, 0u, DO_STOREL, v, 0)
#define STORER(space, a, v)        ACCESS(space, STORE, a, 0u, DO_STORER, v, 0)
#define STOREU(space, a, v)        ACCESS_WORD(space, STORE, a, DO_STOREU, v, 0)

#define DO_LOAD8(space, dst, y)   dst = space##_GET8(e_);
#define DO_LOADS8(space, dst, y)  dst = SEXT8((u32)space##_GET8(e_));
#define DO_LOAD16(space, dst, y)  dst = space##_GET16(o_, e_);
#define DO_LOADS16(space, dst, y) dst = SEXT16(space##_GET16(o_, e_));
#define DO_LOAD32(space, dst, y)  dst = space##_GET32(e_);
#define DO_LOAD64(space, dst, y)  dst = (u64)space##_GET32(2u * e_) | ((u64)space##_GET32(2u * e_ + 1u) << 32);
#define DO_STORE8(space, v, y)    space##_PUT8(e_, v)
#define DO_STORE16(space, v, y)   u32 v_ = (v); space##_PUT16(o_, e_, v_)
#define DO_STORE32(space, v, y)   space##_PUT32(e_, v)
#define DO_STORE64(space, v, y)   u64 v_ = (v); \
    space##_PUT32(2u * e_, (u32)v_) space##_PUT32(2u * e_ + 1u, (u32)(v_ >> 32))
#define DO_CAS32(space, dst, pair) u64 v_ = (pair); \
    FENCED(dst = COMPARE_AND_SWAP(&space##_WORD(e_), (u32)v_, (u32)(v_ >> 32));)
#define DO_AMO_ADD(space, dst, v)  FENCED(dst = FETCH_ADD(&space##_WORD(e_), v);)
#define DO_AMO_AND(space, dst, v)  FENCED(dst = FETCH_AND(&space##_WORD(e_), v);)
#define DO_AMO_OR(space, dst, v)   FENCED(dst = FETCH_OR(&space##_WORD(e_), v);)
#define DO_AMO_XOR(space, dst, v)  FENCED(dst = FETCH_XOR(&space##_WORD(e_), v);)
#define DO_AMO_SWAP(space, dst, v) FENCED(dst = EXCHANGE(&space##_WORD(e_), v);)

/* What NAME_PUT_PART does in a space whose words others write too: no byte beside those of `mask` is touched. */
#define PUT_BYTES(space, w, v, mask) { u32 part_; for (part_ = 0u; part_ < 4u; part_++) \
    if (((mask) >> (8u * part_) & 0xffu) != 0u) space##_BYTE(4u * (w) + part_) = (u8)((v) >> (8u * part_)); }

/* The unaligned pairs, little-endian: byte k of the word at address a is a & 3. */
#define DO_LOADL(space, dst, old) u32 s_ = 24u - 8u * (o_ & 3u); \
    dst = (space##_GET32(o_ >> 2) << s_) | ((old) & ((1u << s_) - 1u));
#define DO_LOADR(space, dst, old) u32 s_ = 8u * (o_ & 3u); \
    dst = (space##_GET32(o_ >> 2) >> s_) | ((old) & ~(0xffffffffu >> s_));
#define DO_STOREL(space, v, y) u32 v_ = (v); u32 s_ = 24u - 8u * (o_ & 3u); \
    space##_PUT_PART(o_ >> 2, v_ >> s_, 0xffffffffu >> s_)
#define DO_STORER(space, v, y) u32 v_ = (v); u32 s_ = 8u * (o_ & 3u); \
    space##_PUT_PART(o_ >> 2, v_ << s_, ~((1u << s_) - 1u))
#define DO_LOADU(space, dst, y) u32 s_ = 8u * (o_ & 3u); u32 w_ = space##_GET32(o_ >> 2); \
    if (s_) { w_ = (w_ >> s_) | (space##_GET32((o_ + 4u) >> 2) << (32u - s_)); } dst = w_;
#define DO_STOREU(space, v, y) u32 v_ = (v); \
    space##_PUT8(o_, v_) space##_PUT8(o_ + 1u, v_ >> 8) space##_PUT8(o_ + 2u, v_ >> 16) space##_PUT8(o_ + 3u, v_ >> 24)
