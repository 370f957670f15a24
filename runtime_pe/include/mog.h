/* mog.h: what a program can ask about the machine it runs on.
 *
 *     #include <mog.h>
 *     for (int i = IPROC; i < rows; i += NPROC)      // rows shared out over the PEs
 *         draw(i);
 *
 * Without MOG (the same file under qemu-mipsel) there is one PE, number 0.
 */
#ifndef MOG_H
#define MOG_H

#ifdef __cplusplus
extern "C" {
#endif

/* The number of PEs that run this program, and which of them this one is: 0 .. NPROC-1. They live in the control block,
 * the first words of every PE's memory, and never change while the program runs. */
extern const int NPROC __asm__("__mog_nproc");
extern const int IPROC __asm__("__mog_iproc");

/* The same as functions, for programs that have other uses for the names NPROC and IPROC. */
static inline int mog_size(void) { return NPROC; }
static inline int mog_rank(void) { return IPROC; }

/* Memory that all PEs share (docs/memory.md). Variables of which there is one for all of them, zero at the start:
 *
 *     MOG_SHARED int counter;
 *     __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
 *
 * and pieces, which are zero, too: a pointer to one means the same to every PE. NULL and ENOMEM: there is no room (mogrun --shared-memory).
 */
#define MOG_SHARED __attribute__((section(".bss.mogshared")))
void *mog_shared_alloc(__SIZE_TYPE__ bytes);
void mog_shared_free(void *piece);

/* Functions of the host: those that the program which runs this one has registered with libmog (mog_run_register()), by name.
 *
 *     int multiply = mog_native("multiply");
 *     if (mog_native_call(multiply, a, b, c, n) < 0) perror("multiply");
 *
 * mog_native() gives a function's number; -1 and ENOSYS if there is none of that name, as under mogrun and qemu-mipsel.
 * mog_native_call() calls it with up to six words: integers, or pointers into this PE's memory, which the function may read and write
 * there; floats and longer values by pointer. It returns what the function does, or -1 with errno. All PEs that call in the same
 * round are served together, and go on when all of them are. */
int mog_native(const char *name);
#define mog_native_call(...) \
    MOG_NATIVE_PICK(__VA_ARGS__, MOG_NATIVE_6, MOG_NATIVE_5, MOG_NATIVE_4, MOG_NATIVE_3, MOG_NATIVE_2, MOG_NATIVE_1, MOG_NATIVE_0, 0)(__VA_ARGS__)

#define MOG_NATIVE_PICK(f, a, b, c, d, e, g, name, ...) name
#define MOG_NATIVE_0(f) __mog_native_words(f, 0, 0, 0, 0, 0, 0)
#define MOG_NATIVE_1(f, a) __mog_native_words(f, (int)(a), 0, 0, 0, 0, 0)
#define MOG_NATIVE_2(f, a, b) __mog_native_words(f, (int)(a), (int)(b), 0, 0, 0, 0)
#define MOG_NATIVE_3(f, a, b, c) __mog_native_words(f, (int)(a), (int)(b), (int)(c), 0, 0, 0)
#define MOG_NATIVE_4(f, a, b, c, d) __mog_native_words(f, (int)(a), (int)(b), (int)(c), (int)(d), 0, 0)
#define MOG_NATIVE_5(f, a, b, c, d, e) __mog_native_words(f, (int)(a), (int)(b), (int)(c), (int)(d), (int)(e), 0)
#define MOG_NATIVE_6(f, a, b, c, d, e, g) __mog_native_words(f, (int)(a), (int)(b), (int)(c), (int)(d), (int)(e), (int)(g))
int __mog_native_words(int f, int a, int b, int c, int d, int e, int g);

#ifdef __cplusplus
}
#endif

#endif
