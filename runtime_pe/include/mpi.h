/* mpi.h: MPI 3.1 between PEs. Each PE is a rank: MPI_COMM_WORLD has NPROC of them, and a PE's rank in it is IPROC.
 *
 * Constants have MPICH's values. Handles are ints. Each function exists as PMPI_..., too.
 */
#ifndef MOG_MPI_H
#define MOG_MPI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 3
#define MPI_SUBVERSION 1

typedef int MPI_Comm;
typedef int MPI_Group;
typedef int MPI_Datatype;
typedef int MPI_Request;
typedef int MPI_Message;
typedef int MPI_Op;
typedef int MPI_Errhandler;
typedef int MPI_Info;
typedef int MPI_Win;
typedef long MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef int MPI_Fint;

typedef struct MPI_Status {
    int count_lo;
    int count_hi_and_cancelled;
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
} MPI_Status;

/* ---- error classes ----------------------------------------------------------------------------------------------- */
#define MPI_SUCCESS 0
#define MPI_ERR_BUFFER 1
#define MPI_ERR_COUNT 2
#define MPI_ERR_TYPE 3
#define MPI_ERR_TAG 4
#define MPI_ERR_COMM 5
#define MPI_ERR_RANK 6
#define MPI_ERR_ROOT 7
#define MPI_ERR_GROUP 8
#define MPI_ERR_OP 9
#define MPI_ERR_TOPOLOGY 10
#define MPI_ERR_DIMS 11
#define MPI_ERR_ARG 12
#define MPI_ERR_UNKNOWN 13
#define MPI_ERR_TRUNCATE 14
#define MPI_ERR_OTHER 15
#define MPI_ERR_INTERN 16
#define MPI_ERR_IN_STATUS 17
#define MPI_ERR_PENDING 18
#define MPI_ERR_REQUEST 19
#define MPI_ERR_ACCESS 20
#define MPI_ERR_AMODE 21
#define MPI_ERR_BAD_FILE 22
#define MPI_ERR_CONVERSION 23
#define MPI_ERR_DUP_DATAREP 24
#define MPI_ERR_FILE_EXISTS 25
#define MPI_ERR_FILE_IN_USE 26
#define MPI_ERR_FILE 27
#define MPI_ERR_INFO 28
#define MPI_ERR_INFO_KEY 29
#define MPI_ERR_INFO_VALUE 30
#define MPI_ERR_INFO_NOKEY 31
#define MPI_ERR_IO 32
#define MPI_ERR_NAME 33
#define MPI_ERR_NO_MEM 34
#define MPI_ERR_NOT_SAME 35
#define MPI_ERR_NO_SPACE 36
#define MPI_ERR_NO_SUCH_FILE 37
#define MPI_ERR_PORT 38
#define MPI_ERR_QUOTA 39
#define MPI_ERR_READ_ONLY 40
#define MPI_ERR_SERVICE 41
#define MPI_ERR_SPAWN 42
#define MPI_ERR_UNSUPPORTED_DATAREP 43
#define MPI_ERR_UNSUPPORTED_OPERATION 44
#define MPI_ERR_WIN 45
#define MPI_ERR_BASE 46
#define MPI_ERR_LOCKTYPE 47
#define MPI_ERR_KEYVAL 48
#define MPI_ERR_RMA_CONFLICT 49
#define MPI_ERR_RMA_SYNC 50
#define MPI_ERR_SIZE 51
#define MPI_ERR_DISP 52
#define MPI_ERR_ASSERT 53
#define MPI_ERR_RMA_RANGE 55
#define MPI_ERR_RMA_ATTACH 56
#define MPI_ERR_RMA_SHARED 57
#define MPI_ERR_RMA_FLAVOR 58
#define MPI_T_ERR_MEMORY 59
#define MPI_T_ERR_NOT_INITIALIZED 60
#define MPI_T_ERR_CANNOT_INIT 61
#define MPI_T_ERR_INVALID_INDEX 62
#define MPI_T_ERR_INVALID_ITEM 63
#define MPI_T_ERR_INVALID_HANDLE 64
#define MPI_T_ERR_OUT_OF_HANDLES 65
#define MPI_T_ERR_OUT_OF_SESSIONS 66
#define MPI_T_ERR_INVALID_SESSION 67
#define MPI_T_ERR_CVAR_SET_NOT_NOW 68
#define MPI_T_ERR_CVAR_SET_NEVER 69
#define MPI_T_ERR_PVAR_NO_STARTSTOP 70
#define MPI_T_ERR_PVAR_NO_WRITE 71
#define MPI_T_ERR_PVAR_NO_ATOMIC 72
#define MPI_T_ERR_INVALID_NAME 73
#define MPI_T_ERR_INVALID 74
#define MPI_ERR_LASTCODE 0x3fffffff

/* ---- handles that are always there -------------------------------------------------------------------------------- */
#define MPI_COMM_NULL ((MPI_Comm)0x04000000)
#define MPI_COMM_WORLD ((MPI_Comm)0x44000000)
#define MPI_COMM_SELF ((MPI_Comm)0x44000001)
#define MPI_GROUP_NULL ((MPI_Group)0x08000000)
#define MPI_GROUP_EMPTY ((MPI_Group)0x48000000)
#define MPI_REQUEST_NULL ((MPI_Request)0x2c000000)
#define MPI_MESSAGE_NULL ((MPI_Message)0x2c000000)
#define MPI_MESSAGE_NO_PROC ((MPI_Message)0x6c000000)
#define MPI_OP_NULL ((MPI_Op)0x18000000)
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0x14000000)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)0x54000000)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x54000001)
#define MPI_INFO_NULL ((MPI_Info)0x1c000000)
#define MPI_INFO_ENV ((MPI_Info)0x5c000001)
#define MPI_WIN_NULL ((MPI_Win)0x20000000)
#define MPI_KEYVAL_INVALID 0x24000000

/* Bits 8 to 15 are the size. */
#define MPI_DATATYPE_NULL ((MPI_Datatype)0x0c000000)
#define MPI_CHAR ((MPI_Datatype)0x4c000101)
#define MPI_UNSIGNED_CHAR ((MPI_Datatype)0x4c000102)
#define MPI_SHORT ((MPI_Datatype)0x4c000203)
#define MPI_UNSIGNED_SHORT ((MPI_Datatype)0x4c000204)
#define MPI_INT ((MPI_Datatype)0x4c000405)
#define MPI_UNSIGNED ((MPI_Datatype)0x4c000406)
#define MPI_LONG ((MPI_Datatype)0x4c000407)
#define MPI_UNSIGNED_LONG ((MPI_Datatype)0x4c000408)
#define MPI_LONG_LONG_INT ((MPI_Datatype)0x4c000809)
#define MPI_LONG_LONG MPI_LONG_LONG_INT
#define MPI_FLOAT ((MPI_Datatype)0x4c00040a)
#define MPI_DOUBLE ((MPI_Datatype)0x4c00080b)
#define MPI_LONG_DOUBLE ((MPI_Datatype)0x4c00080c)
#define MPI_BYTE ((MPI_Datatype)0x4c00010d)
#define MPI_WCHAR ((MPI_Datatype)0x4c00040e)
#define MPI_PACKED ((MPI_Datatype)0x4c00010f)
#define MPI_LB ((MPI_Datatype)0x4c000010)
#define MPI_UB ((MPI_Datatype)0x4c000011)
#define MPI_2INT ((MPI_Datatype)0x4c000816)
#define MPI_SIGNED_CHAR ((MPI_Datatype)0x4c000118)
#define MPI_UNSIGNED_LONG_LONG ((MPI_Datatype)0x4c000819)
#define MPI_INT8_T ((MPI_Datatype)0x4c000137)
#define MPI_INT16_T ((MPI_Datatype)0x4c000238)
#define MPI_INT32_T ((MPI_Datatype)0x4c000439)
#define MPI_INT64_T ((MPI_Datatype)0x4c00083a)
#define MPI_UINT8_T ((MPI_Datatype)0x4c00013b)
#define MPI_UINT16_T ((MPI_Datatype)0x4c00023c)
#define MPI_UINT32_T ((MPI_Datatype)0x4c00043d)
#define MPI_UINT64_T ((MPI_Datatype)0x4c00083e)
#define MPI_C_BOOL ((MPI_Datatype)0x4c00013f)
#define MPI_C_FLOAT_COMPLEX ((MPI_Datatype)0x4c000840)
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_C_DOUBLE_COMPLEX ((MPI_Datatype)0x4c001041)
#define MPI_C_LONG_DOUBLE_COMPLEX ((MPI_Datatype)0x4c001042)
#define MPI_AINT ((MPI_Datatype)0x4c000443)
#define MPI_OFFSET ((MPI_Datatype)0x4c000844)
#define MPI_COUNT ((MPI_Datatype)0x4c000845)
/* Types of C++ and of Fortran, as seen from C. Null: this machine has none. */
#define MPI_CXX_BOOL ((MPI_Datatype)0x4c000133)
#define MPI_CXX_FLOAT_COMPLEX ((MPI_Datatype)0x4c000834)
#define MPI_CXX_DOUBLE_COMPLEX ((MPI_Datatype)0x4c001035)
#define MPI_CXX_LONG_DOUBLE_COMPLEX ((MPI_Datatype)0x4c001036)
#define MPI_CHARACTER ((MPI_Datatype)0x4c00011a)
#define MPI_INTEGER ((MPI_Datatype)0x4c00041b)
#define MPI_REAL ((MPI_Datatype)0x4c00041c)
#define MPI_LOGICAL ((MPI_Datatype)0x4c00041d)
#define MPI_COMPLEX ((MPI_Datatype)0x4c00081e)
#define MPI_DOUBLE_PRECISION ((MPI_Datatype)0x4c00081f)
#define MPI_DOUBLE_COMPLEX ((MPI_Datatype)0x4c001022)
#define MPI_INTEGER1 ((MPI_Datatype)0x4c00012d)
#define MPI_INTEGER2 ((MPI_Datatype)0x4c00022f)
#define MPI_INTEGER4 ((MPI_Datatype)0x4c000430)
#define MPI_INTEGER8 ((MPI_Datatype)0x4c000831)
#define MPI_REAL4 ((MPI_Datatype)0x4c000427)
#define MPI_REAL8 ((MPI_Datatype)0x4c000829)
#define MPI_COMPLEX8 ((MPI_Datatype)0x4c000828)
#define MPI_COMPLEX16 ((MPI_Datatype)0x4c00102a)
#define MPI_2INTEGER MPI_DATATYPE_NULL
#define MPI_2REAL MPI_DATATYPE_NULL
#define MPI_2DOUBLE_PRECISION MPI_DATATYPE_NULL
#define MPI_INTEGER16 MPI_DATATYPE_NULL
#define MPI_REAL2 MPI_DATATYPE_NULL
#define MPI_REAL16 MPI_DATATYPE_NULL
#define MPI_COMPLEX4 MPI_DATATYPE_NULL
#define MPI_COMPLEX32 MPI_DATATYPE_NULL
/* Pairs, of MPI_MINLOC and MPI_MAXLOC: a value and an int. */
#define MPI_FLOAT_INT ((MPI_Datatype)0x8c000000)
#define MPI_DOUBLE_INT ((MPI_Datatype)0x8c000001)
#define MPI_LONG_INT ((MPI_Datatype)0x8c000002)
#define MPI_SHORT_INT ((MPI_Datatype)0x8c000003)
#define MPI_LONG_DOUBLE_INT ((MPI_Datatype)0x8c000004)

#define MPI_MAX ((MPI_Op)0x58000001)
#define MPI_MIN ((MPI_Op)0x58000002)
#define MPI_SUM ((MPI_Op)0x58000003)
#define MPI_PROD ((MPI_Op)0x58000004)
#define MPI_LAND ((MPI_Op)0x58000005)
#define MPI_BAND ((MPI_Op)0x58000006)
#define MPI_LOR ((MPI_Op)0x58000007)
#define MPI_BOR ((MPI_Op)0x58000008)
#define MPI_LXOR ((MPI_Op)0x58000009)
#define MPI_BXOR ((MPI_Op)0x5800000a)
#define MPI_MINLOC ((MPI_Op)0x5800000b)
#define MPI_MAXLOC ((MPI_Op)0x5800000c)
#define MPI_REPLACE ((MPI_Op)0x5800000d)
#define MPI_NO_OP ((MPI_Op)0x5800000e)

/* ---- other constants ----------------------------------------------------------------------------------------------- */
#define MPI_PROC_NULL (-1)
#define MPI_ANY_SOURCE (-2)
#define MPI_ROOT (-3)
#define MPI_ANY_TAG (-1)
#define MPI_UNDEFINED (-32766)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_BOTTOM ((void *)0)
#define MPI_STATUS_IGNORE ((MPI_Status *)1)
#define MPI_STATUSES_IGNORE ((MPI_Status *)1)
#define MPI_ERRCODES_IGNORE ((int *)0)
#define MPI_ARGV_NULL ((char **)0)
#define MPI_ARGVS_NULL ((char ***)0)
#define MPI_BSEND_OVERHEAD 96
#define MPI_MAX_PROCESSOR_NAME 128
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_MAX_ERROR_STRING 512
#define MPI_MAX_OBJECT_NAME 128
#define MPI_MAX_PORT_NAME 256
#define MPI_MAX_INFO_KEY 255
#define MPI_MAX_INFO_VAL 1024
#define MPI_IDENT 0
#define MPI_CONGRUENT 1
#define MPI_SIMILAR 2
#define MPI_UNEQUAL 3
#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_FUNNELED 1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE 3

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

#include "mog_mpi_types.h"
#include "mog_mpi_files.h"
#include "mog_mpi_comms.h"
#include "mog_mpi_topologies.h"
#include "mog_mpi_windows.h"
#include "mog_mpi_tools.h"
#include "mog_mpi_missing.h"

#ifdef __cplusplus
}
#endif

#endif
