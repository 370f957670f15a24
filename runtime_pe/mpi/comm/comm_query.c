/* comm_query.c: what a communicator is: its group, name, hints. */
#include <stdlib.h>
#include <string.h>

#include "comms.h"

struct mpi_comm_more *__mog_mpi_comm_more(struct mpi_comm *comm) {
    if (!comm->more && (comm->more = calloc(1, sizeof *comm->more))) comm->more->info = MPI_INFO_NULL;
    return comm->more;
}

/* World ranks of the members, some at a time. */
static int add_members(struct mpi_group_maker *maker, const struct mpi_comm *c, int is_remote) {
    const int size = is_remote ? c->remote_size : c->size;
    int ranks[64];
    if (c->context == MOG_MPI_WORLD) __mog_mpi_add_ranks(maker, 0, 1, c->size);
    else if (c->context == MOG_MPI_SELF) __mog_mpi_add_ranks(maker, __mog_mpi_state.world.rank, 1, 1);
    else
        for (int first = 0; first < size; first += 64) {
            const int count = size - first < 64 ? size - first : 64;
            const int said = (int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_members, is_remote ? MOG_MPI_REMOTE : 0, 0, 0), c->context,
                                            (unsigned)c->rank, (unsigned)first, (unsigned)count, MPI_ADDRESS(ranks), 0, 0);
            if (said < 0) return -said;
            for (int i = 0; i < count; i++) __mog_mpi_add_ranks(maker, ranks[i], 1, 1);
        }
    return MPI_SUCCESS;
}

static int make_group(const struct mpi_comm *comm, int is_remote, struct mpi_group **group) {
    struct mpi_group_maker maker;
    __mog_mpi_begin_group(&maker);
    const int code = maker.group ? add_members(&maker, comm, is_remote) : MPI_ERR_NO_MEM;
    if (code != MPI_SUCCESS || !maker.group) {
        __mog_mpi_drop_group(&maker);
        return code != MPI_SUCCESS ? code : MPI_ERR_NO_MEM;
    }
    maker.group->uses = 1;
    *group = maker.group;
    return MPI_SUCCESS;
}

static int find_group(struct mpi_comm *comm, int is_remote, struct mpi_group **group) {
    struct mpi_comm_more *const more = __mog_mpi_comm_more(comm);
    if (!more) return MPI_ERR_NO_MEM;
    struct mpi_group **const kept = is_remote ? &more->remote_group : &more->group;
    const int code = *kept ? MPI_SUCCESS : make_group(comm, is_remote, kept);
    *group = *kept;
    return code;
}

int __mog_mpi_comm_group(struct mpi_comm *comm, struct mpi_group **group) { return find_group(comm, 0, group); }
int __mog_mpi_comm_remote_group(struct mpi_comm *comm, struct mpi_group **group) { return find_group(comm, 1, group); }

MPI_DEFINE(Comm_group, MPI_Comm comm, MPI_Group *group) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    struct mpi_group *g;
    int code = c ? __mog_mpi_comm_group(c, &g) : MPI_ERR_COMM;
    if (code == MPI_SUCCESS) code = __mog_mpi_group_handle(g, group);
    MPI_RETURN(comm, code);
}

MPI_DEFINE(Comm_compare, MPI_Comm comm, MPI_Comm other, int *result) {
    struct mpi_comm *const a = __mog_mpi_comm(comm), *const b = __mog_mpi_comm(other);
    struct mpi_group *g, *h;
    if (!a || !b) MPI_RETURN(a ? other : comm, MPI_ERR_COMM);
    if (a == b) {
        *result = MPI_IDENT;
        return MPI_SUCCESS;
    }
    int code = __mog_mpi_comm_group(a, &g);
    if (code == MPI_SUCCESS) code = __mog_mpi_comm_group(b, &h);
    if (code != MPI_SUCCESS) MPI_RETURN(comm, code);
    *result = __mog_mpi_compare_groups(g, h);
    /* Of intercommunicators the less alike of both groups. */
    if (!a->remote_size != !b->remote_size) {
        *result = MPI_UNEQUAL;
    } else if (a->remote_size) {
        code = __mog_mpi_comm_remote_group(a, &g);
        if (code == MPI_SUCCESS) code = __mog_mpi_comm_remote_group(b, &h);
        if (code != MPI_SUCCESS) MPI_RETURN(comm, code);
        const int remote = __mog_mpi_compare_groups(g, h);
        *result = *result == MPI_UNEQUAL || remote == MPI_UNEQUAL ? MPI_UNEQUAL : *result == MPI_IDENT ? remote : *result;
    }
    if (*result == MPI_IDENT) *result = MPI_CONGRUENT;
    return MPI_SUCCESS;
}

/* ---- names ---- */

static const char *first_name(MPI_Comm comm) {
    return comm == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : comm == MPI_COMM_SELF ? "MPI_COMM_SELF" : "";
}

MPI_DEFINE(Comm_set_name, MPI_Comm comm, const char *name) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    if (!c) MPI_RETURN(comm, MPI_ERR_COMM);
    if (!name) MPI_RETURN(comm, MPI_ERR_ARG);
    struct mpi_comm_more *const more = __mog_mpi_comm_more(c);
    char *const copy = more ? strndup(name, MPI_MAX_OBJECT_NAME - 1) : NULL;
    if (!copy) MPI_RETURN(comm, MPI_ERR_NO_MEM);
    free(more->name);
    more->name = copy;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_get_name, MPI_Comm comm, char *name, int *length) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    if (!c) MPI_RETURN(comm, MPI_ERR_COMM);
    strcpy(name, c->more && c->more->name ? c->more->name : first_name(comm));
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}

/* ---- hints: none has an effect ---- */

MPI_DEFINE(Comm_set_info, MPI_Comm comm, MPI_Info info) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    if (!c) MPI_RETURN(comm, MPI_ERR_COMM);
    struct mpi_comm_more *const more = __mog_mpi_comm_more(c);
    MPI_Info copy = MPI_INFO_NULL;
    if (!more) MPI_RETURN(comm, MPI_ERR_NO_MEM);
    if (info != MPI_INFO_NULL) {
        const int code = PMPI_Info_dup(info, &copy);
        if (code != MPI_SUCCESS) return code;
    }
    if (more->info != MPI_INFO_NULL) PMPI_Info_free(&more->info);
    more->info = copy;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_get_info, MPI_Comm comm, MPI_Info *info) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    if (!c) MPI_RETURN(comm, MPI_ERR_COMM);
    return c->more && c->more->info != MPI_INFO_NULL ? PMPI_Info_dup(c->more->info, info) : PMPI_Info_create(info);
}

/* No PE is started by another. */
MPI_DEFINE(Comm_get_parent, MPI_Comm *parent) {
    *parent = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_test_inter, MPI_Comm comm, int *flag) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    if (!c) MPI_RETURN(comm, MPI_ERR_COMM);
    *flag = c->remote_size != 0;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_remote_size, MPI_Comm comm, int *size) {
    const struct mpi_comm *c = __mog_mpi_comm(comm);
    if (!c || !c->remote_size) MPI_RETURN(comm, MPI_ERR_COMM);
    *size = c->remote_size;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_remote_group, MPI_Comm comm, MPI_Group *group) {
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    struct mpi_group *g;
    int code = c && c->remote_size ? __mog_mpi_comm_remote_group(c, &g) : MPI_ERR_COMM;
    if (code == MPI_SUCCESS) code = __mog_mpi_group_handle(g, group);
    MPI_RETURN(comm, code);
}
