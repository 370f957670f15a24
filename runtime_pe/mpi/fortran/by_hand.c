/* by_hand.c: functions for Fortran that are not C's with other arguments: indices from 1, values in place of addresses. */
#include <stddef.h>

#include "fortran.h"

void mpi_init_(int *error);
void mpi_init_(int *error) { mog_fortran_set(error, MPI_Init(NULL, NULL)); }
void mpi_init_thread_(const int *required, int *provided, int *error);
void mpi_init_thread_(const int *required, int *provided, int *error) {
    mog_fortran_set(error, MPI_Init_thread(NULL, NULL, *required, provided));
}
void mpi_pcontrol_(const int *level);
void mpi_pcontrol_(const int *level) { MPI_Pcontrol(*level); }
double mpi_wtime_(void);
double mpi_wtime_(void) { return MPI_Wtime(); }
double mpi_wtick_(void);
double mpi_wtick_(void) { return MPI_Wtick(); }
MPI_Aint mpi_aint_add_(const MPI_Aint *base, const MPI_Aint *displacement);
MPI_Aint mpi_aint_add_(const MPI_Aint *base, const MPI_Aint *displacement) { return MPI_Aint_add(*base, *displacement); }
MPI_Aint mpi_aint_diff_(const MPI_Aint *a, const MPI_Aint *b);
MPI_Aint mpi_aint_diff_(const MPI_Aint *a, const MPI_Aint *b) { return MPI_Aint_diff(*a, *b); }
/* The call itself is what keeps the compiler from knowing what is in the variable. */
void mpi_f_sync_reg_(void *buffer);
void mpi_f_sync_reg_(void *buffer) { (void)buffer; }

static void from_one(int *index, int count) {
    for (int i = 0; i < count; i++)
        if (index[i] != MPI_UNDEFINED) index[i]++;
}
void mpi_waitany_(const int *count, MPI_Request *requests, int *index, void *status, int *error);
void mpi_waitany_(const int *count, MPI_Request *requests, int *index, void *status, int *error) {
    mog_fortran_set(error, MPI_Waitany(*count, requests, index, mog_fortran_status(status)));
    from_one(index, 1);
}
void mpi_testany_(const int *count, MPI_Request *requests, int *index, int *flag, void *status, int *error);
void mpi_testany_(const int *count, MPI_Request *requests, int *index, int *flag, void *status, int *error) {
    mog_fortran_set(error, MPI_Testany(*count, requests, index, flag, mog_fortran_status(status)));
    if (*flag) from_one(index, 1);
}
void mpi_waitsome_(const int *count, MPI_Request *requests, int *done, int *indices, void *statuses, int *error);
void mpi_waitsome_(const int *count, MPI_Request *requests, int *done, int *indices, void *statuses, int *error) {
    mog_fortran_set(error, MPI_Waitsome(*count, requests, done, indices, mog_fortran_status(statuses)));
    if (*done != MPI_UNDEFINED) from_one(indices, *done);
}
void mpi_testsome_(const int *count, MPI_Request *requests, int *done, int *indices, void *statuses, int *error);
void mpi_testsome_(const int *count, MPI_Request *requests, int *done, int *indices, void *statuses, int *error) {
    mog_fortran_set(error, MPI_Testsome(*count, requests, done, indices, mog_fortran_status(statuses)));
    if (*done != MPI_UNDEFINED) from_one(indices, *done);
}

/* Only in mpi_f08 may a program ask which buffer it was. */
void mpi_buffer_detach_(void *buffer, int *size, int *error);
void mpi_buffer_detach_(void *buffer, int *size, int *error) {
    (void)buffer;
    void *was = NULL;
    mog_fortran_set(error, MPI_Buffer_detach(&was, size));
}
void mpi_buffer_detach_f08_(void **buffer, int *size, int *error);
void mpi_buffer_detach_f08_(void **buffer, int *size, int *error) { mog_fortran_set(error, MPI_Buffer_detach(buffer, size)); }

/* A status of mpi_f08 has the same five integers as one of mpi. */
void mpi_status_f2f08_(const MPI_Status *from, MPI_Status *to, int *error);
void mpi_status_f2f08_(const MPI_Status *from, MPI_Status *to, int *error) {
    *to = *from;
    mog_fortran_set(error, MPI_SUCCESS);
}
void mpi_status_f082f_(const MPI_Status *from, MPI_Status *to, int *error);
void mpi_status_f082f_(const MPI_Status *from, MPI_Status *to, int *error) {
    *to = *from;
    mog_fortran_set(error, MPI_SUCCESS);
}

/* How a C descriptor begins in every compiler (Fortran 2018, 18.5.3). <ISO_Fortran_binding.h> has the rest, but comes with gfortran alone,
 * and this is compiled without it. */
struct descriptor {
    void *base_addr;
    size_t elem_len;
};
/* The size of a variable, whose descriptor the modules pass. */
void mpi_sizeof_(const struct descriptor *variable, int *size, int *error);
void mpi_sizeof_(const struct descriptor *variable, int *size, int *error) {
    *size = (int)variable->elem_len;
    mog_fortran_set(error, MPI_SUCCESS);
}
