/* Quicksort: tasks of unequal sizes. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static void swap(int *a, int *b) {
    const int value = *a;
    *a = *b;
    *b = value;
}

static void quicksort(int *begin, int *end) {
    while (end - begin > 16) {
        swap(begin + (end - begin) / 2, end - 1);
        const int pivot = end[-1];
        int *border = begin;
        for (int *one = begin; one < end - 1; ++one)
            if (*one < pivot) swap(one, border++);
        swap(border, end - 1);
        cilk_spawn quicksort(begin, border);
        begin = border + 1;
    }
    for (int *one = begin; one < end; ++one)
        for (int *other = one; other > begin && other[-1] > *other; --other) swap(other - 1, other);
}

int main(int argc, char **argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 20000;
    int *values = malloc(count * sizeof *values);
    unsigned random = 3;
    for (int i = 0; i < count; ++i) values[i] = (random = random * 1664525 + 1013904223) >> 8;
    quicksort(values, values + count);
    int wrong = 0;
    for (int i = 1; i < count; ++i) wrong += values[i - 1] > values[i];
    printf("%d numbers, %d out of order; %d %d %d\n", count, wrong, values[0], values[count / 2], values[count - 1]);
    free(values);
    return 0;
}
