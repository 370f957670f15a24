/* comm_table.c: communicators that the program made, and their handles. Only programs that make some have it. */
#include <stdlib.h>

#include "comms.h"
#include "runtime_pe/mpi/base/objects.h"

static struct mpi_objects comms = {.first = 0x84000000u};

struct mpi_comm *__mog_mpi_made_comm(MPI_Comm comm) {
    return __mog_mpi_object(&comms, comm);
}

struct mpi_comm *__mog_mpi_new_comm(const struct mpi_comm *parent, MPI_Comm *handle) {
    struct mpi_comm *c = calloc(1, sizeof *c);
    if (!c || !__mog_mpi_add_object(&comms, c, handle)) {
        free(c);
        return NULL;
    }
    c->context = MOG_MPI_NO_CONTEXT;
    c->handler = parent->handler;
    return c;
}

void __mog_mpi_drop_comm(MPI_Comm handle) {
    struct mpi_comm *const c = __mog_mpi_made_comm(handle);
    __mog_mpi_remove_object(&comms, handle);
    if (c->more) {
        if (c->more->group) __mog_mpi_release_group(c->more->group);
        if (c->more->remote_group) __mog_mpi_release_group(c->more->remote_group);
        if (c->more->info != MPI_INFO_NULL) PMPI_Info_free(&c->more->info);
        free(c->more->topology);
        free(c->more->name);
        free(c->more);
    }
    free(c);
}

int __mog_mpi_split(struct mpi_comm *comm, int color, int key, MPI_Comm *made) {
    struct mpi_comm *const c = __mog_mpi_new_comm(comm, made);
    if (!c) return MPI_ERR_NO_MEM;
    /* The engine's answer is the beginning of the communicator. */
    const int code = -(int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_split, 0, 0, 0), comm->context, (unsigned)comm->rank, (unsigned)color,
                                     (unsigned)key, MPI_ADDRESS(c), 0, 0);
    if (code == MPI_SUCCESS && c->context != MOG_MPI_NO_CONTEXT) return MPI_SUCCESS;
    __mog_mpi_drop_comm(*made);
    *made = MPI_COMM_NULL;
    return code;
}

MPI_DEFINE(Comm_free, MPI_Comm *comm) {
    struct mpi_comm *const c = comm ? __mog_mpi_made_comm(*comm) : NULL;
    if (!c || c->context == MOG_MPI_NO_CONTEXT || __mog_mpi_state.stage != MPI_BETWEEN)
        MPI_RETURN(comm ? *comm : MPI_COMM_NULL, MPI_ERR_COMM);
    int code = MPI_SUCCESS;
    if (c->more && c->more->attributes && __mog_mpi_delete_attributes) code = __mog_mpi_delete_attributes(*comm, &c->more->attributes);
    if (code == MPI_SUCCESS) code = -(int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_free, 0, 0, 0), c->context, (unsigned)c->rank, 0, 0, 0, 0, 0);
    if (code != MPI_SUCCESS) MPI_RETURN(*comm, code);
    __mog_mpi_drop_comm(*comm);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* All communication over it is done when its requests are; nothing else is left to wait for. */
MPI_DEFINE(Comm_disconnect, MPI_Comm *comm) { return PMPI_Comm_free(comm); }
