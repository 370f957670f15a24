/* bench.h: one source, run in every way that is compared.
 *
 * A program includes this file and defines `FUNCTION unsigned work(unsigned rank)`, which needs no library but <math.h> and
 * <string.h>, and gives a checksum. Then
 *   mogcc   makes every PE do the work of its own rank;
 *   gcc     (native, or for MIPS under qemu) makes one program that does the work of BENCH_RANKS ranks in BENCH_WORKERS processes,
 *           so that neither the starting of processes nor idle cores are measured;
 *   nvcc    makes a CUDA kernel with one thread for each of BENCH_RANKS ranks: bench_cuda.h.
 * All print the same lines, "rank checksum", so every output can be checked. BENCH_REPEATS says how often to do the work, so that
 * fast ways run long enough to be measured; with 0 there is only start and end. BENCH_STRIDE makes PEs do every n-th rank's work:
 * a sample of many ranks. */
#ifndef BENCH_H
#define BENCH_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __CUDACC__
#define FUNCTION static __device__
#define CONSTANT static __constant__ const
#define PRIVATE             /* variables of work(): those of its thread, which CUDA keeps interleaved */
#else
#define FUNCTION static
#define CONSTANT static const
#define PRIVATE static      /* as programs have them that do not care about threads */
#endif

FUNCTION unsigned work(unsigned rank);

/* Marsaglia's xorshift: the next of a row of numbers, from the last one, which is not 0. */
FUNCTION inline unsigned next_random(unsigned *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 17;
    *x ^= *x << 5;
    return *x;
}

static int number_from(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : 1;
}

#ifdef __CUDACC__
#include "bench_cuda.h"
#else

static unsigned work_repeatedly(unsigned rank, int repeats)
{
    volatile unsigned same_rank = rank;     /* or a compiler might do the work once */
    unsigned result = 0;
    while (repeats-- > 0) result = work(same_rank);
    return result;
}

#ifdef __mog__
#include <mog.h>

int main(void)
{
    const unsigned rank = (unsigned)(mog_rank() * number_from("BENCH_STRIDE"));
    printf("%u %u\n", rank, work_repeatedly(rank, number_from("BENCH_REPEATS")));
    return 0;
}
#else
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    const int ranks = number_from("BENCH_RANKS"), workers = number_from("BENCH_WORKERS");
    const int repeats = number_from("BENCH_REPEATS");
    /* Shared by the workers: the next rank to do, and the results. */
    unsigned *shared =
        (unsigned *)mmap(NULL, (1 + ranks) * sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return perror("bench: mmap"), 1;
    for (int worker = 0; worker < workers; worker++) {
        const pid_t child = workers == 1 ? 0 : fork();
        if (child < 0) return perror("bench: fork"), 1;
        if (child > 0) continue;
        for (unsigned rank; (rank = __atomic_fetch_add(shared, 1, __ATOMIC_RELAXED)) < (unsigned)ranks;)
            shared[1 + rank] = work_repeatedly(rank, repeats);
        if (workers > 1) _exit(0);
    }
    for (int status, left = workers > 1 ? workers : 0; left > 0; left--)
        if (wait(&status) < 0 || status != 0) return fprintf(stderr, "bench: a worker failed\n"), 1;
    for (int rank = 0; rank < ranks; rank++) printf("%d %u\n", rank, shared[1 + rank]);
    return 0;
}
#endif
#endif
#endif
