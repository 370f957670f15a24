/* common.c: what all functions for Fortran share, and is there once: variables in place of C's constants, text, operators of mpi_f08. */
#include <stdlib.h>
#include <string.h>

#include "fortran.h"

/* The common blocks of mpif.h, as gfortran aligns them. */
#define COMMON __attribute__((aligned(8)))
int COMMON mpi_fortran_bottom_, COMMON mpi_fortran_in_place_;
int COMMON mpi_fortran_unweighted_, COMMON mpi_fortran_weights_empty_;
MPI_Status COMMON mpi_fortran_status_ignore_, COMMON mpi_fortran_statuses_ignore_;

void *mog_fortran_buffer(void *buffer) {
    if (buffer == &mpi_fortran_bottom_) return MPI_BOTTOM;
    if (buffer == &mpi_fortran_unweighted_) return MPI_UNWEIGHTED;
    if (buffer == &mpi_fortran_weights_empty_) return MPI_WEIGHTS_EMPTY;
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
char *mog_fortran_info_text(const char *text, int length) {
    while (length > 0 && *text == ' ') text++, length--;
    return mog_fortran_text(text, length);
}
void mog_fortran_pad(char *to, int length, const char *text) {
    const size_t own = strlen(text), room = (size_t)length;
    memset(to, ' ', room);
    memcpy(to, text, own < room ? own : room);
}

/* Handles of mpi_f08, by == and /=. */
int mog_fortran_same(const int *a, const int *b);
int mog_fortran_same(const int *a, const int *b) { return *a == *b; }
int mog_fortran_differ(const int *a, const int *b);
int mog_fortran_differ(const int *a, const int *b) { return *a != *b; }
