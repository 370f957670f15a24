/* graph.c: graphs of ranks that each rank has whole. */
#include <string.h>

#include "topology.h"

/* The edges of a graph; -1: it is none. */
static int check_graph(const struct mpi_comm *c, int nodes, const int index[], const int edges[]) {
    if (nodes < 0 || nodes > c->size) return -1;
    for (int i = 0; i < nodes; i++)
        if (index[i] < (i ? index[i - 1] : 0)) return -1;
    const int count = nodes ? index[nodes - 1] : 0;
    for (int i = 0; i < count; i++)
        if ((unsigned)edges[i] >= (unsigned)nodes) return -1;
    return count;
}

MPI_DEFINE(Graph_create, MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm *made) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    const int count = c ? check_graph(c, nodes, index, edges) : 0;
    (void)reorder;
    if (!c || count < 0) MPI_RETURN(comm, c ? MPI_ERR_ARG : MPI_ERR_COMM);
    struct mpi_topology *const graph = __mog_mpi_new_topology(MPI_GRAPH, nodes + count);
    if (graph) {
        graph->nodes = nodes;
        memcpy(graph->data, index, (size_t)nodes * sizeof(int));
        memcpy(graph->data + nodes, edges, (size_t)count * sizeof(int));
    }
    MPI_RETURN(comm, __mog_mpi_make_with_topology(c, c->rank < nodes ? 0 : MPI_UNDEFINED, graph, made));
}

MPI_DEFINE(Graph_map, MPI_Comm comm, int nodes, const int index[], const int edges[], int *rank) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    if (!c || check_graph(c, nodes, index, edges) < 0) MPI_RETURN(comm, c ? MPI_ERR_ARG : MPI_ERR_COMM);
    *rank = c->rank < nodes ? c->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

MPI_DEFINE(Graphdims_get, MPI_Comm comm, int *nodes, int *edges) {
    struct mpi_comm *c;
    const struct mpi_topology *graph;
    const int code = __mog_mpi_topology(comm, MPI_GRAPH, &c, &graph);
    if (code == MPI_SUCCESS) {
        *nodes = graph->nodes;
        *edges = graph->words - graph->nodes;
    }
    MPI_RETURN(comm, code);
}

static int at_most(int count, int most) { return count < most ? count : most > 0 ? most : 0; }

MPI_DEFINE(Graph_get, MPI_Comm comm, int most_nodes, int most_edges, int index[], int edges[]) {
    struct mpi_comm *c;
    const struct mpi_topology *graph;
    const int code = __mog_mpi_topology(comm, MPI_GRAPH, &c, &graph);
    if (code == MPI_SUCCESS) {
        memcpy(index, graph->data, (size_t)at_most(graph->nodes, most_nodes) * sizeof(int));
        memcpy(edges, graph->data + graph->nodes, (size_t)at_most(graph->words - graph->nodes, most_edges) * sizeof(int));
    }
    MPI_RETURN(comm, code);
}

/* Those of any rank. */
static int neighbours_of(MPI_Comm comm, int rank, struct mpi_neighbours *neighbours) {
    struct mpi_comm *c;
    const struct mpi_topology *graph;
    const int code = __mog_mpi_topology(comm, MPI_GRAPH, &c, &graph);
    if (code == MPI_SUCCESS && (unsigned)rank >= (unsigned)c->size) return MPI_ERR_RANK;
    if (code == MPI_SUCCESS) *neighbours = __mog_mpi_neighbours(graph, rank, 1);
    return code;
}

MPI_DEFINE(Graph_neighbors_count, MPI_Comm comm, int rank, int *count) {
    struct mpi_neighbours n;
    const int code = neighbours_of(comm, rank, &n);
    if (code == MPI_SUCCESS) *count = n.count;
    MPI_RETURN(comm, code);
}

MPI_DEFINE(Graph_neighbors, MPI_Comm comm, int rank, int most, int neighbors[]) {
    struct mpi_neighbours n;
    const int code = neighbours_of(comm, rank, &n);
    if (code == MPI_SUCCESS) memcpy(neighbors, n.ranks, (size_t)at_most(n.count, most) * sizeof(int));
    MPI_RETURN(comm, code);
}
