/* topology.h: how ranks of a communicator are neighbours. Ranks are never reordered. */
#ifndef MOG_MPI_TOPOLOGY_H
#define MOG_MPI_TOPOLOGY_H

#include "runtime_pe/mpi/comm/comms.h"

/* One block of memory, copied and freed as that. */
struct mpi_topology {
    int kind; /* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
    int words;
    union {
        int dimensions; /* of a grid: data has extents, then whether each is periodic */
        int nodes;      /* of a graph: data has where the neighbours of each node end, then the neighbours */
        int sources;    /* of a distributed graph: data has sources, their weights, destinations, their weights */
    };
    int dests;
    int is_weighted;
    int data[];
};

/* With room for `words` of data. Null: no memory. */
struct mpi_topology *__mog_mpi_new_topology(int kind, int words);
/* That of a communicator. An error class: there is none of this kind (0: of any). */
int __mog_mpi_topology(MPI_Comm comm, int kind, struct mpi_comm **c, const struct mpi_topology **topology);
/* A communicator of those whose color is not MPI_UNDEFINED, and its topology, which is freed if it comes to nothing. Returns an error
 * class. */
int __mog_mpi_make_with_topology(struct mpi_comm *comm, int color, struct mpi_topology *topology, MPI_Comm *made);

/* Grids: rank and place. Places outside are taken round, or are MPI_PROC_NULL. */
int __mog_mpi_grid_rank(const struct mpi_topology *grid, const int *coords);
void __mog_mpi_grid_coords(const struct mpi_topology *grid, int rank, int *coords);
/* The rank `distance` further in a dimension. */
int __mog_mpi_grid_neighbour(const struct mpi_topology *grid, int rank, int dimension, int distance);

/* Neighbours to which a rank sends, or from which it receives. */
struct mpi_neighbours {
    int count;
    const int *ranks; /* null: of a grid */
};
struct mpi_neighbours __mog_mpi_neighbours(const struct mpi_topology *topology, int rank, int outgoing);

#endif
