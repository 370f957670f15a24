/* type_shape.c: shapes out of shapes: copies of one at equal distances, and how runs that follow each other become one. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "types.h"

int __mog_mpi_shape(struct mpi_shape *shape, struct mpi_run *run, MPI_Datatype handle) {
    const struct mpi_type *t = __mog_mpi_type(handle);
    memset(shape, 0, sizeof *shape);
    if (t) {
        shape->runs = t->runs;
        shape->run_count = t->run_count;
        shape->size = t->size;
        shape->bytes = t->bytes;
        shape->elements = t->elements;
        shape->lb = t->lb;
        shape->ub = t->ub;
        shape->true_lb = t->true_lb;
        shape->true_ub = t->true_ub;
        shape->alignment = t->alignment;
        shape->id = t->id;
        shape->has_bounds = t->run_count != 0 || t->has_lb || t->has_ub;
        shape->has_lb = t->has_lb;
        shape->has_ub = t->has_ub;
        return 1;
    }
    const unsigned bytes = __mog_mpi_basic_size(handle);
    if (!bytes) return 0;
    *run = (struct mpi_run){0, bytes, 1, (int)bytes};
    shape->runs = run;
    shape->run_count = 1;
    shape->size = __mog_mpi_basic_data(handle);
    shape->bytes = shape->ub = shape->true_ub = bytes;
    shape->elements = mpi_is_pair(handle) ? 2 : 1;
    /* Complex numbers are as aligned as their halves. */
    shape->alignment = __mog_mpi_number_size(handle);
    shape->id = (unsigned char)mpi_type_id(handle);
    shape->has_bounds = 1;
    return 1;
}

static void append(struct mpi_shape *to, struct mpi_run run) {
    if (!run.count || !run.bytes) return;
    struct mpi_run *last = to->run_count ? to->runs + to->run_count - 1 : NULL;
    if (last && last->count == 1 && run.count == 1 && last->offset + (int)last->bytes == run.offset) {
        last->bytes += run.bytes;
        return;
    }
    if (last && last->bytes == run.bytes) {
        const int stride = last->count > 1 ? last->stride : run.offset - last->offset;
        if (run.offset == last->offset + last->count * stride && (run.count == 1 || run.stride == stride)) {
            last->stride = stride;
            last->count += run.count;
            return;
        }
    }
    if (to->run_count == to->run_room) {
        const unsigned room = to->run_room ? 2 * to->run_room : 1;
        struct mpi_run *more = realloc(to->runs, room * sizeof *more);
        if (!more) {
            to->failed = MPI_ERR_NO_MEM;
            return;
        }
        to->runs = more;
        to->run_room = room;
    }
    to->runs[to->run_count++] = run;
}

/* Takes in copies whose first stands at `low`, and the last at `high`. */
static void widen(struct mpi_shape *to, const struct mpi_shape *from, long long low, long long high) {
    if (from->has_lb > to->has_lb || (from->has_lb == to->has_lb && (from->lb + low < to->lb || !(to->has_bounds || to->has_lb))))
        to->lb = from->lb + low;
    if (from->has_ub > to->has_ub || (from->has_ub == to->has_ub && (from->ub + high > to->ub || !(to->has_bounds || to->has_ub))))
        to->ub = from->ub + high;
    to->has_lb |= from->has_lb;
    to->has_ub |= from->has_ub;
    to->has_bounds = 1;
    if (from->run_count && (!to->run_count || from->true_lb + low < to->true_lb)) to->true_lb = from->true_lb + low;
    if (from->run_count && (!to->run_count || from->true_ub + high > to->true_ub)) to->true_ub = from->true_ub + high;
}

static int fits(long long number) { return number >= INT_MIN && number <= INT_MAX; }

void __mog_mpi_shape_add(struct mpi_shape *to, const struct mpi_shape *from, long long displacement, int count, long long stride) {
    if (to->failed || count <= 0 || !from->has_bounds) return;
    /* Sums and products of what fits 32 bits fit 64. */
    if (!fits(displacement) || (count > 1 && !fits(stride))) {
        to->failed = MPI_ERR_ARG;
        return;
    }
    const long long last = displacement + (count - 1) * stride;
    widen(to, from, last < displacement ? last : displacement, last < displacement ? displacement : last);
    if (from->bytes) to->id = !to->bytes || to->id == from->id ? from->id : 0;
    to->bytes += count * from->bytes;
    to->size += count * from->size;
    to->elements += count * from->elements;
    if (from->alignment > to->alignment) to->alignment = from->alignment;
    if (!fits(to->lb) || !fits(to->ub) || !fits(to->true_lb) || !fits(to->true_ub) || !fits(to->bytes) || !fits(to->ub - to->lb) ||
        !fits(to->elements)) {
        to->failed = MPI_ERR_ARG;
        return;
    }
    /* One run: its copies are one, too, if they go on where it ends, or if it is one block. */
    const struct mpi_run *only = from->run_count == 1 ? from->runs : NULL;
    if (only && only->count == 1 && (count == 1 || stride == (long long)only->bytes))
        append(to, (struct mpi_run){(int)displacement + only->offset, only->bytes * (unsigned)count, 1, 0});
    else if (only && only->count == 1) append(to, (struct mpi_run){(int)displacement + only->offset, only->bytes, count, (int)stride});
    else if (only && (long long)only->count * only->stride == stride)
        append(to, (struct mpi_run){(int)displacement + only->offset, only->bytes, only->count * count, only->stride});
    else
        for (int i = 0; i < count && !to->failed; i++)
            for (unsigned k = 0; k < from->run_count; k++) {
                struct mpi_run run = from->runs[k];
                run.offset += (int)(displacement + i * stride);
                append(to, run);
            }
}

void __mog_mpi_shape_free(struct mpi_shape *shape) {
    free(shape->runs);
    shape->runs = NULL;
}
