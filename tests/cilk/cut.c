/* Functions that are hard to cut at their syncs (-fcilk=channels): variables and statements of all kinds around those, loops in loops,
 * reducers whose order shows, and more levels than there are channels. */
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pair {
    int x;
    double y;
} pair;
typedef int (*function)(int);

static int twice(int n) { return 2 * n; }
static pair pair_of(int x, double y) { return (pair){x, y}; }
static long sum(int n);
static pair both(int n) {
    if (n == 0) return pair_of(1, 0.5);
    pair left = cilk_spawn both(n - 1);
    pair right;
    right = both(n > 1 ? n - 2 : 0);
    cilk_sync;
    return pair_of(left.x + right.x, left.y * 1.5 + right.y);
}

/* Declarations. */
static int variables(int n, int given[], const char *const names[2], int (*callee)(int), double matrix[][3]) {
    const int half = n / 2, values[] = {1, 2, n > 3, 4}, *const where = &values[1];
    char text[] = "text", room[8] = "abc", *at = text;
    struct {
        int a, b[2];
    } inner = {n, {3, 4}};
    struct pair p = {.x = n, .y = 2}, q = p;
    enum { FEW = 3 };
    static int calls;
    unsigned long long wide = 1ull << 40, *points = &wide;
    int (*choice)(int) = callee, (*table[2])(int) = {twice, callee};
    function typed = twice;
    register int fast = n;
    int spawned = cilk_spawn twice(n);
    int *to = &spawned;
    double converted = cilk_spawn sum(n);
    q.x += cilk_spawn typed(half);
    given[0] -= cilk_spawn table[1](fast);
    { int n = 77, spawned = n; fast += n + spawned; }
    long more = sum(half) + FEW;
    matrix[1][2] += cilk_spawn sum(3);
    cilk_sync;
    ++calls;
    *to += 1;
    at[0] = room[1];
    return spawned + (int)converted + q.x + given[0] + fast + (int)more + half + *where + inner.a + inner.b[1] + (int)(*points >> 38) +
           choice(2) + (int)strlen(text) + text[0] + calls + p.x + names[1][0] + (int)matrix[1][2];
}

/* Statements: calls that are cut and others, in all places. */
static long sum(int n) {
    long s = 0, t;
    if (n <= 0) return 0;
    switch (n % 4) {
        case 0: s = cilk_spawn sum(n - 1); break;
        case 1:
            for (int i = 0, k = n; i < 2 && k > 0; ++i, --k) {
                long part = cilk_spawn sum(n - 2 - i);
                cilk_sync;
                if (part < 0) continue;
                s += part % 100003;
            }
            break;
        case 2: {
            int i = 0;
        again:
            t = sum(n - 3 - i);
            s += t % 1009;
            if (++i < 2) goto again;
            break;
        }
        default:
            do {
                cilk_scope { t = cilk_spawn sum(n / 2); }
                s += t + ({
                         long inside = sum(n / 3), twice_of = 2 * inside;
                         twice_of - inside;
                     });
            } while (s < 0);
            cilk_sync;
            return sum(n - 1);
    }
    cilk_sync;
    return s + n;
}
static void nothing(int *to, int n) {
    if (n == 0) return (void)++*to;
    cilk_spawn nothing(to, n - 1);
    cilk_sync;
    nothing(to, n - 1);
    if (n == 2) return nothing(to, 0);
}
static int *pointer(int *at) {
    cilk_spawn twice(1);
    return at + 1;
}
/* More levels than there are channels. */
static int deep(int n) {
    if (n == 0) return 0;
    int below = cilk_spawn deep(n - 1);
    int other = 0;
    if (n % 8 == 0) other = deep(n / 8);
    cilk_sync;
    return below + other + 1;
}
/* A frame that is larger than any channel's. */
static long large(int n) {
    long numbers[2000];
    if (n == 0) return 1;
    for (int i = 0; i < 2000; ++i) numbers[i] = i % n;
    numbers[7] = cilk_spawn large(n - 1);
    numbers[8] = cilk_spawn large(n - 1);
    cilk_sync;
    long all = 0;
    for (int i = 0; i < 2000; ++i) all += numbers[i];
    return all;
}

/* Loops, up and down, with all that their bodies see. */
static long long cells[40][20];
static uint32_t loops(int n) {
    uint32_t result = 0;
    int offset = 3;
    long long *const end = cells[39] + 20;
    cilk_for (int i = 0; i < n; i += 2) {
        const int row = i;
        if (i == 4) continue;
        cilk_for (short k = 20; k > 2; k = k - 3) cells[row][k - 1] = row * 100 + k + offset;
        cells[i][0] = cilk_spawn sum(i % 9);
        int other = cilk_spawn twice(i + offset);
        cilk_sync;
        cells[i + 1][3] += other;
    }
#pragma cilk grainsize = offset
    cilk_for (long long *cell = cells[0]; cell != end; ++cell) *cell = *cell * 3 + 1;
    cilk_for (int i = n - 1; 0 <= i; --i) cells[i][1] += i;
    cilk_for (int i = 5; i < 5; ++i) result = 1;
    cilk_for (long long i = -3; i <= 3; ++i) cells[0][i + 3] += i;
    for (int i = 0; i < 40; ++i)
        for (int k = 0; k < 20; ++k) result = result * 31 + (uint32_t)cells[i][k];
    return result;
}

/* Reducers of the file. */
typedef struct {
    uint32_t power, hash;
} line;
static void identity(void *view) { *(line *)view = (line){1, 0}; }
static void append(void *left, void *right) {
    line *const to = left, *const from = right;
    *to = (line){to->power * from->power, to->hash * from->power + from->hash};
}
static line cilk_reducer(identity, append) all = {1, 7};
static CILK_C_REDUCER_OPADD(count, long, 3);
static void note(uint32_t value) {
    all.power *= 31;
    all.hash = all.hash * 31 + value;
    REDUCER_VIEW(count) += value % 5;
}
static int notes(uint32_t seed, int n) {
    note(seed);
    for (int i = 0; i < n; ++i) {
        if (seed >> i & 1) cilk_spawn notes(seed * 5 + i, n / 2 - i);
        note(seed + i);
        if (seed >> i & 2) note(notes(seed + 99, n / 3));
        if (seed >> i & 4) cilk_spawn note(seed * 7);
        if (i == 2) {
            cilk_for (int k = 0; k < 9; ++k) {
                note(k + seed);
                if (k == 5) cilk_spawn notes(seed + k, n / 4);
                note(k);
            }
        }
        if (i == 3) {
            cilk_sync;
            note(i);
        }
    }
    return n;
}

int main(void) {
    int given[2] = {100, 0}, count_of = 0;
    const char *const names[] = {"a", "b"};
    double matrix[2][3] = {{0}};
    pair p = both(7);
    printf("%d %g\n", p.x, p.y);
    for (int n = 0; n < 6; ++n) printf("%d ", variables(n, given, names, twice, matrix));
    printf("%d %g\n", given[0], matrix[1][2]);
    printf("%ld %ld %ld\n", sum(11), sum(14), sum(21));
    nothing(&count_of, 6);
    printf("%d %d\n", count_of, (int)(pointer(given) - given));
    printf("%d %ld\n", deep(200), large(3));
    printf("%lu\n", (unsigned long)loops(30));
    notes(12345, 9);
    cilk_sync;
    printf("%lx %ld\n", (unsigned long)all.hash, REDUCER_VIEW(count));
    cilk_for (int i = 0; i < 50; ++i) notes(i, i % 4);
    printf("%lx %ld\n", (unsigned long)all.hash, REDUCER_VIEW(count));
    return 0;
}
