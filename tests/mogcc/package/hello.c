/* Says something only if library, C++ and OpenMP are all there, and as how many PEs. */
#include <mog.h>
#include <stdio.h>

#include "greet.h"

int main(void) {
    int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
    threads++;
    printf("%s %d, %d threads, %d PE\n", greet(), more(2), threads, NPROC);
    return 0;
}
