/* cart.c: grids of ranks. */
#include <limits.h>
#include <string.h>

#include "topology.h"

/* The ranks of a grid; 0: its extents make none. */
static int ranks_of(int count, const int dims[]) {
    long long ranks = 1;
    for (int i = 0; i < count; i++) {
        if (dims[i] <= 0) return 0;
        ranks *= dims[i];
        if (ranks > INT_MAX) return 0;
    }
    return (int)ranks;
}

static int check(const struct mpi_comm *c, int count, const int dims[]) {
    if (!c) return MPI_ERR_COMM;
    const int ranks = count < 0 ? 0 : ranks_of(count, dims);
    return ranks == 0 ? MPI_ERR_DIMS : ranks > c->size ? MPI_ERR_ARG : MPI_SUCCESS;
}

MPI_DEFINE(Cart_create, MPI_Comm comm, int count, const int dims[], const int periods[], int reorder, MPI_Comm *made) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    const int code = check(c, count, dims);
    (void)reorder;
    if (code != MPI_SUCCESS) MPI_RETURN(comm, code);
    struct mpi_topology *const grid = __mog_mpi_new_topology(MPI_CART, 2 * count);
    if (grid) {
        grid->dimensions = count;
        for (int i = 0; i < count; i++) {
            grid->data[i] = dims[i];
            grid->data[count + i] = periods[i] != 0;
        }
    }
    MPI_RETURN(comm, __mog_mpi_make_with_topology(c, c->rank < ranks_of(count, dims) ? 0 : MPI_UNDEFINED, grid, made));
}

MPI_DEFINE(Cart_map, MPI_Comm comm, int count, const int dims[], const int periods[], int *rank) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    const int code = check(c, count, dims);
    (void)periods;
    if (code == MPI_SUCCESS) *rank = c->rank < ranks_of(count, dims) ? c->rank : MPI_UNDEFINED;
    MPI_RETURN(comm, code);
}

MPI_DEFINE(Cart_sub, MPI_Comm comm, const int remains[], MPI_Comm *made) {
    struct mpi_comm *c;
    const struct mpi_topology *grid;
    const int code = __mog_mpi_topology(comm, MPI_CART, &c, &grid);
    if (code != MPI_SUCCESS) MPI_RETURN(comm, code);
    const int n = grid->dimensions;
    int coords[n + 1], count = 0, color = 0;
    __mog_mpi_grid_coords(grid, c->rank, coords);
    for (int i = 0; i < n; i++)
        if (remains[i]) count++;
        else color = color * grid->data[i] + coords[i];
    struct mpi_topology *const part = __mog_mpi_new_topology(MPI_CART, 2 * count);
    if (part) {
        part->dimensions = count;
        for (int i = 0, k = 0; i < n; i++)
            if (remains[i]) {
                part->data[k] = grid->data[i];
                part->data[count + k++] = grid->data[n + i];
            }
    }
    MPI_RETURN(comm, __mog_mpi_make_with_topology(c, color, part, made));
}

MPI_DEFINE(Cartdim_get, MPI_Comm comm, int *count) {
    struct mpi_comm *c;
    const struct mpi_topology *grid;
    const int code = __mog_mpi_topology(comm, MPI_CART, &c, &grid);
    if (code == MPI_SUCCESS) *count = grid->dimensions;
    MPI_RETURN(comm, code);
}

MPI_DEFINE(Cart_get, MPI_Comm comm, int most, int dims[], int periods[], int coords[]) {
    struct mpi_comm *c;
    const struct mpi_topology *grid;
    int code = __mog_mpi_topology(comm, MPI_CART, &c, &grid);
    if (code == MPI_SUCCESS && most < grid->dimensions) code = MPI_ERR_ARG;
    if (code != MPI_SUCCESS) MPI_RETURN(comm, code);
    memcpy(dims, grid->data, (size_t)grid->dimensions * sizeof *dims);
    memcpy(periods, grid->data + grid->dimensions, (size_t)grid->dimensions * sizeof *periods);
    __mog_mpi_grid_coords(grid, c->rank, coords);
    return MPI_SUCCESS;
}

MPI_DEFINE(Cart_rank, MPI_Comm comm, const int coords[], int *rank) {
    struct mpi_comm *c;
    const struct mpi_topology *grid;
    int code = __mog_mpi_topology(comm, MPI_CART, &c, &grid);
    if (code == MPI_SUCCESS) {
        const int there = __mog_mpi_grid_rank(grid, coords);
        if (there == MPI_PROC_NULL) code = MPI_ERR_RANK;
        else *rank = there;
    }
    MPI_RETURN(comm, code);
}

MPI_DEFINE(Cart_coords, MPI_Comm comm, int rank, int most, int coords[]) {
    struct mpi_comm *c;
    const struct mpi_topology *grid;
    int code = __mog_mpi_topology(comm, MPI_CART, &c, &grid);
    if (code == MPI_SUCCESS && (unsigned)rank >= (unsigned)c->size) code = MPI_ERR_RANK;
    if (code == MPI_SUCCESS && most < grid->dimensions) code = MPI_ERR_ARG;
    if (code == MPI_SUCCESS) __mog_mpi_grid_coords(grid, rank, coords);
    MPI_RETURN(comm, code);
}

MPI_DEFINE(Cart_shift, MPI_Comm comm, int dimension, int distance, int *source, int *dest) {
    struct mpi_comm *c;
    const struct mpi_topology *grid;
    int code = __mog_mpi_topology(comm, MPI_CART, &c, &grid);
    if (code == MPI_SUCCESS && ((unsigned)dimension >= (unsigned)grid->dimensions || distance == INT_MIN)) code = MPI_ERR_ARG;
    if (code != MPI_SUCCESS) MPI_RETURN(comm, code);
    *source = __mog_mpi_grid_neighbour(grid, c->rank, dimension, -distance);
    *dest = __mog_mpi_grid_neighbour(grid, c->rank, dimension, distance);
    return MPI_SUCCESS;
}

/* ---- extents that are as near each other as they can be ---- */

/* `product` as `count` factors, the first the largest, not over `limit`, and as small as it can be; then the others likewise. */
static int factors(int product, int count, int limit, int factor[]) {
    if (count == 0) return product == 1;
    for (int first = 1; first <= limit && first <= product; first++) {
        /* Too small ones need no division to be left out. */
        long long most = 1;
        for (int i = 0; i < count && most < product; i++) most *= first;
        if (most >= product && product % first == 0 && factors(product / first, count - 1, first, factor + 1)) {
            *factor = first;
            return 1;
        }
    }
    return 0;
}

MPI_DEFINE(Dims_create, int ranks, int count, int dims[]) {
    int product = ranks, free_count = 0;
    if (count < 0 || ranks <= 0) MPI_RETURN(MPI_COMM_WORLD, count < 0 ? MPI_ERR_DIMS : MPI_ERR_ARG);
    for (int i = 0; i < count; i++) {
        if (dims[i] < 0 || (dims[i] > 0 && product % dims[i] != 0)) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_DIMS);
        if (dims[i] > 0) product /= dims[i];
        else free_count++;
    }
    if (free_count == 0) MPI_RETURN(MPI_COMM_WORLD, product == 1 ? MPI_SUCCESS : MPI_ERR_DIMS);
    int found[free_count];
    factors(product, free_count, product, found);
    for (int i = 0, k = 0; i < count; i++)
        if (dims[i] == 0) dims[i] = found[k++];
    return MPI_SUCCESS;
}
