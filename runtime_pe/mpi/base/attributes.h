/* attributes.h: what programs attach to communicators, types and windows, in lists of one kind. Handles of all three are ints, so the
 * functions of the program have one type, too. */
#ifndef MOG_MPI_ATTRIBUTES_H
#define MOG_MPI_ATTRIBUTES_H

#include "mpi_internal.h"

struct mpi_attribute;
enum mpi_keyval_kind { MPI_KEYVAL_COMM, MPI_KEYVAL_TYPE, MPI_KEYVAL_WINDOW };

/* These return error classes, or what a function of the program returned. */
int __mog_mpi_create_keyval(enum mpi_keyval_kind kind, MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete,
                            int *keyval, void *extra);
int __mog_mpi_free_keyval(enum mpi_keyval_kind kind, int *keyval);
int __mog_mpi_set_attribute(enum mpi_keyval_kind kind, int object, struct mpi_attribute **attributes, int keyval, void *value);
int __mog_mpi_delete_attribute(enum mpi_keyval_kind kind, int object, struct mpi_attribute **attributes, int keyval);
/* The list may be null: it has none then. */
int __mog_mpi_get_attribute(enum mpi_keyval_kind kind, struct mpi_attribute *const *attributes, int keyval, void *value, int *flag);

/* Copies for a duplicate; `object` is what copy functions are given. */
int __mog_mpi_copy_attributes(int object, const struct mpi_attribute *from, struct mpi_attribute **to);
/* Calls delete functions, the last that was set first. If one fails, it and the rest stay. */
int __mog_mpi_delete_attributes(int object, struct mpi_attribute **attributes);
/* Null pointers in programs that set none. */
#pragma weak __mog_mpi_copy_attributes
#pragma weak __mog_mpi_delete_attributes

/* Defines MPI_<kind>_create_keyval and free_keyval. */
#define MPI_DEFINE_KEYVALS(name, kind)                                                                                              \
    MPI_DEFINE(name##_create_keyval, MPI_##name##_copy_attr_function *copy, MPI_##name##_delete_attr_function *delete, int *keyval, \
               void *extra) {                                                                                                       \
        MPI_RETURN(MPI_COMM_WORLD, __mog_mpi_create_keyval(kind, copy, delete, keyval, extra));                                     \
    }                                                                                                                               \
    MPI_DEFINE(name##_free_keyval, int *keyval) { MPI_RETURN(MPI_COMM_WORLD, __mog_mpi_free_keyval(kind, keyval)); }
/* Defines MPI_<kind>_DUP_FN. */
#define MPI_DEFINE_DUP_FN(name, handle)                                                    \
    int name(handle object, int keyval, void *extra, void *value, void *copy, int *flag) { \
        (void)object, (void)keyval, (void)extra;                                           \
        *(void **)copy = value;                                                            \
        *flag = 1;                                                                         \
        return MPI_SUCCESS;                                                                \
    }

#endif
