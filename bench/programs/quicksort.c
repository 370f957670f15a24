/* quicksort: divergent. Recursive quicksort of 1024 numbers, three times, other ones for each PE. */
#include "bench.h"

enum { size = 1024 };

FUNCTION void sort(unsigned *v, int left, int right)
{
    if (left >= right) return;
    const unsigned pivot = v[(left + right) / 2];
    int i = left, k = right;
    while (i <= k) {
        while (v[i] < pivot) i++;
        while (v[k] > pivot) k--;
        if (i <= k) {
            const unsigned t = v[i];
            v[i++] = v[k];
            v[k--] = t;
        }
    }
    sort(v, left, k);
    sort(v, i, right);
}

FUNCTION unsigned work(unsigned rank)
{
    PRIVATE unsigned numbers[size];
    unsigned x = 12345 + rank * 77, sum = 0;
    for (int repeat = 0; repeat < 3; repeat++) {
        for (int i = 0; i < size; i++) numbers[i] = next_random(&x);
        sort(numbers, 0, size - 1);
        for (int i = 0; i < size; i++) sum = sum * 31 + numbers[i];
    }
    return sum;
}
