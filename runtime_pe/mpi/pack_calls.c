/* pack_calls.c: MPI_Pack and MPI_Unpack, of basic types as well. */
#include <string.h>

#include "mpi_internal.h"

MPI_DEFINE(Pack_size, int count, MPI_Datatype type, MPI_Comm comm, int *size)
{
    struct mpi_measure m;
    if (!__mog_mpi_comm(comm) || __mog_mpi_measure(&m, type) != MPI_SUCCESS)
        MPI_RETURN(comm, __mog_mpi_comm(comm) ? MPI_ERR_TYPE : MPI_ERR_COMM);
    if (count < 0 || (m.bytes && (unsigned)count > 0x7fffffffu / m.bytes))
        MPI_RETURN(comm, MPI_ERR_COUNT);
    *size = count * (int)m.bytes;
    return MPI_SUCCESS;
}

MPI_DEFINE(Pack, const void *in, int count, MPI_Datatype type, void *out, int size, int *position, MPI_Comm comm)
{
    struct mpi_bytes bytes;
    int code = __mog_mpi_comm(comm) ? __mog_mpi_outgoing(&bytes, in, count, type) : MPI_ERR_COMM;
    if (code != MPI_SUCCESS)
        MPI_RETURN(comm, code);
    if (*position < 0 || size < *position || bytes.bytes > (unsigned)(size - *position)) {
        code = MPI_ERR_TRUNCATE;
    } else {
        memcpy((char *)out + *position, bytes.start, bytes.bytes);
        *position += (int)bytes.bytes;
    }
    __mog_mpi_sent(&bytes);
    MPI_RETURN(comm, code);
}

MPI_DEFINE(Unpack, const void *in, int size, int *position, void *out, int count, MPI_Datatype type, MPI_Comm comm)
{
    struct mpi_bytes bytes;
    int code = __mog_mpi_comm(comm) ? __mog_mpi_incoming(&bytes, out, count, type) : MPI_ERR_COMM;
    if (code != MPI_SUCCESS)
        MPI_RETURN(comm, code);
    if (*position < 0 || size < *position || bytes.bytes > (unsigned)(size - *position)) {
        __mog_mpi_sent(&bytes);
        MPI_RETURN(comm, MPI_ERR_TRUNCATE);
    }
    memcpy(bytes.start, (const char *)in + *position, bytes.bytes);
    *position += (int)bytes.bytes;
    if (bytes.packed)
        __mog_mpi_arrived(&bytes, out, count, type, bytes.bytes);
    return MPI_SUCCESS;
}
