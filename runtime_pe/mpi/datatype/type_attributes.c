/* type_attributes.c: attributes of types. */
#include "runtime_pe/mpi/base/attributes.h"
#include "types.h"

MPI_DEFINE_KEYVALS(Type, MPI_KEYVAL_TYPE)
MPI_DEFINE_DUP_FN(MPI_TYPE_DUP_FN, MPI_Datatype)

MPI_DEFINE(Type_set_attr, MPI_Datatype type, int keyval, void *value) {
    struct mpi_type_more *const more = __mog_mpi_is_type(type) ? __mog_mpi_type_more(type, 1) : NULL;
    MPI_RETURN(MPI_COMM_WORLD, !__mog_mpi_is_type(type) ? MPI_ERR_TYPE
                               : !more                  ? MPI_ERR_NO_MEM
                                                        : __mog_mpi_set_attribute(MPI_KEYVAL_TYPE, type, &more->attributes, keyval, value));
}

/* Null: it has none. */
static struct mpi_attribute **attributes_of(MPI_Datatype type) {
    struct mpi_type_more *const more = __mog_mpi_type_more(type, 0);
    return more ? &more->attributes : NULL;
}

MPI_DEFINE(Type_get_attr, MPI_Datatype type, int keyval, void *value, int *flag) {
    MPI_RETURN(MPI_COMM_WORLD,
               __mog_mpi_is_type(type) ? __mog_mpi_get_attribute(MPI_KEYVAL_TYPE, attributes_of(type), keyval, value, flag) : MPI_ERR_TYPE);
}

MPI_DEFINE(Type_delete_attr, MPI_Datatype type, int keyval) {
    MPI_RETURN(MPI_COMM_WORLD,
               __mog_mpi_is_type(type) ? __mog_mpi_delete_attribute(MPI_KEYVAL_TYPE, type, attributes_of(type), keyval) : MPI_ERR_TYPE);
}
