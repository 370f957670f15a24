/* collatz.c: how many steps numbers take to 1; each PE has its share of the numbers below LIMIT, and keeps the longest. */
#include <mog.h>

enum { LIMIT = 100000 };

/* Read by the host at the end. */
struct {
    unsigned number, steps;
} longest;

int main(void)
{
    for (unsigned n = 1 + IPROC; n < LIMIT; n += NPROC) {
        unsigned steps = 0;
        for (unsigned long long x = n; x != 1; steps++) x = x & 1 ? 3 * x + 1 : x / 2;
        if (steps > longest.steps) {
            longest.number = n;
            longest.steps = steps;
        }
    }
    return 0;
}
