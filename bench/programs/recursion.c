/* recursion: divergent. Collatz, Ackermann, Fibonacci and gcd on numbers that differ from PE to PE. */
#include "bench.h"

static unsigned ackermann(unsigned m, unsigned n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }

unsigned work(unsigned rank)
{
    unsigned sum = 0;
    for (unsigned i = 1; i < 300; i++) {
        unsigned n = i * 7 + rank % 97;
        while (n != 1) {
            n = n & 1 ? 3 * n + 1 : n / 2;
            sum++;
        }
    }
    sum += ackermann(2, 3 + rank % 13) + fibonacci(12 + rank % 6);
    for (unsigned i = 1; i < 200; i++) sum += gcd(i * 37 + rank, 1000 + i);
    return sum;
}
