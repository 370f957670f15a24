/* collatz: divergent. Lengths of the 3n+1 sequences of 500 numbers from a place on that differs from PE to PE. */
#include "bench.h"

FUNCTION unsigned work(unsigned rank)
{
    unsigned longest = 0, sum = 0;
    for (unsigned start = 1000 + rank * 97, i = 0; i < 500; i++) {
        unsigned steps = 0;
        for (unsigned n = start + i; n != 1; steps++) n = n & 1 ? 3 * n + 1 : n / 2;
        if (steps > longest) longest = steps;
        sum += steps;
    }
    return sum * 1024 + longest;
}
