/* file_external.c: files in the representation external32: a filetype as its data lies in the file, and data on its way there and back. */
#include <stdlib.h>

#include "files.h"
#include "runtime_pe/mpi/datatype/types.h"

/* A type and what it is made of, as MPI_Type_get_contents has it. */
struct made_of {
    int combiner, integer_count, address_count, type_count;
    int *integers;
    MPI_Aint *addresses;
    MPI_Datatype *types; /* of these, the layouts */
};

/* Made again in the same way. Displacements and strides in bytes stay as they are: programs ask for extents in files to find them. */
static int make_again(const struct made_of *m, MPI_Datatype *type) {
    const int *const n = m->integers;
    const MPI_Aint *const a = m->addresses;
    const MPI_Datatype of = *m->types;
    switch (m->combiner) {
        case MPI_COMBINER_DUP: return PMPI_Type_dup(of, type);
        case MPI_COMBINER_CONTIGUOUS: return PMPI_Type_contiguous(n[0], of, type);
        case MPI_COMBINER_VECTOR: return PMPI_Type_vector(n[0], n[1], n[2], of, type);
        case MPI_COMBINER_HVECTOR: return PMPI_Type_create_hvector(n[0], n[1], a[0], of, type);
        case MPI_COMBINER_INDEXED: return PMPI_Type_indexed(n[0], n + 1, n + 1 + n[0], of, type);
        case MPI_COMBINER_HINDEXED: return PMPI_Type_create_hindexed(n[0], n + 1, a, of, type);
        case MPI_COMBINER_INDEXED_BLOCK: return PMPI_Type_create_indexed_block(n[0], n[1], n + 2, of, type);
        case MPI_COMBINER_HINDEXED_BLOCK: return PMPI_Type_create_hindexed_block(n[0], n[1], a, of, type);
        case MPI_COMBINER_STRUCT: return PMPI_Type_create_struct(n[0], n + 1, a, m->types, type);
        case MPI_COMBINER_SUBARRAY:
            return PMPI_Type_create_subarray(n[0], n + 1, n + 1 + n[0], n + 1 + 2 * n[0], n[1 + 3 * n[0]], of, type);
        case MPI_COMBINER_DARRAY:
            return PMPI_Type_create_darray(n[0], n[1], n[2], n + 3, n + 3 + n[2], n + 3 + 2 * n[2], n + 3 + 3 * n[2], n[3 + 4 * n[2]], of,
                                           type);
        case MPI_COMBINER_RESIZED: return PMPI_Type_create_resized(of, a[0], a[1], type);
        default: return MPI_ERR_TYPE;
    }
}

int __mog_mpi_external_layout(MPI_Datatype type, MPI_Datatype *layout) {
    const struct mpi_type *const t = __mog_mpi_type(type);
    if (!t) return PMPI_Type_contiguous((int)__mog_mpi_external_bytes(type, __mog_mpi_basic_size(type)), MPI_BYTE, layout);
    struct made_of m = {t->combiner, t->integers, t->addresses, t->types, (int *)t->contents, (MPI_Aint *)t->contents + t->integers, NULL};
    const MPI_Datatype *const parts = (const MPI_Datatype *)t->contents + t->integers + t->addresses;
    m.types = calloc((size_t)m.type_count + 1, sizeof *m.types);
    int code = m.types ? MPI_SUCCESS : MPI_ERR_NO_MEM, made = 0;
    for (; made < m.type_count && code == MPI_SUCCESS; made += code == MPI_SUCCESS)
        code = __mog_mpi_external_layout(parts[made], m.types + made);
    if (code == MPI_SUCCESS) code = make_again(&m, layout);
    while (made > 0) PMPI_Type_free(m.types + --made);
    free(m.types);
    return code;
}

int __mog_mpi_file_move_external(struct mpi_file *f, int writes, MPI_Offset at, MPI_Datatype type, void *packed, unsigned bytes,
                                 unsigned *in_file, unsigned *came) {
    const unsigned external = __mog_mpi_external_bytes(type, bytes);
    void *const room = malloc(external ? external : 1);
    int code = room ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    *in_file = *came = 0;
    if (code == MPI_SUCCESS && writes) __mog_mpi_to_external(type, packed, bytes, room);
    if (code == MPI_SUCCESS) code = __mog_mpi_file_move(f, writes, at, room, external, in_file);
    if (code == MPI_SUCCESS) *came = *in_file == external ? bytes : __mog_mpi_own_bytes(type, bytes, *in_file);
    if (code == MPI_SUCCESS && !writes) __mog_mpi_from_external(type, packed, *came, room);
    free(room);
    return code;
}
