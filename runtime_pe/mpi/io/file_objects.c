/* file_objects.c: what files say by groups and infos, which programs without these calls need not have. */
#include <stdlib.h>

#include "files.h"

MPI_DEFINE(File_get_group, MPI_File file, MPI_Group *group) {
    const struct mpi_file *f = __mog_mpi_file(file);
    if (!f) MPI_FILE_RETURN(file, MPI_ERR_FILE);
    MPI_Group world;
    int *const ranks = malloc((size_t)f->comm.size * sizeof *ranks);
    int code = ranks ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    if (code == MPI_SUCCESS)
        code = -(int)__mog_mpi(MOG_MPI_WORD(MOG_MPI_members, 0, 0, 0), f->comm.context, (unsigned)f->comm.rank, 0, (unsigned)f->comm.size,
                               MPI_ADDRESS(ranks), 0, 0);
    if (code == MPI_SUCCESS) code = PMPI_Comm_group(MPI_COMM_WORLD, &world);
    if (code == MPI_SUCCESS) {
        code = PMPI_Group_incl(world, f->comm.size, ranks, group);
        PMPI_Group_free(&world);
    }
    free(ranks);
    MPI_FILE_RETURN(file, code);
}

MPI_DEFINE(File_get_info, MPI_File file, MPI_Info *info) {
    MPI_FILE_RETURN(file, __mog_mpi_file(file) ? PMPI_Info_create(info) : MPI_ERR_FILE);
}
