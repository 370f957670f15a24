/* type_arrays.c: parts of arrays of several dimensions: boxes, and the part that one of many processes has. Both are made from the
 * dimension outward whose elements lie next to each other. */
#include <stdlib.h>

#include "types.h"

/* Dimensions as the arguments have them, the one whose index runs fastest first. */
static int nth(int i, int dimensions, int order) { return order == MPI_ORDER_C ? dimensions - 1 - i : i; }

/* The end: the array, of which this is a part, has `whole` bytes. What both kinds keep is added to `contents`. */
static int end(struct mpi_shape *shape, int code, long long whole, struct mpi_contents *contents, int dimensions, int order,
               const MPI_Datatype *of, MPI_Datatype *type, const char *function) {
    contents->list_count = dimensions;
    contents->last_integer = order;
    contents->has_last_integer = 1;
    contents->types = 1;
    contents->type_list = of;
    shape->lb = 0;
    shape->ub = whole;
    shape->has_lb = shape->has_ub = shape->has_bounds = 1;
    if (code == MPI_SUCCESS && whole > 0x7fffffff) code = MPI_ERR_ARG;
    if (code == MPI_SUCCESS) code = __mog_mpi_new_type(shape, contents, type);
    else __mog_mpi_shape_free(shape);
    return code == MPI_SUCCESS ? code : __mog_mpi_failed(MPI_COMM_WORLD, code, function);
}

/* The place of what is in hand, `shape`, in the next dimension. */
static void replace(struct mpi_shape *shape, struct mpi_shape *larger) {
    larger->failed |= shape->failed;
    __mog_mpi_shape_free(shape);
    *shape = *larger;
}

static int check(int dimensions, const int *sizes, int order) {
    if (dimensions <= 0) return MPI_ERR_DIMS;
    if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN) return MPI_ERR_ARG;
    long long whole = 1;
    for (int d = 0; d < dimensions; d++)
        if (sizes[d] < 1 || (whole *= sizes[d]) > 0x7fffffff) return MPI_ERR_ARG;
    return MPI_SUCCESS;
}

/* One element, as a shape of its own. Without the bounds that the program set: where it stands, the array says. */
static int one_element(struct mpi_shape *shape, long long *extent, MPI_Datatype of) {
    struct mpi_shape element;
    struct mpi_run run;
    if (!__mog_mpi_shape(&element, &run, of)) return MPI_ERR_TYPE;
    *extent = element.ub - element.lb;
    *shape = (struct mpi_shape){0};
    __mog_mpi_shape_add(shape, &element, 0, 1, 0);
    return MPI_SUCCESS;
}

MPI_DEFINE(Type_create_subarray, int dimensions, const int *sizes, const int *subsizes, const int *starts, int order, MPI_Datatype of,
           MPI_Datatype *type) {
    struct mpi_shape shape = {0};
    long long stride = 0;
    int code = check(dimensions, sizes, order);
    if (code == MPI_SUCCESS) code = one_element(&shape, &stride, of);
    for (int i = 0; i < dimensions && code == MPI_SUCCESS; i++) {
        const int d = nth(i, dimensions, order);
        struct mpi_shape larger = {0};
        if (subsizes[d] < 1 || starts[d] < 0 || subsizes[d] > sizes[d] - starts[d]) {
            code = MPI_ERR_ARG;
            break;
        }
        __mog_mpi_shape_add(&larger, &shape, starts[d] * stride, subsizes[d], stride);
        replace(&shape, &larger);
        stride *= sizes[d];
        if (stride > 0x7fffffff) code = MPI_ERR_ARG;
    }
    return end(&shape, code, stride,
               &(struct mpi_contents){.combiner = MPI_COMBINER_SUBARRAY,
                                      .integers = 3 * dimensions + 2,
                                      .integer = {dimensions},
                                      .integers_here = 1,
                                      .lists = {sizes, subsizes, starts}},
               dimensions, order, &of, type, __func__ + 1);
}

/* What process `rank` of `processes` has of `size` elements that are dealt out in blocks. */
static int add_dealt(struct mpi_shape *larger, const struct mpi_shape *shape, long long stride, int size, int distribution, int argument,
                     int processes, int rank) {
    long long block = size;
    if (distribution == MPI_DISTRIBUTE_NONE) {
        if (processes != 1) return MPI_ERR_ARG;
    } else if (argument != MPI_DISTRIBUTE_DFLT_DARG) {
        if (argument < 1 || (distribution == MPI_DISTRIBUTE_BLOCK && (long long)argument * processes < size)) return MPI_ERR_ARG;
        block = argument;
    } else if (distribution == MPI_DISTRIBUTE_BLOCK) {
        block = ((long long)size + processes - 1) / processes;
    } else if (distribution == MPI_DISTRIBUTE_CYCLIC) {
        block = 1;
    } else {
        return MPI_ERR_ARG;
    }
    /* Whole blocks of the process, then what is left of the last one. */
    const long long round = block * processes, first = block * rank;
    const long long whole = size < first + block ? 0 : (size - first - block) / round + 1, next = first + whole * round;
    struct mpi_shape one = {0};
    __mog_mpi_shape_add(&one, shape, 0, (int)block, stride);
    __mog_mpi_shape_add(larger, &one, first * stride, (int)whole, round * stride);
    if (next < size) __mog_mpi_shape_add(larger, shape, next * stride, (int)(size - next < block ? size - next : block), stride);
    larger->failed |= one.failed;
    __mog_mpi_shape_free(&one);
    return MPI_SUCCESS;
}

MPI_DEFINE(Type_create_darray, int size, int rank, int dimensions, const int *sizes, const int *distributions, const int *arguments,
           const int *processes, int order, MPI_Datatype of, MPI_Datatype *type) {
    struct mpi_shape shape = {0};
    long long stride = 0, grid = 1;
    int code = check(dimensions, sizes, order);
    if (code == MPI_SUCCESS) code = one_element(&shape, &stride, of);
    for (int d = 0; d < dimensions && code == MPI_SUCCESS; d++)
        if (processes[d] < 1 || (grid *= processes[d]) > size) code = MPI_ERR_ARG;
    if (code == MPI_SUCCESS && (grid != size || rank < 0 || rank >= size)) code = MPI_ERR_ARG;
    for (int i = 0; i < dimensions && code == MPI_SUCCESS; i++) {
        const int d = nth(i, dimensions, order);
        /* Processes stand in the grid in C's order, whatever that of the array. */
        int own = rank;
        for (int k = dimensions - 1; k > d; k--) own /= processes[k];
        struct mpi_shape larger = {0};
        code = add_dealt(&larger, &shape, stride, sizes[d], distributions[d], arguments[d], processes[d], own % processes[d]);
        replace(&shape, &larger);
        stride *= sizes[d];
        if (code == MPI_SUCCESS && stride > 0x7fffffff) code = MPI_ERR_ARG;
    }
    return end(&shape, code, stride,
               &(struct mpi_contents){.combiner = MPI_COMBINER_DARRAY,
                                      .integers = 4 * dimensions + 4,
                                      .integer = {size, rank, dimensions},
                                      .integers_here = 3,
                                      .lists = {sizes, distributions, arguments, processes}},
               dimensions, order, &of, type, __func__ + 1);
}
