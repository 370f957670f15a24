/* neighbours.c: collectives of neighbours, each as it is and nonblocking: buffers as sides of an exchange. */
#include "neighbours.h"

#define BLOCKS const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype receive_type
#define BLOCKS_GIVEN send, send_count, send_type, receive, receive_count, receive_type
static int all_blocks(int is_one_block, BLOCKS, MPI_Comm comm, MPI_Request *request, const char *function) {
    const struct mpi_side out = {.buffer = (char *)send, .count = send_count, .type = send_type, .is_one_block = is_one_block};
    const struct mpi_side in = {.buffer = receive, .count = receive_count, .type = receive_type};
    return __mog_mpi_exchange(comm, &out, &in, request, function);
}
MPI_DEFINE(Neighbor_allgather, BLOCKS, MPI_Comm comm) { return all_blocks(1, BLOCKS_GIVEN, comm, NULL, __func__ + 1); }
MPI_DEFINE(Ineighbor_allgather, BLOCKS, MPI_Comm comm, MPI_Request *request) {
    return all_blocks(1, BLOCKS_GIVEN, comm, request, __func__ + 1);
}
MPI_DEFINE(Neighbor_alltoall, BLOCKS, MPI_Comm comm) { return all_blocks(0, BLOCKS_GIVEN, comm, NULL, __func__ + 1); }
MPI_DEFINE(Ineighbor_alltoall, BLOCKS, MPI_Comm comm, MPI_Request *request) {
    return all_blocks(0, BLOCKS_GIVEN, comm, request, __func__ + 1);
}

#define GATHERED                                                                                                            \
    const void *send, int send_count, MPI_Datatype send_type, void *receive, const int counts[], const int displacements[], \
        MPI_Datatype receive_type
#define GATHERED_GIVEN send, send_count, send_type, receive, counts, displacements, receive_type
static int allgatherv(GATHERED, MPI_Comm comm, MPI_Request *request, const char *function) {
    const struct mpi_side out = {.buffer = (char *)send, .count = send_count, .type = send_type, .is_one_block = 1};
    const struct mpi_side in = {.buffer = receive, .counts = counts, .displacements = displacements, .type = receive_type};
    return __mog_mpi_exchange(comm, &out, &in, request, function);
}
MPI_DEFINE(Neighbor_allgatherv, GATHERED, MPI_Comm comm) { return allgatherv(GATHERED_GIVEN, comm, NULL, __func__ + 1); }
MPI_DEFINE(Ineighbor_allgatherv, GATHERED, MPI_Comm comm, MPI_Request *request) {
    return allgatherv(GATHERED_GIVEN, comm, request, __func__ + 1);
}

/* Displacements in extents of one type, or in bytes and each block of its own type. */
#define EXCHANGED(displacement, type)                                                                                  \
    const void *send, const int send_counts[], const displacement send_displacements[], type send_type, void *receive, \
        const int receive_counts[], const displacement receive_displacements[], type receive_type
#define EXCHANGED_GIVEN send, send_counts, send_displacements, send_type, receive, receive_counts, receive_displacements, receive_type
#define TYPES const MPI_Datatype *
static int alltoallv(EXCHANGED(int, MPI_Datatype), MPI_Comm comm, MPI_Request *request, const char *function) {
    const struct mpi_side out = {.buffer = (char *)send, .counts = send_counts, .displacements = send_displacements, .type = send_type};
    const struct mpi_side in = {.buffer = receive, .counts = receive_counts, .displacements = receive_displacements, .type = receive_type};
    return __mog_mpi_exchange(comm, &out, &in, request, function);
}
static int alltoallw(EXCHANGED(MPI_Aint, TYPES), MPI_Comm comm, MPI_Request *request, const char *function) {
    const struct mpi_side out = {.buffer = (char *)send, .counts = send_counts, .offsets = send_displacements, .types = send_type};
    const struct mpi_side in = {.buffer = receive, .counts = receive_counts, .offsets = receive_displacements, .types = receive_type};
    return __mog_mpi_exchange(comm, &out, &in, request, function);
}
MPI_DEFINE(Neighbor_alltoallv, EXCHANGED(int, MPI_Datatype), MPI_Comm comm) { return alltoallv(EXCHANGED_GIVEN, comm, NULL, __func__ + 1); }
MPI_DEFINE(Ineighbor_alltoallv, EXCHANGED(int, MPI_Datatype), MPI_Comm comm, MPI_Request *request) {
    return alltoallv(EXCHANGED_GIVEN, comm, request, __func__ + 1);
}
MPI_DEFINE(Neighbor_alltoallw, EXCHANGED(MPI_Aint, TYPES), MPI_Comm comm) { return alltoallw(EXCHANGED_GIVEN, comm, NULL, __func__ + 1); }
MPI_DEFINE(Ineighbor_alltoallw, EXCHANGED(MPI_Aint, TYPES), MPI_Comm comm, MPI_Request *request) {
    return alltoallw(EXCHANGED_GIVEN, comm, request, __func__ + 1);
}
