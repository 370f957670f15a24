/* pack_calls.c: MPI_Pack and MPI_Unpack, of basic types as well. */
#include "runtime_pe/mpi/base/mpi_internal.h"

/* Bytes of so many elements, for types that may be used. Returns an error class. */
static int bytes_of(int count, MPI_Datatype type, MPI_Comm comm, int committed, int *bytes) {
    struct mpi_measure m;
    if (!__mog_mpi_comm(comm)) return MPI_ERR_COMM;
    if (__mog_mpi_measure(&m, type) != MPI_SUCCESS || (committed && !m.is_ready)) return MPI_ERR_TYPE;
    if (count < 0 || (m.bytes && (unsigned)count > 0x7fffffffu / m.bytes)) return MPI_ERR_COUNT;
    *bytes = count * (int)m.bytes;
    return MPI_SUCCESS;
}

MPI_DEFINE(Pack_size, int count, MPI_Datatype type, MPI_Comm comm, int *size) { MPI_RETURN(comm, bytes_of(count, type, comm, 0, size)); }

MPI_DEFINE(Pack, const void *in, int count, MPI_Datatype type, void *out, int size, int *position, MPI_Comm comm) {
    int bytes, code = bytes_of(count, type, comm, 1, &bytes);
    if (code == MPI_SUCCESS && (*position < 0 || size < *position || bytes > size - *position)) code = MPI_ERR_TRUNCATE;
    if (code == MPI_SUCCESS) {
        __mog_mpi_copy_out((char *)out + *position, in, count, type);
        *position += bytes;
    }
    MPI_RETURN(comm, code);
}

MPI_DEFINE(Unpack, const void *in, int size, int *position, void *out, int count, MPI_Datatype type, MPI_Comm comm) {
    int bytes, code = bytes_of(count, type, comm, 1, &bytes);
    if (code == MPI_SUCCESS && (*position < 0 || size < *position || bytes > size - *position)) code = MPI_ERR_TRUNCATE;
    if (code == MPI_SUCCESS) {
        __mog_mpi_copy_in((const char *)in + *position, (unsigned)bytes, out, count, type);
        *position += bytes;
    }
    MPI_RETURN(comm, code);
}
