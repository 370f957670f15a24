/* by_hand.c: functions for Fortran that are not C's with other arguments: indices from 1, values in place of addresses. */
#include <stdlib.h>
#include <string.h>

#include "fortran.h"

/* The common blocks of mpif.h, as gfortran aligns them. */
#define COMMON __attribute__((aligned(8)))
int COMMON mpi_fortran_bottom_, COMMON mpi_fortran_in_place_;
MPI_Status COMMON mpi_fortran_status_ignore_, COMMON mpi_fortran_statuses_ignore_;

void *mog_fortran_buffer(void *buffer) {
    if (buffer == &mpi_fortran_bottom_) return MPI_BOTTOM;
    return buffer == &mpi_fortran_in_place_ ? MPI_IN_PLACE : buffer;
}
MPI_Status *mog_fortran_status(void *status) {
    return status == &mpi_fortran_status_ignore_ || status == &mpi_fortran_statuses_ignore_ ? MPI_STATUS_IGNORE : status;
}
char *mog_fortran_text(const char *text, int length) {
    while (length > 0 && text[length - 1] == ' ') length--;
    char *copy = malloc((size_t)length + 1);
    if (!copy) abort();
    memcpy(copy, text, (size_t)length);
    copy[length] = 0;
    return copy;
}
void mog_fortran_pad(char *to, int length, const char *text) {
    const size_t own = strlen(text), room = (size_t)length;
    memset(to, ' ', room);
    memcpy(to, text, own < room ? own : room);
}

void mpi_init_(int *error);
void mpi_init_(int *error) { *error = MPI_Init(NULL, NULL); }
void mpi_init_thread_(const int *required, int *provided, int *error);
void mpi_init_thread_(const int *required, int *provided, int *error) { *error = MPI_Init_thread(NULL, NULL, *required, provided); }
double mpi_wtime_(void);
double mpi_wtime_(void) { return MPI_Wtime(); }
double mpi_wtick_(void);
double mpi_wtick_(void) { return MPI_Wtick(); }

static void from_one(int *index, int count) {
    for (int i = 0; i < count; i++)
        if (index[i] != MPI_UNDEFINED) index[i]++;
}
void mpi_waitany_(const int *count, MPI_Request *requests, int *index, void *status, int *error);
void mpi_waitany_(const int *count, MPI_Request *requests, int *index, void *status, int *error) {
    *error = MPI_Waitany(*count, requests, index, mog_fortran_status(status));
    from_one(index, 1);
}
void mpi_testany_(const int *count, MPI_Request *requests, int *index, int *flag, void *status, int *error);
void mpi_testany_(const int *count, MPI_Request *requests, int *index, int *flag, void *status, int *error) {
    *error = MPI_Testany(*count, requests, index, flag, mog_fortran_status(status));
    if (*flag) from_one(index, 1);
}
void mpi_waitsome_(const int *count, MPI_Request *requests, int *done, int *indices, void *statuses, int *error);
void mpi_waitsome_(const int *count, MPI_Request *requests, int *done, int *indices, void *statuses, int *error) {
    *error = MPI_Waitsome(*count, requests, done, indices, mog_fortran_status(statuses));
    if (*done != MPI_UNDEFINED) from_one(indices, *done);
}
void mpi_testsome_(const int *count, MPI_Request *requests, int *done, int *indices, void *statuses, int *error);
void mpi_testsome_(const int *count, MPI_Request *requests, int *done, int *indices, void *statuses, int *error) {
    *error = MPI_Testsome(*count, requests, done, indices, mog_fortran_status(statuses));
    if (*done != MPI_UNDEFINED) from_one(indices, *done);
}

/* Of MPI's own attributes C gets the address of an int, Fortran the value. */
void mpi_comm_get_attr_(const MPI_Comm *comm, const int *key, MPI_Aint *value, int *flag, int *error);
void mpi_comm_get_attr_(const MPI_Comm *comm, const int *key, MPI_Aint *value, int *flag, int *error) {
    void *found = NULL;
    *error = MPI_Comm_get_attr(*comm, *key, &found, flag);
    if (*error != MPI_SUCCESS || !*flag) return;
    const int is_own = *key == MPI_TAG_UB || *key == MPI_HOST || *key == MPI_IO || *key == MPI_WTIME_IS_GLOBAL ||
                       *key == MPI_UNIVERSE_SIZE || *key == MPI_APPNUM || *key == MPI_LASTUSEDCODE;
    *value = is_own ? *(int *)found : (MPI_Aint)found;
}
