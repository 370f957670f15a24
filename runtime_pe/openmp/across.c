/* across.c: doacross: each iteration of the outermost loop has a word that says how many of the iterations in it have been posted, in
 * order. */
#include "across.h"

#include <stdlib.h>

#include "openmp.h"

void omp_set_across(struct share *share, unsigned dimensions, const wide *counts) {
    wide within = 1;
    share->dimensions = dimensions;
    share->waiters = 0;
    share->inner = malloc(dimensions * sizeof *share->inner);
    share->posted = share->count < SIZE_MAX ? calloc((size_t)share->count + 1, sizeof *share->posted) : NULL;
    for (unsigned i = 1; share->inner && i < dimensions; ++i) {
        share->inner[i] = counts[i];
        /* Where the outermost loop has no iteration, the other counts say nothing. */
        if (share->count && (__builtin_mul_overflow(within, counts[i], &within) || within >= UINT32_MAX))
            omp_fail("ordered(%u): more than 2^32 iterations in one of the outermost loop are not supported", dimensions);
    }
    if (!share->inner || !share->posted) omp_fail("out of memory for a loop of %llu iterations with dependences", share->count);
}

unsigned omp_dimensions(void) {
    const struct share *share = omp_self()->share;
    return share ? share->dimensions : 0;
}

/* Iterations of the inner loops as one number, from 1 on. */
static unsigned number_of(const struct share *share, const wide *place) {
    wide number = 0;
    for (unsigned i = 1; i < share->dimensions; ++i) number = number * share->inner[i] + place[i];
    return (unsigned)number + 1;
}

void omp_post(const wide *place) {
    struct share *share = omp_self()->share;
    if (!share || !share->posted) return;
    unsigned *word = &share->posted[place[0]];
    __atomic_store_n(word, number_of(share, place), __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (ATOMIC_LOAD(&share->waiters)) __mog_wake(word, INT32_MAX);
}

void omp_wait_for_post(const wide *place) {
    struct share *share = omp_self()->share;
    if (!share || !share->posted) return;
    const unsigned *word = &share->posted[place[0]], wanted = number_of(share, place);
    for (int spins = 0;; ++spins) {
        const unsigned now = ATOMIC_LOAD(word);
        if (now >= wanted) return;
        if (spins < SPINS) {
            relax();
            continue;
        }
        __atomic_fetch_add(&share->waiters, 1, __ATOMIC_SEQ_CST);
        if (ATOMIC_LOAD(word) == now) __mog_wait_on(word, now, NULL);
        __atomic_fetch_sub(&share->waiters, 1, __ATOMIC_SEQ_CST);
    }
}
