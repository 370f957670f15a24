/* ILP32: long has 32 bits, and pointers too. */
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

int main(void) {
    printf("%zu %zu %zu %zu %zu\n", sizeof(long), sizeof(void *), sizeof(size_t), sizeof(ptrdiff_t), sizeof(long long));
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    volatile long a = LONG_MAX;
    unsigned long b = (unsigned long)a + 1;
    printf("%ld %lu\n", (long)b, b);
    return sizeof(long double);
}
