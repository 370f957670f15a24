/* mog_mpi_missing.h: functions of MPI that are not built, which say so when they are called; a part of mpi.h, which includes it. They take
 * whatever they are given. */
#ifndef MOG_MPI_MISSING_API_H
#define MOG_MPI_MISSING_API_H

#ifdef __cplusplus
#define MOG_MPI_ANY_ARGUMENTS ...
#else
#define MOG_MPI_ANY_ARGUMENTS
#endif
#define X(name, why)                       \
    int MPI_##name(MOG_MPI_ANY_ARGUMENTS); \
    int PMPI_##name(MOG_MPI_ANY_ARGUMENTS);
#include "mog_mpi_missing.def"
#undef X
#undef MOG_MPI_ANY_ARGUMENTS

/* Of them, so that programs compile. */
#define MPI_LOCK_EXCLUSIVE 234
#define MPI_LOCK_SHARED 235
#define MPI_MODE_NOCHECK 1024
#define MPI_MODE_NOSTORE 2048
#define MPI_MODE_NOPUT 4096
#define MPI_MODE_NOPRECEDE 8192
#define MPI_MODE_NOSUCCEED 16384
#define MPI_WIN_BASE 0x66000001
#define MPI_WIN_SIZE 0x66000003
#define MPI_WIN_DISP_UNIT 0x66000005
#define MPI_WIN_CREATE_FLAVOR 0x66000007
#define MPI_WIN_MODEL 0x66000009

#endif
