/* heap.h: newlib's heap as those see it that keep pieces before it, and what malloc and free are in a program with threads:
 * threads/heap.c. */
#ifndef MOG_HEAP_H
#define MOG_HEAP_H

#include <stddef.h>
#include <string.h>

/* A piece has its size before it, of which the lower bits are the heap's; and is a multiple of 8 bytes, these 4 among them. Pieces of a
 * size are a bin: that size in steps. */
enum { HEAP_HEADER = 4, HEAP_STEP = 8, HEAP_LEAST = 16 };

static inline size_t mog_heap_bin(size_t bytes) {
    const size_t whole = (bytes + HEAP_HEADER + HEAP_STEP - 1) / HEAP_STEP;
    return whole < HEAP_LEAST / HEAP_STEP ? HEAP_LEAST / HEAP_STEP : whole;
}
static inline size_t mog_heap_bin_of(const void *piece) {
    unsigned header;
    memcpy(&header, (const char *)piece - HEAP_HEADER, sizeof header);
    return header / HEAP_STEP;
}

/* Pieces that are kept: the first bytes of each are where the next one is. */
static inline void mog_heap_put(void **kept, void *piece) {
    memcpy(piece, kept, sizeof *kept);
    *kept = piece;
}
static inline void *mog_heap_take(void **kept) {
    void *piece = *kept;
    if (piece) memcpy(kept, piece, sizeof *kept);
    return piece;
}

void *__mog_thread_malloc(size_t bytes) __attribute__((weak));
void __mog_thread_free(void *piece) __attribute__((weak));

#endif
