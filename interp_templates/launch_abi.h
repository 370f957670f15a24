/* launch_abi.h: what a kernel and its host agree on.
 *
 * This file is pasted into every generated interpreter and included by the host side, so it keeps to the
 * subset that C, C++, CUDA C++ and OpenCL C 1.2 share: no includes, no typedefs, no functions.
 * All sizes are in 32-bit words unless a name says otherwise.
 */
#ifndef MOG_LAUNCH_ABI_H
#define MOG_LAUNCH_ABI_H

/* Raised whenever anything below changes its meaning, or a kernel its parameters, or mog.h what code that is linked in
 * consists of. */
#define MOG_LAUNCH_VERSION 5u

/* ---- DATA ------------------------------------------------------------------------------------------
 * Every PE sees addresses [MOG_DATA_BASE, MOG_DATA_BASE + size). Everything below, the null page
 * included, is unmapped and costs nothing. The linker script of runtime_pe/ uses the same base. */
#define MOG_DATA_BASE 0x10000000u

/* The control block: the first words of DATA. */
#define MOG_CB_NPROC 0u      /* number of PEs                                                */
#define MOG_CB_IPROC 1u      /* number of this PE, 0 .. NPROC-1                              */
#define MOG_CB_BRK 2u        /* first address above the heap; the stack must stay above it   */
#define MOG_CB_LIMIT 3u      /* first address above DATA; 0 when no MOG runs the program     */
#define MOG_CB_FLOOR 4u      /* lowest address that is mapped, above the heap; 0: none is       */
#define MOG_CB_SHARED 5u     /* first address above the window; 0: there is none             */
#define MOG_CB_DEVICE 6u     /* which of the world's processes this is, with a device of its own */
#define MOG_CB_BRK_MOST 7u   /* the highest that BRK has been, if the heap has grown; else 0    */
#define MOG_CB_WORDS 8u

/* ---- the window ------------------------------------------------------------------------------------
 * Memory that all PEs of a device see (the space "shared") is at [MOG_SHARED_BASE, MOG_SHARED_BASE + size), in programs
 * that have some; their DATA ends below. */
#define MOG_SHARED_BASE 0x50000000u
#define MOG_SHARED_MOST 0x2f000000u  /* bytes                                                */

/* ---- memory by sectors -----------------------------------------------------------------------------
 * What a GPU fetches at least. Of a kernel that counts them, two sectors of each PE are before its DATA: tags of the
 * caches that are taken to be there, and numbers of 64 bits. */
#define MOG_SECTOR_WORDS 8u
#define MOG_L_WORDS 16u
#define MOG_L_COUNTS 8u      /* words before these: of words touched, fetched, of sectors touched, fetched */

/* ---- mailboxes (mailboxes.h) -----------------------------------------------------------------------
 * Of programs that call MPI: MOG_MAIL_WORDS words behind DATA. Messages are numbered from 0 by place after place. */
#define MOG_M_CLOSED 0u      /* not 0: all that is the PE's goes through the host            */
#define MOG_M_TAIL 1u        /* the number of the next message                               */
#define MOG_M_HEAD 2u        /* those before were all taken                                  */
#define MOG_M_SEEN 3u        /* those before were held against receives                      */
#define MOG_M_POSTED 4u      /* receives that wait                                           */
#define MOG_M_NUMBER 5u      /* of the last one that did                                     */
#define MOG_M_BLOCKED 6u     /* a long message that the PE waits in its call to be taken: 1, once it was 2; else 0 */
#define MOG_M_SENDS 7u       /* long messages that it does not wait for: number (0: none), to whom */
#define MOG_M_MOST_SENDS 4u
#define MOG_M_PLACES 15u     /* the first; what is before is the header                      */
#define MOG_M_MOST_PLACES 8u /* a power of two                                               */
#define MOG_M_PLACE_WORDS 22u
#define MOG_M_RECEIVES (MOG_M_PLACES + MOG_M_MOST_PLACES * MOG_M_PLACE_WORDS)
#define MOG_M_MOST_RECEIVES 8u
#define MOG_M_RECEIVE_WORDS 8u
#define MOG_M_WORDS (MOG_M_RECEIVES + MOG_M_MOST_RECEIVES * MOG_M_RECEIVE_WORDS)
#define MOG_M_THERE 0u       /* of a place: whether its message is there; of a receive: its number */
#define MOG_M_CONTEXT 1u     /* as in mpi_call.h, of both                                    */
#define MOG_M_FROM 2u
#define MOG_M_TAG 3u
#define MOG_M_BYTES 4u
#define MOG_M_TYPE 5u
#define MOG_M_PAYLOAD 6u     /* of a place: its bytes; or if it is long, where they are in its PE's memory: */
#define MOG_M_LONG 0x100u    /* ... then this is in MOG_M_TYPE                               */
#define MOG_M_LONGEST 16384u /* bytes                                                        */
#define MOG_M_OUT_ADDRESS 6u
#define MOG_M_OUT_RESULT 7u  /* 0: its PE waits                                              */
#define MOG_M_OUT_NUMBER 8u
#define MOG_M_OUT_PLACE 9u   /* which of MOG_M_SENDS                                         */
#define MOG_M_PAYLOAD_WORDS 16u
#define MOG_M_ADDRESS 6u     /* of a receive                                                 */
#define MOG_M_RESULT 7u
#define MOG_M_NUMBERS 0x40000000u /* numbers of what waits begin here, and are as many       */
#define MOG_M_LONGEST_LIST 64u    /* of a wait                                               */
/* What is done in a launch: nothing; messages that can go at once, go; and who waits for some does so in the launch. */
#define MOG_MAIL_RESTS 0u
#define MOG_MAIL_GOES 1u
#define MOG_MAIL_WAITS 2u

/* ---- code ------------------------------------------------------------------------------------------
 * Code addresses that a PE can see (function pointers, return addresses, jump tables) are addresses of
 * the MIPS program. `j` turns them into TEXT indices through CODE_MAP, one word per MIPS instruction;
 * a word that nothing may jump to holds MOG_NO_CODE. */
#define MOG_NO_CODE 0xffffffffu

/* An instruction word no subinterpreter serves: a stopped PE carries it to the end of the pass. */
#define MOG_NO_OP 0xffff0000u

/* ---- PE state between two launches ---------------------------------------------------------------- 
 * state[row * stride + pe]; stride is the number of PEs rounded up to whole warps. */
#define MOG_S_PC 0u          /* TEXT index of the next instruction                           */
#define MOG_S_ACC 1u         /* accumulator                                                  */
#define MOG_S_DLO 2u         /* double accumulator, low word                                 */
#define MOG_S_DHI 3u         /* double accumulator, high word                                */
#define MOG_S_COUNT_LO 4u    /* instructions executed (only counted under MOG_COUNT)         */
#define MOG_S_COUNT_HI 5u
#define MOG_S_FCSR 6u        /* the FPU's control register (only kept under MOG_FCSR)        */
#define MOG_S_REGS 7u        /* first of the MOG_NREGS registers                             */

/* ---- compiled blocks: what they take over from the interpreter, and give back ----------------------
 * passes: instructions that may still be executed. cold: the instruction at pc is for the interpreter, whether it
 * has an entry or not; and before, nans: which variables are to have the default NaN, in a group's own numbers. */
#define MOG_BLOCKS_FIELDS(X) X(u32, pc) X(u32, acc) X(u64, dacc) X(u32, passes) X(u32, cold) X(u32, nans) X(u32, fcsr)
/* The host may compile more while it runs: its entries begin here, above any group's. It sets a library's mog_native,
 * a function and what that wants as its first argument. */
#define MOG_NATIVE_ENTRY 0xffff0000u

/* ---- compiled blocks for several PEs at once (lanes.c): a row of the state ------------------------- */
#define MOG_LANES 16u

/* ---- SYSBUF: one record per PE that stopped in this launch, appended in any order ------------------ */
#define MOG_Q_PE 0u          /* which PE                                                     */
#define MOG_Q_STOP 1u        /* why: an enum mog_stop                                        */
#define MOG_Q_PC 2u          /* SYS: TEXT index after the sys; a fault: of the instruction   */
#define MOG_Q_INFO 3u        /* SYS: its operand; memory faults: the address; else see below */
#define MOG_Q_SP 4u          /* stack pointer                                                */
#define MOG_Q_RA 5u          /* return address register                                      */
#define MOG_Q_NUMBER 6u      /* SYS: $v0, the call's number                                  */
#define MOG_Q_ARG 7u         /* SYS: $a0-$a3, then four words from the stack at $sp+16       */
#define MOG_Q_LEFT 15u       /* passes that were left, where a pass is one instruction (MOG_FUEL) */
#define MOG_Q_WORDS 16u

/* What code for lanes counts in a launch (lanes.c). Of instructions, those that lanes execute together count once, but
 * for the first number; those from the third on are of copies of loops for when all lanes are together. */
enum mog_lane_count {
    MOG_L_EXECUTED = 0, /* instructions, by all lanes */
    MOG_L_PASSES = 1,   /* instructions */
    MOG_L_ASKED = 2,    /* how often it was asked whether all that has to be the same in all lanes is */
    MOG_L_HELD = 3,     /* and it was */
    MOG_L_GUARDED = 4,  /* instructions in such copies */
    MOG_L_SCALARS = 5,  /* those of them that were executed for all lanes at once, as scalars */
    MOG_L_REGIONS = 6,  /* copies that there are: not added up, but set */
    MOG_LANE_COUNTS = 7
};

/* ---- what runs while calls of others are served (MOG_CONCURRENT) ------------------------------------
 * An element of ACTIVE has a second word, the result of the PE's call, and bits in the first that say whether there is
 * one; under MOG_FUEL the passes are the third. NREQUESTS has a second word: so many passes a PE runs between looks at
 * the fourth; 0: it does not look, for each look leads out of compiled blocks. The third is the launch's number, and
 * once the fourth is the same, slices end soon: it is written while other launches begin and end, and a number cannot
 * be meant for another one. MOG_Q_STOP of a record is 0 before the launch, and is written last: whoever sees another
 * value in it sees the whole record, and what the PE wrote. The fifth, if it is not 0: a slice may end where
 * compiled blocks ask for more passes than are left, a few too soon; else the interpreter does the rest of it, where
 * each lane is at another place. A slice has at least twice MOG_PASSES_KEPT then, so that each PE comes forward. */
#define MOG_A_ANSWERED 0x80000000u  /* $v0 and $a3 have a new value                          */
#define MOG_A_FAILED 0x40000000u    /* it is an error: $a3 is 1, else 0                      */
#define MOG_A_PE 0x3fffffffu
#define MOG_A_WORDS 2u
#define MOG_N_PASSES_PER_LOOK 1u    /* the second word of NREQUESTS                          */
#define MOG_N_LAUNCH 2u             /* the third                                             */
#define MOG_N_ENDS 3u               /* the fourth: the number of a launch that ends early    */
#define MOG_N_AT_BLOCKS 4u          /* the fifth                                             */
#define MOG_N_MAIL 5u               /* the sixth: what is done with mailboxes in the launch  */
#define MOG_N_MOVED 6u              /* the seventh: messages left and taken, receives left   */
#define MOG_N_AWAKE 7u              /* the eighth: no thread sleeps in the host's futex()    */
#define MOG_N_WORDS 8u
/* A PE looks before compiled blocks with fewer passes left: more than a block asks for (pass_counts.cpp), or it would
 * be interpreted. */
#define MOG_PASSES_KEPT 1024u

/* Why a PE stopped. Columns: name, code, the MIPS Linux signal that it amounts to (0: none), sentence.
 * The sentence speaks to the owner of the program; {:#x} in it is MOG_Q_INFO. */
#define MOG_STOPS(X)                                                                                      \
    X(RUNNING,     0,  0, "running")                                                                      \
    X(SYS,         1,  0, "waits for a system call")                                                      \
    X(YIELD,       2,  0, "lets others run first")                                                        \
    X(LOAD_RANGE,  16, 11, "reads from address {:#x}, which is not its memory")                           \
    X(STORE_RANGE, 17, 11, "writes to address {:#x}, which is not its memory")                            \
    X(LOAD_ALIGN,  18, 10, "reads from misaligned address {:#x}")                                         \
    X(STORE_ALIGN, 19, 10, "writes to misaligned address {:#x}")                                          \
    X(JUMP_RANGE,  20, 11, "jumps to address {:#x}, which is not code")                                   \
    X(STACK,       21, 11, "runs out of stack: the stack pointer {:#x} meets the heap")                   \
    X(TRAP,        22, 5,  "executes a trap instruction, code {}")                                        \
    X(BREAK,       23, 5,  "executes a break instruction, code {}")                                       \
    X(DIVIDE,      24, 8,  "divides by zero")                                                             \
    X(OVERFLOW,    25, 8,  "overflows in a signed integer operation")                                     \
    X(ILLEGAL,     26, 4,  "reaches an illegal instruction")                                              \
    X(FPU,         27, 8,  "meets a floating-point exception that it traps; FCSR is {:#x}")              \
    X(BAD_OPCODE,  28, 4,  "reaches an opcode that its interpreter does not have")

#define MOG_STOP_ENUM(name, code, signal, sentence) MOG_STOP_##name = code,
enum mog_stop { MOG_STOPS(MOG_STOP_ENUM) MOG_STOP_LAST };
#define MOG_STOP_FIRST_FAULT 16

/* ---- transfers: the host's way to a PE's memory and registers, many at once ------------------------
 * A list of records of four words. Staging memory is unit stride and host-visible. */
#define MOG_T_PE 0u          /* which PE; bit 31 set: a state row instead of DATA                        */
#define MOG_T_ADDRESS 1u     /* byte address in DATA (any alignment), or the state row                   */
#define MOG_T_LENGTH 2u      /* bytes (DATA; the range was checked by the host), or 4                    */
#define MOG_T_STAGING 3u     /* byte offset in staging memory, a multiple of 4                           */
#define MOG_T_WORDS 4u
#define MOG_T_STATE 0x80000000u

/* ---- turns: what a kernel of the host's own process is given that asks which PE it runs next --------
 * Words of 64 bits: addresses, for mog_run's parameters of these names, and passes. */
#define MOG_K_ACTIVE 0u      /* u32[2]: a PE, and its passes; 0: the launch is over          */
#define MOG_K_REQUESTS 1u
#define MOG_K_NREQUESTS 2u
#define MOG_K_PASSES 3u
#define MOG_K_WORDS 4u

/* ---- the kernels' parameters: their numbers, for clSetKernelArg() ----------------------------------
 * A launch is over at least COUNT work-items; mog_run and mog_transfer do the elements FIRST to FIRST+COUNT-1 of
 * their list. OpenCL's kernels have local memory as their last parameter: for each PE of a work-group as
 * many words as there are registers (mog_run), or one (the others). */
#define MOG_ARG_INIT_IMAGE 0u       /* u32[]: what DATA begins with; the rest of DATA is zero before           */
#define MOG_ARG_INIT_IMAGE_WORDS 1u
#define MOG_ARG_INIT_STARTUP 2u     /* u32[]: what DATA ends with: argc, argv, environment; $sp points to it   */
#define MOG_ARG_INIT_STARTUP_WORDS 3u
#define MOG_ARG_INIT_DATA 4u        /* u32[DATA_WORDS * STRIDE]                                                */
#define MOG_ARG_INIT_DATA_WORDS 5u  /* of each PE; even                                                        */
#define MOG_ARG_INIT_STATE 6u       /* u32[rows * STRIDE]: MOG_S_REGS rows and one for each register           */
#define MOG_ARG_INIT_STRIDE 7u
#define MOG_ARG_INIT_NPROC 8u
#define MOG_ARG_INIT_ENTRY 9u       /* TEXT index of the first instruction                                     */
#define MOG_ARG_INIT_COUNT 10u      /* PEs                                                                     */
#define MOG_ARG_INIT_LOCAL 11u

#define MOG_ARG_RUN_TEXT 0u         /* u16[]: instructions                                                     */
#define MOG_ARG_RUN_CPOOL 1u        /* u32[]: constants                                                        */
#define MOG_ARG_RUN_CODE_MAP 2u     /* u32[]                                                                   */
#define MOG_ARG_RUN_DATA 3u
#define MOG_ARG_RUN_DATA_WORDS 4u
#define MOG_ARG_RUN_STATE 5u
#define MOG_ARG_RUN_STRIDE 6u
#define MOG_ARG_RUN_REQUESTS 7u     /* u32[PEs of the list * MOG_Q_WORDS]: SYSBUF                              */
#define MOG_ARG_RUN_NREQUESTS 8u    /* u32: 0 before; how many records there are after                         */
#define MOG_ARG_RUN_ACTIVE 9u       /* u32[]: the PEs that run                                                 */
#define MOG_ARG_RUN_PASSES 10u      /* the length of the slice                                                 */
#define MOG_ARG_RUN_FIRST 11u
#define MOG_ARG_RUN_COUNT 12u
#define MOG_ARG_RUN_LOCAL 13u       /* or, if it was compiled with MOG_ENGINE_BLOCKS:                          */
#define MOG_ARG_RUN_ENTRY_OF 13u    /* u32[]: by TEXT index, where compiled blocks are entered                 */
#define MOG_ARG_RUN_BLOCKS_LOCAL 14u

#define MOG_ARG_TRANSFER_LIST 0u    /* u32[][MOG_T_WORDS]                                                      */
#define MOG_ARG_TRANSFER_STAGING 1u
#define MOG_ARG_TRANSFER_DATA 2u
#define MOG_ARG_TRANSFER_DATA_WORDS 3u
#define MOG_ARG_TRANSFER_STATE 4u
#define MOG_ARG_TRANSFER_STRIDE 5u
#define MOG_ARG_TRANSFER_TO_PE 6u   /* 1: from staging memory to PEs; 0: the other way                         */
#define MOG_ARG_TRANSFER_FIRST 7u
#define MOG_ARG_TRANSFER_COUNT 8u
#define MOG_ARG_TRANSFER_LOCAL 9u

#endif
