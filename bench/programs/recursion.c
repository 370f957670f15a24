/* recursion: divergent. Ackermann, Fibonacci and gcd, of numbers that differ from PE to PE. */
#include "bench.h"

FUNCTION unsigned ackermann(unsigned m, unsigned n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
FUNCTION unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
FUNCTION unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }

FUNCTION unsigned work(unsigned rank)
{
    unsigned sum = ackermann(2, 60 + rank % 29) + fibonacci(15 + rank % 6);
    for (unsigned i = 1; i < 500; i++) sum += gcd(i * 37 + rank, 1000 + i);
    return sum;
}
