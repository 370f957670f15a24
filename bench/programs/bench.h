/* bench.h: one source, three ways to run it. A program defines `unsigned work(unsigned rank)`.
 *
 * On PEs each does its own rank's work. Elsewhere one process does the work of BENCH_RANKS ranks one after the other, so that
 * the starting of processes is not what is measured. Both print the same lines, so the output can be checked. */
#include <stdio.h>
#include <stdlib.h>
#ifdef __mog__
#include <mog.h>
#else
static int mog_rank(void) { return 0; }
static int mog_size(void) { return getenv("BENCH_RANKS") ? atoi(getenv("BENCH_RANKS")) : 1; }
#endif

unsigned work(unsigned rank);

int main(void)
{
#ifdef __mog__
    printf("%d %u\n", mog_rank(), work((unsigned)mog_rank()));
#else
    for (int rank = mog_rank(); rank < mog_size(); rank++) printf("%d %u\n", rank, work((unsigned)rank));
#endif
    return 0;
}
