/* types.h: derived types, as the files about them see them.
 *
 * A type is flattened when it is made, into runs: equal blocks at equal distances. A column of a matrix is one run, however long it is.
 * Runs stand in the order of the type map, in which bytes travel. */
#ifndef MOG_MPI_TYPES_H
#define MOG_MPI_TYPES_H

#include "runtime_pe/mpi/base/attributes.h"

struct mpi_run {
    int offset;
    unsigned bytes; /* of a block */
    int count;      /* of blocks */
    int stride;     /* bytes from one to the next */
};

/* What a type map looks like in memory. Of wider numbers than a type may have, so that what does not fit is seen. */
struct mpi_shape {
    struct mpi_run *runs;
    unsigned run_count, run_room;
    long long size;     /* as MPI_Type_size says */
    long long bytes;    /* that travel: they have the gaps within pairs as well */
    long long elements; /* of basic types */
    long long lb, ub, true_lb, true_ub;
    unsigned alignment;
    unsigned char id;                /* of the basic type, if there is only one: else 0 */
    char has_bounds, has_lb, has_ub; /* the latter: set by MPI_Type_create_resized, MPI_LB, MPI_UB, which outdo what is there */
    char failed;                     /* no memory, or numbers out of range: an error class */
};

struct mpi_type {
    unsigned size, bytes, elements;
    int lb, ub, true_lb, true_ub;
    unsigned alignment;
    unsigned char id;
    char has_lb, has_ub, committed;
    int handles; /* of the program's; none: it may not name it any more */
    int uses;    /* handles, types that are made of it, requests */
    MPI_Datatype handle;
    struct mpi_run *runs;
    unsigned run_count;
    /* How it was made, for MPI_Type_get_contents: integers, addresses and types, one after the other. */
    int combiner, integers, addresses, types;
    int contents[];
};
_Static_assert(sizeof(MPI_Aint) == sizeof(int) && sizeof(MPI_Datatype) == sizeof(int), "contents are words");

/* One of MPI_Type_create_f90_real() and its like, which is MPI's own. */
static inline int mpi_is_selected(const struct mpi_type *t) {
    return t->combiner >= MPI_COMBINER_F90_REAL && t->combiner <= MPI_COMBINER_F90_INTEGER;
}

/* Null: it is none, or basic. */
struct mpi_type *__mog_mpi_type(MPI_Datatype handle);
void __mog_mpi_keep_type(MPI_Datatype handle);
void __mog_mpi_release_type(MPI_Datatype handle);
/* The program gets the handle once more, to be freed. Nothing is done for basic types. */
void __mog_mpi_new_handle(MPI_Datatype handle);

/* What few types have, basic ones too: see type_more.c, which is in programs that use it. */
struct mpi_type_more {
    struct mpi_type_more *next;
    MPI_Datatype type;
    struct mpi_attribute *attributes;
    char *name; /* null: it has none of the program's */
};
/* A handle of a type, which the program has not freed. */
int __mog_mpi_is_type(MPI_Datatype type);
/* Null: it has nothing, or, with `makes` not 0, there is no memory. */
struct mpi_type_more *__mog_mpi_type_more(MPI_Datatype type, int makes);
/* For a duplicate, and before the last handle goes. Return error classes. */
int __mog_mpi_copy_type_more(MPI_Datatype from, MPI_Datatype to);
int __mog_mpi_end_type_more(MPI_Datatype type);
#pragma weak __mog_mpi_copy_type_more
#pragma weak __mog_mpi_end_type_more

/* The shape of any type, to be read only; `run` is room for that of a basic one. False: there is none. */
int __mog_mpi_shape(struct mpi_shape *shape, struct mpi_run *run, MPI_Datatype type);
/* Appends `count` copies of `from`, the first at `displacement`, each `stride` bytes after the one before. */
void __mog_mpi_shape_add(struct mpi_shape *to, const struct mpi_shape *from, long long displacement, int count, long long stride);
void __mog_mpi_shape_free(struct mpi_shape *shape);

/* How a type is made: what MPI_Type_get_envelope and MPI_Type_get_contents tell. Lists of addresses may be null; single ones stand in
 * `one_address`. */
struct mpi_contents {
    int combiner;
    int integers, addresses, types;
    int integer[4];      /* the first ones, then those of the lists */
    int integers_here;   /* in `integer`, of all `integers` */
    const int *lists[4]; /* of integers; the last with its length in last_count, others with list_count */
    int list_count;
    int last_integer, has_last_integer;
    MPI_Aint address[2];
    int addresses_here;
    const MPI_Aint *address_list;
    const MPI_Datatype *type_list;
};
/* A new type of this shape, whose runs it takes. Returns an error class. */
int __mog_mpi_new_type(struct mpi_shape *shape, const struct mpi_contents *contents, MPI_Datatype *type);

/* What types.c asks for buffers of derived types. */
int __mog_mpi_derived_buffer(struct mpi_bytes *bytes, void *buffer, int count, MPI_Datatype type, int outgoing);

/* Packs `count` elements, unpacks at most `bytes` bytes of them. */
void __mog_mpi_pack(void *to, const void *buffer, int count, const struct mpi_type *type);
void __mog_mpi_unpack(const void *from, unsigned bytes, void *buffer, int count, const struct mpi_type *type);

/* Calls `visit` with the basic types of the first `bytes` bytes that travel, in their order. Returns the bytes that make no whole
 * basic type. */
typedef void mpi_visit(MPI_Datatype basic, unsigned count, void *context);
unsigned __mog_mpi_signature(MPI_Datatype type, unsigned bytes, mpi_visit *visit, void *context);

/* A layout that was made for a while (file_external.c). */
static inline void mpi_free_layout(MPI_Datatype layout) { PMPI_Type_free(&layout); }

/* external32.c: how many bytes `bytes` bytes of packed data of a type are in external32; how many of them `external` bytes hold, in whole
 * numbers; and the data on its way there and back, `bytes` bytes of it here. */
unsigned __mog_mpi_external_bytes(MPI_Datatype type, unsigned bytes);
unsigned __mog_mpi_own_bytes(MPI_Datatype type, unsigned bytes, unsigned external);
void __mog_mpi_to_external(MPI_Datatype type, const void *packed, unsigned bytes, void *external);
void __mog_mpi_from_external(MPI_Datatype type, void *packed, unsigned bytes, const void *external);

#endif
