/* tool_cvars.c: control variables of MPI_T: what options of mogrun have set. They do not change in a run. */
#include "tools.h"

static const struct mpi_tool_variable variables[] = {
    {"mpi_eager", "bytes up to which a message need not wait for its receive (mogrun --mpi-eager)", MOG_MPI_EAGER_BYTES, 0},
    {"mpi_buffer", "bytes that such messages may take in all before senders wait (mogrun --mpi-buffer)", MOG_MPI_BUFFER_BYTES, 0},
};
enum { COUNT = sizeof variables / sizeof *variables };
const struct mpi_tool_variables __mog_mpi_cvars = {variables, COUNT};

MPI_DEFINE(T_cvar_get_num, int *count) {
    MPI_TOOLS_READY();
    MPI_TOOL_SET(count, COUNT);
    return MPI_SUCCESS;
}

MPI_DEFINE(T_cvar_get_info, int index, char *name, int *name_length, int *verbosity, MPI_Datatype *type, MPI_T_enum *enumeration,
           char *description, int *description_length, int *bind, int *scope) {
    const int code = __mog_mpi_tool_info(&__mog_mpi_cvars, index, name, name_length, verbosity, type, enumeration, description,
                                         description_length, bind);
    if (code != MPI_SUCCESS) return code;
    MPI_TOOL_SET(scope, MPI_T_SCOPE_CONSTANT);
    return MPI_SUCCESS;
}

MPI_DEFINE(T_cvar_get_index, const char *name, int *index) {
    MPI_TOOLS_READY();
    if (!name || !index) return MPI_T_ERR_INVALID;
    const int found = __mog_mpi_tool_index(&__mog_mpi_cvars, name);
    if (found < 0) return MPI_T_ERR_INVALID_NAME;
    *index = found;
    return MPI_SUCCESS;
}

/* A handle is its variable's place, so there is nothing to keep. */
MPI_DEFINE(T_cvar_handle_alloc, int index, void *object, MPI_T_cvar_handle *handle, int *count) {
    (void)object;
    MPI_TOOLS_READY();
    if ((unsigned)index >= COUNT || !handle) return handle ? MPI_T_ERR_INVALID_INDEX : MPI_T_ERR_INVALID;
    *handle = (MPI_T_cvar_handle)(variables + index);
    MPI_TOOL_SET(count, 1);
    return MPI_SUCCESS;
}

/* Null: it is none. */
static const struct mpi_tool_variable *variable_of(MPI_T_cvar_handle handle) {
    for (int i = 0; i < COUNT; i++)
        if ((const void *)handle == variables + i) return variables + i;
    return NULL;
}

MPI_DEFINE(T_cvar_handle_free, MPI_T_cvar_handle *handle) {
    MPI_TOOLS_READY();
    if (!handle || !variable_of(*handle)) return MPI_T_ERR_INVALID_HANDLE;
    *handle = MPI_T_CVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

MPI_DEFINE(T_cvar_read, MPI_T_cvar_handle handle, void *value) {
    MPI_TOOLS_READY();
    const struct mpi_tool_variable *const variable = variable_of(handle);
    if (!variable || !value) return variable ? MPI_T_ERR_INVALID : MPI_T_ERR_INVALID_HANDLE;
    *(unsigned long long *)value = __mog_mpi_tool_value(variable);
    return MPI_SUCCESS;
}

MPI_DEFINE(T_cvar_write, MPI_T_cvar_handle handle, const void *value) {
    (void)value;
    MPI_TOOLS_READY();
    return variable_of(handle) ? MPI_T_ERR_CVAR_SET_NEVER : MPI_T_ERR_INVALID_HANDLE;
}
