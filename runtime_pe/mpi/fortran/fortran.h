/* fortran.h: what functions for Fortran have in common. */
#ifndef MOG_FORTRAN_H
#define MOG_FORTRAN_H

#include <mpi.h>

/* In place of addresses that C has as constants, Fortran has variables of common blocks, whose addresses these know. */
void *mog_fortran_buffer(void *buffer);
MPI_Status *mog_fortran_status(void *status);

/* Text without the blanks at its end, for free(); and text of C's, with blanks up to the length. */
char *mog_fortran_text(const char *text, int length);
/* Keys and values of an MPI_Info are without those at their beginning, too. */
char *mog_fortran_info_text(const char *text, int length);
void mog_fortran_pad(char *to, int length, const char *text);

/* Before a call about attributes, so that MPI knows whose they are: base/attributes.c. */
extern _Thread_local int __mog_mpi_from_fortran;

/* The result of a function, which programs of mpi_f08 may leave out. */
static inline void mog_fortran_set(int *error, int result) {
    if (error) *error = result;
}

#endif
