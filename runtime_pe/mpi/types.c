/* types.c: how large types are, and buffers of them as bytes that lie one after the other. */
#include <stdlib.h>

#include "mpi_internal.h"

unsigned __mog_mpi_other_size(MPI_Datatype type)
{
    static const unsigned char pairs[] = {8, 16, 8, 8, 16}; /* with their gaps */
    const unsigned id = mpi_type_id(type);
    if (id & 0x80)
        return pairs[id & 0x7f];
    const unsigned size = (unsigned)type >> 8 & 0xff;
    const int known = (id >= 0x01 && id <= 0x0f) || id == 0x16 || id == 0x18 || id == 0x19 || (id >= 0x37 && id <= 0x45);
    return known && ((unsigned)type & 0xff0000) == 0 ? size : 0;
}

static int plain_bytes(struct mpi_bytes *bytes, void *buffer, int count, MPI_Datatype type)
{
    const unsigned size = __mog_mpi_basic_size(type);
    if (count < 0)
        return MPI_ERR_COUNT;
    if (!size)
        return MPI_ERR_TYPE;
    if ((unsigned)count > 0x7fffffffu / size)
        return MPI_ERR_COUNT;
    *bytes = (struct mpi_bytes){buffer, (unsigned)count * size, NULL};
    return MPI_SUCCESS;
}

int __mog_mpi_other_outgoing(struct mpi_bytes *bytes, const void *buffer, int count, MPI_Datatype type)
{
    return plain_bytes(bytes, (void *)buffer, count, type);
}

int __mog_mpi_other_incoming(struct mpi_bytes *bytes, void *buffer, int count, MPI_Datatype type)
{
    return plain_bytes(bytes, buffer, count, type);
}

void __mog_mpi_arrived(struct mpi_bytes *bytes, void *buffer, int count, MPI_Datatype type, unsigned came)
{
    (void)buffer, (void)count, (void)type, (void)came;
    __mog_mpi_sent(bytes);
}

void __mog_mpi_sent(struct mpi_bytes *bytes)
{
    free(bytes->packed);
    bytes->packed = NULL;
}

MPI_DEFINE(Type_size, MPI_Datatype type, int *size)
{
    static const unsigned char pairs[] = {8, 12, 8, 6, 12};
    const unsigned bytes = __mog_mpi_basic_size(type), id = mpi_type_id(type);
    if (!bytes)
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_TYPE);
    *size = (int)(id & 0x80 ? pairs[id & 0x7f] : bytes);
    return MPI_SUCCESS;
}

MPI_DEFINE(Get_count, const MPI_Status *status, MPI_Datatype type, int *count)
{
    const unsigned size = __mog_mpi_basic_size(type), bytes = (unsigned)status->count_lo;
    if (!size)
        MPI_RETURN(MPI_COMM_WORLD, MPI_ERR_TYPE);
    *count = bytes % size ? MPI_UNDEFINED : (int)(bytes / size);
    return MPI_SUCCESS;
}
