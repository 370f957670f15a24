/* pack.c: data of derived types as bytes that lie one after the other, and back. */
#include <string.h>

#include "types.h"

enum { WORD = 4 };

/* `count` blocks of `bytes`: from distances of `from_step` to distances of `to_step`. */
static void copy_blocks(char *to, long to_step, const char *from, long from_step, int count, unsigned bytes) {
    const unsigned long odd = ((unsigned long)to | (unsigned long)from | (unsigned long)to_step | (unsigned long)from_step | bytes) % WORD;
    /* Elements of matrices: a call of memcpy would take longer than the copy, and so would a loop over two words. */
    if (odd == 0 && bytes == WORD) {
        for (; count > 0; count--, to += to_step, from += from_step) *(unsigned *)to = *(const unsigned *)from;
    } else if (odd == 0 && bytes == 2 * WORD) {
        for (; count > 0; count--, to += to_step, from += from_step) {
            const unsigned first = ((const unsigned *)from)[0], second = ((const unsigned *)from)[1];
            ((unsigned *)to)[0] = first;
            ((unsigned *)to)[1] = second;
        }
    } else if (odd == 0 && bytes <= 8 * WORD) {
        for (; count > 0; count--, to += to_step, from += from_step)
            for (unsigned i = 0; i < bytes; i += WORD) *(unsigned *)(to + i) = *(const unsigned *)(from + i);
    } else {
        for (; count > 0; count--, to += to_step, from += from_step) memcpy(to, from, bytes);
    }
}

/* `from` or `to` is packed; `unpack`: the former. At most `bytes` bytes. */
static void move(char *packed, unsigned bytes, char *buffer, int count, const struct mpi_type *t, int unpack) {
    const long extent = (long)t->ub - t->lb;
    /* Elements of one block each are like blocks of one element. */
    const struct mpi_run all = {t->run_count ? t->runs->offset : 0, t->run_count ? t->runs->bytes : 0, count, (int)extent};
    const int simple = t->run_count == 1 && t->runs->count == 1;
    if (simple) count = 1;
    for (int element = 0; element < count && bytes; element++, buffer += extent)
        for (unsigned k = 0; k < t->run_count && bytes; k++) {
            const struct mpi_run run = simple ? all : t->runs[k];
            char *const place = buffer + run.offset;
            const unsigned whole = bytes / run.bytes, now = whole < (unsigned)run.count ? whole : (unsigned)run.count;
            if (unpack) copy_blocks(place, run.stride, packed, (long)run.bytes, (int)now, run.bytes);
            else copy_blocks(packed, (long)run.bytes, place, run.stride, (int)now, run.bytes);
            packed += now * run.bytes;
            bytes -= now * run.bytes;
            if (now < (unsigned)run.count) {
                /* The rest is less than a block. */
                char *const last = place + (long)now * run.stride;
                memcpy(unpack ? last : packed, unpack ? packed : last, bytes);
                bytes = 0;
            }
        }
}

void __mog_mpi_pack(void *to, const void *buffer, int count, const struct mpi_type *type) {
    move(to, type->bytes * (unsigned)count, (char *)buffer, count, type, 0);
}

void __mog_mpi_unpack(const void *from, unsigned bytes, void *buffer, int count, const struct mpi_type *type) {
    const unsigned most = type->bytes * (unsigned)count;
    move((char *)from, bytes < most ? bytes : most, buffer, count, type, 1);
}
