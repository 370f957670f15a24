/* sieve.c: counts primes by crossing out multiples within the range alone. */
#include "sieve.h"

#include <stdlib.h>
#include <string.h>

int primes_between(int first, int last)
{
    if (first < 2) first = 2;
    if (first >= last) return 0;
    char *crossed = malloc((size_t)(last - first));
    if (!crossed) return -1;
    memset(crossed, 0, (size_t)(last - first));
    int count = 0;
    for (int p = 2; p * p < last; p++) {
        int multiple = (first + p - 1) / p * p;
        if (multiple < p * p) multiple = p * p;
        for (; multiple < last; multiple += p) crossed[multiple - first] = 1;
    }
    for (int i = 0; i < last - first; i++) count += !crossed[i];
    free(crossed);
    return count;
}
