/* type_query.c: how large types are, and how they were made. */
#include <string.h>

#include "types.h"

struct bounds {
    long long size, lb, ub, true_lb, true_ub;
};

static int bounds(MPI_Datatype type, struct bounds *b) {
    struct mpi_shape shape;
    struct mpi_run run;
    if (type == MPI_LB || type == MPI_UB) {
        *b = (struct bounds){0, 0, 0, 0, 0};
        return MPI_SUCCESS;
    }
    if (!__mog_mpi_shape(&shape, &run, type)) return MPI_ERR_TYPE;
    *b = (struct bounds){shape.size, shape.lb, shape.ub, shape.true_lb, shape.true_ub};
    return MPI_SUCCESS;
}

/* `assign` is done with bounds `b` of the type, if it is one. */
#define QUERY(name, results, assign)                         \
    MPI_DEFINE(name, MPI_Datatype type, ARGUMENTS results) { \
        struct bounds b;                                     \
        const int code = bounds(type, &b);                   \
        if (code == MPI_SUCCESS) {                           \
            assign;                                          \
        }                                                    \
        MPI_RETURN(MPI_COMM_WORLD, code);                    \
    }
#define ARGUMENTS(...) __VA_ARGS__
QUERY(Type_get_extent, (MPI_Aint * lb, MPI_Aint *extent), *lb = (MPI_Aint)b.lb; *extent = (MPI_Aint)(b.ub - b.lb))
QUERY(Type_get_extent_x, (MPI_Count * lb, MPI_Count *extent), *lb = b.lb; *extent = b.ub - b.lb)
QUERY(Type_get_true_extent, (MPI_Aint * lb, MPI_Aint *extent), *lb = (MPI_Aint)b.true_lb; *extent = (MPI_Aint)(b.true_ub - b.true_lb))
QUERY(Type_get_true_extent_x, (MPI_Count * lb, MPI_Count *extent), *lb = b.true_lb; *extent = b.true_ub - b.true_lb)
QUERY(Type_size_x, (MPI_Count * size), *size = b.size)
/* Names that MPI 3 has no longer. */
QUERY(Type_extent, (MPI_Aint * extent), *extent = (MPI_Aint)(b.ub - b.lb))
QUERY(Type_lb, (MPI_Aint * lb), *lb = (MPI_Aint)b.lb)
QUERY(Type_ub, (MPI_Aint * ub), *ub = (MPI_Aint)b.ub)

MPI_DEFINE(Type_get_envelope, MPI_Datatype type, int *integers, int *addresses, int *types, int *combiner) {
    const struct mpi_type *t = __mog_mpi_type(type);
    if (!t && !__mog_mpi_basic_size(type)) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_TYPE);
    *integers = t ? t->integers : 0;
    *addresses = t ? t->addresses : 0;
    *types = t && !mpi_is_selected(t) ? t->types : 0;
    *combiner = t ? t->combiner : MPI_COMBINER_NAMED;
    return MPI_SUCCESS;
}

/* Derived types among the contents are handles of the caller's, to be freed. */
MPI_DEFINE(Type_get_contents, MPI_Datatype type, int most_integers, int most_addresses, int most_types, int integers[],
           MPI_Aint addresses[], MPI_Datatype types[]) {
    const struct mpi_type *t = __mog_mpi_type(type);
    if (!t) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_TYPE);
    const int types_told = mpi_is_selected(t) ? 0 : t->types;
    if (most_integers < t->integers || most_addresses < t->addresses || most_types < types_told) MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_ARG);
    memcpy(integers, t->contents, (size_t)t->integers * sizeof *integers);
    memcpy(addresses, t->contents + t->integers, (size_t)t->addresses * sizeof *addresses);
    for (int i = 0; i < types_told; i++) {
        types[i] = t->contents[t->integers + t->addresses + i];
        __mog_mpi_new_handle(types[i]);
    }
    return MPI_SUCCESS;
}

MPI_DEFINE(Type_match_size, int class, int size, MPI_Datatype *type) {
    static const struct {
        int class, size;
        MPI_Datatype type;
    } known[] = {{MPI_TYPECLASS_INTEGER, 1, MPI_INT8_T},
                 {MPI_TYPECLASS_INTEGER, 2, MPI_INT16_T},
                 {MPI_TYPECLASS_INTEGER, 4, MPI_INT32_T},
                 {MPI_TYPECLASS_INTEGER, 8, MPI_INT64_T},
                 {MPI_TYPECLASS_REAL, 4, MPI_FLOAT},
                 {MPI_TYPECLASS_REAL, 8, MPI_DOUBLE},
                 {MPI_TYPECLASS_COMPLEX, 8, MPI_C_FLOAT_COMPLEX},
                 {MPI_TYPECLASS_COMPLEX, 16, MPI_C_DOUBLE_COMPLEX}};
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].class == class && known[i].size == size) {
            *type = known[i].type;
            return MPI_SUCCESS;
        }
    MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_ARG);
}

MPI_DEFINE(Get_address, const void *place, MPI_Aint *address) {
    *address = (MPI_Aint)place;
    return MPI_SUCCESS;
}

#define ADDRESS_FUNCTION(name, value)                                                        \
    MPI_Aint MPI_##name(MPI_Aint a, MPI_Aint b) __attribute__((weak, alias("PMPI_" #name))); \
    MPI_Aint PMPI_##name(MPI_Aint a, MPI_Aint b) { return (MPI_Aint)(value); }
ADDRESS_FUNCTION(Aint_add, (unsigned long)a + (unsigned long)b)
ADDRESS_FUNCTION(Aint_diff, (unsigned long)a - (unsigned long)b)
