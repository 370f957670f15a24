/* view_runs.c: from places in a view's stream to those in the file. The engine gets runs: equal blocks at equal distances. */
#include <stdlib.h>

#include "files.h"
#include "runtime_pe/mpi/datatype/types.h"

#pragma weak __mog_mpi_type

struct list {
    struct mog_mpi_file_run *runs;
    unsigned count, room;
    int code;
};

static void append(struct list *list, MPI_Offset offset, unsigned bytes, unsigned count, MPI_Offset stride) {
    if (!bytes || !count || list->code != MPI_SUCCESS) return;
    if (list->count == list->room) {
        const unsigned room = list->room ? 2 * list->room : 4;
        struct mog_mpi_file_run *more = realloc(list->runs, room * sizeof *more);
        if (!more) {
            list->code = MPI_ERR_NO_MEM;
            return;
        }
        list->runs = more;
        list->room = room;
    }
    list->runs[list->count++] =
        (struct mog_mpi_file_run){(unsigned)offset, (unsigned)(offset >> 32), bytes, count, (unsigned)stride, (unsigned)(stride >> 32)};
}

const struct mpi_run *__mog_mpi_file_runs(MPI_Datatype type, struct mpi_run *one, unsigned *count) {
    const struct mpi_type *t = __mog_mpi_type ? __mog_mpi_type(type) : NULL;
    *one = (struct mpi_run){0, __mog_mpi_basic_size(type), 1, 0};
    *count = t ? t->run_count : 1;
    return t ? t->runs : one;
}

/* Of one tile, whose first byte is at `base`: `bytes` bytes from its byte `skip` on. */
static void append_part(struct list *list, const struct mpi_run *runs, unsigned run_count, MPI_Offset base, unsigned skip, unsigned bytes) {
    for (unsigned k = 0; k < run_count && bytes; k++) {
        const struct mpi_run *run = runs + k;
        const unsigned whole = run->bytes * (unsigned)run->count;
        if (skip >= whole) {
            skip -= whole;
            continue;
        }
        /* The rest of a block, whole blocks, and the beginning of one. */
        MPI_Offset place = base + run->offset + (MPI_Offset)(skip / run->bytes) * run->stride;
        unsigned left = whole - skip < bytes ? whole - skip : bytes;
        bytes -= left;
        const unsigned odd = skip % run->bytes;
        skip = 0;
        if (odd) {
            const unsigned now = run->bytes - odd < left ? run->bytes - odd : left;
            append(list, place + odd, now, 1, 0);
            place += run->stride;
            left -= now;
        }
        append(list, place, run->bytes, left / run->bytes, run->stride);
        append(list, place + (MPI_Offset)(left / run->bytes) * run->stride, left % run->bytes, 1, 0);
    }
}

static void append_stream(struct list *list, const struct mpi_file *f, MPI_Offset at, unsigned bytes) {
    struct mpi_run one;
    unsigned count;
    const struct mpi_run *runs = __mog_mpi_file_runs(f->layout, &one, &count);
    if (f->tile.is_tight) {
        append(list, f->displacement + f->tile.offset + at, bytes, 1, 0);
        return;
    }
    while (bytes && list->code == MPI_SUCCESS) {
        const MPI_Offset tile = at / f->tile.bytes, base = f->displacement + tile * f->tile.extent;
        const unsigned skip = (unsigned)(at % f->tile.bytes), rest = f->tile.bytes - skip;
        unsigned now = rest < bytes ? rest : bytes;
        if (skip == 0 && count == 1 && runs->count == 1 && bytes >= f->tile.bytes) {
            /* One block in each tile. */
            now = bytes - bytes % f->tile.bytes;
            append(list, base + runs->offset, runs->bytes, now / f->tile.bytes, f->tile.extent);
        } else {
            append_part(list, runs, count, base, skip, now);
        }
        at += now;
        bytes -= now;
    }
}

int __mog_mpi_file_move(struct mpi_file *f, int writes, MPI_Offset at, void *buffer, unsigned bytes, unsigned *came) {
    struct list list = {NULL, 0, 0, MPI_SUCCESS};
    *came = 0;
    if (!bytes) return MPI_SUCCESS;
    if (!f->tile.bytes) return MPI_ERR_IO;
    append_stream(&list, f, at, bytes);
    int code = list.code;
    if (code == MPI_SUCCESS) {
        const int said = (int)__mog_mpi(MOG_MPI_WORD(writes ? MOG_MPI_file_write : MOG_MPI_file_read, 0, 0, 0), (unsigned)f->descriptor, 0,
                                        MPI_ADDRESS(list.runs), list.count, MPI_ADDRESS(buffer), bytes, 0);
        code = said < 0 ? -said : MPI_SUCCESS;
        *came = said < 0 ? 0 : (unsigned)said;
    }
    free(list.runs);
    return code;
}

MPI_Offset __mog_mpi_file_place(const struct mpi_file *f, MPI_Offset at) {
    struct list list = {NULL, 0, 0, MPI_SUCCESS};
    append_stream(&list, f, at, 1);
    const MPI_Offset place =
        list.count ? (MPI_Offset)((unsigned long long)list.runs->offset_high << 32 | list.runs->offset_low) : f->displacement;
    free(list.runs);
    return place;
}

MPI_Offset __mog_mpi_file_stream(const struct mpi_file *f, MPI_Offset offset) {
    struct mpi_run one;
    unsigned count;
    const struct mpi_run *runs = __mog_mpi_file_runs(f->layout, &one, &count);
    if (offset <= f->displacement || f->tile.extent <= 0) return 0;
    const MPI_Offset tile = (offset - f->displacement) / f->tile.extent;
    const MPI_Offset rest = offset - f->displacement - tile * f->tile.extent;
    /* Of the last tile what lies before the end. */
    MPI_Offset bytes = tile * f->tile.bytes;
    for (unsigned k = 0; k < count; k++)
        for (int i = 0; i < runs[k].count; i++) {
            const MPI_Offset begin = runs[k].offset + (MPI_Offset)i * runs[k].stride;
            if (begin < rest) bytes += rest - begin < runs[k].bytes ? rest - begin : runs[k].bytes;
        }
    return bytes;
}
