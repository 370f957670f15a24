/* attributes.c: lists of attributes, and the functions that are called when these are copied and deleted.
 *
 * What was set in Fortran is an integer, of which C gets the address; what was set in C is an address, which Fortran gets as an integer
 * (MPI 3.1, 17.2.7). */
#include <stdlib.h>

#include "attributes.h"
#include "objects.h"

struct keyval {
    MPI_Comm_copy_attr_function *copy;
    MPI_Comm_delete_attr_function *delete;
    void *extra;
    enum mpi_keyval_kind kind;
    int handle, is_freed;
    int uses;       /* its handle, and attributes */
    int in_fortran; /* its functions are */
};
struct mpi_attribute {
    struct mpi_attribute *next; /* the one that was set before */
    struct keyval *key;
    void *value;
    int from_fortran;
};

static struct mpi_objects keyvals = {.first = 0xa4400000u};

/* The Fortran library sets it before it calls what C has; whoever is called looks once, for the program's own functions may be C's. */
_Thread_local int __mog_mpi_from_fortran;
static int is_from_fortran(void) {
    const int is = __mog_mpi_from_fortran;
    __mog_mpi_from_fortran = 0;
    return is;
}
static void *seen_by(const struct mpi_attribute *a, int fortran) { return a->from_fortran && !fortran ? (void *)&a->value : a->value; }

static struct keyval *find_key(enum mpi_keyval_kind kind, int keyval) {
    struct keyval *const key = __mog_mpi_object(&keyvals, keyval);
    return key && key->kind == kind ? key : NULL;
}

static void release(struct keyval *key) {
    if (--key->uses != 0) return;
    __mog_mpi_remove_object(&keyvals, key->handle);
    free(key);
}

int __mog_mpi_create_keyval(enum mpi_keyval_kind kind, MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete,
                            int *keyval, void *extra) {
    struct keyval *key = malloc(sizeof *key);
    if (!key || !__mog_mpi_add_object(&keyvals, key, keyval)) {
        free(key);
        return MPI_ERR_NO_MEM;
    }
    *key = (struct keyval){copy, delete, extra, kind, *keyval, 0, 1, is_from_fortran()};
    return MPI_SUCCESS;
}

/* Attributes that are set stay, with their functions, and can be asked for and deleted by the keyval's other copies. */
int __mog_mpi_free_keyval(enum mpi_keyval_kind kind, int *keyval) {
    struct keyval *const key = keyval ? find_key(kind, *keyval) : NULL;
    if (!key) return MPI_ERR_KEYVAL;
    if (!key->is_freed) {
        key->is_freed = 1;
        release(key);
    }
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

/* ---- attributes of an object ---- */

static int delete_place(int object, struct mpi_attribute **place) {
    struct mpi_attribute *const a = *place;
    if (a->key->delete) {
        const int code = a->key->delete (object, a->key->handle, seen_by(a, a->key->in_fortran), a->key->extra);
        if (code != MPI_SUCCESS) return code;
    }
    *place = a->next;
    release(a->key);
    free(a);
    return MPI_SUCCESS;
}

int __mog_mpi_delete_attributes(int object, struct mpi_attribute **attributes) {
    int code = MPI_SUCCESS;
    while (*attributes && code == MPI_SUCCESS) code = delete_place(object, attributes);
    return code;
}

/* False: no memory. */
static int add(struct mpi_attribute **attributes, struct keyval *key, void *value, int from_fortran) {
    struct mpi_attribute *const a = malloc(sizeof *a);
    if (!a) return 0;
    *a = (struct mpi_attribute){*attributes, key, value, from_fortran};
    key->uses++;
    *attributes = a;
    return 1;
}

/* In the order in which they were set, which is the list's from its end. */
int __mog_mpi_copy_attributes(int object, const struct mpi_attribute *from, struct mpi_attribute **to) {
    if (!from) return MPI_SUCCESS;
    int flag = 0, code = __mog_mpi_copy_attributes(object, from->next, to);
    int in_fortran = from->key->in_fortran;
    void *value = NULL, *const seen = seen_by(from, in_fortran);
    if (code == MPI_SUCCESS && from->key->copy) code = from->key->copy(object, from->key->handle, from->key->extra, seen, &value, &flag);
    if (code != MPI_SUCCESS || !flag) return code;
    if (value == seen && seen != from->value) { /* MPI_COMM_DUP_FN: the address would be that of the old one's integer */
        value = from->value;
        in_fortran = 1;
    }
    return add(to, from->key, value, in_fortran) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* Null: there is none. */
static struct mpi_attribute **find(struct mpi_attribute **attributes, const struct keyval *key) {
    for (struct mpi_attribute **a = attributes; *a; a = &(*a)->next)
        if ((*a)->key == key) return a;
    return NULL;
}

int __mog_mpi_set_attribute(enum mpi_keyval_kind kind, int object, struct mpi_attribute **attributes, int keyval, void *value) {
    const int from_fortran = is_from_fortran();
    struct keyval *const key = find_key(kind, keyval);
    if (!key) return MPI_ERR_KEYVAL;
    struct mpi_attribute **const old = find(attributes, key);
    if (!old) return add(attributes, key, value, from_fortran) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    const int code = key->delete ? key->delete (object, keyval, seen_by(*old, key->in_fortran), key->extra) : MPI_SUCCESS;
    if (code == MPI_SUCCESS) {
        (*old)->value = value;
        (*old)->from_fortran = from_fortran;
    }
    return code;
}

int __mog_mpi_get_attribute(enum mpi_keyval_kind kind, struct mpi_attribute *const *attributes, int keyval, void *value, int *flag) {
    const int from_fortran = is_from_fortran();
    const struct keyval *key = find_key(kind, keyval);
    if (!key) return MPI_ERR_KEYVAL;
    struct mpi_attribute **const a = attributes ? find((struct mpi_attribute **)attributes, key) : NULL;
    *flag = a != NULL;
    if (a) *(void **)value = seen_by(*a, from_fortran);
    return MPI_SUCCESS;
}

int __mog_mpi_delete_attribute(enum mpi_keyval_kind kind, int object, struct mpi_attribute **attributes, int keyval) {
    const struct keyval *key = find_key(kind, keyval);
    struct mpi_attribute **const a = key && attributes ? find(attributes, key) : NULL;
    return a ? delete_place(object, a) : MPI_ERR_KEYVAL;
}
