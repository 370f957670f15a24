/* timed.c: `PROGRAM ROUNDS ARGUMENT...` runs a program's main, compiled by the name program_main, so often, and prints the seconds of each on standard
 * error. It is Cilk itself, so that its OpenMP form has the team around all of it. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int program_main(int argc, char **argv);

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    for (int rounds = atoi(argv[1]); rounds > 0; --rounds) {
        const double begin = now();
        program_main(argc - 1, argv + 1);
        fprintf(stderr, "%.9f\n", now() - begin);
    }
    cilk_sync;
    return 0;
}
