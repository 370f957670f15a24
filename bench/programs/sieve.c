/* sieve: memory-bound. The primes of 12 Ki numbers by the sieve of Eratosthenes, from a place on that differs from PE to PE. */
#include "bench.h"

enum { size = 12 << 10 };

FUNCTION unsigned work(unsigned rank)
{
    PRIVATE unsigned char composite[size];
    const unsigned low = 2 + rank * 1000;
    unsigned primes = 0, sum = 0;
    memset(composite, 0, size);
    for (unsigned i = 2; i * i < low + size; i++) {
        unsigned first = (low + i - 1) / i * i;     /* the first multiple in reach that is not i itself */
        if (first < 2 * i) first = 2 * i;
        for (unsigned k = first - low; k < size; k += i) composite[k] = 1;
    }
    for (unsigned i = 0; i < size; i++)
        if (!composite[i]) primes++, sum = sum * 31 + i;
    return sum + primes;
}
