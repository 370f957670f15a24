/* error_string.c: the texts of error classes, for programs that ask for them. */
#include <string.h>

#include "mpi_internal.h"

static const char *const texts[] = {
    [MPI_SUCCESS] = "No MPI error",
#define X(class, text) [class] = text,
#include "abi/mpi_errors.def"
#undef X
};

MPI_DEFINE(Error_string, int code, char *text, int *length) {
    const char *const own = __mog_mpi_own_text(code);
    strncpy(text, own ? own : texts[__mog_mpi_class(code)], MPI_MAX_ERROR_STRING - 1);
    text[MPI_MAX_ERROR_STRING - 1] = 0;
    *length = (int)strlen(text);
    return MPI_SUCCESS;
}
