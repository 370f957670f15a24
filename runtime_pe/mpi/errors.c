/* errors.c: error classes, their texts, and who is told. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_internal.h"

/* MPICH's, by class. */
static const char *const texts[] = {
    [MPI_SUCCESS] = "No MPI error",
    [MPI_ERR_BUFFER] = "Invalid buffer pointer",
    [MPI_ERR_COUNT] = "Invalid count",
    [MPI_ERR_TYPE] = "Invalid datatype",
    [MPI_ERR_TAG] = "Invalid tag",
    [MPI_ERR_COMM] = "Invalid communicator",
    [MPI_ERR_RANK] = "Invalid rank",
    [MPI_ERR_ROOT] = "Invalid root",
    [MPI_ERR_GROUP] = "Invalid group",
    [MPI_ERR_OP] = "Invalid MPI_Op",
    [MPI_ERR_TOPOLOGY] = "Invalid topology",
    [MPI_ERR_DIMS] = "Invalid dimension argument",
    [MPI_ERR_ARG] = "Invalid argument",
    [MPI_ERR_UNKNOWN] = "Unknown error.  Please file a bug report.",
    [MPI_ERR_TRUNCATE] = "Message truncated",
    [MPI_ERR_OTHER] = "Other MPI error",
    [MPI_ERR_INTERN] = "Internal MPI error!",
    [MPI_ERR_IN_STATUS] = "See the MPI_ERROR field in MPI_Status for the error code",
    [MPI_ERR_PENDING] = "Pending request (no error)",
    [MPI_ERR_REQUEST] = "Invalid MPI_Request",
    [MPI_ERR_ACCESS] = "Access denied to file",
    [MPI_ERR_AMODE] = "Invalid amode value in MPI_File_open ",
    [MPI_ERR_BAD_FILE] = "Invalid file name",
    [MPI_ERR_CONVERSION] = "An error occurred in a user-defined data conversion function",
    [MPI_ERR_DUP_DATAREP] = "The requested datarep name has already been specified to MPI_REGISTER_DATAREP",
    [MPI_ERR_FILE_EXISTS] = "File exists",
    [MPI_ERR_FILE_IN_USE] = "File in use by some process",
    [MPI_ERR_FILE] = "Invalid MPI_File",
    [MPI_ERR_INFO] = "Invalid MPI_Info",
    [MPI_ERR_INFO_KEY] = "Invalid key for MPI_Info ",
    [MPI_ERR_INFO_VALUE] = "Invalid MPI_Info value ",
    [MPI_ERR_INFO_NOKEY] = "MPI_Info key is not defined ",
    [MPI_ERR_IO] = "Other I/O error ",
    [MPI_ERR_NAME] = "Attempt to lookup an unknown service name ",
    [MPI_ERR_NO_MEM] = "Unable to allocate memory for MPI_Alloc_mem",
    [MPI_ERR_NOT_SAME] = "Inconsistent arguments to collective routine ",
    [MPI_ERR_NO_SPACE] = "Not enough space for file ",
    [MPI_ERR_NO_SUCH_FILE] = "File does not exist",
    [MPI_ERR_PORT] = "Invalid port",
    [MPI_ERR_QUOTA] = "Quota exceeded for files",
    [MPI_ERR_READ_ONLY] = "Read-only file or filesystem name",
    [MPI_ERR_SERVICE] = "Attempt to lookup an unknown service name ",
    [MPI_ERR_SPAWN] = "Error in spawn call",
    [MPI_ERR_UNSUPPORTED_DATAREP] = "Unsupported datarep passed to MPI_File_set_view ",
    [MPI_ERR_UNSUPPORTED_OPERATION] = "Unsupported file operation ",
    [MPI_ERR_WIN] = "Invalid MPI_Win",
    [MPI_ERR_BASE] = "Invalid base address",
    [MPI_ERR_LOCKTYPE] = "Invalid locktype",
    [MPI_ERR_KEYVAL] = "Invalid keyval",
    [MPI_ERR_RMA_CONFLICT] = "Conflicting accesses to window ",
    [MPI_ERR_RMA_SYNC] = "Wrong synchronization of RMA calls ",
    [MPI_ERR_SIZE] = "Invalid size argument in RMA call",
    [MPI_ERR_DISP] = "Invalid displacement argument in RMA call ",
    [MPI_ERR_ASSERT] = "Invalid assert argument",
    [MPI_ERR_RMA_RANGE] = "Memory region is not part of the window",
    [MPI_ERR_RMA_ATTACH] = "Memory cannot be attached",
    [MPI_ERR_RMA_SHARED] = "Memory cannot be shared",
    [MPI_ERR_RMA_FLAVOR] = "Window flavor does not match",
};
enum { TEXTS = sizeof texts / sizeof *texts };

/* Those of the program: codes from FIRST_OWN on, each with its class. */
enum { FIRST_OWN = 0x10000 };
static struct own_code {
    int class;
    char *text;
} *own_codes;
static int own_count;

static struct own_code *own_code(int code)
{
    return code >= FIRST_OWN && code - FIRST_OWN < own_count ? own_codes + (code - FIRST_OWN) : NULL;
}

int __mog_mpi_class(int code)
{
    const struct own_code *own = own_code(code);
    return own ? own->class : code < 0 || code >= TEXTS || !texts[code] ? MPI_ERR_UNKNOWN : code;
}

static const char *text_of(int code)
{
    const struct own_code *own = own_code(code);
    return own ? own->text ? own->text : "" : texts[__mog_mpi_class(code)];
}

_Noreturn void __mog_mpi_abort(MPI_Comm comm, int code, ...)
{
    char line[256];
    size_t at = 0;
    va_list more;
    va_start(more, code);
    for (const char *text; (text = va_arg(more, const char *));) {
        size_t length = strlen(text);
        if (length > sizeof line - at)
            length = sizeof line - at;
        memcpy(line + at, text, length);
        at += length;
    }
    va_end(more);
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    __mog_mpi(MOG_MPI_WORD(MOG_MPI_abort, 0, 0, 0), c ? c->context : MOG_MPI_WORLD, c ? (unsigned)c->rank : 0, (unsigned)code, MPI_ADDRESS(line),
              at, 0, 0);
    _exit(code);
}

/* ---- handlers: of the program's, a table ---- */

enum { FIRST_HANDLER = (int)0x94000000 };
static MPI_Comm_errhandler_function **handlers;
static int handler_count;

MPI_Comm_errhandler_function *__mog_mpi_handler_function(MPI_Errhandler handler)
{
    const int i = handler - FIRST_HANDLER;
    return i >= 0 && i < handler_count ? handlers[i] : NULL;
}

int __mog_mpi_failed(MPI_Comm comm, int code, const char *function)
{
    if (code == MPI_SUCCESS)
        return code;
    struct mpi_comm *c = __mog_mpi_comm(comm);
    if (__mog_mpi_state.stage != MPI_BETWEEN)
        __mog_mpi_abort(comm, code, function, __mog_mpi_state.stage == MPI_AFTER ? ": MPI_Finalize has been called" : ": MPI_Init has not been called",
                        (char *)NULL);
    if (!c) /* errors without a communicator belong to this one */
        c = __mog_mpi_comm(MPI_COMM_WORLD);
    if (c->handler == MPI_ERRORS_RETURN)
        return code;
    MPI_Comm_errhandler_function *own = __mog_mpi_handler_function(c->handler);
    if (own) {
        own(&comm, &code);
        return code;
    }
    __mog_mpi_fatal(comm, code, function);
}

_Noreturn void __mog_mpi_fatal(MPI_Comm comm, int code, const char *function)
{
    __mog_mpi_abort(comm, code, "Fatal error in ", function, ": ", text_of(code), (char *)NULL);
}

MPI_DEFINE(Comm_create_errhandler, MPI_Comm_errhandler_function *function, MPI_Errhandler *handler)
{
    if (!function || !handler)
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_ARG);
    MPI_Comm_errhandler_function **more = realloc(handlers, (size_t)(handler_count + 1) * sizeof *handlers);
    if (!more)
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
    handlers = more;
    handlers[handler_count] = function;
    *handler = FIRST_HANDLER + handler_count++;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_set_errhandler, MPI_Comm comm, MPI_Errhandler handler)
{
    struct mpi_comm *c = __mog_mpi_comm(comm);
    if (!c)
        MPI_RETURN(comm, MPI_ERR_COMM);
    if (handler != MPI_ERRORS_ARE_FATAL && handler != MPI_ERRORS_RETURN && !__mog_mpi_handler_function(handler))
        MPI_RETURN(comm, MPI_ERR_ARG);
    c->handler = handler;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_get_errhandler, MPI_Comm comm, MPI_Errhandler *handler)
{
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    if (!c)
        MPI_RETURN(comm, MPI_ERR_COMM);
    *handler = c->handler;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_call_errhandler, MPI_Comm comm, int code)
{
    if (!__mog_mpi_comm(comm))
        MPI_RETURN(comm, MPI_ERR_COMM);
    __mog_mpi_failed(comm, code, __func__ + 1);
    return MPI_SUCCESS;
}

/* The function stays for communicators that have it. */
MPI_DEFINE(Errhandler_free, MPI_Errhandler *handler)
{
    if (!handler || !__mog_mpi_handler_function(*handler))
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_ARG);
    *handler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

MPI_DEFINE(Error_class, int code, int *error_class)
{
    *error_class = __mog_mpi_class(code);
    return MPI_SUCCESS;
}

MPI_DEFINE(Error_string, int code, char *text, int *length)
{
    strncpy(text, text_of(code), MPI_MAX_ERROR_STRING - 1);
    text[MPI_MAX_ERROR_STRING - 1] = 0;
    *length = (int)strlen(text);
    return MPI_SUCCESS;
}

static int add_code(int class, int *code)
{
    struct own_code *more = realloc(own_codes, (size_t)(own_count + 1) * sizeof *own_codes);
    if (!more)
        return MPI_ERR_NO_MEM;
    own_codes = more;
    *code = FIRST_OWN + own_count;
    own_codes[own_count++] = (struct own_code){class ? class : *code, NULL};
    return MPI_SUCCESS;
}

MPI_DEFINE(Add_error_class, int *error_class) { MPI_RETURN(MPI_COMM_WORLD, add_code(0, error_class)); }

MPI_DEFINE(Add_error_code, int error_class, int *code)
{
    if (error_class <= 0 || (__mog_mpi_class(error_class) == MPI_ERR_UNKNOWN && error_class != MPI_ERR_UNKNOWN))
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_ARG);
    MPI_RETURN(MPI_COMM_WORLD, add_code(error_class, code));
}

MPI_DEFINE(Add_error_string, int code, const char *text)
{
    struct own_code *own = own_code(code);
    if (!own || !text || strlen(text) >= MPI_MAX_ERROR_STRING)
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_ARG);
    char *copy = strdup(text);
    if (!copy)
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
    free(own->text);
    own->text = copy;
    return MPI_SUCCESS;
}
