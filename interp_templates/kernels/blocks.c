/* blocks.c: hot code, compiled: the surroundings of compiled blocks that a thread goes through, alone or in a warp.
 *
 * Each function below is a group of basic blocks in straight code: registers in variables, constants and targets in
 * place, an instruction a line. What the words mean is said in form_thread.h and form_warp.h.
 */
#if defined(MOG_ENGINE_BLOCKS) && !defined(MOG_PROFILE)
#define MOG_FIELD(type, name) type name;
typedef struct {
    MOG_BLOCKS_FIELDS(MOG_FIELD)
} MogBlocks;

#define GROUP_PARAMETERS \
    , REGISTERS_PARAMETER, DATA_SPACE u32 *mem, u32 data_bytes, CONSTANT_BUFFER u32 *code_map SPACES_PARAMETER
#define GROUP_ARGUMENTS , REGISTERS_ARGUMENT, mem, data_bytes, code_map SPACES_ARGUMENT
#define BLOCK_PARAMETERS GROUP_PARAMETERS, CONSTANT_BUFFER u32 *entry_of
#define BLOCK_ARGUMENTS GROUP_ARGUMENTS, entry_of
/* Parts of them may be compiled apart, for the host each from this text: the first has the way into them. */
#ifdef MOG_BLOCKS_PART
#undef GROUP_FUNCTION
#define GROUP_FUNCTION PART_FUNCTION __attribute__((noinline)) void
#define IN_PART(number) (MOG_BLOCKS_PART == (number))
#else
#define IN_PART(number) 1
#endif
#define GROUP(number) GROUP_NAMED(number)
#define GROUP_NAMED(number) GROUP_FUNCTION mog_group_##number(MogBlocks *s, u32 entry GROUP_PARAMETERS)
#define GROUP_STATE \
    u32 acc = s->acc; u64 dacc = s->dacc; u32 passes = s->passes; u32 pc = s->pc; enum { nans_ = 0 }; GROUP_FCSR \
    (void)dacc; (void)pc; REGISTERS_MAYBE_UNUSED SPACES_MAYBE_UNUSED (void)mem; (void)data_bytes; (void)code_map; \
    MAYBE_UNUSED u32 read_only_bytes = MOG_READ_ONLY_BYTES;
#ifdef MOG_FCSR
#define GROUP_FCSR u32 fcsr = s->fcsr;
#define GROUP_FCSR_DONE s->fcsr = fcsr;
#else
#define GROUP_FCSR
#define GROUP_FCSR_DONE
#endif
#define GROUP_DONE s->acc = acc; s->dacc = dacc; s->passes = passes; s->pc = pc; GROUP_FCSR_DONE

#define SET_REG(n, v) REG(n) = (v);

/* Compiled blocks and interpreter may be compiled apart, for the host from the same text. */
#if defined(MOG_ONLY_INTERPRETER) || defined(MOG_ONLY_BLOCKS)
#define BLOCKS_FUNCTION PART_FUNCTION
#else
#define BLOCKS_FUNCTION FUNCTION
#endif
#ifdef MOG_ONLY_INTERPRETER
BLOCKS_FUNCTION void mog_run_blocks(MogBlocks *s BLOCK_PARAMETERS);
#else
//@ GROUPS

#if IN_PART(0)
/* What is done where no group is compiled; who compiles may have an own way to native code. */
#ifdef ELSEWHERE
#elif defined(MOG_NATIVE)
extern "C" {
__attribute__((visibility("default"))) struct {
    void (*run)(void *code, MogBlocks *s, u32 *registers, u32 *mem);
    void *code;
} mog_native;
}
#define ELSEWHERE if (entry < MOG_NATIVE_ENTRY) return; mog_native.run(mog_native.code, s, registers, mem); break;
#else
#define ELSEWHERE return;
#endif
/* From group to group until code comes that has none, or an instruction for the interpreter. */
BLOCKS_FUNCTION void mog_run_blocks(MogBlocks *s BLOCK_PARAMETERS)
{
    s->cold = 0u;
    if (data_bytes < MOG_LEAST_BLOCK_DATA) return;
    do {
        u32 entry = CONSTANT_AT(entry_of, s->pc);
        TAKE_TURN(REG(MOG_REG_SP), s->pc)
        switch (entry >> 16) {
        default: ELSEWHERE
#define CALL(number) case number##u: mog_group_##number(s, entry & 0xffffu GROUP_ARGUMENTS); break;
//@ CALLS
        }
        TURN_IS_OVER
    } while (s->cold == 0u);
}
#endif
#endif
#endif
