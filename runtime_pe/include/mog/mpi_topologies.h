/* mpi_topologies.h: grids and graphs of ranks, and collectives of neighbours; a part of mpi.h, which includes it. */
#ifndef MOG_MPI_TOPOLOGIES_API_H
#define MOG_MPI_TOPOLOGIES_API_H

#define MPI_GRAPH 1
#define MPI_CART 2
#define MPI_DIST_GRAPH 3
#define MPI_UNWEIGHTED ((int *)2)
#define MPI_WEIGHTS_EMPTY ((int *)3)

/* ---- grids ------------------------------------------------------------------------------------------------------------ */
MOG_MPI_FUNCTION(Dims_create, int ranks, int count, int dims[]);
MOG_MPI_FUNCTION(Cart_create, MPI_Comm comm, int count, const int dims[], const int periods[], int reorder, MPI_Comm *made);
MOG_MPI_FUNCTION(Cartdim_get, MPI_Comm comm, int *count);
MOG_MPI_FUNCTION(Cart_get, MPI_Comm comm, int most, int dims[], int periods[], int coords[]);
MOG_MPI_FUNCTION(Cart_rank, MPI_Comm comm, const int coords[], int *rank);
MOG_MPI_FUNCTION(Cart_coords, MPI_Comm comm, int rank, int most, int coords[]);
MOG_MPI_FUNCTION(Cart_shift, MPI_Comm comm, int dimension, int distance, int *source, int *dest);
MOG_MPI_FUNCTION(Cart_sub, MPI_Comm comm, const int remains[], MPI_Comm *made);
MOG_MPI_FUNCTION(Cart_map, MPI_Comm comm, int count, const int dims[], const int periods[], int *rank);

/* ---- graphs ----------------------------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Topo_test, MPI_Comm comm, int *kind);
MOG_MPI_FUNCTION(Graph_create, MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm *made);
MOG_MPI_FUNCTION(Graphdims_get, MPI_Comm comm, int *nodes, int *edges);
MOG_MPI_FUNCTION(Graph_get, MPI_Comm comm, int most_nodes, int most_edges, int index[], int edges[]);
MOG_MPI_FUNCTION(Graph_neighbors_count, MPI_Comm comm, int rank, int *count);
MOG_MPI_FUNCTION(Graph_neighbors, MPI_Comm comm, int rank, int most, int neighbors[]);
MOG_MPI_FUNCTION(Graph_map, MPI_Comm comm, int nodes, const int index[], const int edges[], int *rank);
MOG_MPI_FUNCTION(Dist_graph_create_adjacent, MPI_Comm comm, int in_count, const int sources[], const int source_weights[], int out_count,
                 const int dests[], const int dest_weights[], MPI_Info info, int reorder, MPI_Comm *made);
MOG_MPI_FUNCTION(Dist_graph_create, MPI_Comm comm, int count, const int sources[], const int degrees[], const int dests[],
                 const int weights[], MPI_Info info, int reorder, MPI_Comm *made);
MOG_MPI_FUNCTION(Dist_graph_neighbors_count, MPI_Comm comm, int *in_count, int *out_count, int *is_weighted);
MOG_MPI_FUNCTION(Dist_graph_neighbors, MPI_Comm comm, int most_in, int sources[], int source_weights[], int most_out, int dests[],
                 int dest_weights[]);

/* ---- collectives of neighbours ---------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Neighbor_allgather, const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm comm);
MOG_MPI_FUNCTION(Ineighbor_allgather, const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Neighbor_allgatherv, const void *send, int send_count, MPI_Datatype send_type, void *receive, const int counts[],
                 const int displacements[], MPI_Datatype receive_type, MPI_Comm comm);
MOG_MPI_FUNCTION(Ineighbor_allgatherv, const void *send, int send_count, MPI_Datatype send_type, void *receive, const int counts[],
                 const int displacements[], MPI_Datatype receive_type, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Neighbor_alltoall, const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm comm);
MOG_MPI_FUNCTION(Ineighbor_alltoall, const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Neighbor_alltoallv, const void *send, const int send_counts[], const int send_displacements[], MPI_Datatype send_type,
                 void *receive, const int receive_counts[], const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm);
MOG_MPI_FUNCTION(Ineighbor_alltoallv, const void *send, const int send_counts[], const int send_displacements[], MPI_Datatype send_type,
                 void *receive, const int receive_counts[], const int receive_displacements[], MPI_Datatype receive_type, MPI_Comm comm,
                 MPI_Request *request);
MOG_MPI_FUNCTION(Neighbor_alltoallw, const void *send, const int send_counts[], const MPI_Aint send_displacements[],
                 const MPI_Datatype send_types[], void *receive, const int receive_counts[], const MPI_Aint receive_displacements[],
                 const MPI_Datatype receive_types[], MPI_Comm comm);
MOG_MPI_FUNCTION(Ineighbor_alltoallw, const void *send, const int send_counts[], const MPI_Aint send_displacements[], const MPI_Datatype
                 send_types[], void *receive, const int receive_counts[], const MPI_Aint receive_displacements[], const MPI_Datatype
                 receive_types[], MPI_Comm comm, MPI_Request *request);

#endif
