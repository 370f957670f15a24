/* form_thread.h: compiled blocks of one PE that goes through the code by itself. The words of isa.def's bodies, and
 * those between instructions; blocks.c has the surroundings.
 *
 * The bodies are those of the interpreter. Whatever would stop the PE gives the instruction back to the interpreter,
 * which does it again and knows how to stop. So faults, system calls and slices are exact without code for them here.
 * */
#define LOW(p) ((u32)(p))
#define HIGH(p) ((u32)((p) >> 32))
#define TWO(low, high) ((u64)(low) | ((u64)(high) << 32))
#define SET_LOW(p, v) p = ((p) & 0xffffffff00000000ul) | (u64)(v);
#define SET_HIGH(p, v) p = ((p) & 0xfffffffful) | ((u64)(v) << 32);

/* An instruction that may stop the PE: its TEXT index, and how many that were counted, itself included, are left; and
 * which variables may then have a NaN that is not the default one, if any. */
#define STOPS(at, left) enum { at_ = at, left_ = left };
#define STOPS_WITH_NANS(at, left, nans) enum { at_ = at, left_ = left, nans_ = nans };
#undef TRAP
#define TRAP(cause, why) { pc = at_; passes += left_; s->nans = nans_; GO_COLD }
#define GO_COLD goto cold;

#undef BRANCH
#undef JUMP
#define BRANCH(condition, way) if (condition) { way }
#define JUMP(a, way) { u32 a_ = (a); u32 t_ = MOG_NO_CODE; FIND_CODE(a_, t_) \
    if (t_ == MOG_NO_CODE) TRAP(0, 0) pc = t_; way }
/* Ways: to a block of the group, by its first TEXT index; to code that is not of it; to wherever JUMP found. */
#define GO(to) goto b##to;
#define PLACE_OF(to) to##u
#define LEAVE(to) { pc = PLACE_OF(to); goto leave; }
#define LEAVE_ANYWHERE goto leave;
/* The word of an address of code; no such word if the address is misaligned. */
#define KNOWN_ADDRESS(a) ROTR(a, 2u)

/* From group to group a thread goes by itself. */
#define TAKE_TURN(stack, place)
#define TURN_IS_OVER

/* What is counted where says pass_counts.hpp. The block at TEXT index `at` begins only if `needed` instructions are
 * left. */
#define ENTER(at, needed, counted) \
    if (passes < (needed)) { pc = (at); s->nans = nans_; GO_COLD } passes -= (counted);
#define ENTER_WITH_NANS(at, needed, counted, nans) { enum { nans_ = nans }; ENTER(at, needed, counted) }
#define COUNT(n) passes -= (u32)(n);

/* Operations on floats leave any NaN where nan_results.hpp says so; these come later. */
#define DEFAULT_NANF(x) SET(x, mog_default_nanf(x))
#define DEFAULT_NAND(x) SET(x, mog_default_nand(x))

/* Several accesses in a window of `bytes` bytes of DATA, aligned to 2^s of them (check_coalescing.hpp): the one that
 * opens it asks whether it is good, in one comparison as in vocabulary.h, and `a` is `offset` bytes from its beginning.
 * DATA has no fewer bytes than a window. WITHIN a window the space "private" is no larger, nor is it INSIDE the
 * program's own data; AT gives the address there, a constant, so the compiler answers the accesses' questions. */
#define WINDOW(w) WINDOW_PLACE w;
#define OPEN(w, a, offset, bytes, s) { u32 o_ = (a) - (offset) - PRIVATE_BASE; \
    TRAP_IF(BAD_WINDOW(o_, bytes, s), 0, 0) w = WINDOW_AT(o_); }
/* Where some of them store: nothing in it may be read only. */
#define OPEN_TO_STORE(w, a, offset, bytes, s) { u32 o_ = (a) - (offset) - PRIVATE_BASE; \
    TRAP_IF(BAD_WINDOW(o_, bytes, s) || READ_ONLY_WINDOW(o_, bytes), 0, 0) w = WINDOW_AT(o_); }
#define WITHIN(w, bytes) IN_WINDOW(w) INSIDE(bytes)
#define INSIDE(bytes) MAYBE_UNUSED const u32 data_bytes = (bytes); CAN_BE_WRITTEN
/* A store that goes to nothing that is read only. (No constant: nvcc would say that nothing is less than 0.) */
#define CAN_BE_WRITTEN MAYBE_UNUSED u32 read_only_bytes = 0u;
/* An access to the space "private" that is known to be good. */
#define UNASKED enum { asks_ = 0 }; CAN_BE_WRITTEN
#define AT(offset) (PRIVATE_BASE + (offset))
#ifdef MOG_UNCHECKED
#define BAD_WINDOW(o, bytes, s) 0
#define READ_ONLY_WINDOW(o, bytes) 0
#else
#define BAD_WINDOW(o, bytes, s) (ROTR(o, s) > (data_bytes >> (s)) - ((bytes) >> (s)))
#define READ_ONLY_WINDOW(o, bytes) (read_only_bytes != 0u && \
    (o) + PRIVATE_BASE - MOG_READ_ONLY_BASE + (bytes) - 1u < read_only_bytes + (bytes) - 1u)
#endif
