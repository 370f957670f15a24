/* heap.c: malloc and free of a program with threads. Newlib's heap has one lock; short pieces that a thread gave back it keeps for itself,
 * some of each size, and asks the heap for several at once. */
#include <malloc.h>

#include "runtime_pe/libc/heap.h"
#include "thread.h"

enum { BATCH = 8, KEPT = 32 };

static void put(struct thread *self, size_t bin, void *piece) {
    mog_heap_put(&self->bins[bin], piece);
    ++self->binned[bin];
}
static void *take(struct thread *self, size_t bin) {
    void *piece = mog_heap_take(&self->bins[bin]);
    if (piece) --self->binned[bin];
    return piece;
}

static void give_back(struct thread *self, size_t bin, unsigned left) {
    while (self->binned[bin] > left) _free_r(_REENT, take(self, bin));
}

void *__mog_thread_malloc(size_t bytes) {
    const size_t bin = mog_heap_bin(bytes);
    if (bin >= HEAP_BINS || bytes > HEAP_BINS * HEAP_STEP) return _malloc_r(_REENT, bytes);
    struct thread *self = &__mog_self;
    void *piece = take(self, bin);
    if (piece) return piece;
    __malloc_lock(_REENT);
    piece = _malloc_r(_REENT, bytes);
    for (int more = 1; piece && more < BATCH; ++more) {
        void *another = _malloc_r(_REENT, bytes);
        if (!another) break;
        /* The heap may have given more than was asked for. */
        const size_t its_bin = malloc_usable_size(another) + HEAP_HEADER;
        if (its_bin / HEAP_STEP == bin) put(self, bin, another);
        else _free_r(_REENT, another);
    }
    __malloc_unlock(_REENT);
    return piece;
}

void __mog_thread_free(void *piece) {
    if (!piece) return;
    const size_t bin = mog_heap_bin_of(piece);
    if (bin >= HEAP_BINS) {
        _free_r(_REENT, piece);
        return;
    }
    struct thread *self = &__mog_self;
    put(self, bin, piece);
    if (self->binned[bin] <= KEPT) return;
    __malloc_lock(_REENT);
    give_back(self, bin, KEPT / 2);
    __malloc_unlock(_REENT);
}

void __mog_empty_bins(struct thread *self) {
    __malloc_lock(_REENT);
    for (size_t bin = 0; bin < HEAP_BINS; ++bin) give_back(self, bin, 0);
    __malloc_unlock(_REENT);
}
