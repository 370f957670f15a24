/* tools.h: what the files of MPI_T share. Nothing here calls an error handler: the standard has errors returned. All variables are
 * unsigned long long, of the whole run or of this rank, and bound to no object. */
#ifndef MOG_MPI_TOOLS_H
#define MOG_MPI_TOOLS_H

#include "runtime_pe/mpi/base/mpi_internal.h"

struct mpi_tool_variable {
    const char *name, *description;
    enum mog_mpi_variable number;
    int class; /* of a performance variable */
};
struct mpi_tool_variables {
    const struct mpi_tool_variable *all;
    int count;
};
extern const struct mpi_tool_variables __mog_mpi_cvars, __mog_mpi_pvars;

/* MPI_T_init_thread was called more often than MPI_T_finalize. */
int __mog_mpi_tools_ready(void);
#define MPI_TOOLS_READY()                                               \
    do {                                                                \
        if (!__mog_mpi_tools_ready()) return MPI_T_ERR_NOT_INITIALIZED; \
    } while (0)

/* What a caller wants to know may be a null pointer. */
#define MPI_TOOL_SET(pointer, value)       \
    do {                                   \
        if (pointer) *(pointer) = (value); \
    } while (0)
/* A text of at most `*length` bytes with its end; then `*length` is what all of it takes. Null pointers: it is not wanted. */
void __mog_mpi_tool_text(char *to, int *length, const char *text);
/* What control and performance variables both tell. Returns an error. */
int __mog_mpi_tool_info(const struct mpi_tool_variables *variables, int index, char *name, int *name_length, int *verbosity,
                        MPI_Datatype *type, MPI_T_enum *enumeration, char *description, int *description_length, int *bind);
/* The index of this name; -1: there is none. */
int __mog_mpi_tool_index(const struct mpi_tool_variables *variables, const char *name);
unsigned long long __mog_mpi_tool_value(const struct mpi_tool_variable *variable);

#endif
