/* openmp.c WAY: a sum without a reduction, and with one; a nowait that is one too many. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

static int values[64], doubled[64];

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    int sum = 0;
    for (int i = 0; i < 64; ++i) values[i] = i;
    omp_set_num_threads(4);
    if (!strcmp(way, "no_reduction")) {
#pragma omp parallel for
        for (int i = 0; i < 64; ++i) sum += values[i]; /* lost */
    } else if (!strcmp(way, "reduction")) {
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 64; ++i) sum += values[i];
    } else if (!strcmp(way, "atomic")) {
#pragma omp parallel for
        for (int i = 0; i < 64; ++i) {
#pragma omp atomic
            sum += values[i];
        }
    } else if (!strcmp(way, "critical")) {
#pragma omp parallel for
        for (int i = 0; i < 64; ++i) {
#pragma omp critical
            sum += values[i];
        }
    } else if (!strcmp(way, "nowait") || !strcmp(way, "barrier")) {
        const int waits = way[0] == 'b';
#pragma omp parallel reduction(+ : sum)
        {
#pragma omp for nowait
            for (int i = 0; i < 64; ++i) doubled[i] = 2 * values[i]; /* made */
            if (waits) {
#pragma omp barrier
            }
#pragma omp for
            for (int i = 0; i < 64; ++i) sum += doubled[63 - i]; /* used */
        }
    } else return 2;
    return sum < 0;
}
