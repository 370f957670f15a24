/* attributes.c: attributes and generalized requests for Fortran, whose functions MPI calls with the addresses of their arguments. */
#include <stdlib.h>

#include "fortran.h"

/* ---- keys: C's extra state is Fortran's functions and its own ---------------------------------------------------------- */
typedef void Copy(int *handle, int *key, MPI_Aint *extra, MPI_Aint *value, MPI_Aint *copy, int *flag, int *error);
typedef void Delete(int *handle, int *key, MPI_Aint *value, MPI_Aint *extra, int *error);
struct key {
    Copy *copy;
    Delete *remove;
    MPI_Aint extra;
};

static int copy_attribute(int handle, int keyval, void *of, void *value, void *made, int *flag) {
    struct key *key = of;
    MPI_Aint from = (MPI_Aint)value, to = 0;
    int error = MPI_SUCCESS;
    *flag = 0;
    key->copy(&handle, &keyval, &key->extra, &from, &to, flag, &error);
    if (*flag) *(MPI_Aint *)made = to;
    return error;
}
static int delete_attribute(int handle, int keyval, void *value, void *of) {
    struct key *key = of;
    MPI_Aint old = (MPI_Aint)value;
    int error = MPI_SUCCESS;
    key->remove(&handle, &keyval, &old, &key->extra, &error);
    return error;
}
/* It stays: attributes may be there when the key has been freed. */
static struct key *key_of(Copy *copy, Delete *remove, const MPI_Aint *extra) {
    struct key *key = malloc(sizeof *key);
    if (!key) abort();
    *key = (struct key){copy, remove, *extra};
    return key;
}

/* Of MPI's own attributes C gets the address of an int, but for the base of a window; Fortran the value. */
static int is_own(int key) {
    return key == MPI_TAG_UB || key == MPI_HOST || key == MPI_IO || key == MPI_WTIME_IS_GLOBAL || key == MPI_UNIVERSE_SIZE ||
           key == MPI_APPNUM || key == MPI_LASTUSEDCODE || key == MPI_WIN_SIZE || key == MPI_WIN_DISP_UNIT ||
           key == MPI_WIN_CREATE_FLAVOR || key == MPI_WIN_MODEL;
}

/* A call as one of Fortran. MPI may not come to look whose it is. */
#define FROM_FORTRAN(result, call) \
    __mog_mpi_from_fortran = 1;    \
    const int result = call;       \
    __mog_mpi_from_fortran = 0

#define CREATE(name, Name)                                                                                    \
    void mpi_##name##_(Copy *copy, Delete *remove, int *key, const MPI_Aint *extra, int *error);              \
    void mpi_##name##_(Copy *copy, Delete *remove, int *key, const MPI_Aint *extra, int *error) {             \
        FROM_FORTRAN(result, MPI_##Name(copy_attribute, delete_attribute, key, key_of(copy, remove, extra))); \
        mog_fortran_set(error, result);                                                                       \
    }
#define SET(name, Name)                                                                        \
    void mpi_##name##_(const int *handle, const int *key, const MPI_Aint *value, int *error);  \
    void mpi_##name##_(const int *handle, const int *key, const MPI_Aint *value, int *error) { \
        FROM_FORTRAN(result, MPI_##Name(*handle, *key, (void *)*value));                       \
        mog_fortran_set(error, result);                                                        \
    }
#define GET(name, Name)                                                                              \
    void mpi_##name##_(const int *handle, const int *key, MPI_Aint *value, int *flag, int *error);   \
    void mpi_##name##_(const int *handle, const int *key, MPI_Aint *value, int *flag, int *error) {  \
        void *found = NULL;                                                                          \
        FROM_FORTRAN(result, MPI_##Name(*handle, *key, &found, flag));                               \
        if (result == MPI_SUCCESS && *flag) *value = is_own(*key) ? *(int *)found : (MPI_Aint)found; \
        mog_fortran_set(error, result);                                                              \
    }
#define DELETE(name, Name)                                             \
    void mpi_##name##_(const int *handle, const int *key, int *error); \
    void mpi_##name##_(const int *handle, const int *key, int *error) { mog_fortran_set(error, MPI_##Name(*handle, *key)); }
CREATE(comm_create_keyval, Comm_create_keyval)
CREATE(type_create_keyval, Type_create_keyval)
CREATE(win_create_keyval, Win_create_keyval)
CREATE(keyval_create, Keyval_create)
SET(comm_set_attr, Comm_set_attr)
SET(type_set_attr, Type_set_attr)
SET(win_set_attr, Win_set_attr)
SET(attr_put, Attr_put)
GET(comm_get_attr, Comm_get_attr)
GET(type_get_attr, Type_get_attr)
GET(win_get_attr, Win_get_attr)
GET(attr_get, Attr_get)
DELETE(comm_delete_attr, Comm_delete_attr)
DELETE(type_delete_attr, Type_delete_attr)
DELETE(win_delete_attr, Win_delete_attr)
DELETE(attr_delete, Attr_delete)

/* ---- functions for keys that MPI itself has ----------------------------------------------------------------------------- */
#define OWN(of)                                                                                                                    \
    Copy mpi_##of##null_copy_fn_, mpi_##of##dup_fn_;                                                                               \
    Delete mpi_##of##null_delete_fn_;                                                                                              \
    void mpi_##of##null_copy_fn_(int *handle, int *key, MPI_Aint *extra, MPI_Aint *value, MPI_Aint *copy, int *flag, int *error) { \
        (void)handle, (void)key, (void)extra, (void)value, (void)copy;                                                             \
        *flag = 0;                                                                                                                 \
        *error = MPI_SUCCESS;                                                                                                      \
    }                                                                                                                              \
    void mpi_##of##dup_fn_(int *handle, int *key, MPI_Aint *extra, MPI_Aint *value, MPI_Aint *copy, int *flag, int *error) {       \
        (void)handle, (void)key, (void)extra;                                                                                      \
        *copy = *value;                                                                                                            \
        *flag = 1;                                                                                                                 \
        *error = MPI_SUCCESS;                                                                                                      \
    }                                                                                                                              \
    void mpi_##of##null_delete_fn_(int *handle, int *key, MPI_Aint *value, MPI_Aint *extra, int *error) {                          \
        (void)handle, (void)key, (void)value, (void)extra;                                                                         \
        *error = MPI_SUCCESS;                                                                                                      \
    }
OWN()
OWN(comm_)
OWN(type_)
OWN(win_)

/* ---- generalized requests ------------------------------------------------------------------------------------------------ */
struct request {
    void (*query)(MPI_Aint *extra, MPI_Status *status, int *error);
    void (*remove)(MPI_Aint *extra, int *error);
    void (*cancel)(MPI_Aint *extra, int *is_complete, int *error);
    MPI_Aint *extra; /* the program's own variable: what its functions change, it may read */
};

static int query_request(void *of, MPI_Status *status) {
    struct request *request = of;
    int error = MPI_SUCCESS;
    request->query(request->extra, status, &error);
    return error;
}
static int free_request(void *of) {
    struct request *request = of;
    int error = MPI_SUCCESS;
    request->remove(request->extra, &error);
    free(request);
    return error;
}
static int cancel_request(void *of, int is_complete) {
    struct request *request = of;
    int error = MPI_SUCCESS;
    request->cancel(request->extra, &is_complete, &error);
    return error;
}
void mpi_grequest_start_(void *query, void *remove, void *cancel, MPI_Aint *extra, MPI_Request *made, int *error);
void mpi_grequest_start_(void *query, void *remove, void *cancel, MPI_Aint *extra, MPI_Request *made, int *error) {
    struct request *request = malloc(sizeof *request);
    if (!request) abort();
    request->query = query;
    request->remove = remove;
    request->cancel = cancel;
    request->extra = extra;
    mog_fortran_set(error, MPI_Grequest_start(query_request, free_request, cancel_request, request, made));
}
