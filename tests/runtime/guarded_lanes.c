/* guarded_lanes.c: loops that all PEs go through together, of every kind that code for lanes has a second copy of; and what makes lanes
 * leave it: one that finds something, one that stops, the end of a slice, a call. argv[1]: the PE that does something else, if any. */
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

enum { size = 200 };
static int numbers[size], table[size][4];

/* A few instructions for some of the lanes, a store and a load among them. */
NOINLINE static int clamped(const int *from, int *to, int n, int most)
{
    int sum = 0, high = 0;
    for (int i = 0; i < n; i++) {
        int x = from[i] * 3;
        if (x > most) x = most, high++;
        if (x & 1) to[i] += x;
        sum += x - high;
    }
    return sum;
}

NOINLINE static int changed(int x) { return x ^ x >> 3; }

/* A call in a loop: what is the same in all lanes before it need not be behind it. */
NOINLINE static int with_calls(const int *from, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += from[i] * from[(i + 7) % n] + from[(i + 3) % n];
        sum = changed(sum) + from[i] + from[n - 1 - i];
    }
    return sum;
}

/* One lane may find it sooner than others. */
NOINLINE static int find(const int *from, int n, int what)
{
    for (int i = 0; i < n; i++)
        if (from[i] == what) return i;
    return -1;
}

/* One in the other; rows of different lengths in different PEs, if `uneven`. */
NOINLINE static unsigned nested(int n, int uneven)
{
    unsigned sum = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < (uneven ? 1 + IPROC % 4 : 4); k++) {
            table[i][k] += i * k;
            sum = sum * 31 + (unsigned)table[i][k];
        }
    return sum;
}

/* Bounds in the frame and at an address of the program, which the copy asks about each time that they are loaded: they change on the way, and in some
 * of the rounds they are not the same in all PEs. */
static volatile int most_columns;
NOINLINE static unsigned bounded(int n, int me)
{
    volatile int least = 0;
    unsigned sum = 0;
    most_columns = 4;
    for (int i = 0; i < n; i++) {
        for (int k = least; k < most_columns; k++) {
            table[i][k] += i ^ k;
            sum = sum * 31 + (unsigned)table[i][k];
        }
        if (i % 16 == 15) most_columns = i % 32 == 15 ? 2 + me % 3 : 3;
        if (i % 64 == 60) least = i > 100 && me % 5 == 0;
    }
    return sum;
}

/* A division of which one lane's may stop it, in the middle of a loop, for all lanes or for some. */
NOINLINE static int divided(const int *from, const int *by, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += from[i];
        if (from[i] & 2) sum += 1000 / by[i];
    }
    return sum;
}

/* An address that is the same in all lanes and bad in all of them. */
NOINLINE static int beyond(const volatile int *from)
{
    int sum = 0;
    for (int i = 0;; i++) sum += from[i];
    return sum;
}

int main(int argc, char **argv)
{
    const int other = argc > 1 ? atoi(argv[1]) : -1, me = IPROC;
    static int changes[size], by[size];
    unsigned x = 12345u + (unsigned)me;
    for (int i = 0; i < size; i++) {
        x = x * 1664525u + 1013904223u;
        numbers[i] = (int)(x >> 20);
        by[i] = 1 + (int)(x >> 28);
    }
    if (me == other) by[size / 2] = 0, numbers[size / 2] |= 2;
    printf("%d: %d\n", me, clamped(numbers, changes, size, 5000));
    printf("%d: %d\n", me, clamped(numbers, changes, me == other ? size / 3 : size, 3000) + changes[17]);
    printf("%d: %d\n", me, with_calls(numbers, size));
    printf("%d: %d %d\n", me, find(numbers, size, numbers[150 - me % 3]), find(numbers, size, 1 << 30));
    printf("%d: %u %u\n", me, nested(size, 0), nested(size, 1));
    printf("%d: %u\n", me, bounded(size, me));
    printf("%d: %d\n", me, divided(numbers, by, size));
    if (argc > 2) printf("%d: %d\n", me, beyond(numbers));
    return 0;
}
