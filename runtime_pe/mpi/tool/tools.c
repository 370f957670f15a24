/* tools.c: MPI_T: its beginning and end, categories, enumerations. May be used before MPI_Init and after MPI_Finalize. */
#include <string.h>

#include "tools.h"

static int uses;

int __mog_mpi_tools_ready(void) { return uses > 0; }

MPI_DEFINE(T_init_thread, int required, int *provided) {
    uses++;
    MPI_TOOL_SET(provided, required < MPI_THREAD_SINGLE     ? MPI_THREAD_SINGLE
                           : required > MPI_THREAD_MULTIPLE ? MPI_THREAD_MULTIPLE
                                                            : required);
    return MPI_SUCCESS;
}

MPI_DEFINE(T_finalize, void) {
    MPI_TOOLS_READY();
    uses--;
    return MPI_SUCCESS;
}

void __mog_mpi_tool_text(char *to, int *length, const char *text) {
    if (!length) return;
    const int all = (int)strlen(text) + 1;
    if (to && *length > 0) {
        const int now = *length < all ? *length : all;
        memcpy(to, text, (size_t)now - 1);
        to[now - 1] = 0;
    }
    *length = all;
}

int __mog_mpi_tool_info(const struct mpi_tool_variables *variables, int index, char *name, int *name_length, int *verbosity,
                        MPI_Datatype *type, MPI_T_enum *enumeration, char *description, int *description_length, int *bind) {
    MPI_TOOLS_READY();
    if (index < 0 || index >= variables->count) return MPI_T_ERR_INVALID_INDEX;
    __mog_mpi_tool_text(name, name_length, variables->all[index].name);
    __mog_mpi_tool_text(description, description_length, variables->all[index].description);
    MPI_TOOL_SET(verbosity, MPI_T_VERBOSITY_USER_BASIC);
    MPI_TOOL_SET(type, MPI_UNSIGNED_LONG_LONG);
    MPI_TOOL_SET(enumeration, MPI_T_ENUM_NULL);
    MPI_TOOL_SET(bind, MPI_T_BIND_NO_OBJECT);
    return MPI_SUCCESS;
}

int __mog_mpi_tool_index(const struct mpi_tool_variables *variables, const char *name) {
    for (int i = 0; i < variables->count; i++)
        if (strcmp(variables->all[i].name, name) == 0) return i;
    return -1;
}

unsigned long long __mog_mpi_tool_value(const struct mpi_tool_variable *variable) {
    unsigned long long value = 0;
    __mog_mpi(MOG_MPI_WORD(MOG_MPI_variable, 0, 0, 0), 0, 0, variable->number, MPI_ADDRESS(&value), 0, 0, 0);
    return value;
}

/* ---- one category, of all there is ---- */

static const char category[] = "mog";

MPI_DEFINE(T_category_get_num, int *count) {
    MPI_TOOLS_READY();
    MPI_TOOL_SET(count, 1);
    return MPI_SUCCESS;
}

MPI_DEFINE(T_category_get_info, int index, char *name, int *name_length, char *description, int *description_length, int *control_variables,
           int *performance_variables, int *categories) {
    MPI_TOOLS_READY();
    if (index != 0) return MPI_T_ERR_INVALID_INDEX;
    __mog_mpi_tool_text(name, name_length, category);
    __mog_mpi_tool_text(description, description_length, "messages between processing elements");
    MPI_TOOL_SET(control_variables, __mog_mpi_cvars.count);
    MPI_TOOL_SET(performance_variables, __mog_mpi_pvars.count);
    MPI_TOOL_SET(categories, 0);
    return MPI_SUCCESS;
}

MPI_DEFINE(T_category_get_index, const char *name, int *index) {
    MPI_TOOLS_READY();
    if (!name || !index) return MPI_T_ERR_INVALID;
    if (strcmp(name, category)) return MPI_T_ERR_INVALID_NAME;
    *index = 0;
    return MPI_SUCCESS;
}

/* The first `most` of `count` indices. */
static int list(int index, int most, int *indices, int count) {
    MPI_TOOLS_READY();
    if (index != 0) return MPI_T_ERR_INVALID_INDEX;
    for (int i = 0; i < most && i < count; i++) indices[i] = i;
    return MPI_SUCCESS;
}

MPI_DEFINE(T_category_get_cvars, int index, int count, int indices[]) { return list(index, count, indices, __mog_mpi_cvars.count); }
MPI_DEFINE(T_category_get_pvars, int index, int count, int indices[]) { return list(index, count, indices, __mog_mpi_pvars.count); }
MPI_DEFINE(T_category_get_categories, int index, int count, int indices[]) { return list(index, count, indices, 0); }

/* Nothing is ever added. */
MPI_DEFINE(T_category_changed, int *stamp) {
    MPI_TOOLS_READY();
    MPI_TOOL_SET(stamp, 0);
    return MPI_SUCCESS;
}

/* ---- enumerations: no variable has one ---- */

MPI_DEFINE(T_enum_get_info, MPI_T_enum enumeration, int *count, char *name, int *name_length) {
    (void)enumeration, (void)count, (void)name, (void)name_length;
    MPI_TOOLS_READY();
    return MPI_T_ERR_INVALID_HANDLE;
}

MPI_DEFINE(T_enum_get_item, MPI_T_enum enumeration, int index, int *value, char *name, int *name_length) {
    (void)enumeration, (void)index, (void)value, (void)name, (void)name_length;
    MPI_TOOLS_READY();
    return MPI_T_ERR_INVALID_HANDLE;
}
