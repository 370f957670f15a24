/* errors.c: error classes, and who is told. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi_internal.h"

/* Those of the program: codes from FIRST_OWN on, each with its class. */
enum { FIRST_OWN = 0x10000 };
static struct own_code {
    int class;
    char *text;
} * own_codes;
static int own_count;

static struct own_code *own_code(int code) {
    return code >= FIRST_OWN && code - FIRST_OWN < own_count ? own_codes + (code - FIRST_OWN) : NULL;
}

int __mog_mpi_class(int code) {
    const struct own_code *own = own_code(code);
    if (own) return own->class;
    switch (code) {
        case MPI_SUCCESS:
#define X(class, text) case class:
#include "abi/mpi_errors.def"
#undef X
            return code;
        default: return MPI_ERR_UNKNOWN;
    }
}

const char *__mog_mpi_own_text(int code) {
    const struct own_code *own = own_code(code);
    return own ? own->text ? own->text : "" : NULL;
}

_Noreturn static void end_run(MPI_Comm comm, int code, unsigned class, va_list more) {
    char line[256];
    size_t at = 0;
    for (const char *text; (text = va_arg(more, const char *));) {
        size_t length = strlen(text);
        if (length > sizeof line - at) length = sizeof line - at;
        memcpy(line + at, text, length);
        at += length;
    }
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    __mog_mpi(MOG_MPI_WORD(MOG_MPI_abort, 0, 0, 0), c ? c->context : MOG_MPI_WORLD, c ? (unsigned)c->rank : 0, (unsigned)code,
              MPI_ADDRESS(line), at, class, 0);
    _exit(code);
}

_Noreturn void __mog_mpi_abort(MPI_Comm comm, int code, ...) {
    va_list more;
    va_start(more, code);
    end_run(comm, code, MPI_SUCCESS, more);
}

/* And at the end the text of a class. */
_Noreturn static void end_run_with(MPI_Comm comm, int code, unsigned class, ...) {
    va_list more;
    va_start(more, class);
    end_run(comm, code, class, more);
}

/* ---- handlers: of the program's, a table ---- */

enum { FIRST_HANDLER = (int)0x94000000 };
static MPI_Comm_errhandler_function **handlers;
static int handler_count;

MPI_Comm_errhandler_function *__mog_mpi_handler_function(MPI_Errhandler handler) {
    const int i = handler - FIRST_HANDLER;
    return i >= 0 && i < handler_count ? handlers[i] : NULL;
}

int __mog_mpi_failed(MPI_Comm comm, int code, const char *function) {
    if (code == MPI_SUCCESS) return code;
    struct mpi_comm *c = __mog_mpi_comm(comm);
    if (__mog_mpi_state.stage != MPI_BETWEEN)
        __mog_mpi_abort(comm, code, function,
                        __mog_mpi_state.stage == MPI_AFTER ? ": MPI_Finalize has been called" : ": MPI_Init has not been called",
                        (char *)NULL);
    if (!c) /* errors without a communicator belong to this one */
        c = __mog_mpi_comm(MPI_COMM_WORLD);
    if (c->handler == MPI_ERRORS_RETURN) return code;
    MPI_Comm_errhandler_function *own = __mog_mpi_handler_function(c->handler);
    if (own) {
        own(&comm, &code);
        return code;
    }
    __mog_mpi_fatal(comm, code, function);
}

_Noreturn void __mog_mpi_fatal(MPI_Comm comm, int code, const char *function) {
    const char *const own = __mog_mpi_own_text(code);
    end_run_with(comm, code, own ? MPI_SUCCESS : (unsigned)__mog_mpi_class(code), "Fatal error in ", function, ": ", own, (char *)NULL);
}

MPI_DEFINE(Comm_create_errhandler, MPI_Comm_errhandler_function *function, MPI_Errhandler *handler) {
    if (!function || !handler) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_ARG);
    MPI_Comm_errhandler_function **more = realloc(handlers, (size_t)(handler_count + 1) * sizeof *handlers);
    if (!more) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
    handlers = more;
    handlers[handler_count] = function;
    *handler = FIRST_HANDLER + handler_count++;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_set_errhandler, MPI_Comm comm, MPI_Errhandler handler) {
    struct mpi_comm *c = __mog_mpi_comm(comm);
    if (!c) MPI_RETURN(comm, MPI_ERR_COMM);
    if (handler != MPI_ERRORS_ARE_FATAL && handler != MPI_ERRORS_RETURN && !__mog_mpi_handler_function(handler))
        MPI_RETURN(comm, MPI_ERR_ARG);
    c->handler = handler;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_get_errhandler, MPI_Comm comm, MPI_Errhandler *handler) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    if (!c) MPI_RETURN(comm, MPI_ERR_COMM);
    *handler = c->handler;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_call_errhandler, MPI_Comm comm, int code) {
    if (!__mog_mpi_comm(comm)) MPI_RETURN(comm, MPI_ERR_COMM);
    __mog_mpi_failed(comm, code, __func__ + 1);
    return MPI_SUCCESS;
}

/* The function stays for communicators that have it. */
MPI_DEFINE(Errhandler_free, MPI_Errhandler *handler) {
    if (!handler || !__mog_mpi_handler_function(*handler)) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_ARG);
    *handler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}

MPI_DEFINE(Error_class, int code, int *error_class) {
    *error_class = __mog_mpi_class(code);
    return MPI_SUCCESS;
}

static int add_code(int class, int *code) {
    struct own_code *more = realloc(own_codes, (size_t)(own_count + 1) * sizeof *own_codes);
    if (!more) return MPI_ERR_NO_MEM;
    own_codes = more;
    *code = FIRST_OWN + own_count;
    own_codes[own_count++] = (struct own_code){class ? class : *code, NULL};
    return MPI_SUCCESS;
}

MPI_DEFINE(Add_error_class, int *error_class) { MPI_RETURN(MPI_COMM_WORLD, add_code(0, error_class)); }

MPI_DEFINE(Add_error_code, int error_class, int *code) {
    if (error_class <= 0 || (__mog_mpi_class(error_class) == MPI_ERR_UNKNOWN && error_class != MPI_ERR_UNKNOWN))
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_ARG);
    MPI_RETURN(MPI_COMM_WORLD, add_code(error_class, code));
}

MPI_DEFINE(Add_error_string, int code, const char *text) {
    struct own_code *own = own_code(code);
    if (!own || !text || strlen(text) >= MPI_MAX_ERROR_STRING) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_ARG);
    char *copy = strdup(text);
    if (!copy) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
    free(own->text);
    own->text = copy;
    return MPI_SUCCESS;
}
