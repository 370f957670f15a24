/* type_make.c: types that are made of other ones. Each function says which copies of which type stand where, and keeps its arguments. */
#include <stdlib.h>

#include "types.h"

/* A type in the making. */
struct making {
    struct mpi_shape shape, of;
    struct mpi_run run; /* of `of`, if it is basic */
    long long extent;   /* of `of` */
    int code;
};

static struct making begin(int count, MPI_Datatype of) {
    struct making m = {.code = count < 0 ? MPI_ERR_COUNT : MPI_SUCCESS};
    if (m.code == MPI_SUCCESS && !__mog_mpi_shape(&m.of, &m.run, of)) m.code = MPI_ERR_TYPE;
    if (m.of.runs && !__mog_mpi_type(of)) m.of.runs = NULL; /* that of the copy: see add() */
    m.extent = m.of.ub - m.of.lb;
    return m;
}

/* `count` copies of the type in one piece, at a displacement. */
static void add(struct making *m, long long displacement, int count) {
    if (count < 0 && m->code == MPI_SUCCESS) m->code = MPI_ERR_ARG;
    struct mpi_shape of = m->of;
    if (!of.runs) of.runs = &m->run;
    if (m->code == MPI_SUCCESS) __mog_mpi_shape_add(&m->shape, &of, displacement, count, m->extent);
}

static int end(struct making *m, const struct mpi_contents *contents, MPI_Datatype *type, const char *function) {
    if (m->code == MPI_SUCCESS && !type) m->code = MPI_ERR_ARG;
    if (m->code == MPI_SUCCESS) m->code = __mog_mpi_new_type(&m->shape, contents, type);
    else __mog_mpi_shape_free(&m->shape);
    return m->code == MPI_SUCCESS ? m->code : __mog_mpi_failed(MPI_COMM_WORLD, m->code, function);
}

MPI_DEFINE(Type_contiguous, int count, MPI_Datatype of, MPI_Datatype *type) {
    struct making m = begin(count, of);
    add(&m, 0, count);
    return end(
        &m,
        &(struct mpi_contents){
            .combiner = MPI_COMBINER_CONTIGUOUS, .integers = 1, .integer = {count}, .integers_here = 1, .types = 1, .type_list = &of},
        type, __func__ + 1);
}

MPI_DEFINE(Type_dup, MPI_Datatype of, MPI_Datatype *type) {
    struct making m = begin(1, of);
    add(&m, 0, 1);
    int code = end(&m, &(struct mpi_contents){.combiner = MPI_COMBINER_DUP, .types = 1, .type_list = &of}, type, __func__ + 1);
    if (code != MPI_SUCCESS) return code;
    const struct mpi_type *old = __mog_mpi_type(of);
    __mog_mpi_type(*type)->committed = !old || old->committed;
    if (__mog_mpi_copy_type_more) code = __mog_mpi_copy_type_more(of, *type);
    if (code != MPI_SUCCESS) PMPI_Type_free(type);
    MPI_RETURN(MPI_COMM_WORLD, code);
}

MPI_DEFINE(Type_create_resized, MPI_Datatype of, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *type) {
    struct making m = begin(1, of);
    add(&m, 0, 1);
    m.shape.lb = lb;
    m.shape.ub = (long long)lb + extent;
    m.shape.has_lb = m.shape.has_ub = m.shape.has_bounds = 1;
    return end(
        &m, &(struct mpi_contents){.combiner = MPI_COMBINER_RESIZED, .addresses = 2, .address = {lb, extent}, .types = 1, .type_list = &of},
        type, __func__ + 1);
}

/* `stride` in bytes: a block, and copies of it. */
static void add_vector(struct making *m, int count, int length, long long stride) {
    if (length < 0) m->code = MPI_ERR_ARG;
    struct making block = *m;
    add(&block, 0, length);
    if (m->code == MPI_SUCCESS && block.shape.failed) m->code = block.shape.failed;
    if (m->code == MPI_SUCCESS) __mog_mpi_shape_add(&m->shape, &block.shape, 0, count, stride);
    __mog_mpi_shape_free(&block.shape);
}

MPI_DEFINE(Type_vector, int count, int length, int stride, MPI_Datatype of, MPI_Datatype *type) {
    struct making m = begin(count, of);
    add_vector(&m, count, length, stride * m.extent);
    return end(&m,
               &(struct mpi_contents){.combiner = MPI_COMBINER_VECTOR,
                                      .integers = 3,
                                      .integer = {count, length, stride},
                                      .integers_here = 3,
                                      .types = 1,
                                      .type_list = &of},
               type, __func__ + 1);
}

MPI_DEFINE(Type_create_hvector, int count, int length, MPI_Aint stride, MPI_Datatype of, MPI_Datatype *type) {
    struct making m = begin(count, of);
    add_vector(&m, count, length, stride);
    return end(&m,
               &(struct mpi_contents){.combiner = MPI_COMBINER_HVECTOR,
                                      .integers = 2,
                                      .integer = {count, length},
                                      .integers_here = 2,
                                      .addresses = 1,
                                      .address = {stride},
                                      .types = 1,
                                      .type_list = &of},
               type, __func__ + 1);
}

/* Blocks at places that are listed: of lengths that are listed or, null, of one length; displacements in extents or, null, in bytes. */
static int make_blocks(int combiner, int count, const int *lengths, int length, const int *displacements, const MPI_Aint *bytes,
                       MPI_Datatype of, MPI_Datatype *type, const char *function) {
    struct making m = begin(count, of);
    for (int i = 0; i < count; i++) add(&m, displacements ? displacements[i] * m.extent : bytes[i], lengths ? lengths[i] : length);
    const int has_length = combiner == MPI_COMBINER_INDEXED_BLOCK || combiner == MPI_COMBINER_HINDEXED_BLOCK;
    const struct mpi_contents contents = {.combiner = combiner,
                                          .integers = 1 + has_length + (lengths ? count : 0) + (displacements ? count : 0),
                                          .integer = {count, length},
                                          .integers_here = 1 + has_length,
                                          .lists = {lengths, displacements},
                                          .list_count = count,
                                          .addresses = bytes ? count : 0,
                                          .address_list = bytes,
                                          .types = 1,
                                          .type_list = &of};
    return end(&m, &contents, type, function);
}

MPI_DEFINE(Type_indexed, int count, const int *lengths, const int *displacements, MPI_Datatype of, MPI_Datatype *type) {
    return make_blocks(MPI_COMBINER_INDEXED, count, lengths, 0, displacements, NULL, of, type, __func__ + 1);
}

MPI_DEFINE(Type_create_hindexed, int count, const int *lengths, const MPI_Aint *displacements, MPI_Datatype of, MPI_Datatype *type) {
    return make_blocks(MPI_COMBINER_HINDEXED, count, lengths, 0, NULL, displacements, of, type, __func__ + 1);
}

MPI_DEFINE(Type_create_indexed_block, int count, int length, const int *displacements, MPI_Datatype of, MPI_Datatype *type) {
    return make_blocks(MPI_COMBINER_INDEXED_BLOCK, count, NULL, length, displacements, NULL, of, type, __func__ + 1);
}

MPI_DEFINE(Type_create_hindexed_block, int count, int length, const MPI_Aint *displacements, MPI_Datatype of, MPI_Datatype *type) {
    return make_blocks(MPI_COMBINER_HINDEXED_BLOCK, count, NULL, length, NULL, displacements, of, type, __func__ + 1);
}

/* MPI_LB and MPI_UB, which MPI 3 has no longer: they set a bound, and have no bytes. */
static void add_mark(struct mpi_shape *shape, MPI_Datatype mark, MPI_Aint at) {
    if (mark == MPI_LB && (!shape->has_lb || at < shape->lb)) {
        shape->lb = at;
        shape->has_lb = 1;
    } else if (mark == MPI_UB && (!shape->has_ub || at > shape->ub)) {
        shape->ub = at;
        shape->has_ub = 1;
    }
}

MPI_DEFINE(Type_create_struct, int count, const int *lengths, const MPI_Aint *displacements, const MPI_Datatype *types,
           MPI_Datatype *type) {
    struct making m = {.code = count < 0 ? MPI_ERR_COUNT : MPI_SUCCESS};
    for (int i = 0; i < count && m.code == MPI_SUCCESS; i++) {
        if (types[i] == MPI_LB || types[i] == MPI_UB) {
            add_mark(&m.shape, types[i], displacements[i]);
            continue;
        }
        struct making member = begin(0, types[i]);
        member.shape = m.shape;
        add(&member, displacements[i], lengths[i]);
        m.shape = member.shape;
        m.code = member.code;
    }
    return end(&m,
               &(struct mpi_contents){.combiner = MPI_COMBINER_STRUCT,
                                      .integers = count + 1,
                                      .integer = {count},
                                      .integers_here = 1,
                                      .lists = {lengths},
                                      .list_count = count,
                                      .addresses = count,
                                      .address_list = displacements,
                                      .types = count,
                                      .type_list = types},
               type, __func__ + 1);
}
