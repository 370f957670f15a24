/* How fast one thread copies pieces of 64 KB that are in no cache: GB/s. For the host, not for PEs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void)
{
    enum { PIECE = 65536, PIECES = 1024, ROUNDS = 20 };
    char *memory = malloc((size_t)PIECE * PIECES);
    memset(memory, 1, (size_t)PIECE * PIECES);
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < PIECES; i += 2)
            memcpy(memory + (size_t)PIECE * (size_t)(i + (round & 1)), memory + (size_t)PIECE * (size_t)(i + 1 - (round & 1)), PIECE);
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    printf("%.3f %d\n", (double)PIECE * PIECES / 2 * ROUNDS / seconds / 1e9, memory[PIECE]);
    free(memory);
    return 0;
}
