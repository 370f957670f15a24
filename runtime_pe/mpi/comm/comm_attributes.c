/* comm_attributes.c: attributes of communicators. */
#include "comms.h"
#include "runtime_pe/mpi/base/attributes.h"

MPI_DEFINE_KEYVALS(Comm, MPI_KEYVAL_COMM)
MPI_DEFINE_DUP_FN(MPI_COMM_DUP_FN, MPI_Comm)

MPI_DEFINE(Comm_set_attr, MPI_Comm comm, int keyval, void *value) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    struct mpi_comm_more *const more = c ? __mog_mpi_comm_more(c) : NULL;
    MPI_RETURN(comm, !c      ? MPI_ERR_COMM
                     : !more ? MPI_ERR_NO_MEM
                             : __mog_mpi_set_attribute(MPI_KEYVAL_COMM, comm, &more->attributes, keyval, value));
}

/* Those that every communicator has. Null: `keyval` is none of them. */
static void *predefined(int keyval) {
    static int number;
    switch (keyval) {
        case MPI_TAG_UB: number = 0x7fffffff; break;
        case MPI_HOST: number = MPI_PROC_NULL; break;
        case MPI_IO: number = MPI_ANY_SOURCE; break;
        case MPI_WTIME_IS_GLOBAL: number = 0; break; /* ranks may be in processes of several machines */
        case MPI_UNIVERSE_SIZE: number = __mog_mpi_state.world.size; break;
        case MPI_LASTUSEDCODE: number = MPI_ERR_LASTCODE; break; /* those of the program are less */
        case MPI_APPNUM: number = 0; break;
        default: return NULL;
    }
    return &number;
}

/* Null: it has none. */
static struct mpi_attribute **attributes_of(const struct mpi_comm *c) { return c->more ? &c->more->attributes : NULL; }

MPI_DEFINE(Comm_get_attr, MPI_Comm comm, int keyval, void *value, int *flag) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    void *const own = predefined(keyval);
    if (!c || !own) MPI_RETURN(comm, !c ? MPI_ERR_COMM : __mog_mpi_get_attribute(MPI_KEYVAL_COMM, attributes_of(c), keyval, value, flag));
    *flag = 1;
    *(void **)value = own;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_delete_attr, MPI_Comm comm, int keyval) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    MPI_RETURN(comm, !c ? MPI_ERR_COMM : __mog_mpi_delete_attribute(MPI_KEYVAL_COMM, comm, attributes_of(c), keyval));
}

/* MPI_Finalize begins as if MPI_COMM_SELF were freed. */
void __mog_mpi_end_attributes(void) {
    const struct mpi_comm *c = __mog_mpi_comm(MPI_COMM_SELF);
    if (c->more) __mog_mpi_delete_attributes(MPI_COMM_SELF, &c->more->attributes);
}

/* ---- the names of MPI 1 ---- */

MPI_DEFINE(Keyval_create, MPI_Copy_function *copy, MPI_Delete_function *delete, int *keyval, void *extra) {
    return PMPI_Comm_create_keyval(copy, delete, keyval, extra);
}
MPI_DEFINE(Keyval_free, int *keyval) { return PMPI_Comm_free_keyval(keyval); }
MPI_DEFINE(Attr_put, MPI_Comm comm, int keyval, void *value) { return PMPI_Comm_set_attr(comm, keyval, value); }
MPI_DEFINE(Attr_get, MPI_Comm comm, int keyval, void *value, int *flag) { return PMPI_Comm_get_attr(comm, keyval, value, flag); }
MPI_DEFINE(Attr_delete, MPI_Comm comm, int keyval) { return PMPI_Comm_delete_attr(comm, keyval); }
