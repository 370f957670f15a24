/* calls: goes wrong deep inside, in the way that its argument says: for backtraces, registers, cores and limits. */
#include <mog.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int value;
    struct item *next;
};

int global_count = 41;
static volatile int zero;
static int table[4] = {10, 20, 30, 40};

__attribute__((noinline)) static int follow(struct item *item, int depth) {
    int local = depth * 3;
    if (depth == 0) return item->next->value + local;
    return follow(item, depth - 1) + local;
}

static int odd(int n);
__attribute__((noinline)) static int even(int n) {
    return n == 0 ? 7 / zero : odd(n - 1) + 1;
}
__attribute__((noinline)) static int odd(int n) {
    return n == 0 ? 5 / zero : even(n - 1) + 1;
}

/* A frame of a size that is known at run time only. */
__attribute__((noinline)) static int with_room(int n) {
    volatile char room[n];
    memset((char *)room, 1, n);
    return room[n / 2] + follow(&(struct item){7, NULL}, n % 3);
}

__attribute__((noinline)) static void smash(int n) {
    volatile uint32_t room[2], *beyond = room + zero;
    for (int i = 0; i < n; i++) beyond[i] = 0x41414140u;
}

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b + 7 / zero;
}

__attribute__((noinline)) static void spin(void) {
    for (;;) global_count++;
}

__attribute__((noinline)) static void count_up(void) {
    for (int i = 0; i % 1000 || printf("%d: %d\n", IPROC, i); i++) /* one line: main is reached later where the environment is */
        ;                                                          /* larger, and --fuel ends anywhere in it */
}

int main(int argc, char **argv) {
    struct item list = {IPROC, NULL};
    const char *way = argc > 1 ? argv[1] : "";
    int n = argc > 2 ? atoi(argv[2]) : 3;
    double half = n / 2.0;
    setvbuf(stdout, NULL, _IOLBF, 0), global_count += argc; /* what is printed before a fault is compared */
    if (!strcmp(way, "follow")) return follow(&list, n);
    if (!strcmp(way, "even")) return even(n);
    if (!strcmp(way, "room")) return with_room(n);
    if (!strcmp(way, "smash")) smash(n);
    if (!strcmp(way, "sort")) qsort(table, 4, sizeof *table, compare);
    if (!strcmp(way, "spin")) spin();
    if (!strcmp(way, "count")) count_up();
    printf("%g\n", half);
    return 0;
}
