/* malloc.c: newlib's heap, and before it the short pieces that were given back last, a few of each size: programs give back and ask for the
 * same sizes again and again, which costs the heap some sixty instructions each time. Where there are threads, each has such pieces for
 * itself. */
#include <malloc.h>
#include <reent.h>
#include <string.h>

#include "heap.h"

enum { MOST_BYTES = 128, BINS = MOST_BYTES / HEAP_STEP + 1, KEPT = 8 };

static void *bins[BINS];
static unsigned char kept[BINS];

/* All of them to the heap. Whether there were any. */
static int empty_bins(void) {
    int some = 0;
    for (unsigned bin = 0; bin < BINS; ++bin)
        for (void *piece; (piece = mog_heap_take(&bins[bin])) != NULL; some = 1) _free_r(_REENT, piece);
    memset(kept, 0, sizeof kept);
    return some;
}

static __attribute__((noinline)) void *from_heap(size_t bytes) {
    void *memory = _malloc_r(_REENT, bytes);
    if (!memory && empty_bins()) memory = _malloc_r(_REENT, bytes);
    return memory;
}

void *malloc(size_t bytes) {
    if (__mog_thread_malloc) return __mog_thread_malloc(bytes);
    const size_t bin = mog_heap_bin(bytes);
    void *piece;
    if (bin >= BINS || bytes > MOST_BYTES || !(piece = mog_heap_take(&bins[bin]))) return from_heap(bytes);
    --kept[bin];
    return piece;
}

void free(void *memory) {
    if (__mog_thread_free) {
        __mog_thread_free(memory);
        return;
    }
    if (!memory) return;
    const size_t bin = mog_heap_bin_of(memory);
    if (bin >= BINS || kept[bin] == KEPT) {
        _free_r(_REENT, memory);
        return;
    }
    mog_heap_put(&bins[bin], memory);
    ++kept[bin];
}
