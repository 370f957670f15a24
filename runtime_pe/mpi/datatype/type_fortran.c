/* type_fortran.c: types by what Fortran's selected_real_kind() and selected_int_kind() are asked for. Each is a type of its own, which says
 * how it was asked for; the same question gets the same type, and what is done with it is done with the basic one. */
#include <stdlib.h>

#include "types.h"

struct selected {
    struct selected *next;
    MPI_Datatype type, basic;
    int combiner, precision, range;
};
static struct selected *all;

static const struct kind {
    int combiner, precision, range;
    MPI_Datatype basic;
} kinds[] = {
    {MPI_COMBINER_F90_REAL, 6, 37, MPI_REAL},       {MPI_COMBINER_F90_REAL, 15, 307, MPI_DOUBLE_PRECISION},
    {MPI_COMBINER_F90_COMPLEX, 6, 37, MPI_COMPLEX}, {MPI_COMBINER_F90_COMPLEX, 15, 307, MPI_DOUBLE_COMPLEX},
    {MPI_COMBINER_F90_INTEGER, 0, 2, MPI_INTEGER1}, {MPI_COMBINER_F90_INTEGER, 0, 4, MPI_INTEGER2},
    {MPI_COMBINER_F90_INTEGER, 0, 9, MPI_INTEGER},  {MPI_COMBINER_F90_INTEGER, 0, 18, MPI_INTEGER8},
};

/* The first that has both, of which one may be left open. */
static const struct kind *find_kind(int combiner, int precision, int range) {
    if (precision == MPI_UNDEFINED && range == MPI_UNDEFINED) return NULL;
    for (const struct kind *kind = kinds; kind < kinds + sizeof kinds / sizeof *kinds; ++kind)
        if (kind->combiner == combiner && precision <= kind->precision && range <= kind->range) return kind;
    return NULL;
}

static int select_type(int combiner, int precision, int range, MPI_Datatype *type) {
    MPI_HOLD_TABLES
    if (!type) return MPI_ERR_ARG;
    for (const struct selected *known = all; known; known = known->next)
        if (known->combiner == combiner && known->precision == precision && known->range == range) {
            *type = known->type;
            return MPI_SUCCESS;
        }
    const struct kind *kind = find_kind(combiner, precision, range);
    if (!kind) return MPI_ERR_ARG;
    struct mpi_shape shape = {0}, of;
    struct mpi_run run;
    if (!__mog_mpi_shape(&of, &run, kind->basic)) return MPI_ERR_TYPE;
    __mog_mpi_shape_add(&shape, &of, 0, 1, of.ub - of.lb);
    const int is_integer = combiner == MPI_COMBINER_F90_INTEGER;
    /* The basic type is kept for what looks through types; MPI_Type_get_envelope does not tell it. */
    const struct mpi_contents contents = {.combiner = combiner,
                                          .integers = is_integer ? 1 : 2,
                                          .integer = {is_integer ? range : precision, range},
                                          .integers_here = is_integer ? 1 : 2,
                                          .types = 1,
                                          .type_list = &kind->basic};
    struct selected *made = malloc(sizeof *made);
    const int code = made ? __mog_mpi_new_type(&shape, &contents, type) : MPI_ERR_NO_MEM;
    if (code != MPI_SUCCESS) {
        free(made);
        return code;
    }
    __mog_mpi_type(*type)->committed = 1;
    *made = (struct selected){all, *type, kind->basic, combiner, precision, range};
    all = made;
    return MPI_SUCCESS;
}

MPI_DEFINE(Type_create_f90_real, int precision, int range, MPI_Datatype *type) {
    MPI_RETURN(MPI_COMM_WORLD, select_type(MPI_COMBINER_F90_REAL, precision, range, type));
}
MPI_DEFINE(Type_create_f90_complex, int precision, int range, MPI_Datatype *type) {
    MPI_RETURN(MPI_COMM_WORLD, select_type(MPI_COMBINER_F90_COMPLEX, precision, range, type));
}
MPI_DEFINE(Type_create_f90_integer, int range, MPI_Datatype *type) {
    MPI_RETURN(MPI_COMM_WORLD, select_type(MPI_COMBINER_F90_INTEGER, 0, range, type));
}

MPI_Datatype __mog_mpi_basic_of_selected(MPI_Datatype type) {
    MPI_HOLD_TABLES
    for (const struct selected *known = all; known; known = known->next)
        if (known->type == type) return known->basic;
    return type;
}
