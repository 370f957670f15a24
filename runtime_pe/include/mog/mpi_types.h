/* mpi_types.h: derived datatypes of MPI; a part of mpi.h, which includes it. */
#ifndef MOG_MPI_TYPES_API_H
#define MOG_MPI_TYPES_API_H

enum {
    MPI_COMBINER_NAMED = 1,
    MPI_COMBINER_DUP,
    MPI_COMBINER_CONTIGUOUS,
    MPI_COMBINER_VECTOR,
    MPI_COMBINER_HVECTOR_INTEGER,
    MPI_COMBINER_HVECTOR,
    MPI_COMBINER_INDEXED,
    MPI_COMBINER_HINDEXED_INTEGER,
    MPI_COMBINER_HINDEXED,
    MPI_COMBINER_INDEXED_BLOCK,
    MPI_COMBINER_STRUCT_INTEGER,
    MPI_COMBINER_STRUCT,
    MPI_COMBINER_SUBARRAY,
    MPI_COMBINER_DARRAY,
    MPI_COMBINER_F90_REAL,
    MPI_COMBINER_F90_COMPLEX,
    MPI_COMBINER_F90_INTEGER,
    MPI_COMBINER_RESIZED,
    MPI_COMBINER_HINDEXED_BLOCK
};
#define MPI_ORDER_C 56
#define MPI_ORDER_FORTRAN 57
#define MPI_DISTRIBUTE_BLOCK 121
#define MPI_DISTRIBUTE_CYCLIC 122
#define MPI_DISTRIBUTE_NONE 123
#define MPI_DISTRIBUTE_DFLT_DARG (-49767)
#define MPI_TYPECLASS_REAL 1
#define MPI_TYPECLASS_INTEGER 2
#define MPI_TYPECLASS_COMPLEX 3

typedef int MPI_Type_copy_attr_function(MPI_Datatype type, int keyval, void *extra, void *value, void *copy, int *flag);
typedef int MPI_Type_delete_attr_function(MPI_Datatype type, int keyval, void *value, void *extra);
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function *)0)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function *)0)
MPI_Type_copy_attr_function MPI_TYPE_DUP_FN;

/* ---- making types ----------------------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Type_contiguous, int count, MPI_Datatype of, MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_vector, int count, int length, int stride, MPI_Datatype of, MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_create_hvector, int count, int length, MPI_Aint stride, MPI_Datatype of, MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_indexed, int count, const int *lengths, const int *displacements, MPI_Datatype of, MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_create_hindexed, int count, const int *lengths, const MPI_Aint *displacements, MPI_Datatype of, MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_create_indexed_block, int count, int length, const int *displacements, MPI_Datatype of, MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_create_hindexed_block, int count, int length, const MPI_Aint *displacements, MPI_Datatype of, MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_create_struct, int count, const int *lengths, const MPI_Aint *displacements, const MPI_Datatype *types,
                 MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_create_resized, MPI_Datatype of, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_create_subarray, int dimensions, const int *sizes, const int *subsizes, const int *starts, int order, MPI_Datatype of,
                 MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_create_darray, int size, int rank, int dimensions, const int *sizes, const int *distributions, const int *arguments,
                 const int *processes, int order, MPI_Datatype of, MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_dup, MPI_Datatype of, MPI_Datatype *type);
/* The type that Fortran has by selected_real_kind(precision, range), or selected_int_kind(range). It is MPI's, and is not freed. */
MOG_MPI_FUNCTION(Type_create_f90_real, int precision, int range, MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_create_f90_complex, int precision, int range, MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_create_f90_integer, int range, MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_commit, MPI_Datatype *type);
MOG_MPI_FUNCTION(Type_free, MPI_Datatype *type);

/* ---- asking about types ----------------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Type_size_x, MPI_Datatype type, MPI_Count *size);
MOG_MPI_FUNCTION(Type_get_extent, MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent);
MOG_MPI_FUNCTION(Type_get_extent_x, MPI_Datatype type, MPI_Count *lb, MPI_Count *extent);
MOG_MPI_FUNCTION(Type_get_true_extent, MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent);
MOG_MPI_FUNCTION(Type_get_true_extent_x, MPI_Datatype type, MPI_Count *lb, MPI_Count *extent);
MOG_MPI_FUNCTION(Type_get_envelope, MPI_Datatype type, int *integers, int *addresses, int *types, int *combiner);
MOG_MPI_FUNCTION(Type_get_contents, MPI_Datatype type, int most_integers, int most_addresses, int most_types, int integers[],
                 MPI_Aint addresses[], MPI_Datatype types[]);
MOG_MPI_FUNCTION(Type_match_size, int typeclass, int size, MPI_Datatype *type);
MOG_MPI_FUNCTION(Get_elements, const MPI_Status *status, MPI_Datatype type, int *count);
MOG_MPI_FUNCTION(Get_elements_x, const MPI_Status *status, MPI_Datatype type, MPI_Count *count);
MOG_MPI_FUNCTION(Status_set_elements, MPI_Status *status, MPI_Datatype type, int count);
MOG_MPI_FUNCTION(Status_set_elements_x, MPI_Status *status, MPI_Datatype type, MPI_Count count);
MOG_MPI_FUNCTION(Status_set_cancelled, MPI_Status *status, int flag);
MOG_MPI_FUNCTION(Get_address, const void *place, MPI_Aint *address);
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint displacement);
MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint displacement);
MPI_Aint MPI_Aint_diff(MPI_Aint a, MPI_Aint b);
MPI_Aint PMPI_Aint_diff(MPI_Aint a, MPI_Aint b);

/* ---- attributes and names of types ------------------------------------------------------------------------------------ */
MOG_MPI_FUNCTION(Type_create_keyval, MPI_Type_copy_attr_function *copy, MPI_Type_delete_attr_function *delete_function, int *keyval,
                 void *extra);
MOG_MPI_FUNCTION(Type_free_keyval, int *keyval);
MOG_MPI_FUNCTION(Type_set_attr, MPI_Datatype type, int keyval, void *value);
MOG_MPI_FUNCTION(Type_get_attr, MPI_Datatype type, int keyval, void *value, int *flag);
MOG_MPI_FUNCTION(Type_delete_attr, MPI_Datatype type, int keyval);
MOG_MPI_FUNCTION(Type_set_name, MPI_Datatype type, const char *name);
MOG_MPI_FUNCTION(Type_get_name, MPI_Datatype type, char *name, int *length);

/* ---- packing ---------------------------------------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Pack, const void *in, int count, MPI_Datatype type, void *out, int size, int *position, MPI_Comm comm);
MOG_MPI_FUNCTION(Unpack, const void *in, int size, int *position, void *out, int count, MPI_Datatype type, MPI_Comm comm);
MOG_MPI_FUNCTION(Pack_size, int count, MPI_Datatype type, MPI_Comm comm, int *size);
MOG_MPI_FUNCTION(Pack_external, const char *representation, const void *in, int count, MPI_Datatype type, void *out, MPI_Aint size,
                 MPI_Aint *position);
MOG_MPI_FUNCTION(Unpack_external, const char *representation, const void *in, MPI_Aint size, MPI_Aint *position, void *out, int count,
                 MPI_Datatype type);
MOG_MPI_FUNCTION(Pack_external_size, const char *representation, int count, MPI_Datatype type, MPI_Aint *size);

/* ---- names of types that MPI 3 has no longer --------------------------------------------------------------------------- */
MOG_MPI_FUNCTION(Type_extent, MPI_Datatype type, MPI_Aint *extent);
MOG_MPI_FUNCTION(Type_lb, MPI_Datatype type, MPI_Aint *lb);
MOG_MPI_FUNCTION(Type_ub, MPI_Datatype type, MPI_Aint *ub);
#define MPI_Address(place, address) MPI_Get_address(place, address)
#define MPI_Type_hvector(count, length, stride, of, type) MPI_Type_create_hvector(count, length, stride, of, type)
#define MPI_Type_hindexed(count, lengths, displacements, of, type) MPI_Type_create_hindexed(count, lengths, displacements, of, type)
#define MPI_Type_struct(count, lengths, displacements, types, type) MPI_Type_create_struct(count, lengths, displacements, types, type)

#endif
