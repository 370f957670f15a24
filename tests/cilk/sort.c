/* Sorting by merging: four quarters are sorted side by side, and merged by halves that are found by bisection. */
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 64, MERGE_FEW = 512 };

static void insertion_sort(uint32_t *values, int count) {
    for (int i = 1; i < count; ++i) {
        const uint32_t value = values[i];
        int k = i;
        for (; k > 0 && values[k - 1] > value; --k) values[k] = values[k - 1];
        values[k] = value;
    }
}

/* How many are smaller than `value`. */
static int bisect(const uint32_t *values, int count, uint32_t value) {
    int low = 0;
    while (low < count) {
        const int middle = low + (count - low) / 2;
        if (values[middle] < value) low = middle + 1;
        else count = middle;
    }
    return low;
}

static void merge(const uint32_t *left, int lefts, const uint32_t *right, int rights, uint32_t *to) {
    if (lefts < rights) {
        const uint32_t *other = left;
        const int others = lefts;
        left = right, lefts = rights;
        right = other, rights = others;
    }
    if (lefts + rights <= MERGE_FEW) {
        while (lefts && rights)
            if (*left <= *right) *to++ = *left++, --lefts;
            else *to++ = *right++, --rights;
        memcpy(to, left, lefts * sizeof *to);
        memcpy(to + lefts, right, rights * sizeof *to);
        return;
    }
    const int half = lefts / 2, found = bisect(right, rights, left[half]);
    cilk_spawn merge(left, half, right, found, to);
    merge(left + half, lefts - half, right + found, rights - found, to + half + found);
}

static void sort(uint32_t *values, int count, uint32_t *room) {
    if (count <= FEW) {
        insertion_sort(values, count);
        return;
    }
    const int quarter = count / 4;
    uint32_t *b = values + quarter, *c = b + quarter, *d = c + quarter;
    cilk_spawn sort(values, quarter, room);
    cilk_spawn sort(b, quarter, room + quarter);
    cilk_spawn sort(c, quarter, room + 2 * quarter);
    sort(d, count - 3 * quarter, room + 3 * quarter);
    cilk_sync;
    cilk_spawn merge(values, quarter, b, quarter, room);
    merge(c, quarter, d, count - 3 * quarter, room + 2 * quarter);
    cilk_sync;
    merge(room, 2 * quarter, room + 2 * quarter, count - 2 * quarter, values);
}

int main(int argc, char **argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 20000;
    uint32_t *values = malloc(count * sizeof *values), *room = malloc(count * sizeof *room), sum = 0, random = 1;
    for (int i = 0; i < count; ++i) values[i] = random = random * 1664525 + 1013904223;
    for (int i = 0; i < count; ++i) sum += values[i];
    sort(values, count, room);
    int wrong = 0;
    for (int i = 0; i < count; ++i) sum -= values[i], wrong += i && values[i - 1] > values[i];
    printf("%d numbers, %d out of order, sums differ by %u; %u %u %u\n", count, wrong, (unsigned)sum, (unsigned)values[0], (unsigned)values[count / 2],
           (unsigned)values[count - 1]);
    free(values);
    free(room);
    return 0;
}
