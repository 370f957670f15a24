/* scale: for the scaling from 1 to 65,536 PEs. Little work, of all kinds: some thousand instructions of arithmetic, calls that
 * differ from PE to PE, and 4 KiB of memory. */
#include "bench.h"

enum { size = 1024 };

FUNCTION unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

FUNCTION unsigned work(unsigned rank)
{
    PRIVATE unsigned numbers[size];
    unsigned x = rank + 1, sum = fibonacci(6 + rank % 5);
    for (int i = 0; i < size; i++) numbers[i] = next_random(&x);
    for (int i = 0; i < size; i++) sum = sum * 3 + numbers[numbers[i] % size];
    return sum;
}
