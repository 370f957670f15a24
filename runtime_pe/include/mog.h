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

#ifdef __cplusplus
}
#endif

#endif
