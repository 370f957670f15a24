/* topology.c: topologies as such, and who is whose neighbour. */
#include "topology.h"

#include <stdlib.h>
#include <string.h>

struct mpi_topology *__mog_mpi_new_topology(int kind, int words) {
    struct mpi_topology *t = calloc(1, sizeof *t + (size_t)words * sizeof(int));
    if (t) {
        t->kind = kind;
        t->words = words;
    }
    return t;
}

int __mog_mpi_copy_topology(const struct mpi_topology *from, struct mpi_topology **to) {
    *to = __mog_mpi_new_topology(from->kind, from->words);
    if (!*to) return MPI_ERR_NO_MEM;
    memcpy(*to, from, sizeof *from + (size_t)from->words * sizeof(int));
    return MPI_SUCCESS;
}

int __mog_mpi_topology(MPI_Comm comm, int kind, struct mpi_comm **c, const struct mpi_topology **topology) {
    *c = __mog_mpi_comm(comm);
    if (!*c) return MPI_ERR_COMM;
    *topology = (*c)->more ? (*c)->more->topology : NULL;
    return *topology && (kind == 0 || (*topology)->kind == kind) ? MPI_SUCCESS : MPI_ERR_TOPOLOGY;
}

int __mog_mpi_make_with_topology(struct mpi_comm *comm, int color, struct mpi_topology *topology, MPI_Comm *made) {
    int code = !topology ? MPI_ERR_NO_MEM : comm->remote_size ? MPI_ERR_COMM : __mog_mpi_split(comm, color, comm->rank, made);
    if (code == MPI_SUCCESS && *made != MPI_COMM_NULL) {
        struct mpi_comm_more *const more = __mog_mpi_comm_more(__mog_mpi_comm(*made));
        if (more) {
            more->topology = topology;
            return MPI_SUCCESS;
        }
        PMPI_Comm_free(made);
        code = MPI_ERR_NO_MEM;
    }
    free(topology);
    return code;
}

int __mog_mpi_grid_rank(const struct mpi_topology *grid, const int *coords) {
    const int n = grid->dimensions;
    int rank = 0;
    for (int i = 0; i < n; i++) {
        const int extent = grid->data[i];
        int place = coords[i];
        if ((unsigned)place >= (unsigned)extent) {
            if (!grid->data[n + i]) return MPI_PROC_NULL;
            place %= extent;
            place += place < 0 ? extent : 0;
        }
        rank = rank * extent + place;
    }
    return rank;
}

void __mog_mpi_grid_coords(const struct mpi_topology *grid, int rank, int *coords) {
    for (int i = grid->dimensions - 1; i >= 0; i--) {
        coords[i] = rank % grid->data[i];
        rank /= grid->data[i];
    }
}

int __mog_mpi_grid_neighbour(const struct mpi_topology *grid, int rank, int dimension, int distance) {
    int behind = 1; /* ranks between two neighbours of this dimension */
    for (int i = dimension + 1; i < grid->dimensions; i++) behind *= grid->data[i];
    const int extent = grid->data[dimension], own = rank / behind % extent;
    long long place = (long long)own + distance;
    if (place < 0 || place >= extent) {
        if (!grid->data[grid->dimensions + dimension]) return MPI_PROC_NULL;
        place = (place % extent + extent) % extent;
    }
    return rank + ((int)place - own) * behind;
}

struct mpi_neighbours __mog_mpi_neighbours(const struct mpi_topology *t, int rank, int outgoing) {
    if (t->kind == MPI_CART) return (struct mpi_neighbours){2 * t->dimensions, NULL};
    if (t->kind == MPI_GRAPH) {
        const int begin = rank ? t->data[rank - 1] : 0;
        return (struct mpi_neighbours){t->data[rank] - begin, t->data + t->nodes + begin};
    }
    return outgoing ? (struct mpi_neighbours){t->dests, t->data + 2 * t->sources} : (struct mpi_neighbours){t->sources, t->data};
}

MPI_DEFINE(Topo_test, MPI_Comm comm, int *kind) {
    struct mpi_comm *c;
    const struct mpi_topology *t;
    const int code = __mog_mpi_topology(comm, 0, &c, &t);
    if (code == MPI_ERR_COMM) MPI_RETURN(comm, code);
    *kind = code == MPI_SUCCESS ? t->kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
