/* compute.c: numbers, recursion, a heap, and a few lines now and then: a state is memory and registers. */
#include <math.h>
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double table[1000];
static const char *const names[] = {"one", "two", "three"};

static int queens(int n, unsigned columns, unsigned left, unsigned right) {
    int count = 0;
    if (columns == (1u << n) - 1) return 1;
    for (unsigned free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += queens(n, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}

int main(int argc, char **argv) {
    char *text = calloc(1, 200000);
    printf("PE %d of %d begins with %d words, the first ends in %c\n", IPROC, NPROC, argc, argv[0][strlen(argv[0]) - 1]);
    for (int round = 0; round < 5; round++) {
        double sum = 0;
        for (int i = 0; i < 1000; i++) sum += table[i] = table[(i * 7 + 3) % 1000] + sin(i + round) * 0.5 + 1.0f / (i + 1 + IPROC);
        sprintf(text + 20000 * round, "%s: %.17g", names[round % 3], sum);
        text = realloc(text, 200000 + 10000 * round);
        printf("PE %d, round %d: %d queens, %s\n", IPROC, round, queens(5 + round % 3, 0, 0, 0), text + 20000 * round);
        fflush(stdout);
    }
    printf("PE %d has ", IPROC); /* an unfinished line */
    for (int i = 0; i < 200; i++) table[i] = sqrt(table[i]) + queens(4, 0, 0, 0);
    printf("%.17g at its end\n", table[199]);
    return IPROC == 2 ? 7 : 0;
}
