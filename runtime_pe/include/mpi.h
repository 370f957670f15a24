/* mpi.h: MPI 3.1 between PEs. Each PE is a rank: MPI_COMM_WORLD has NPROC of them, and a PE's rank in it is IPROC.
 *
 * Constants have MPICH's values (abi/mpi_constants.h). Handles are ints. Each function exists as PMPI_..., too.
 */
#ifndef MOG_MPI_H
#define MOG_MPI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 3
#define MPI_SUBVERSION 1

#include <mog_abi/mpi_constants.h>

typedef void MPI_Comm_errhandler_function(MPI_Comm *comm, int *code, ...);
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
/* Names that MPI 3 has no longer. */
typedef MPI_Comm_errhandler_function MPI_Handler_function;
#define MPI_Errhandler_create(function, handler) MPI_Comm_create_errhandler(function, handler)
#define MPI_Errhandler_set(comm, handler) MPI_Comm_set_errhandler(comm, handler)
#define MPI_Errhandler_get(comm, handler) MPI_Comm_get_errhandler(comm, handler)
typedef void MPI_User_function(void *in, void *inout, int *length, MPI_Datatype *type);

/* Each function under both names. */
#define MOG_MPI_FUNCTION(name, ...) \
    int MPI_##name(__VA_ARGS__);    \
    int PMPI_##name(__VA_ARGS__)

/* ---- environment ---------------------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Init, int *argc, char ***argv);
MOG_MPI_FUNCTION(Init_thread, int *argc, char ***argv, int required, int *provided);
MOG_MPI_FUNCTION(Initialized, int *flag);
MOG_MPI_FUNCTION(Finalize, void);
MOG_MPI_FUNCTION(Finalized, int *flag);
MOG_MPI_FUNCTION(Query_thread, int *provided);
MOG_MPI_FUNCTION(Is_thread_main, int *flag);
MOG_MPI_FUNCTION(Abort, MPI_Comm comm, int code);
MOG_MPI_FUNCTION(Get_processor_name, char *name, int *length);
MOG_MPI_FUNCTION(Get_version, int *version, int *subversion);
MOG_MPI_FUNCTION(Get_library_version, char *version, int *length);
MOG_MPI_FUNCTION(Pcontrol, const int level, ...);
double MPI_Wtime(void);
double PMPI_Wtime(void);
double MPI_Wtick(void);
double PMPI_Wtick(void);

MOG_MPI_FUNCTION(Comm_create_errhandler, MPI_Comm_errhandler_function *function, MPI_Errhandler *handler);
MOG_MPI_FUNCTION(Comm_set_errhandler, MPI_Comm comm, MPI_Errhandler handler);
MOG_MPI_FUNCTION(Comm_get_errhandler, MPI_Comm comm, MPI_Errhandler *handler);
MOG_MPI_FUNCTION(Comm_call_errhandler, MPI_Comm comm, int code);
MOG_MPI_FUNCTION(Errhandler_free, MPI_Errhandler *handler);
MOG_MPI_FUNCTION(Error_class, int code, int *error_class);
MOG_MPI_FUNCTION(Error_string, int code, char *text, int *length);
MOG_MPI_FUNCTION(Add_error_class, int *error_class);
MOG_MPI_FUNCTION(Add_error_code, int error_class, int *code);
MOG_MPI_FUNCTION(Add_error_string, int code, const char *text);

/* ---- memory --------------------------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Alloc_mem, MPI_Aint bytes, MPI_Info info, void *memory);
MOG_MPI_FUNCTION(Free_mem, void *memory);

/* Handles are the same in C and in Fortran, which PEs have not. */
#define MPI_Comm_c2f(handle) ((MPI_Fint)(handle))
#define PMPI_Comm_c2f(handle) MPI_Comm_c2f(handle)
#define MPI_Comm_f2c(handle) ((MPI_Comm)(handle))
#define PMPI_Comm_f2c(handle) MPI_Comm_f2c(handle)
#define MPI_Errhandler_c2f(handle) ((MPI_Fint)(handle))
#define PMPI_Errhandler_c2f(handle) MPI_Errhandler_c2f(handle)
#define MPI_Errhandler_f2c(handle) ((MPI_Errhandler)(handle))
#define PMPI_Errhandler_f2c(handle) MPI_Errhandler_f2c(handle)
#define MPI_Group_c2f(handle) ((MPI_Fint)(handle))
#define PMPI_Group_c2f(handle) MPI_Group_c2f(handle)
#define MPI_Group_f2c(handle) ((MPI_Group)(handle))
#define PMPI_Group_f2c(handle) MPI_Group_f2c(handle)
#define MPI_Info_c2f(handle) ((MPI_Fint)(handle))
#define PMPI_Info_c2f(handle) MPI_Info_c2f(handle)
#define MPI_Info_f2c(handle) ((MPI_Info)(handle))
#define PMPI_Info_f2c(handle) MPI_Info_f2c(handle)
#define MPI_Message_c2f(handle) ((MPI_Fint)(handle))
#define PMPI_Message_c2f(handle) MPI_Message_c2f(handle)
#define MPI_Message_f2c(handle) ((MPI_Message)(handle))
#define PMPI_Message_f2c(handle) MPI_Message_f2c(handle)
#define MPI_Op_c2f(handle) ((MPI_Fint)(handle))
#define PMPI_Op_c2f(handle) MPI_Op_c2f(handle)
#define MPI_Op_f2c(handle) ((MPI_Op)(handle))
#define PMPI_Op_f2c(handle) MPI_Op_f2c(handle)
#define MPI_Request_c2f(handle) ((MPI_Fint)(handle))
#define PMPI_Request_c2f(handle) MPI_Request_c2f(handle)
#define MPI_Request_f2c(handle) ((MPI_Request)(handle))
#define PMPI_Request_f2c(handle) MPI_Request_f2c(handle)
#define MPI_Type_c2f(handle) ((MPI_Fint)(handle))
#define PMPI_Type_c2f(handle) MPI_Type_c2f(handle)
#define MPI_Type_f2c(handle) ((MPI_Datatype)(handle))
#define PMPI_Type_f2c(handle) MPI_Type_f2c(handle)
#define MPI_Win_c2f(handle) ((MPI_Fint)(handle))
#define PMPI_Win_c2f(handle) MPI_Win_c2f(handle)
#define MPI_Win_f2c(handle) ((MPI_Win)(handle))
#define PMPI_Win_f2c(handle) MPI_Win_f2c(handle)
#define MPI_File_c2f(handle) ((MPI_Fint)(handle))
#define PMPI_File_c2f(handle) MPI_File_c2f(handle)
#define MPI_File_f2c(handle) ((MPI_File)(handle))
#define PMPI_File_f2c(handle) MPI_File_f2c(handle)

/* ---- communicators, types ------------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Comm_rank, MPI_Comm comm, int *rank);
MOG_MPI_FUNCTION(Comm_size, MPI_Comm comm, int *size);
MOG_MPI_FUNCTION(Type_size, MPI_Datatype type, int *size);
MOG_MPI_FUNCTION(Get_count, const MPI_Status *status, MPI_Datatype type, int *count);

/* ---- point to point ------------------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Send, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
MOG_MPI_FUNCTION(Bsend, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
MOG_MPI_FUNCTION(Ssend, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
MOG_MPI_FUNCTION(Rsend, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
MOG_MPI_FUNCTION(Buffer_attach, void *buffer, int size);
MOG_MPI_FUNCTION(Buffer_detach, void *buffer, int *size);
MOG_MPI_FUNCTION(Recv, void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status);
MOG_MPI_FUNCTION(Sendrecv, const void *send, int send_count, MPI_Datatype send_type, int dest, int send_tag, void *receive,
                 int receive_count, MPI_Datatype receive_type, int source, int receive_tag, MPI_Comm comm, MPI_Status *status);
MOG_MPI_FUNCTION(Sendrecv_replace, void *buffer, int count, MPI_Datatype type, int dest, int send_tag, int source, int receive_tag,
                 MPI_Comm comm, MPI_Status *status);
MOG_MPI_FUNCTION(Probe, int source, int tag, MPI_Comm comm, MPI_Status *status);
MOG_MPI_FUNCTION(Iprobe, int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
MOG_MPI_FUNCTION(Mprobe, int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status);
MOG_MPI_FUNCTION(Improbe, int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status);
MOG_MPI_FUNCTION(Mrecv, void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status);
MOG_MPI_FUNCTION(Imrecv, void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request);

MOG_MPI_FUNCTION(Isend, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Ibsend, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Issend, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Irsend, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Irecv, void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Send_init, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Bsend_init, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Ssend_init, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Rsend_init, const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Recv_init, void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Start, MPI_Request *request);
MOG_MPI_FUNCTION(Startall, int count, MPI_Request requests[]);

MOG_MPI_FUNCTION(Wait, MPI_Request *request, MPI_Status *status);
MOG_MPI_FUNCTION(Waitany, int count, MPI_Request requests[], int *index, MPI_Status *status);
MOG_MPI_FUNCTION(Waitall, int count, MPI_Request requests[], MPI_Status *statuses);
MOG_MPI_FUNCTION(Waitsome, int count, MPI_Request requests[], int *done, int indices[], MPI_Status *statuses);
MOG_MPI_FUNCTION(Test, MPI_Request *request, int *flag, MPI_Status *status);
MOG_MPI_FUNCTION(Testany, int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status);
MOG_MPI_FUNCTION(Testall, int count, MPI_Request requests[], int *flag, MPI_Status *statuses);
MOG_MPI_FUNCTION(Testsome, int count, MPI_Request requests[], int *done, int indices[], MPI_Status *statuses);
MOG_MPI_FUNCTION(Request_free, MPI_Request *request);
MOG_MPI_FUNCTION(Request_get_status, MPI_Request request, int *flag, MPI_Status *status);
MOG_MPI_FUNCTION(Cancel, MPI_Request *request);
MOG_MPI_FUNCTION(Test_cancelled, const MPI_Status *status, int *flag);

typedef int MPI_Grequest_query_function(void *extra, MPI_Status *status);
typedef int MPI_Grequest_free_function(void *extra);
typedef int MPI_Grequest_cancel_function(void *extra, int is_complete);
MOG_MPI_FUNCTION(Grequest_start, MPI_Grequest_query_function *query, MPI_Grequest_free_function *free_function,
                 MPI_Grequest_cancel_function *cancel, void *extra, MPI_Request *request);
MOG_MPI_FUNCTION(Grequest_complete, MPI_Request request);

/* ---- collectives ------------------------------------------------------------------------------------------------------ */
MOG_MPI_FUNCTION(Barrier, MPI_Comm comm);
MOG_MPI_FUNCTION(Ibarrier, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Bcast, void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
MOG_MPI_FUNCTION(Ibcast, void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Gather, const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype
                 receive_type, int root, MPI_Comm comm);
MOG_MPI_FUNCTION(Igather, const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype
                 receive_type, int root, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Scatter, const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype
                 receive_type, int root, MPI_Comm comm);
MOG_MPI_FUNCTION(Iscatter, const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype
                 receive_type, int root, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Allgather, const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype
                 receive_type, MPI_Comm comm);
MOG_MPI_FUNCTION(Iallgather, const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype
                 receive_type, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Alltoall, const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype
                 receive_type, MPI_Comm comm);
MOG_MPI_FUNCTION(Ialltoall, const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, MPI_Datatype
                 receive_type, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Gatherv, const void *send, int send_count, MPI_Datatype send_type, void *receive, const int *counts, const int
                 *displacements, MPI_Datatype receive_type, int root, MPI_Comm comm);
MOG_MPI_FUNCTION(Igatherv, const void *send, int send_count, MPI_Datatype send_type, void *receive, const int *counts, const int
                 *displacements, MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Allgatherv, const void *send, int send_count, MPI_Datatype send_type, void *receive, const int *counts, const int
                 *displacements, MPI_Datatype receive_type, MPI_Comm comm);
MOG_MPI_FUNCTION(Iallgatherv, const void *send, int send_count, MPI_Datatype send_type, void *receive, const int *counts, const int
                 *displacements, MPI_Datatype receive_type, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Scatterv, const void *send, const int *counts, const int *displacements, MPI_Datatype send_type, void *receive, int
                 receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm);
MOG_MPI_FUNCTION(Iscatterv, const void *send, const int *counts, const int *displacements, MPI_Datatype send_type, void *receive, int
                 receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Alltoallv, const void *send, const int *send_counts, const int *send_displacements, MPI_Datatype send_type, void
                 *receive, const int *receive_counts, const int *receive_displacements, MPI_Datatype receive_type, MPI_Comm comm);
MOG_MPI_FUNCTION(Ialltoallv, const void *send, const int *send_counts, const int *send_displacements, MPI_Datatype send_type, void
                 *receive, const int *receive_counts, const int *receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                 MPI_Request *request);
MOG_MPI_FUNCTION(Alltoallw, const void *send, const int *send_counts, const int *send_displacements, const MPI_Datatype send_types[], void
                 *receive, const int *receive_counts, const int *receive_displacements, const MPI_Datatype receive_types[], MPI_Comm
                 comm);
MOG_MPI_FUNCTION(Ialltoallw, const void *send, const int *send_counts, const int *send_displacements, const MPI_Datatype send_types[],
                 void *receive, const int *receive_counts, const int *receive_displacements, const MPI_Datatype receive_types[], MPI_Comm
                 comm, MPI_Request *request);
MOG_MPI_FUNCTION(Reduce, const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
MOG_MPI_FUNCTION(Ireduce, const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, MPI_Request
                 *request);
MOG_MPI_FUNCTION(Allreduce, const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
MOG_MPI_FUNCTION(Iallreduce, const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Scan, const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
MOG_MPI_FUNCTION(Iscan, const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Exscan, const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
MOG_MPI_FUNCTION(Iexscan, const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request);
MOG_MPI_FUNCTION(Reduce_scatter_block, const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
MOG_MPI_FUNCTION(Ireduce_scatter_block, const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                 MPI_Request *request);
MOG_MPI_FUNCTION(Reduce_scatter, const void *send, void *receive, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
MOG_MPI_FUNCTION(Ireduce_scatter, const void *send, void *receive, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                 MPI_Request *request);

/* ---- operations of the program ---------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Op_create, MPI_User_function *function, int commutes, MPI_Op *op);
MOG_MPI_FUNCTION(Op_free, MPI_Op *op);
MOG_MPI_FUNCTION(Op_commutative, MPI_Op op, int *commutes);
MOG_MPI_FUNCTION(Reduce_local, const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op);

#include "mog/mpi_types.h"
#include "mog/mpi_files.h"
#include "mog/mpi_comms.h"
#include "mog/mpi_topologies.h"
#include "mog/mpi_windows.h"
#include "mog/mpi_tools.h"
#include "mog/mpi_missing.h"

#ifdef __cplusplus
}
#endif

#endif
