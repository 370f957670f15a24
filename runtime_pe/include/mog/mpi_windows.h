/* mpi_windows.h: one-sided communication of MPI; a part of mpi.h, which includes it. */
#ifndef MOG_MPI_WINDOWS_API_H
#define MOG_MPI_WINDOWS_API_H

#define MPI_LOCK_EXCLUSIVE 234
#define MPI_LOCK_SHARED 235
#define MPI_MODE_NOCHECK 1024
#define MPI_MODE_NOSTORE 2048
#define MPI_MODE_NOPUT 4096
#define MPI_MODE_NOPRECEDE 8192
#define MPI_MODE_NOSUCCEED 16384

#define MPI_WIN_BASE 0x66000001
#define MPI_WIN_SIZE 0x66000003
#define MPI_WIN_DISP_UNIT 0x66000005
#define MPI_WIN_CREATE_FLAVOR 0x66000007
#define MPI_WIN_MODEL 0x66000009
#define MPI_WIN_FLAVOR_CREATE 1
#define MPI_WIN_FLAVOR_ALLOCATE 2
#define MPI_WIN_FLAVOR_DYNAMIC 3
#define MPI_WIN_FLAVOR_SHARED 4
#define MPI_WIN_SEPARATE 1
#define MPI_WIN_UNIFIED 2

typedef void MPI_Win_errhandler_function(MPI_Win *window, int *code, ...);
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;

typedef int MPI_Win_copy_attr_function(MPI_Win window, int keyval, void *extra, void *value, void *copy, int *flag);
typedef int MPI_Win_delete_attr_function(MPI_Win window, int keyval, void *value, void *extra);
#define MPI_WIN_NULL_COPY_FN ((MPI_Win_copy_attr_function *)0)
#define MPI_WIN_NULL_DELETE_FN ((MPI_Win_delete_attr_function *)0)
MPI_Win_copy_attr_function MPI_WIN_DUP_FN;

/* ---- windows ----------------------------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Win_create, void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *window);
MOG_MPI_FUNCTION(Win_allocate, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window);
MOG_MPI_FUNCTION(Win_allocate_shared, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *window);
MOG_MPI_FUNCTION(Win_create_dynamic, MPI_Info info, MPI_Comm comm, MPI_Win *window);
MOG_MPI_FUNCTION(Win_attach, MPI_Win window, void *base, MPI_Aint size);
MOG_MPI_FUNCTION(Win_detach, MPI_Win window, const void *base);
MOG_MPI_FUNCTION(Win_shared_query, MPI_Win window, int rank, MPI_Aint *size, int *unit, void *base);
MOG_MPI_FUNCTION(Win_free, MPI_Win *window);
MOG_MPI_FUNCTION(Win_create_keyval, MPI_Win_copy_attr_function *copy, MPI_Win_delete_attr_function *delete_function, int *keyval,
                 void *extra);
MOG_MPI_FUNCTION(Win_free_keyval, int *keyval);
MOG_MPI_FUNCTION(Win_set_attr, MPI_Win window, int keyval, void *value);
MOG_MPI_FUNCTION(Win_get_attr, MPI_Win window, int keyval, void *value, int *flag);
MOG_MPI_FUNCTION(Win_delete_attr, MPI_Win window, int keyval);
MOG_MPI_FUNCTION(Win_set_name, MPI_Win window, const char *name);
MOG_MPI_FUNCTION(Win_get_name, MPI_Win window, char *name, int *length);
MOG_MPI_FUNCTION(Win_set_info, MPI_Win window, MPI_Info info);
MOG_MPI_FUNCTION(Win_get_info, MPI_Win window, MPI_Info *info);
MOG_MPI_FUNCTION(Win_get_group, MPI_Win window, MPI_Group *group);
MOG_MPI_FUNCTION(Win_create_errhandler, MPI_Win_errhandler_function *function, MPI_Errhandler *handler);
MOG_MPI_FUNCTION(Win_set_errhandler, MPI_Win window, MPI_Errhandler handler);
MOG_MPI_FUNCTION(Win_get_errhandler, MPI_Win window, MPI_Errhandler *handler);
MOG_MPI_FUNCTION(Win_call_errhandler, MPI_Win window, int code);

/* ---- accesses ---------------------------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Put, const void *origin, int count, MPI_Datatype type, int target, MPI_Aint displacement, int target_count,
                 MPI_Datatype target_type, MPI_Win window);
MOG_MPI_FUNCTION(Get, void *origin, int count, MPI_Datatype type, int target, MPI_Aint displacement, int target_count,
                 MPI_Datatype target_type, MPI_Win window);
MOG_MPI_FUNCTION(Accumulate, const void *origin, int count, MPI_Datatype type, int target, MPI_Aint displacement, int target_count,
                 MPI_Datatype target_type, MPI_Op op, MPI_Win window);
MOG_MPI_FUNCTION(Get_accumulate, const void *origin, int count, MPI_Datatype type, void *result, int result_count, MPI_Datatype result_type,
                 int target, MPI_Aint displacement, int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win window);
MOG_MPI_FUNCTION(Fetch_and_op, const void *origin, void *result, MPI_Datatype type, int target, MPI_Aint displacement, MPI_Op op,
                 MPI_Win window);
MOG_MPI_FUNCTION(Compare_and_swap, const void *origin, const void *compare, void *result, MPI_Datatype type, int target,
                 MPI_Aint displacement, MPI_Win window);
MOG_MPI_FUNCTION(Rput, const void *origin, int count, MPI_Datatype type, int target, MPI_Aint displacement, int target_count,
                 MPI_Datatype target_type, MPI_Win window, MPI_Request *request);
MOG_MPI_FUNCTION(Rget, void *origin, int count, MPI_Datatype type, int target, MPI_Aint displacement, int target_count,
                 MPI_Datatype target_type, MPI_Win window, MPI_Request *request);
MOG_MPI_FUNCTION(Raccumulate, const void *origin, int count, MPI_Datatype type, int target, MPI_Aint displacement, int target_count,
                 MPI_Datatype target_type, MPI_Op op, MPI_Win window, MPI_Request *request);
MOG_MPI_FUNCTION(Rget_accumulate, const void *origin, int count, MPI_Datatype type, void *result, int result_count,
                 MPI_Datatype result_type, int target, MPI_Aint displacement, int target_count, MPI_Datatype target_type, MPI_Op op,
                 MPI_Win window, MPI_Request *request);

/* ---- epochs ------------------------------------------------------------------------------------------------------------ */
MOG_MPI_FUNCTION(Win_fence, int assertion, MPI_Win window);
MOG_MPI_FUNCTION(Win_start, MPI_Group group, int assertion, MPI_Win window);
MOG_MPI_FUNCTION(Win_complete, MPI_Win window);
MOG_MPI_FUNCTION(Win_post, MPI_Group group, int assertion, MPI_Win window);
MOG_MPI_FUNCTION(Win_wait, MPI_Win window);
MOG_MPI_FUNCTION(Win_test, MPI_Win window, int *flag);
MOG_MPI_FUNCTION(Win_lock, int type, int rank, int assertion, MPI_Win window);
MOG_MPI_FUNCTION(Win_lock_all, int assertion, MPI_Win window);
MOG_MPI_FUNCTION(Win_unlock, int rank, MPI_Win window);
MOG_MPI_FUNCTION(Win_unlock_all, MPI_Win window);
MOG_MPI_FUNCTION(Win_flush, int rank, MPI_Win window);
MOG_MPI_FUNCTION(Win_flush_all, MPI_Win window);
MOG_MPI_FUNCTION(Win_flush_local, int rank, MPI_Win window);
MOG_MPI_FUNCTION(Win_flush_local_all, MPI_Win window);
MOG_MPI_FUNCTION(Win_sync, MPI_Win window);

#endif
