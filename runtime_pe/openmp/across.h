/* across.h: loops whose iterations wait for others: doacross. */
#ifndef MOG_OPENMP_ACROSS_H
#define MOG_OPENMP_ACROSS_H

#include "openmp.h"

/* `counts`: of the inner loops, from place 1 on. */
void omp_set_across(struct share *share, unsigned dimensions, const wide *counts) __asm__("__mog_omp_set_across");
unsigned omp_dimensions(void) __asm__("__mog_omp_dimensions");
void omp_post(const wide *place) __asm__("__mog_omp_post");
void omp_wait_for_post(const wide *place) __asm__("__mog_omp_wait_for_post");

#endif
