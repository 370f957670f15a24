/* attributes.c: what programs attach to communicators, and the functions that are called when these are copied and freed. */
#include <stdlib.h>

#include "comms.h"
#include "objects.h"

struct keyval {
    MPI_Comm_copy_attr_function *copy;
    MPI_Comm_delete_attr_function *delete;
    void *extra;
    int handle, is_freed;
    int uses; /* its handle, and attributes */
};
struct mpi_attribute {
    struct mpi_attribute *next; /* the one that was set before */
    int keyval;
    struct keyval *key;
    void *value;
};

static struct mpi_objects keyvals = {0xa4400000u, 0, NULL};

static struct keyval *find_key(int keyval) { return __mog_mpi_object(&keyvals, keyval); }

static void release(struct keyval *key)
{
    if (--key->uses != 0)
        return;
    __mog_mpi_remove_object(&keyvals, key->handle);
    free(key);
}

int MPI_COMM_DUP_FN(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *flag)
{
    (void)comm, (void)keyval, (void)extra;
    *(void **)copy = value;
    *flag = 1;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_create_keyval, MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete, int *keyval, void *extra)
{
    struct keyval *key = malloc(sizeof *key);
    if (!key || !__mog_mpi_add_object(&keyvals, key, keyval)) {
        free(key);
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
    }
    *key = (struct keyval){copy, delete, extra, *keyval, 0, 1};
    return MPI_SUCCESS;
}

/* Attributes that are set stay, with their functions, and can be asked for and deleted by the keyval's other copies. */
MPI_DEFINE(Comm_free_keyval, int *keyval)
{
    struct keyval *const key = keyval ? find_key(*keyval) : NULL;
    if (!key)
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_KEYVAL);
    if (!key->is_freed) {
        key->is_freed = 1;
        release(key);
    }
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

/* ---- attributes of an object ---- */

static int delete_attribute(int object, struct mpi_attribute **place)
{
    struct mpi_attribute *const a = *place;
    if (a->key->delete) {
        const int code = a->key->delete(object, a->keyval, a->value, a->key->extra);
        if (code != MPI_SUCCESS)
            return code;
    }
    *place = a->next;
    release(a->key);
    free(a);
    return MPI_SUCCESS;
}

int __mog_mpi_delete_attributes(int object, struct mpi_attribute **attributes)
{
    int code = MPI_SUCCESS;
    while (*attributes && code == MPI_SUCCESS)
        code = delete_attribute(object, attributes);
    return code;
}

/* In the order in which they were set, which is the list's from its end. */
int __mog_mpi_copy_attributes(int object, const struct mpi_attribute *from, struct mpi_attribute **to)
{
    if (!from)
        return MPI_SUCCESS;
    int flag = 0, code = __mog_mpi_copy_attributes(object, from->next, to);
    void *value = NULL;
    if (code == MPI_SUCCESS && from->key->copy)
        code = from->key->copy(object, from->keyval, from->key->extra, from->value, &value, &flag);
    if (code != MPI_SUCCESS || !flag)
        return code;
    struct mpi_attribute *const a = malloc(sizeof *a);
    if (!a)
        return MPI_ERR_NO_MEM;
    *a = (struct mpi_attribute){*to, from->keyval, from->key, value};
    from->key->uses++;
    *to = a;
    return MPI_SUCCESS;
}

/* Null: there is none. */
static struct mpi_attribute **find(struct mpi_comm *c, const struct keyval *key)
{
    for (struct mpi_attribute **a = c->more ? &c->more->attributes : NULL; a && *a; a = &(*a)->next)
        if ((*a)->key == key)
            return a;
    return NULL;
}

MPI_DEFINE(Comm_set_attr, MPI_Comm comm, int keyval, void *value)
{
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    struct keyval *const key = find_key(keyval);
    if (!c || !key)
        MPI_RETURN(comm, c ? MPI_ERR_KEYVAL : MPI_ERR_COMM);
    struct mpi_comm_more *const more = __mog_mpi_comm_more(c);
    struct mpi_attribute **const old = find(c, key);
    if (old) {
        const int code = key->delete ? key->delete(comm, keyval, (*old)->value, key->extra) : MPI_SUCCESS;
        if (code == MPI_SUCCESS)
            (*old)->value = value;
        MPI_RETURN(comm, code);
    }
    struct mpi_attribute *const a = more ? malloc(sizeof *a) : NULL;
    if (!a)
        MPI_RETURN(comm, MPI_ERR_NO_MEM);
    *a = (struct mpi_attribute){more->attributes, keyval, key, value};
    key->uses++;
    more->attributes = a;
    return MPI_SUCCESS;
}

/* Those that every communicator has. Null: `keyval` is none of them. */
static void *predefined(int keyval)
{
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

MPI_DEFINE(Comm_get_attr, MPI_Comm comm, int keyval, void *value, int *flag)
{
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    const struct keyval *key = find_key(keyval);
    if (!c)
        MPI_RETURN(comm, MPI_ERR_COMM);
    void *const own = predefined(keyval);
    if (!key && !own)
        MPI_RETURN(comm, MPI_ERR_KEYVAL);
    struct mpi_attribute **const a = key ? find(c, key) : NULL;
    *flag = own || a;
    if (*flag)
        *(void **)value = own ? own : (*a)->value;
    return MPI_SUCCESS;
}

MPI_DEFINE(Comm_delete_attr, MPI_Comm comm, int keyval)
{
    struct mpi_comm *const c = __mog_mpi_comm(comm);
    const struct keyval *key = find_key(keyval);
    if (!c || !key)
        MPI_RETURN(comm, c ? MPI_ERR_KEYVAL : MPI_ERR_COMM);
    struct mpi_attribute **const a = find(c, key);
    MPI_RETURN(comm, a ? delete_attribute(comm, a) : MPI_ERR_KEYVAL);
}

/* MPI_Finalize begins as if MPI_COMM_SELF were freed. */
void __mog_mpi_end_attributes(void)
{
    struct mpi_comm *const c = __mog_mpi_comm(MPI_COMM_SELF);
    if (c->more)
        __mog_mpi_delete_attributes(MPI_COMM_SELF, &c->more->attributes);
}

/* ---- the names of MPI 1 ---- */

MPI_DEFINE(Keyval_create, MPI_Copy_function *copy, MPI_Delete_function *delete, int *keyval, void *extra)
{
    return PMPI_Comm_create_keyval(copy, delete, keyval, extra);
}
MPI_DEFINE(Keyval_free, int *keyval) { return PMPI_Comm_free_keyval(keyval); }
MPI_DEFINE(Attr_put, MPI_Comm comm, int keyval, void *value) { return PMPI_Comm_set_attr(comm, keyval, value); }
MPI_DEFINE(Attr_get, MPI_Comm comm, int keyval, void *value, int *flag) { return PMPI_Comm_get_attr(comm, keyval, value, flag); }
MPI_DEFINE(Attr_delete, MPI_Comm comm, int keyval) { return PMPI_Comm_delete_attr(comm, keyval); }
