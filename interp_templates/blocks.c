/* blocks.c: hot code, compiled.
 *
 * Each function below is a group of basic blocks in straight code: registers in variables, constants and targets in
 * place. The bodies of the instructions are those of the interpreter, in a vocabulary with other surroundings: whatever
 * would stop a PE gives the instruction back to the interpreter, which does it again and knows how to stop. So faults,
 * system calls and slices are exact without code for them here.
 */
#if defined(MOG_ENGINE_BLOCKS) && !defined(MOG_PROFILE)
typedef struct {
    u32 pc, acc;
    u64 dacc;
    u32 fcsr;
    u32 passes;  /* instructions that may still be executed */
    u32 cold;    /* the instruction at pc is for the interpreter, whether it has an entry or not */
    u32 nans;    /* and before, which variables are to have the default NaN, in a group's own numbers */
} MogBlocks;

#define GROUP_PARAMETERS , REGISTERS_PARAMETER, DATA_SPACE u32 *mem, u32 data_bytes, CONSTANT_BUFFER u32 *code_map
#define GROUP_ARGUMENTS , REGISTERS_ARGUMENT, mem, data_bytes, code_map
#define BLOCK_PARAMETERS GROUP_PARAMETERS, CONSTANT_BUFFER u32 *entry_of
#define BLOCK_ARGUMENTS GROUP_ARGUMENTS, entry_of
/* For the host, parts of them may be compiled at the same time, each from this text: the first has the way into them. */
#ifdef MOG_BLOCKS_PART
#undef GROUP_FUNCTION
#define GROUP_FUNCTION extern "C" __attribute__((noinline, visibility("hidden"))) void
#define IN_PART(number) (MOG_BLOCKS_PART == (number))
#else
#define IN_PART(number) 1
#endif
#define GROUP(number) GROUP_FUNCTION mog_group_##number(MogBlocks *s, u32 entry GROUP_PARAMETERS)
#define GROUP_STATE u32 acc = s->acc; u64 dacc = s->dacc; u32 passes = s->passes; u32 pc = s->pc; enum { nans_ = 0 }; GROUP_FCSR (void)dacc; (void)pc; \
    REGISTERS_MAYBE_UNUSED (void)mem; (void)data_bytes; (void)code_map;
#ifdef MOG_FCSR
#define GROUP_FCSR u32 fcsr = s->fcsr;
#define GROUP_FCSR_DONE s->fcsr = fcsr;
#else
#define GROUP_FCSR
#define GROUP_FCSR_DONE
#endif
#define GROUP_DONE s->acc = acc; s->dacc = dacc; s->passes = passes; s->pc = pc; GROUP_FCSR_DONE

/* Who stops leaves the group; on a GPU by way of where the other lanes of its warp meet (convergence.hpp), COLD. */
#ifdef MOG_LANES_MEET
#define GO_COLD { stopped = 1u; goto COLD; }
#else
#define GO_COLD goto cold;
#endif

#define LOW(p) ((u32)(p))
#define HIGH(p) ((u32)((p) >> 32))
#define TWO(low, high) ((u64)(low) | ((u64)(high) << 32))
#define SET_REG(n, v) REG(n) = (v);
#define SET(to, v) to = (v);
#define SET_LOW(p, v) p = ((p) & 0xffffffff00000000ul) | (u64)(v);
#define SET_HIGH(p, v) p = ((p) & 0xfffffffful) | ((u64)(v) << 32);

/* What is counted where says pass_counts.hpp. The block at TEXT index `at` begins only if `needed` instructions are left. */
#define ENTER(at, needed, counted) if (passes < (needed)) { pc = (at); s->nans = nans_; GO_COLD } passes -= (counted);
#define COUNT(n) passes -= (u32)(n);
#define GO(to) goto b##to;
#define LEAVE(to) { pc = to##u; goto leave; }
#define IF_ANY(condition) if (condition)

/* An instruction that may stop the PE knows its TEXT index, at_, how many that were counted, itself included, are left, and nans_,
 * which variables may then have a NaN that is not the default one. */
#undef TRAP
#define TRAP(cause, why) { pc = at_; passes += left_; s->nans = nans_; GO_COLD }
#define JUMP_TO(a, due) { u32 a_ = (a); u32 t_ = MOG_NO_CODE;                                        \
    if ((a_ & 3u) == 0u && ((a_ - MOG_CODE_BASE) >> 2) < MOG_CODE_WORDS) t_ = CONSTANT_AT(code_map, (a_ - MOG_CODE_BASE) >> 2); \
    if (t_ == MOG_NO_CODE) TRAP(0, 0) pc = t_; COUNT(due) goto leave; }

/* Operations on floats leave any NaN where nan_results.hpp says so; these come later. */
#define DEFAULT_NANF(x) SET(x, mog_default_nanf(x))
#define DEFAULT_NAND(x) SET(x, mog_default_nand(x))
#define ACC_LEFT acc
#define D_LEFT dacc

/* The word of an address of code; no such word if the address is misaligned. */
#define KNOWN_ADDRESS(a) ROTR(a, 2u)

/* Several accesses in a window of `bytes` bytes of DATA, aligned to 2^s of them (access_windows.hpp): the one that opens it asks
 * whether it is good, in one comparison as in vocabulary.h, and `a` is `offset` bytes from its beginning. DATA has no
 * fewer bytes than a window. Within, the words of vocabulary.h see a DATA that is no larger; offsets are
 * constants, so the compiler answers their questions. */
#define WINDOW(w) DATA_SPACE u32 *w;
#define OPEN(w, a, offset, bytes, s) { u32 o_ = (a) - (offset) - MOG_DATA_BASE; if (BAD_WINDOW(o_, bytes, s)) TRAP(0, 0) w = &WORD_AT(o_); }
#define WITHIN(w, bytes) DATA_SPACE u32 *mem = w; INSIDE(bytes)
#define INSIDE(bytes) MAYBE_UNUSED const u32 data_bytes = (bytes);
#ifdef MOG_UNCHECKED
#define BAD_WINDOW(o, bytes, s) 0
#else
#define BAD_WINDOW(o, bytes, s) (ROTR(o, s) > (data_bytes >> (s)) - ((bytes) >> (s)))
#endif

/* For the host, compiled blocks and interpreter are compiled at the same time, from the same text. */
#if defined(MOG_ONLY_INTERPRETER) || defined(MOG_ONLY_BLOCKS)
#define BLOCKS_FUNCTION extern "C" __attribute__((visibility("hidden")))
#else
#define BLOCKS_FUNCTION FUNCTION
#endif
#ifdef MOG_ONLY_INTERPRETER
BLOCKS_FUNCTION void mog_run_blocks(MogBlocks *s BLOCK_PARAMETERS);
#else
//@ GROUPS

#if IN_PART(0)
/* From group to group until code comes that has none, or an instruction for the interpreter. */
BLOCKS_FUNCTION void mog_run_blocks(MogBlocks *s BLOCK_PARAMETERS)
{
    s->cold = 0u;
    if (data_bytes < MOG_LEAST_BLOCK_DATA) return;
    do {
        u32 entry = CONSTANT_AT(entry_of, s->pc);
        switch (entry >> 16) {
        default: return;
#define CALL(number) case number##u: mog_group_##number(s, entry & 0xffffu GROUP_ARGUMENTS); break;
//@ CALLS
        }
    } while (s->cold == 0u);
}
#endif
#endif
#undef TRAP
#define TRAP(cause, why) STOP_PE(cause, why)
#endif
