/* mog.h: the C interface of libmog, with which a program of the host runs programs made by mogcc.
 *
 *     mog_error error;
 *     mog_program *program;
 *     mog_run *run;
 *     int status;
 *     if (mog_program_open("./nqueens", &program, &error) || mog_run_new(program, &run, &error) ||
 *         mog_run_set_pes(run, 4096, &error) || mog_run_to_end(run, &status, &error))
 *         fprintf(stderr, "%s\n", error.text);
 *
 * (This is the header of the host. Programs for PEs include one of the same name, which is mogcc's.)
 *
 * A *program* is what mogcc made, loaded: it never changes, and any number of runs, in any threads, may use it. A *run* is one
 * execution of a program by a number of processing elements (PEs) on a device, or on several. It is set up, loaded, run in one piece or
 * in several, looked at, and freed:
 *
 *     mog_run_new -> mog_run_set..., mog_run_register... -> mog_run_load -> mog_run_write... -> mog_run_to_end or mog_run_for...
 *                 -> mog_run_output, mog_run_read, mog_run_pe_end... -> mog_run_free
 *
 * Errors. A function that can fail returns a mog_code, MOG_OK (0) if it did what it should. If `error` is not NULL, a sentence about
 * the failure is put there; it is left alone otherwise. After an error things are as before the call, but for MOG_ERROR_DEVICE and
 * MOG_ERROR_MEMORY of a run that runs, which end it as MOG_RUN_FAILED. No argument, however wrong, ends the process, if pointers are
 * NULL or point to what they should.
 *
 * Threads. The library has no state besides what its handles hold. Different runs may be used by different threads at once. One run
 * is for one thread at a time: a call that comes while another is at work on it gives MOG_ERROR_STATE. That goes for calls from
 * callbacks too. mog_run_cancel() and mog_run_pes() are excepted: they may be called at any time.
 *
 * The process. The library leaves its signals, limits, environment, umask and standard streams alone; MOG_OUTPUT_STREAMS and the setting
 * "stdin" are the user's wish to share the streams. It reads the variables that say where kernels are cached (MOG_CACHE_DIR,
 * XDG_CACHE_HOME, HOME), and no other MOG_ variable. PEs open files of the host as the process may, unless "root", "read-only" or
 * "no-files" is set. One thing is different for those who use mog_ptx_launch() and its like: the first launch takes the signals SIGSEGV and
 * SIGBUS, so that a fault of a kernel is an error; those that are no kernel's go to whoever had the signals before. After that the library may
 * not be unloaded.
 *
 * Callbacks run in the thread that called mog_run_to_end() or mog_run_for(), and must return: no exceptions, no longjmp.
 *
 * Addresses, sizes and words are those of PEs: 32 bits, little-endian. A PE's memory is a range of addresses of its own; symbols have
 * the same address in all PEs.
 */
#ifndef MOG_HOST_MOG_H
#define MOG_HOST_MOG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define MOG_API __attribute__((visibility("default")))
#else
#define MOG_API
#endif

/* ---- errors ---------------------------------------------------------------------------------------------------------------- */

typedef enum mog_code {
    MOG_OK = 0,
    MOG_ERROR_ARGUMENT = 1, /* NULL where something has to be, a number out of its range, a setting that does not exist          */
    MOG_ERROR_FILE = 2,     /* a file cannot be read                                                                             */
    MOG_ERROR_PROGRAM = 3,  /* what was read is no program of mogcc, or is damaged                                               */
    MOG_ERROR_SETUP = 4,    /* settings, arguments and program do not fit each other: too little memory, input for a PE too many */
    MOG_ERROR_DEVICE = 5,   /* there is no such device, it lacks something, or it failed                                         */
    MOG_ERROR_PE = 6,       /* there is no such PE                                                                               */
    MOG_ERROR_ADDRESS = 7,  /* addresses that are not all in a PE's memory                                                       */
    MOG_ERROR_SYMBOL = 8,   /* the program has no such symbol, or several                                                        */
    MOG_ERROR_STATE = 9,    /* the call comes too early, too late, or while another is at work on the same run                   */
    MOG_ERROR_MEMORY = 10,  /* the host has no memory left, or no thread                                                         */
    MOG_ERROR_INTERNAL = 11 /* a mistake of MOG                                                                                  */
} mog_code;

/* What went wrong. The caller's; nothing in it has to be freed. */
typedef struct mog_error {
    mog_code code;
    char text[2044]; /* a sentence, NUL at its end; some have further lines (the messages of a compiler). UTF-8 */
} mog_error;

/* "MOG_ERROR_FILE" and so on; for a number that is none of the codes, "unknown code". Never freed. */
MOG_API const char *mog_code_name(int code);

/* The version of this header, for #if. Before 1.0 a minor version may change the interface. */
#define MOG_VERSION_MAJOR 0
#define MOG_VERSION_MINOR 1
#define MOG_VERSION_PATCH 0

/* The version of the library that runs, such as "1.2.3". Never freed. */
MOG_API const char *mog_version(void);

/* ---- devices --------------------------------------------------------------------------------------------------------------- */

typedef struct mog_program mog_program;

typedef struct mog_device {
    const char *id;          /* what mog_run_set_device() takes: "host", "opencl:0", "cuda:0"       */
    const char *description; /* for people                                                           */
    int is_gpu;              /* 1 or 0                                                               */
    uint32_t fill_pes;       /* the number of PEs that keeps it busy                                 */
    uint64_t memory_bytes;
} mog_device;

/* Tells `tell` of each device of this machine, best first; with a program (else NULL), of those that can run it. The strings are valid
 * during the call of `tell`. Errors: ARGUMENT. */
MOG_API mog_code mog_list_devices(const mog_program *program, void (*tell)(void *user, const mog_device *device), void *user,
                                  mog_error *error);

/* ---- programs -------------------------------------------------------------------------------------------------------------- */

/* Loads what mogcc wrote: an executable, or an image (--emit=image). On success *program is the caller's, to be freed with
 * mog_program_free(); else NULL. Errors: ARGUMENT, FILE, PROGRAM, MEMORY. */
MOG_API mog_code mog_program_open(const char *path, mog_program **program, mog_error *error);

/* The same from `size` bytes, which may go away after the call. A program that was linked in by mog_link_program() of CMake:
 * mog_program_from_memory(MOG_LINKED(name), &program, &error). Errors: ARGUMENT, PROGRAM, MEMORY. */
MOG_API mog_code mog_program_from_memory(const void *bytes, size_t size, mog_program **program, mog_error *error);

/* A kernel of the device "host": a function whose parameters are the library's affair. */
typedef void mog_kernel(void);

/* Code for 16 PEs at once that is linked in: what NAME_lanes.cpp of `mogcc --emit=cpp` defines, once for each instruction set that it is
 * compiled for. Nobody else has to fill one in. */
typedef struct mog_lanes_code {
    uint32_t version;  /* MOG_LAUNCH_VERSION of the mogcc that wrote it           */
    uint64_t image;    /* the checksum of the image that it is for                */
    const char *simd;  /* that instruction set: "portable", "avx2", "avx512"      */
    mog_kernel *init, *transfer, *run;
} mog_lanes_code;

#define MOG_LANES_CODES 3

/* An interpreter that is linked in: what NAME.cpp of `mogcc --emit=cpp` defines. Nobody else has to fill one in. */
typedef struct mog_native_code {
    uint32_t version;  /* MOG_LAUNCH_VERSION of the mogcc that wrote it           */
    uint64_t image;    /* the checksum of the image that it is for                */
    mog_kernel *init, *transfer, *run;
    const mog_lanes_code *lanes[MOG_LANES_CODES]; /* what of it is linked in, any may be NULL; the best that the processor has is used */
} mog_native_code;

/* A program whose parts were written as sources, `mogcc --emit=cpp,opencl,cuda`, and built into the host: NAME_parts of NAME.cpp, or a
 * copy of it with other sources. */
typedef struct mog_parts {
    const void *image;           /* NAME_image                                                                     */
    size_t image_bytes;          /* NAME_IMAGE_BYTES                                                               */
    const mog_native_code *code; /* for the device "host"; has to stay as long as the program's runs. NULL: none   */
    const char *opencl;          /* what is in NAME.cl, for OpenCL devices, NUL at its end. NULL: none             */
    const char *cuda;            /* the interpreter in CUDA C++ (mogcc --emit=cuda -o -), for NVRTC. NULL: none    */
} mog_parts;

/* The program that has these parts, and no others. Image and sources may go away after the call. Errors: ARGUMENT, PROGRAM (the image is
 * damaged or of another version, or the code is for another image), MEMORY. */
MOG_API mog_code mog_program_from_parts(const mog_parts *parts, mog_program **program, mog_error *error);

/* Lets go of a program. Its runs may live on. NULL is allowed. */
MOG_API void mog_program_free(mog_program *program);

/* Bytes and size of the program `name` that is linked in. MOG_DECLARE_LINKED(name) stands before it, outside of functions. */
#ifdef __cplusplus
#define MOG_DECLARE_LINKED(name) extern "C" const unsigned char mog_linked_##name[], mog_linked_##name##_end[]
#else
#define MOG_DECLARE_LINKED(name) extern const unsigned char mog_linked_##name[], mog_linked_##name##_end[]
#endif
#define MOG_LINKED(name) mog_linked_##name, (size_t)(mog_linked_##name##_end - mog_linked_##name)

typedef struct mog_symbol {
    uint32_t address; /* the same in every PE      */
    uint32_t size;    /* in bytes; 0: not known    */
} mog_symbol;

/* Where a global or static variable of the program is. A compiler may have left out variables that nobody else can see; `volatile` keeps
 * them. Errors: ARGUMENT, SYMBOL (there is none of that name, or several static ones). */
MOG_API mog_code mog_program_symbol(const mog_program *program, const char *name, mog_symbol *symbol, mog_error *error);

/* ---- runs: setting up ------------------------------------------------------------------------------------------------------ */

typedef struct mog_run mog_run;

#define MOG_ALL_PES UINT32_MAX     /* for `pe`: all of them                                                     */
#define MOG_FILL_DEVICE UINT32_MAX /* for the number of PEs: as many as keep the device busy                    */

/* A new run of a program: one PE on the best device, argv of one word, no environment, standard input at its end. On success *run is
 * the caller's, to be freed with mog_run_free(); else NULL. Errors: ARGUMENT, MEMORY. */
MOG_API mog_code mog_run_new(mog_program *program, mog_run **run, mog_error *error);

/* Frees a run, loaded, ended or not, with all that the library gave out for it. NULL is allowed. Errors: STATE (a call is at work on
 * it, of which this one may come out of a callback; nothing was freed). */
MOG_API mog_code mog_run_free(mog_run *run);

/* Everything else up to mog_run_load() says how the run shall be, and gives MOG_ERROR_STATE once it is loaded. */

/* The number of PEs, 1 to 2^24, or MOG_FILL_DEVICE. Errors: ARGUMENT, STATE. */
MOG_API mog_code mog_run_set_pes(mog_run *run, uint32_t pes, mog_error *error);

/* The device: "reference", "host", "opencl[:N]", "cuda[:N]", "auto"; several that run as one: "cuda:0,host", with shares of the PEs
 * "cuda:0=3,host=1", or "all"; as mogrun --device. Whether they are there is seen by mog_run_load(). Errors: ARGUMENT, STATE. */
MOG_API mog_code mog_run_set_device(mog_run *run, const char *device, mog_error *error);

/* An option of mogrun by its long name without dashes: "mem", "timeout", "fuel", "engine", "double", "slice", "root", "read-only",
 * "no-files", "max-files", "on-fault", "core", "core-dir", "count", "warp", "work-group", "stdin", "tag-output", "strace", "trace", "np",
 * "device", "deterministic", "schedule", "service", "mpi-stats", "mpi-matrix", "mpi-trace", "mpi-trace-ranks", "mpi-check",
 * "check-races", "mpi-eager", "mpi-buffer".
 * `value` as there; "" switches a switch on. What "strace" and "trace" show goes to the log. "stdin" gives PEs the standard
 * input of the process; without it they do not touch that. Errors: ARGUMENT, STATE. */
MOG_API mog_code mog_run_set(mog_run *run, const char *name, const char *value, mog_error *error);

/* argv of a PE, or with MOG_ALL_PES of all that have none of their own; words[0] is the program's name. Strings are copied. Errors:
 * ARGUMENT, PE, STATE, MEMORY. That they are too long is seen by mog_run_load(). */
MOG_API mog_code mog_run_set_arguments(mog_run *run, uint32_t pe, size_t count, const char *const *words, mog_error *error);

/* The environment of a PE, or with MOG_ALL_PES of all that have none of their own: strings "NAME=value". It is left out if, with the
 * arguments, it would take more than a quarter of a PE's memory. Strings are copied. Errors: ARGUMENT, PE, STATE, MEMORY. */
MOG_API mog_code mog_run_set_environment(mog_run *run, uint32_t pe, size_t count, const char *const *strings, mog_error *error);

/* Standard input of a PE, or with MOG_ALL_PES of each that has none of its own: `size` bytes, which are copied. Errors: ARGUMENT, PE,
 * STATE, MEMORY. */
MOG_API mog_code mog_run_set_input(mog_run *run, uint32_t pe, const void *bytes, size_t size, mog_error *error);

typedef enum mog_output {
    MOG_OUTPUT_KEEP = 0,    /* kept for mog_run_output(), each PE's for itself; so it is at first              */
    MOG_OUTPUT_DISCARD = 1, /* forgotten                                                                       */
    MOG_OUTPUT_STREAMS = 2  /* to the standard streams of the process, as mogrun does: lines stay whole        */
} mog_output;

/* Where standard output and standard error of PEs go: `output` is a mog_output. Errors: ARGUMENT, STATE. */
MOG_API mog_code mog_run_set_output(mog_run *run, int output, mog_error *error);

/* What PEs write, as it comes: `size` bytes of PE `pe` to `stream`, 1 (standard output) or 2 (standard error). Returns 0, or an errno
 * with which that PE's write fails; EPIPE ends it as SIGPIPE does. */
typedef int mog_output_function(void *user, uint32_t pe, int stream, const void *bytes, size_t size);

/* `function` gets what PEs write, instead of what mog_run_set_output() says; NULL: nobody. Errors: ARGUMENT, STATE. */
MOG_API mog_code mog_run_on_output(mog_run *run, mog_output_function *function, void *user, mog_error *error);

/* Messages about the run, such as which PEs a fault ended and where, for people: `text` is a sentence that may have further lines,
 * without newline at its end. Valid during the call. */
typedef void mog_log_function(void *user, const char *text);

/* `function` gets messages; without one they are dropped. Errors: ARGUMENT, STATE. */
MOG_API mog_code mog_run_on_log(mog_run *run, mog_log_function *function, void *user, mog_error *error);

typedef struct mog_progress {
    double seconds;  /* since the run began, pauses between calls of mog_run_for() apart */
    uint32_t pes;    /* of them ...                                                      */
    uint32_t ended;  /* ... have ended                                                   */
    uint64_t slices; /* launches so far                                                  */
    uint64_t calls;  /* system calls so far                                              */
} mog_progress;

/* Told after each launch and the service of its system calls, some 10 to 10,000 times a second. */
typedef void mog_progress_function(void *user, const mog_progress *progress);

/* Errors: ARGUMENT, STATE. */
MOG_API mog_code mog_run_on_progress(mog_run *run, mog_progress_function *function, void *user, mog_error *error);

/* ---- native functions ------------------------------------------------------------------------------------------------------ */

#define MOG_CALL_ARGUMENTS 6

/* One PE's call of a native function. */
typedef struct mog_call {
    uint32_t pe;
    uint32_t arguments[MOG_CALL_ARGUMENTS]; /* words as the PE gave them, pointers into its memory among them; 0 if it gave fewer */
    int32_t result;                         /* to be filled: what mog_native_call() returns to the PE; 0 at first                */
    int32_t error;                          /* to be filled: an errno, with which it fails instead (-1, errno); 0 at first       */
} mog_call;

/* A run of bytes in a PE's memory, and where they are or go in the host's. */
typedef struct mog_piece {
    uint32_t pe;
    uint32_t address; /* of any alignment                      */
    uint32_t size;    /* in bytes; may be 0                    */
    void *bytes;      /* the caller's: `size` bytes            */
} mog_piece;

/* The way of a native function to the memory of PEs. */
typedef struct mog_memory mog_memory;

/* Reads or writes all pieces, which may be of any PEs of the run. One call for many pieces costs about what a call for one costs, on a
 * GPU above all. Pieces that are written should not overlap. Errors: ARGUMENT, PE, ADDRESS (before any is transferred), DEVICE. */
MOG_API mog_code mog_memory_read(mog_memory *memory, const mog_piece *pieces, size_t count, mog_error *error);
MOG_API mog_code mog_memory_write(mog_memory *memory, const mog_piece *pieces, size_t count, mog_error *error);

/* A function of the host that PEs call by name (mog_native() and mog_native_call() of the PEs' <mog.h>). It gets the calls of all PEs
 * that make one in this round, ascending by PE, to be served together; those PEs wait until it returns, and the others' next launch
 * too. `calls` and `memory` are valid during the call. */
typedef void mog_native_function(void *user, mog_call *calls, size_t count, mog_memory *memory);

/* PEs of this run may call `function` by `name`, at most 127 bytes. A name that is registered again has the later function. Errors:
 * ARGUMENT, STATE, MEMORY. */
MOG_API mog_code mog_run_register(mog_run *run, const char *name, mog_native_function *function, void *user, mog_error *error);

/* ---- runs: running --------------------------------------------------------------------------------------------------------- */

typedef enum mog_run_state {
    MOG_RUN_SETUP = 0,     /* not loaded yet                                                     */
    MOG_RUN_READY = 1,     /* loaded; PEs stand at their start, or between two launches          */
    MOG_RUN_ENDED = 2,     /* every PE has ended                                                 */
    MOG_RUN_CANCELLED = 3, /* the same, by mog_run_cancel()                                      */
    MOG_RUN_FAILED = 4     /* the device failed, or the host's memory ran out                    */
} mog_run_state;

/* Opens the device, makes the interpreter ready (a driver may take seconds to compile it the first time), and starts all PEs up to
 * before their first instruction. mog_run_to_end() and mog_run_for() do this if nobody has; one who wants to write to PEs' memory
 * before they run calls it. After an error the run is as before, and may be set up differently. Errors: SETUP, DEVICE, PE (arguments or
 * input for a PE that is not there), STATE (it is loaded), MEMORY. */
MOG_API mog_code mog_run_load(mog_run *run, mog_error *error);

/* Runs until every PE has ended. *status (unless NULL) becomes what mogrun's exit status would be: 0 if every PE's is, else that of the
 * lowest-numbered PE whose is not; 124 after a timeout; 143 if it was cancelled. Errors: those of mog_run_load(), DEVICE, STATE (it has
 * ended or failed). */
MOG_API mog_code mog_run_to_end(mog_run *run, int *status, mog_error *error);

/* Runs for about `seconds`, or for `slices` launches, whichever is over first; 0 stands for no limit. To be called again while the state
 * is MOG_RUN_READY. A launch in progress is not cut off: with the setting "slice" it has so many passes, else about 0.1 s at most. Pauses
 * between calls do not count for "timeout". *state (unless NULL) becomes the run's state. Errors: as mog_run_to_end(), and ARGUMENT
 * (`seconds` is negative or no number). */
MOG_API mog_code mog_run_for(mog_run *run, double seconds, uint64_t slices, mog_run_state *state, mog_error *error);

/* Ends all PEs that have not ended, within about 0.1 s: mog_run_to_end() or mog_run_for(), if one is at work in another thread or below
 * this callback, returns then with MOG_OK, else the next one does at once. Any thread may call it at any time before mog_run_free(), and
 * a signal's handler. NULL is allowed. */
MOG_API void mog_run_cancel(mog_run *run);

/* The number of PEs; with MOG_FILL_DEVICE known after mog_run_load(), until then 0. 0 for NULL. */
MOG_API uint32_t mog_run_pes(const mog_run *run);

/* How far a loaded run is, between two calls or after the last. Errors: ARGUMENT, STATE (not loaded). */
MOG_API mog_code mog_run_get_progress(mog_run *run, mog_progress *progress, mog_error *error);

/* The state. Errors: ARGUMENT, STATE (a call is at work on the run). */
MOG_API mog_code mog_run_get_state(mog_run *run, mog_run_state *state, mog_error *error);

/* ---- runs: what came of it ------------------------------------------------------------------------------------------------- */

typedef enum mog_ended_by {
    MOG_ENDED_NOT = 0,          /* it has not ended yet                                                       */
    MOG_ENDED_BY_EXIT = 1,      /* exit(), or main() returned                                                 */
    MOG_ENDED_BY_FAULT = 2,     /* what a process would be killed for: a null pointer, a stack overflow       */
    MOG_ENDED_BY_SIGNAL = 3,    /* a signal that it sent to itself: abort()                                   */
    MOG_ENDED_BY_FUEL = 4,      /* the setting "fuel"                                                         */
    MOG_ENDED_BY_TIMEOUT = 5,   /* the setting "timeout"                                                      */
    MOG_ENDED_BY_OTHER = 6,     /* another PE: its fault, with the setting "on-fault" at "abort"; its MPI_Abort */
    MOG_ENDED_BY_CANCEL = 7,    /* mog_run_cancel()                                                           */
    MOG_ENDED_BY_DEADLOCK = 8,  /* it waited in MPI for what no PE was left to do                             */
    MOG_ENDED_BY_ABORT = 9      /* its MPI_Abort, or an error that MPI's error handler ends the run for             */
} mog_ended_by;

typedef struct mog_pe_end {
    mog_ended_by by;
    int32_t status; /* its exit status, 0 to 255: 128 + signal after a fault or signal, 124 after a limit; 0 if it has not ended */
    int32_t signal; /* BY_FAULT, BY_SIGNAL: the signal that it amounts to, in the numbers of MIPS Linux; else 0                  */
} mog_pe_end;

/* How a PE ended. Errors: ARGUMENT, PE, STATE (not loaded). */
MOG_API mog_code mog_run_pe_end(mog_run *run, uint32_t pe, mog_pe_end *end, mog_error *error);

/* Why a PE ended where that was not its own exit, and where it stood then. Nothing in it is NULL, and the strings are the run's, valid until
 * it is freed. Lines are those of programs compiled with -g. */
typedef struct mog_cause {
    const char *text;     /* such as "null pointer: reads from address 0x8, which is not its memory"; "" if it is not known               */
    const char *function; /* of the innermost call whose line is known, so that of the caller of strlen(); else of the instruction; or "" */
    const char *file;     /* the source of that line, as the compiler was told of it; or ""                                               */
    uint32_t line;        /* from 1; 0 if it is not known                                                                                 */
    uint32_t code;        /* the address of the instruction that it stood at, as debuggers show it; 0 if it is not known                  */
    uint32_t address;     /* the address that a faulty access or jump wanted to get at; else 0                                            */
} mog_cause;

/* The cause of a PE's end by a fault, a signal, a limit, a deadlock, or its MPI_Abort. Of a PE that has not ended, or in another way, all is
 * empty. Errors: ARGUMENT, PE, STATE (not loaded). */
MOG_API mog_code mog_run_pe_cause(mog_run *run, uint32_t pe, mog_cause *cause, mog_error *error);

/* What a PE has written so far to `stream`, 1 or 2, with MOG_OUTPUT_KEEP. *bytes has *size bytes and a NUL behind them; both are the
 * run's, valid until it runs on or is freed. Errors: ARGUMENT, PE, STATE (not loaded, or output is not kept). */
MOG_API mog_code mog_run_output(mog_run *run, uint32_t pe, int stream, const char **bytes, size_t *size, mog_error *error);

/* Reads or writes `size` bytes at `address` in a PE's memory; writing to MOG_ALL_PES writes the same to each. From mog_run_load() on,
 * whether the PE runs or has ended, unless the run has failed. Errors: ARGUMENT, PE, ADDRESS, STATE, DEVICE. */
MOG_API mog_code mog_run_read(mog_run *run, uint32_t pe, uint32_t address, void *bytes, size_t size, mog_error *error);
MOG_API mog_code mog_run_write(mog_run *run, uint32_t pe, uint32_t address, const void *bytes, size_t size, mog_error *error);

/* The same for many pieces at once, which is how to collect a result of each of many PEs. Errors: as mog_memory_read() and STATE. */
MOG_API mog_code mog_run_read_pieces(mog_run *run, const mog_piece *pieces, size_t count, mog_error *error);
MOG_API mog_code mog_run_write_pieces(mog_run *run, const mog_piece *pieces, size_t count, mog_error *error);

/* The addresses of every PE's memory: from *address on, *size bytes. Errors: ARGUMENT, STATE (not loaded). */
MOG_API mog_code mog_run_memory(mog_run *run, uint32_t *address, uint32_t *size, mog_error *error);

/* The same of the memory that all PEs share, which is read and written by the address as any PE's; *size is 0 if the program has none.
 * Errors: ARGUMENT, STATE (not loaded). */
MOG_API mog_code mog_run_window(mog_run *run, uint32_t *address, uint32_t *size, mog_error *error);

/* Statistics of the run as JSON, as `mogrun --stats=json` shows them. The text is the run's, valid until the next call of this function
 * or mog_run_free(). Errors: ARGUMENT, STATE (the run has not ended), DEVICE. */
MOG_API mog_code mog_run_stats(mog_run *run, const char **json, mog_error *error);

/* Statistics of MPI as JSON, by function and by rank, as `mogrun --mpi-stats=json` shows them. They are made with the setting "mpi-stats".
 * The text is the run's, valid until the next call of this function or mog_run_free(). Errors: ARGUMENT, STATE (the run has not
 * ended, no PE has called MPI, or the setting was not made). */
MOG_API mog_code mog_run_mpi_stats(mog_run *run, const char **json, mog_error *error);

/* ---- kernels in PTX --------------------------------------------------------------------------------------------------------- */

/* PTX text (NVIDIA's intermediate language, as clang and nvcc write it), loaded for this machine's cores: docs/ptx.md. Memory of kernels is the
 * host's: what a kernel takes as a pointer is a pointer of the process, from malloc() or wherever. A module may be used by any number of
 * threads and streams at once. */
typedef struct mog_ptx_module mog_ptx_module;

/* Launches one after the other, beside the program and beside other streams. */
typedef struct mog_ptx_stream mog_ptx_stream;

typedef struct mog_ptx_shape {
    uint32_t grid[3];      /* blocks, in x, y and z                                  */
    uint32_t block[3];     /* threads of a block, at most 1024                       */
    uint32_t shared_bytes; /* of a block, beside what the kernel itself declares     */
} mog_ptx_shape;

/* Reads PTX text of `size` bytes; `name` is for messages, such as a file's, or NULL. On success *module is the caller's, to be freed with
 * mog_ptx_free(); else NULL. Errors: ARGUMENT, PROGRAM (with line and column), MEMORY. */
MOG_API mog_code mog_ptx_load(const char *text, size_t size, const char *name, mog_ptx_module **module, mog_error *error);

/* Frees it once no launch of its kernels is left. NULL is fine. */
MOG_API void mog_ptx_free(mog_ptx_module *module);

/* A variable of the module (.global or .const): where it is and its size in bytes; either may be NULL. Errors: ARGUMENT, SYMBOL. */
MOG_API mog_code mog_ptx_variable(const mog_ptx_module *module, const char *name, void **address, size_t *size, mog_error *error);

/* Runs a kernel to its end; arguments[i] points to the value of its parameter i. Errors: ARGUMENT, SYMBOL (no such kernel), SETUP (a shape that
 * cannot be), DEVICE (a fault of a thread, with its place). */
MOG_API mog_code mog_ptx_launch(const mog_ptx_module *module, const char *kernel, const mog_ptx_shape *shape, void *const *arguments,
                                mog_error *error);

/* Errors: ARGUMENT, MEMORY. */
MOG_API mog_code mog_ptx_stream_new(mog_ptx_stream **stream, mog_error *error);

/* Adds a launch; values of arguments are taken at once. Errors: ARGUMENT, SYMBOL, MEMORY; all others come from mog_ptx_stream_wait(). After a
 * launch that failed, those behind it are left out until then. */
MOG_API mog_code mog_ptx_stream_launch(mog_ptx_stream *stream, const mog_ptx_module *module, const char *kernel, const mog_ptx_shape *shape,
                                       void *const *arguments, mog_error *error);

/* Waits for all of its launches. Errors: ARGUMENT, and the first one of a launch since the last wait. */
MOG_API mog_code mog_ptx_stream_wait(mog_ptx_stream *stream, mog_error *error);

/* Waits and frees. NULL is fine. */
MOG_API void mog_ptx_stream_free(mog_ptx_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
