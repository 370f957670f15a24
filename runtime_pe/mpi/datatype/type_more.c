/* type_more.c: attributes and names of types. */
#include <stdlib.h>
#include <string.h>

#include "types.h"

static struct mpi_type_more *first;

/* The place in the list; where it ends, if the type has nothing. */
static struct mpi_type_more **find(MPI_Datatype type) {
    struct mpi_type_more **more = &first;
    while (*more && (*more)->type != type) more = &(*more)->next;
    return more;
}

struct mpi_type_more *__mog_mpi_type_more(MPI_Datatype type, int makes) {
    struct mpi_type_more **const more = find(type);
    if (!*more && makes && (*more = calloc(1, sizeof **more))) (*more)->type = type;
    return *more;
}

/* Names stay with the old one. */
int __mog_mpi_copy_type_more(MPI_Datatype from, MPI_Datatype to) {
    const struct mpi_type_more *old = __mog_mpi_type_more(from, 0);
    if (!old || !old->attributes || !__mog_mpi_copy_attributes) return MPI_SUCCESS;
    struct mpi_type_more *const copy = __mog_mpi_type_more(to, 1);
    return copy ? __mog_mpi_copy_attributes(from, old->attributes, &copy->attributes) : MPI_ERR_NO_MEM;
}

int __mog_mpi_end_type_more(MPI_Datatype type) {
    struct mpi_type_more *const more = __mog_mpi_type_more(type, 0);
    const int code = more && more->attributes ? __mog_mpi_delete_attributes(type, &more->attributes) : MPI_SUCCESS;
    if (!more || code != MPI_SUCCESS) return code;
    *find(type) = more->next; /* looked for again: functions of the program have run */
    free(more->name);
    free(more);
    return MPI_SUCCESS;
}

int __mog_mpi_is_type(MPI_Datatype type) {
    const struct mpi_type *t = __mog_mpi_type(type);
    return t ? t->handles != 0 : __mog_mpi_basic_size(type) != 0 || type == MPI_LB || type == MPI_UB;
}

/* ---- names ---- */

static const char *first_name(MPI_Datatype type) {
    switch (type == MPI_LB || type == MPI_UB ? (unsigned)type & 0xff : mpi_type_id(type)) {
/* clang-format off */
#define MOG_MPI_TYPE(name, type, kind) case MOG_MPI_TYPE_ID(MPI_##name): return "MPI_" #name;
#include "abi/mpi_types.def"
            /* clang-format on */
        case MPI_PACKED & 0xff: return "MPI_PACKED";
        case MPI_LB & 0xff: return "MPI_LB";
        case MPI_UB & 0xff: return "MPI_UB";
        default: return "";
    }
}

MPI_DEFINE(Type_set_name, MPI_Datatype type, const char *name) {
    const int code = !__mog_mpi_is_type(type) ? MPI_ERR_TYPE : !name ? MPI_ERR_ARG : MPI_SUCCESS;
    struct mpi_type_more *const more = code == MPI_SUCCESS ? __mog_mpi_type_more(type, 1) : NULL;
    char *const copy = more ? strndup(name, MPI_MAX_OBJECT_NAME - 1) : NULL;
    if (copy) {
        free(more->name);
        more->name = copy;
    }
    MPI_RETURN(MPI_COMM_WORLD, code != MPI_SUCCESS || copy ? code : MPI_ERR_NO_MEM);
}

MPI_DEFINE(Type_get_name, MPI_Datatype type, char *name, int *length) {
    const struct mpi_type_more *more = __mog_mpi_type_more(type, 0);
    if (!__mog_mpi_is_type(type)) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_TYPE);
    strcpy(name, more && more->name ? more->name : first_name(type));
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}
