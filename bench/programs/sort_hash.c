/* sort_hash: divergent, in memory. Quicksort of 512 numbers and a hash table with open addressing, other data for each PE. */
#include "bench.h"

static unsigned numbers[512];
static unsigned table[256];

static void sort(unsigned *v, int left, int right)
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

unsigned work(unsigned rank)
{
    unsigned x = 12345 + rank * 77, sum = 0;
    for (int repeat = 0; repeat < 12; repeat++) {
        for (int i = 0; i < 512; i++) {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            numbers[i] = x;
        }
        sort(numbers, 0, 511);
        for (int i = 0; i < 256; i++) table[i] = 0;
        for (int i = 0; i < 180; i++) {
            const unsigned key = numbers[i * 2] | 1;
            unsigned place = key * 2654435761u >> 24;
            while (table[place] != 0 && table[place] != key) place = (place + 1) & 255;
            table[place] = key;
            sum += place;
        }
    }
    return sum;
}
