/* share.h: of loops and sections, what their two kinds of counters and task reductions have in common: share.c, reductions.c. */
#ifndef MOG_OPENMP_SHARE_H
#define MOG_OPENMP_SHARE_H

#include "openmp.h"

/* Of an ordered loop: the turn goes to what comes behind this member's iterations. */
void omp_pass_turn(struct context *own) __asm__("__mog_omp_pass_turn");
void omp_begin_reductions(struct context *own, bool first, uintptr_t *reductions) __asm__("__mog_omp_begin_reductions");

#endif
