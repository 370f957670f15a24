/* Grids and graphs of ranks, and collectives of neighbours. */
#include "check.h"

static void dims(void)
{
    static const struct {
        int ranks, count, given[4], expected[4];
    } cases[] = {{6, 2, {0, 0}, {3, 2}},       {7, 3, {0, 0, 0}, {7, 1, 1}}, {12, 3, {0, 0, 0}, {3, 2, 2}},
                 {16, 3, {0, 0, 0}, {4, 2, 2}}, {6, 3, {0, 3, 0}, {2, 3, 1}}, {65536, 2, {0, 0}, {256, 256}},
                 {1000, 3, {0, 0, 0}, {10, 10, 10}}, {6, 2, {2, 3}, {2, 3}}, {24, 2, {0, 0}, {6, 4}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int got[4];
        memcpy(got, cases[i].given, sizeof got);
        MPI_Dims_create(cases[i].ranks, cases[i].count, got);
        CHECK(memcmp(got, cases[i].expected, (size_t)cases[i].count * sizeof *got) == 0);
    }
}

static void grid(void)
{
    int extents[2] = {0, 0}, periods[2] = {1, 0}, coords[2], got[2], got_periods[2], there, up, down, left, right, kind, n;
    MPI_Comm comm, row;
    MPI_Dims_create(size, 2, extents);
    MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 0, &comm);
    MPI_Topo_test(comm, &kind);
    CHECK(kind == MPI_CART);
    MPI_Topo_test(MPI_COMM_WORLD, &kind);
    CHECK(kind == MPI_UNDEFINED);
    MPI_Cartdim_get(comm, &n);
    CHECK(n == 2);
    MPI_Cart_get(comm, 2, got, got_periods, coords);
    CHECK(memcmp(got, extents, sizeof got) == 0 && got_periods[0] && !got_periods[1]);
    CHECK(coords[0] == rank / extents[1] && coords[1] == rank % extents[1]);
    coords[0] += extents[0];
    MPI_Cart_rank(comm, coords, &there);
    CHECK(there == rank);
    MPI_Cart_coords(comm, size - 1, 2, got);
    CHECK(got[0] == extents[0] - 1 && got[1] == extents[1] - 1);
    MPI_Cart_shift(comm, 0, 1, &up, &down);
    MPI_Cart_shift(comm, 1, 1, &left, &right);
    CHECK(down == (rank + extents[1]) % size && up == (rank - extents[1] + size) % size);
    CHECK(left == (coords[1] ? rank - 1 : MPI_PROC_NULL) && right == (coords[1] < extents[1] - 1 ? rank + 1 : MPI_PROC_NULL));
    int remains[2] = {0, 1}, sum;
    MPI_Cart_sub(comm, remains, &row);
    MPI_Cartdim_get(row, &n);
    CHECK(n == 1);
    MPI_Allreduce(coords, &sum, 1, MPI_INT, MPI_SUM, row);
    CHECK(sum == coords[0] * extents[1]);
    MPI_Comm_free(&row);
    /* A copy has the same. */
    MPI_Comm_dup(comm, &row);
    MPI_Cartdim_get(row, &n);
    CHECK(n == 2);
    MPI_Comm_free(&row);

    int in[4] = {-1, -1, -1, -1}, out[4];
    const int near[4] = {up, down, left, right};
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, comm);
    for (int i = 0; i < 4; i++)
        CHECK(in[i] == (near[i] == MPI_PROC_NULL ? -1 : near[i]));
    for (int i = 0; i < 4; i++) {
        in[i] = -1;
        out[i] = 4 * rank + i;
    }
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    /* In short rings MPIs differ about who is meant by which block. */
    for (int i = 0; i < 4; i++)
        CHECK(near[i] == MPI_PROC_NULL ? in[i] == -1 : extents[0] <= 2 && i < 2 ? in[i] / 4 == near[i] : in[i] == 4 * near[i] + (i ^ 1));
    MPI_Comm_free(&comm);
    int one = 1, no = 0;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &one, &no, 0, &comm);
    CHECK((comm == MPI_COMM_NULL) == (rank != 0));
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
}

/* A star: rank 0 and all others. */
static void graph(void)
{
    MPI_Comm comm;
    int *index = malloc((size_t)size * sizeof *index), *edges = malloc((size_t)(2 * size) * sizeof *edges), n, m;
    for (int i = 0; i < size; i++) {
        index[i] = size - 1 + i;
        if (i)
            edges[i - 1] = i;
        if (i)
            edges[size - 2 + i] = 0;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm);
    MPI_Graphdims_get(comm, &n, &m);
    CHECK(n == size && m == 2 * (size - 1));
    MPI_Graph_neighbors_count(comm, 0, &n);
    CHECK(n == size - 1);
    MPI_Graph_neighbors_count(comm, rank, &n);
    CHECK(n == (rank ? 1 : size - 1));
    int *near = malloc((size_t)size * sizeof *near);
    MPI_Graph_neighbors(comm, rank, size, near);
    CHECK(size == 1 || near[0] == (rank ? 0 : 1));
    int mine[2] = {rank, -rank}, *all = malloc((size_t)size * 2 * sizeof *all), *counts = malloc((size_t)size * sizeof *counts),
        *places = malloc((size_t)size * sizeof *places);
    for (int i = 0; i < n; i++) {
        counts[i] = 2;
        places[i] = 2 * (n - 1 - i);
    }
    MPI_Neighbor_allgatherv(mine, 2, MPI_INT, all, counts, places, MPI_INT, comm);
    for (int i = 0; i < n; i++)
        CHECK(all[places[i]] == near[i] && all[places[i] + 1] == -near[i]);
    free(near);
    free(all);
    free(counts);
    free(places);
    free(index);
    free(edges);
    MPI_Comm_free(&comm);
}

/* Each sends to the next two. */
static void distributed(void)
{
    const int next[2] = {(rank + 1) % size, (rank + 2) % size}, before[2] = {(rank + size - 1) % size, (rank + 2 * size - 2) % size};
    const int weights[2] = {3, 5};
    int n, m, weighted, in[2], out[2], in_weights[2], out_weights[2];
    MPI_Comm comm;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, before, weights, 2, next, weights, MPI_INFO_NULL, 0, &comm);
    MPI_Dist_graph_neighbors_count(comm, &n, &m, &weighted);
    CHECK(n == 2 && m == 2 && weighted);
    MPI_Dist_graph_neighbors(comm, 2, in, in_weights, 2, out, out_weights);
    CHECK(in[0] == before[0] && in[1] == before[1] && out[1] == next[1] && in_weights[1] == 5 && out_weights[0] == 3);
    int sent[3] = {rank, rank + 100, rank + 200}, got[3] = {0, 0, 0};
    const int send_counts[2] = {1, 2}, counts[2] = {1, 2}, places[2] = {0, 1};
    MPI_Neighbor_alltoallv(sent, send_counts, places, MPI_INT, got, counts, places, MPI_INT, comm);
    CHECK(got[0] == before[0] && got[1] == before[1] + 100 && got[2] == before[1] + 200);
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    const MPI_Aint offsets[2] = {0, sizeof(int)};
    memset(got, 0, sizeof got);
    MPI_Neighbor_alltoallw(sent, send_counts, offsets, types, got, counts, offsets, types, comm);
    CHECK(got[0] == before[0] && got[1] == before[1] + 100 && got[2] == before[1] + 200);
    MPI_Comm_free(&comm);

    /* The same, told by others: rank r gives the edges of rank r + 1. */
    const int source = (rank + 1) % size, degree = 2, dests[2] = {(source + 1) % size, (source + 2) % size};
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, dests, weights, MPI_INFO_NULL, 0, &comm);
    MPI_Dist_graph_neighbors_count(comm, &n, &m, &weighted);
    CHECK(n == 2 && m == 2 && weighted);
    MPI_Dist_graph_neighbors(comm, 2, in, in_weights, 2, out, out_weights);
    CHECK((out[0] == next[0] && out[1] == next[1]) || (out[0] == next[1] && out[1] == next[0]));
    CHECK((in[0] == before[0] && in[1] == before[1]) || (in[0] == before[1] && in[1] == before[0]));
    CHECK(in_weights[0] + in_weights[1] == 8);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    dims();
    check_part("dims");
    grid();
    check_part("grid");
    graph();
    check_part("graph");
    distributed();
    check_part("distributed graph");
    return check_end();
}
