/* type_table.c: derived types and their handles. A type lives until its handle, types made of it and requests have let go of it. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "types.h"

static struct mpi_type **table;
static unsigned table_size;

struct mpi_type *__mog_mpi_type(MPI_Datatype handle) {
    MPI_HOLD_TABLES
    const unsigned i = (unsigned)handle - MPI_FIRST_DERIVED;
    return i < table_size ? table[i] : NULL;
}

void __mog_mpi_keep_type(MPI_Datatype handle) {
    MPI_HOLD_TABLES
    struct mpi_type *t = __mog_mpi_type(handle);
    if (t) t->uses++;
}

void __mog_mpi_release_type(MPI_Datatype handle) {
    MPI_HOLD_TABLES
    struct mpi_type *t = __mog_mpi_type(handle);
    if (!t || --t->uses) return;
    table[(unsigned)handle - MPI_FIRST_DERIVED] = NULL;
    for (int i = 0; i < t->types; i++) __mog_mpi_release_type(t->contents[t->integers + t->addresses + i]);
    free(t->runs);
    free(t);
}

void __mog_mpi_new_handle(MPI_Datatype handle) {
    MPI_HOLD_TABLES
    struct mpi_type *t = __mog_mpi_type(handle);
    if (t) {
        t->handles++;
        t->uses++;
    }
}

/* Handles that the program has. */
unsigned __mog_mpi_left_types(void) {
    unsigned left = 0;
    for (unsigned i = 0; i < table_size; i++)
        if (table[i] && !mpi_is_selected(table[i])) left += (unsigned)table[i]->handles;
    return left;
}

static int free_place(unsigned *place) {
    for (*place = 0; *place < table_size; ++*place)
        if (!table[*place]) return 1;
    struct mpi_type **more = realloc(table, (table_size + 4) * sizeof *table);
    if (!more) return 0;
    memset(more + table_size, 0, 4 * sizeof *more);
    table = more;
    table_size += 4;
    return 1;
}

static void copy_contents(int *to, const struct mpi_contents *c) {
    memcpy(to, c->integer, (size_t)c->integers_here * sizeof *to);
    to += c->integers_here;
    for (int i = 0; i < 4; i++)
        if (c->lists[i]) {
            memcpy(to, c->lists[i], (size_t)c->list_count * sizeof *to);
            to += c->list_count;
        }
    if (c->has_last_integer) *to++ = c->last_integer;
    memcpy(to, c->address_list ? c->address_list : c->address, (size_t)c->addresses * sizeof *to);
    to += c->addresses;
    memcpy(to, c->type_list, (size_t)c->types * sizeof *to);
    for (int i = 0; i < c->types; i++) __mog_mpi_keep_type(to[i]);
}

/* An extent is a multiple of what its members want, unless the program has said where it ends. */
static long long padded_end(const struct mpi_shape *s) {
    const long long odd = s->alignment > 1 ? (s->ub - s->lb) % s->alignment : 0;
    return s->has_ub || odd <= 0 ? s->ub : s->ub + s->alignment - odd;
}

int __mog_mpi_new_type(struct mpi_shape *s, const struct mpi_contents *c, MPI_Datatype *handle) {
    MPI_HOLD_TABLES
    unsigned place;
    const long long ub = padded_end(s);
    struct mpi_type *t = NULL;
    int code = s->failed ? s->failed : ub > INT_MAX ? MPI_ERR_ARG : MPI_SUCCESS;
    if (code == MPI_SUCCESS &&
        (!free_place(&place) || !(t = malloc(sizeof *t + (size_t)(c->integers + c->addresses + c->types) * sizeof(int)))))
        code = MPI_ERR_NO_MEM;
    if (code != MPI_SUCCESS) {
        __mog_mpi_shape_free(s);
        return code;
    }
    /* Room that was left over goes back. */
    struct mpi_run *runs = s->run_count ? realloc(s->runs, s->run_count * sizeof *runs) : NULL;
    *t = (struct mpi_type){.size = (unsigned)s->size,
                           .bytes = (unsigned)s->bytes,
                           .elements = (unsigned)s->elements,
                           .lb = (int)s->lb,
                           .ub = (int)ub,
                           .true_lb = (int)s->true_lb,
                           .true_ub = (int)s->true_ub,
                           .alignment = s->alignment,
                           .id = s->id,
                           .has_lb = s->has_lb,
                           .has_ub = s->has_ub,
                           .handles = 1,
                           .uses = 1,
                           .handle = (MPI_Datatype)(MPI_FIRST_DERIVED + place),
                           .runs = runs ? runs : s->runs,
                           .run_count = s->run_count,
                           .combiner = c->combiner,
                           .integers = c->integers,
                           .addresses = c->addresses,
                           .types = c->types};
    copy_contents(t->contents, c);
    table[place] = t;
    *handle = t->handle;
    return MPI_SUCCESS;
}

MPI_DEFINE(Type_commit, MPI_Datatype *type) {
    struct mpi_type *t = __mog_mpi_type(*type);
    if (t ? !t->handles : !__mog_mpi_basic_size(*type)) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_TYPE);
    if (t) t->committed = 1;
    return MPI_SUCCESS;
}

MPI_DEFINE(Type_free, MPI_Datatype *type) {
    struct mpi_type *t = __mog_mpi_type(*type);
    if (!t || !t->handles || mpi_is_selected(t)) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_TYPE);
    const int code = t->handles == 1 && __mog_mpi_end_type_more ? __mog_mpi_end_type_more(*type) : MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_RETURN(MPI_COMM_WORLD, code);
    t->handles--;
    __mog_mpi_release_type(*type);
    *type = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

/* Here, and not in pack.c: types.c refers to it only if there are types. */
int __mog_mpi_derived_buffer(struct mpi_bytes *bytes, void *buffer, int count, MPI_Datatype type, int outgoing) {
    const struct mpi_type *t = __mog_mpi_type(type);
    if (!t || !t->committed) return MPI_ERR_TYPE;
    if (count < 0 || (t->bytes && (unsigned)count > 0x7fffffffu / t->bytes)) return MPI_ERR_COUNT;
    *bytes = (struct mpi_bytes){buffer, (unsigned)count * t->bytes, NULL};
    if (!bytes->bytes) return MPI_SUCCESS;
    /* One block after the other needs no copy. */
    if (t->run_count == 1 && t->runs->count == 1 && (count == 1 || (long)t->ub - t->lb == (long)t->runs->bytes)) {
        bytes->start = (char *)buffer + t->runs->offset;
        return MPI_SUCCESS;
    }
    bytes->start = bytes->packed = malloc(bytes->bytes);
    if (!bytes->packed) return MPI_ERR_NO_MEM;
    if (outgoing) __mog_mpi_pack(bytes->packed, buffer, count, t);
    return MPI_SUCCESS;
}
