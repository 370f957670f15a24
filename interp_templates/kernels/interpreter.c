/* interpreter.c: the skeleton of every generated interpreter.
 *
 * Three kernels. mog_init gives each PE its memory and its registers; mog_run runs the listed PEs for one slice;
 * mog_transfer copies between DATA (or state) and staging memory, for the host's system calls. With MOG_HOST_MEMORY
 * there is mog_run alone. Each is called over `count` work-items, rounded up: the surplus ones return at once. mog_run
 * and mog_transfer do the elements of their list from `first` on; not by an offset of the launch, for which PoCL
 * compiles a kernel once more.
 */

#ifndef MOG_ONLY_BLOCKS
/* Where PEs live in the host's memory word after word, the host does itself what these two do. */
#ifndef MOG_HOST_MEMORY
/* DATA must be zero before. `image` holds `image_words` words for the start of DATA; `startup` `startup_words` words
 * (argc, argv, environment) for its end, which is where the stack pointer starts. */
KERNEL void mog_init(CONSTANT_BUFFER u32 *image, u32 image_words, CONSTANT_BUFFER u32 *startup, u32 startup_words,
                     DEVICE_BUFFER u32 *data, u32 data_words, DEVICE_BUFFER u32 *state, u32 stride, u32 nproc,
                     u32 entry, u32 count REGISTER_PARAMETER)
{
    WORK_ITEM(i)
    if (i >= count) return;
    {
        u32 pe = i;
        u32 k;
        DATA_SPACE u32 *mem = PE_MEMORY(pe);
        u32 stack = data_words - startup_words;
        for (k = 0u; k < MOG_S_REGS + MOG_NREGS; k++) state[(size_t)k * stride + pe] = 0u;
#ifdef MOG_PROCESSES
        if (pe >= MOG_PROCESSES) return;
#endif
        for (k = 0u; k < image_words; k++) PRIVATE_WORD(k) = image[k];
        for (k = 0u; k < startup_words; k++) PRIVATE_WORD(stack + k) = startup[k];
        PRIVATE_WORD(MOG_CB_NPROC) = nproc;
        PRIVATE_WORD(MOG_CB_IPROC) = pe;
        PRIVATE_WORD(MOG_CB_LIMIT) = MOG_DATA_BASE + 4u * data_words;
        state[(size_t)MOG_S_PC * stride + pe] = entry;
        state[(size_t)(MOG_S_REGS + MOG_REG_SP) * stride + pe] = MOG_DATA_BASE + 4u * stack;
    }
}

KERNEL void mog_transfer(CONSTANT_BUFFER u32 *list, DEVICE_BUFFER u8 *staging, DEVICE_BUFFER u32 *data, u32 data_words,
                         DEVICE_BUFFER u32 *state, u32 stride, u32 to_pe, u32 first, u32 count REGISTER_PARAMETER)
{
    WORK_ITEM(i)
    if (i >= count) return;
    i += first;
    {
        u32 pe = list[i * MOG_T_WORDS + MOG_T_PE];
        u32 address = list[i * MOG_T_WORDS + MOG_T_ADDRESS];
        u32 length = list[i * MOG_T_WORDS + MOG_T_LENGTH];
        u32 at = list[i * MOG_T_WORDS + MOG_T_STAGING];
        if (pe & MOG_T_STATE) {
            DEVICE_BUFFER u32 *row = state + (size_t)address * stride + (pe & ~MOG_T_STATE);
            DEVICE_BUFFER u32 *slot = (DEVICE_BUFFER u32 *)(staging + at);
            if (to_pe) *row = *slot; else *slot = *row;
        } else {
            DATA_SPACE u32 *mem = PE_MEMORY(pe);
            u32 o = address - MOG_DATA_BASE;
            u32 k;
            if (((o | length) & 3u) == 0u) {
                DEVICE_BUFFER u32 *words = (DEVICE_BUFFER u32 *)(staging + at);
                for (k = 0u; k < length; k += 4u)
                    if (to_pe) { PRIVATE_PUT32((o + k) >> 2, words[k >> 2]) }
                    else words[k >> 2] = PRIVATE_GET32((o + k) >> 2);
            } else {
                for (k = 0u; k < length; k++)
                    if (to_pe) { PRIVATE_PUT8(o + k, staging[at + k]) } else staging[at + k] = PRIVATE_GET8(o + k);
            }
        }
    }
}

#endif

/* For a profile two counters for each TEXT index: executed, and control did not go on to the next instruction. What is
 * fetched counts as executed; what a PE stands at when it stops, or when its slice ends, is taken back. */
#ifdef MOG_PROFILE
#define PROFILE_PARAMETER , DEVICE_BUFFER u32 *profile
#define PROFILE_ARGUMENT , profile
#define PROFILE_FETCH { ATOMIC_INC(profile + 2u * (pc - 1u)); here = pc; }
#define PROFILE_JUMP { if (pc != here) ATOMIC_INC(profile + 2u * (here - 1u) + 1u); }
#define PROFILE_UNDO { ATOMIC_DEC(profile + 2u * pc); }
#else
#define PROFILE_PARAMETER
#define PROFILE_ARGUMENT
#define PROFILE_FETCH
#define PROFILE_JUMP
#define PROFILE_UNDO
#endif

/* PEs run while calls of others are served. The host may want a slice to end before its time, because others wait for
 * lanes: passes are taken a part at a time, and before each the PE looks. With fuel of its own it has what it was
 * given. */
#ifdef MOG_CONCURRENT
#ifdef MOG_FUEL
#define ACTIVE_WORDS (MOG_A_WORDS + 1u)
#else
#define ACTIVE_WORDS MOG_A_WORDS
#endif
FUNCTION u32 mog_more_passes(u32 passes, u32 *later, DEVICE_BUFFER u32 *nrequests)
{
    u32 more = *later, most = nrequests[MOG_N_PASSES_PER_LOOK];
    if (more > most) more = most;
    if (NOW_AT(nrequests + MOG_N_ENDS) == nrequests[MOG_N_LAUNCH]) more = *later = 0u;
    *later -= more;
    return passes + more;
}
#define MORE_PASSES (later != 0u && (passes = mog_more_passes(passes, &later, nrequests)) != 0u)
#define PASSES_FOR_BLOCKS \
    { \
        if (passes < MOG_PASSES_KEPT && later != 0u) passes = mog_more_passes(passes, &later, nrequests); \
    }
/* Behind compiled blocks that asked for more passes than are left: the PE stands before the first of them. */
#ifndef MOG_FUEL
#define END_AT_BLOCKS \
    { \
        if (passes < MOG_PASSES_KEPT && later == 0u && nrequests[MOG_N_AT_BLOCKS] != 0u) { \
            passes = 1u; \
            ir = MOG_NO_OP; \
        } \
    }
#endif
#else
#ifdef MOG_FUEL
#define ACTIVE_WORDS 2u
#else
#define ACTIVE_WORDS 1u
#endif
#define MORE_PASSES 0
#define PASSES_FOR_BLOCKS
#endif

#ifndef END_AT_BLOCKS
#define END_AT_BLOCKS
#endif

/* The next instruction. `pc` runs one ahead, as every hash of the constant pool expects. Under MOG_FUEL a pass is one
 * instruction: a PE that has had its own waits for the end of the launch like one that stopped. With a switch that is
 * so anyway. */
#if defined(MOG_FUEL) && !defined(MOG_ENGINE_SWITCH)
#define FETCH { ir = MOG_NO_OP; if (--passes != 0u) ir = CONSTANT_AT(text, pc); pc++; }
#define PASSES_ARE_LEFT (passes != 0u)
#define PASSES_LEFT (passes - 1u)
#define PASSES_AFTER(left) ((left) + 1u)
#else
#define FETCH { ir = CONSTANT_AT(text, pc++); }
#define PASSES_ARE_LEFT (--passes != 0u || MORE_PASSES)
#define PASSES_LEFT passes
/* A switch comes to the instruction after compiled blocks in a pass of its own, a sequence in the same one. */
#ifdef MOG_ENGINE_SWITCH
#define PASSES_AFTER(left) ((left) + 2u)
#else
#define PASSES_AFTER(left) ((left) + 1u)
#endif
#endif
#ifdef MOG_COUNT
#define COUNT_ONE executed++;
#define COUNT_ONE_LESS executed--;
#else
#define COUNT_ONE
#define COUNT_ONE_LESS
#endif
#define NEXT { PROFILE_JUMP FETCH PROFILE_FETCH COUNT_ONE }
/* Superinstructions: several instructions without a dispatch between them. The opcode of the first stands for all in
 * TEXT; the hash of the constant pool knows the plain opcodes. The words that follow may have others of them in their
 * opcodes, for jumps into the middle, and only their operands are taken. What counts or ends by the instruction runs
 * TEXT as it was before instructions were fused, and needs none of this; nor does what the engine "blocks" leaves to
 * the interpreter, nor a kernel that is to be built fast (MOG_PLAIN). */
#if !defined(MOG_PROFILE) && !defined(MOG_FUEL) && !defined(MOG_ENGINE_BLOCKS) && !defined(MOG_ENGINE_LANES) && \
    !defined(MOG_PLAIN)
#define MOG_FUSED
#define FIRST(opcode) ir = (opcode << 8) | OPND;
#define PART(opcode) ir = (opcode << 8) | (CONSTANT_AT(text, pc++) & 0xffu); COUNT_ONE
#endif
/* After an instruction that may have stopped the PE. */
#define NEXT_UNLESS_STOPPED { if (stop == 0u) NEXT }
#define OPCODE (ir >> 8)

/* Compiled blocks (blocks.c) are one more subinterpreter, for what has an entry to them where a jump leads. A profile
 * counts instructions in their places, so it is taken without. */
#if (defined(MOG_ENGINE_BLOCKS) || defined(MOG_ENGINE_LANES)) && !defined(MOG_PROFILE)
#ifdef MOG_ENGINE_LANES
#define ENTRIES_PARAMETER , CONSTANT_BUFFER u32 *entry_of, DEVICE_BUFFER u32 *left
#define ENTRIES_ARGUMENT , entry_of, left
#else
#define ENTRIES_PARAMETER , CONSTANT_BUFFER u32 *entry_of
#define ENTRIES_ARGUMENT , entry_of
#endif
#define MOG_OP_BLOCKS 0xffu
#define NEXT_AFTER_JUMP { NEXT if (ir != MOG_NO_OP && CONSTANT_AT(entry_of, pc - 1u) != 0u) ir = MOG_OP_BLOCKS << 8; }
#else
#define ENTRIES_PARAMETER
#define ENTRIES_ARGUMENT
#define NEXT_AFTER_JUMP NEXT
#endif
#define NEXT_AFTER_JUMP_UNLESS_STOPPED { if (stop == 0u) NEXT_AFTER_JUMP }

/* How a PE comes to its subinterpreter. On a GPU by a sequence of comparisons, which serves all lanes of a warp that
 * need one at once, whatever their addresses. Where each PE has a processor to itself, by a switch: a pass is one
 * instruction then, and a subinterpreter that stands in the sequence again is left out. */
#ifdef MOG_ENGINE_SWITCH
#define DISPATCH switch (OPCODE)
#define NOWHERE default:
#define ON(opcode) break; case opcode:
#define AGAIN(opcode) if (0)
#else
#define DISPATCH
#define NOWHERE
#define ON(opcode) if (OPCODE == opcode)
#define AGAIN(opcode) ON(opcode)
#endif

#define SLICE_PARAMETERS CONSTANT_BUFFER u16 *text, CONSTANT_BUFFER u32 *cpool, CONSTANT_BUFFER u32 *code_map, \
    DEVICE_BUFFER u32 *data, u32 data_words, DEVICE_BUFFER u32 *state, u32 stride, DEVICE_BUFFER u32 *requests, \
    DEVICE_BUFFER u32 *nrequests, CONSTANT_BUFFER u32 *active, u32 passes
#define SLICE_ARGUMENTS text, cpool, code_map, data, data_words, state, stride, requests, nrequests, active, passes

/* Element i of the list `active`, for one slice. */
SLICE_FUNCTION void mog_run_one(SLICE_PARAMETERS, u32 i ENTRIES_PARAMETER PROFILE_PARAMETER SPACES_PARAMETER
                                LANE_PARAMETER)
{
    REGISTER_FILE
#ifdef MOG_CONCURRENT
    u32 answer = active[(size_t)ACTIVE_WORDS * i];
    u32 pe = answer & MOG_A_PE;
    u32 later = 0u;
#else
    u32 pe = active[(size_t)ACTIVE_WORDS * i];
#endif
    DATA_SPACE u32 *mem = PE_MEMORY(pe);
    u32 data_bytes = 4u * data_words;
    u32 pc = state[(size_t)MOG_S_PC * stride + pe];
    u32 acc = state[(size_t)MOG_S_ACC * stride + pe];
    u64 dacc = (u64)state[(size_t)MOG_S_DLO * stride + pe] | ((u64)state[(size_t)MOG_S_DHI * stride + pe] << 32);
#ifdef MOG_FCSR
    u32 fcsr = state[(size_t)MOG_S_FCSR * stride + pe];
#endif
    u32 stop = 0u;
    u32 info = 0u;
    u32 ir;
    u32 k;
#ifdef WAITS_IN_LAUNCH
    MAYBE_UNUSED u32 waits = WAITS_IN_LAUNCH, moved = 0u;
#endif
#ifdef MOG_COUNT
    u64 executed = 0u;
#endif
#ifdef MOG_PROFILE
    u32 here;
#endif
    /* A program may do without constants, or without jumps through registers. */
    (void)cpool;
    (void)code_map;
    SPACES_MAYBE_UNUSED
    MAYBE_UNUSED u32 read_only_bytes = MOG_READ_ONLY_BYTES;
#ifdef MOG_FUEL
    passes = active[(size_t)ACTIVE_WORDS * i + ACTIVE_WORDS - 1u];
#elif defined(MOG_CONCURRENT)
    k = nrequests[MOG_N_PASSES_PER_LOOK];
    if (k != 0u && passes > k) {
        later = passes - k;
        passes = k;
    }
#endif
    for (k = 0u; k < MOG_NREGS; k++) REG(k) = state[(size_t)(MOG_S_REGS + k) * stride + pe];
#ifdef MOG_CONCURRENT
    if (answer & MOG_A_ANSWERED) {
        REG(MOG_REG_V0) = active[(size_t)ACTIVE_WORDS * i + 1u];
        REG(MOG_REG_A3) = answer & MOG_A_FAILED ? 1u : 0u;
    }
    (void)later;
#endif
    ir = CONSTANT_AT(text, pc++);
    PROFILE_FETCH
#if defined(MOG_OP_BLOCKS) && !defined(MOG_ENGINE_LANES)
    if (CONSTANT_AT(entry_of, pc - 1u) != 0u) ir = MOG_OP_BLOCKS << 8;
#endif
    PASSES_BEGIN {
        DISPATCH {
            NOWHERE;
#if defined(MOG_OP_BLOCKS) && defined(MOG_ENGINE_LANES)
            /* lanes.c called, and goes on there. */
            ON(MOG_OP_BLOCKS) { *left = passes; passes = 1u; }
#elif defined(MOG_OP_BLOCKS)
            ON(MOG_OP_BLOCKS) {
                /* One instruction at least is left for the interpreter; the dispatch that led here is none. */
                MogBlocks blocks;
                PASSES_FOR_BLOCKS
                blocks.pc = pc - 1u;
                blocks.acc = acc;
                blocks.dacc = dacc;
                blocks.passes = passes - 1u;
#ifdef MOG_FCSR
                blocks.fcsr = fcsr;
#endif
                mog_run_blocks(&blocks BLOCK_ARGUMENTS);
#ifdef MOG_COUNT
                executed += passes - 1u - blocks.passes;
#endif
                passes = PASSES_AFTER(blocks.passes);
                pc = blocks.pc;
                acc = blocks.acc;
                dacc = blocks.dacc;
#ifdef MOG_FCSR
                fcsr = blocks.fcsr;
#endif
                ir = CONSTANT_AT(text, pc++);
                END_AT_BLOCKS
            }
#endif
//@ SUBINTERPRETERS
        }
    } PASSES_END(PASSES_ARE_LEFT && stop == 0u)

    /* A PE that runs on, or met a fault, has fetched the instruction it stands at. */
    if (stop == 0u || stop >= MOG_STOP_FIRST_FAULT) {
        pc--;
        PROFILE_UNDO
    }
#ifdef MOG_COUNT
    {
        /* The last instruction fetched was counted with the fetch; one that stopped the PE was not. */
        u64 total =
            (u64)state[(size_t)MOG_S_COUNT_LO * stride + pe] | ((u64)state[(size_t)MOG_S_COUNT_HI * stride + pe] << 32);
        total += executed + (stop != 0u && stop < MOG_STOP_FIRST_FAULT ? 1u : 0u);
        state[(size_t)MOG_S_COUNT_LO * stride + pe] = (u32)total;
        state[(size_t)MOG_S_COUNT_HI * stride + pe] = (u32)(total >> 32);
    }
#endif
    state[(size_t)MOG_S_PC * stride + pe] = pc;
    state[(size_t)MOG_S_ACC * stride + pe] = acc;
    state[(size_t)MOG_S_DLO * stride + pe] = (u32)dacc;
    state[(size_t)MOG_S_DHI * stride + pe] = (u32)(dacc >> 32);
#ifdef MOG_FCSR
    state[(size_t)MOG_S_FCSR * stride + pe] = fcsr;
#endif
    for (k = 0u; k < MOG_NREGS; k++) state[(size_t)(MOG_S_REGS + k) * stride + pe] = REG(k);
    if (stop != 0u) {
        u32 slot = ATOMIC_INC(nrequests);
#ifdef MOG_CONCURRENT
        u32 q[MOG_Q_WORDS];
#else
        DEVICE_BUFFER u32 *q = requests + (size_t)slot * MOG_Q_WORDS;
#endif
        u32 sp = REG(MOG_REG_SP);
        u32 o = sp - MOG_DATA_BASE;
        q[MOG_Q_PE] = pe;
        q[MOG_Q_STOP] = stop;
        q[MOG_Q_PC] = pc;
        q[MOG_Q_INFO] = info;
        q[MOG_Q_SP] = sp;
        q[MOG_Q_RA] = REG(MOG_REG_RA);
        q[MOG_Q_LEFT] = PASSES_LEFT;
        q[MOG_Q_NUMBER] = REG(MOG_REG_V0);
        q[MOG_Q_ARG] = REG(MOG_REG_A0);
        q[MOG_Q_ARG + 1u] = REG(MOG_REG_A1);
        q[MOG_Q_ARG + 2u] = REG(MOG_REG_A2);
        q[MOG_Q_ARG + 3u] = REG(MOG_REG_A3);
        for (k = 4u; k < 8u; k++)
            q[MOG_Q_ARG + k] =
                (o & 3u) == 0u && o < data_bytes && data_bytes - o >= 32u ? PRIVATE_GET32((o >> 2) + k) : 0u;
#ifdef MOG_CONCURRENT
        PUBLISH_RECORD(requests + (size_t)slot * MOG_Q_WORDS, q)
#endif
    }
    PASSES_OVER
}

KERNEL void mog_run(SLICE_PARAMETERS, u32 first, u32 count ENTRIES_PARAMETER PROFILE_PARAMETER SPACES_PARAMETER
                    REGISTER_PARAMETER)
{
    WORK_ITEM(i)
    if (i >= count) return;
#ifdef TURNS_OF_HOST
    /* PEs that may wait for each other: the host says who is next, until none can run. */
    if (TURNS_OF_HOST != 0u) {
        u64 turn[MOG_K_WORDS];
        for (;;) {
            mog_call_host(TURNS_OF_HOST, TURNS_ARGUMENT, i, (u64)turn, 0u);
            if (turn[MOG_K_ACTIVE] == 0u) return;
            mog_run_one(text, cpool, code_map, data, data_words, state, stride,
                        (DEVICE_BUFFER u32 *)turn[MOG_K_REQUESTS], (DEVICE_BUFFER u32 *)turn[MOG_K_NREQUESTS],
                        (CONSTANT_BUFFER u32 *)turn[MOG_K_ACTIVE], (u32)turn[MOG_K_PASSES],
                        0u ENTRIES_ARGUMENT PROFILE_ARGUMENT SPACES_ARGUMENT LANE_ARGUMENT);
        }
    }
#endif
    mog_run_one(SLICE_ARGUMENTS, first + i ENTRIES_ARGUMENT PROFILE_ARGUMENT SPACES_ARGUMENT LANE_ARGUMENT);
}
#endif
