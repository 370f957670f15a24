/* mpi_missing.h: functions of MPI that are not built, which say so when they are called; a part of mpi.h, which includes it. They take
 * whatever they are given. */
#ifndef MOG_MPI_MISSING_API_H
#define MOG_MPI_MISSING_API_H

#ifdef __cplusplus
#define MOG_MPI_ANY_ARGUMENTS ...
#else
#define MOG_MPI_ANY_ARGUMENTS
#endif
#define MOG_MPI_MISSING(name, why)         \
    int MPI_##name(MOG_MPI_ANY_ARGUMENTS); \
    int PMPI_##name(MOG_MPI_ANY_ARGUMENTS);
#include "mog/mpi_missing.def"
#undef MOG_MPI_MISSING
#undef MOG_MPI_ANY_ARGUMENTS

#endif
