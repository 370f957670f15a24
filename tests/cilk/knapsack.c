/* The most that fits into a knapsack, by branch and bound: no two ways through the tree take as long. */
#include <cilk/cilk.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64 };
static struct item {
    int weight, value;
} items[MOST];
static int count;
static atomic_int best;

static int by_density(const void *a, const void *b) {
    const struct item *one = a, *other = b;
    const int difference = other->value * one->weight - one->value * other->weight;
    return difference ? difference : one->weight - other->weight;
}

static int fill(int item, int room, int value) {
    if (room < 0) return -1;
    int seen = atomic_load(&best);
    if (item == count || room == 0) {
        while (seen < value && !atomic_compare_exchange_weak(&best, &seen, value)) continue;
        return value;
    }
    /* Were the rest as good as the next one. */
    if (value + room * items[item].value / items[item].weight < seen) return -1;
    int with = cilk_spawn fill(item + 1, room - items[item].weight, value + items[item].value);
    const int without = fill(item + 1, room, value);
    cilk_sync;
    return with > without ? with : without;
}

int main(int argc, char **argv) {
    count = argc > 1 ? atoi(argv[1]) : 22;
    unsigned random = 5;
    int all = 0;
    for (int i = 0; i < count; ++i) {
        random = random * 1664525 + 1013904223;
        items[i] = (struct item){1 + (random >> 20) % 90, 1 + (random >> 8) % 90};
        all += items[i].weight;
    }
    qsort(items, count, sizeof *items, by_density);
    printf("%d items: %d\n", count, fill(0, all / 2, 0));
    return 0;
}
