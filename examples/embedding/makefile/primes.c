/* primes.c: each PE counts the primes in its part of the numbers below the first argument. */
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>

#include "sieve.h"

int main(int argc, char **argv)
{
    const int limit = argc > 1 ? atoi(argv[1]) : 1000, part = (limit + NPROC - 1) / NPROC;
    const int first = IPROC * part, last = first + part < limit ? first + part : limit;
    printf("%d: %d primes below %d\n", first, primes_between(first, last), last);
    return 0;
}
