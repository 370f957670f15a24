/* Spawns, syncs and loops wherever C lets a statement stand, with arguments and results of all kinds. */
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
    int x, y;
    unsigned small : 5;
};
typedef int number;
typedef number (*operation)(number, number);

static number plus(number a, number b) { return a + b; }
static number minus(number a, number b) { return a - b; }
static const operation operations[] = {plus, minus};
static struct point make(int x, int y) { return (struct point){x, y, 7}; }
static int *place_of(int *numbers, unsigned i) { return numbers + i; }
static void set(int *to, int value) { *to = value; }
static double half(float of, long double more, char c) { return of / 2 + more + c; }
static long long wide(long long a, uint64_t b) { return a * 3 + (long long)b; }
static size_t length(const char *text) { return strlen(text); }
static int nothing(void) { return 17; }
static int sum_of(struct point p, const int *numbers, int n) {
    int sum = p.x + p.y;
    for (int i = 0; i < n; ++i) sum += numbers[i];
    return sum;
}
static int through(operation what, int a, int b) { return what(a, b); }
static int is_null(void *pointer, const char *text) { return !pointer + (text == NULL); }

static int *returns_pointer(int *numbers) {
    int *found = cilk_spawn place_of(numbers, 2);
    cilk_sync;
    return found;
}
static struct point returns_struct(int x) {
    struct point a = cilk_spawn make(x, 1);
    cilk_sync;
    return a;
}
static void returns_nothing(int *to, int value) {
    cilk_spawn set(to, value);
    if (value > 5) return;
    cilk_spawn set(to + 1, value);
}
static void returns_nothing_of(int *to) { return returns_nothing(to, 9); }
static double converts(int n) {
    int x;
    x = cilk_spawn plus(n, 1);
    cilk_sync;
    if (n > 3) return x;
    return 0;
}
int old_style(a, b)
int a;
int b;
{
    int c = cilk_spawn plus(a, b);
    cilk_sync;
    return c;
}
/* What is returned is there before the sync. */
static int before_sync(int *value) {
    *value = 1;
    cilk_spawn set(value + 1, 2);
    return *value + 10;
}

static void statements(int n) {
    int a = 0, b = 0, c = 0, numbers[8] = {0};
    if (n & 1) a = cilk_spawn plus(n, 1);
    else a = cilk_spawn minus(n, 1);
    for (int i = 0; i < 4; ++i) numbers[i] = cilk_spawn plus(i, n);
    int i = 4;
    for (; i < 6; ++i)
        numbers[i] = cilk_spawn minus(i, n);
    do cilk_spawn set(numbers + i, i * n);
    while (++i < 8);
    switch (n % 3) {
        case 0: b = cilk_spawn plus(1, 2); break;
        case 1 ? 1 : 5: b = cilk_spawn plus(3, 4); __attribute__((fallthrough));
        default: cilk_sync; c = cilk_spawn plus(n, b ? b : 1);
    }
    goto on;
on: cilk_sync;
    printf("%d %d %d:", a, b, c);
    for (int k = 0; k < 8; ++k) printf(" %d", numbers[k]);
    printf("\n");
}

static void arguments(void) {
    struct point p = {3, 4, 9}, *const q = &p;
    int numbers[] = {1, 2, 3, 4}, *last = numbers + 3, table[2][3] = {{0}};
    const int constant = 6;
    int s = cilk_spawn sum_of(p, numbers, sizeof numbers / sizeof *numbers);
    double d = cilk_spawn half(3, 1.5L, 'a' + 1);
    long long w = cilk_spawn wide(1ll << 40, (uint64_t)constant);
    size_t l = cilk_spawn length("a text; with \"signs\" {in it");
    int t = cilk_spawn through(operations[1], q->x, -q->y);
    int u = 0;
    int m = cilk_spawn operations[q->small > 5](q->small, 5);
    int z = cilk_spawn is_null(0, NULL);
    table[1][2] = cilk_spawn (*operations)(constant, numbers[q->x]);
    q->x = cilk_spawn nothing();
    cilk_sync;
    *last = cilk_spawn plus((u = 5, u + 1), ({ int k = 2; k * k; }));
    cilk_sync;
    numbers[0] += cilk_spawn plus(1, 1);
    _Cilk_sync;
    numbers[1] <<= _Cilk_spawn plus(1, 1);
    cilk_sync;
    printf("%d %g %lld %zu %d %d %d %d %d %d %d %d %d\n", s, d, w, l, t, m, z, table[1][2], p.x, numbers[3], u, numbers[0], numbers[1]);
}

static void loops(void) {
    int numbers[100], sum = 0, count = 0;
    cilk_for (int i = 0; i < 100; ++i) numbers[i] = i;
    cilk_for (int *p = numbers; p != numbers + 100; ++p) *p *= 2;
    cilk_for (unsigned i = 99; i > 1; i -= 2) numbers[i] += 1;
    cilk_for (long i = 90; i <= 99; i += 3) numbers[i] = 0;
    cilk_for (uint64_t i = 5; i < 5; ++i) numbers[i] = -1;
    cilk_for (unsigned char i = 80; i > 60; i = i - 3) numbers[i] += 5;
    cilk_for (unsigned short i = 59; i > 50; i -= 4) numbers[i] -= 3;
    cilk_for (signed char i = 10; i > 0; --i) {
        if (i % 2) continue;
        numbers[i] = cilk_spawn plus(i, 1000);
        if (i % 4) continue;
        cilk_sync;
        numbers[i] += cilk_spawn nothing();
    }
#pragma cilk grainsize = 1 + 1
    cilk_for (int i = 20; i < 30; ++i)
        for (int k = 0; k < 3; ++k) {
            if (k == 2) break;
            numbers[i] += k;
        }
    for (int i = 0; i < 100; ++i) sum = sum * 7 + numbers[i], count += numbers[i] > 50;
    printf("%d %d\n", sum, count);
    if (count) cilk_for (int i = 0; i < 3; ++i) numbers[i] = i;
    else printf("none\n");
}

/* More than there is room for. */
static int many(int n) {
    enum { MOST = 6000 };
    static int results[MOST];
    int sum = 0;
    for (int i = 0; i < n; ++i) results[i] = cilk_spawn plus(i, n);
    cilk_sync;
    cilk_scope {
        for (int i = 0; i < 10; ++i) cilk_spawn set(results + i, i);
    }
    cilk_sync;
    for (int i = 0; i < n; ++i) sum = sum * 3 + results[i];
    return sum;
}
static _Atomic int calls;
static void call(void) { ++calls; }
static int without_arguments(void) {
    for (int i = 0; i < 3; ++i) cilk_spawn call();
    cilk_sync;
    return calls;
}
/* What a function within another one cannot name, or no structure can have. */
struct large {
    int parts[14];
};
static int total(struct large all) {
    int sum = 0;
    for (int i = 0; i < 14; ++i) sum = sum * 3 + all.parts[i];
    return sum;
}
static int row_of(int n, int (*table)[n], int row) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += table[row][i];
    return sum;
}
static int variable_rows(int n, int table[n][n]) {
    int(*second)[n] = table + 1;
    int a = cilk_spawn row_of(n, table, 0);
    int b = cilk_spawn row_of(n, second, 0);
    cilk_sync;
    return a * 100 + b;
}
static int local_rows(int n) {
    typedef int row[n];
    row rows[2];
    for (int i = 0; i < n; ++i) rows[0][i] = i, rows[1][i] = 2 * i;
    int a = cilk_spawn row_of(n, rows, 1);
    cilk_sync;
    return a;
}
static int hidden(int n) {
    operation plus = minus;
    int a = cilk_spawn plus(n, 1);
    cilk_sync;
    return a;
}
static int hides(number (*plus)(number, number), int n) {
    int a = cilk_spawn plus(n, 2);
    cilk_sync;
    return a;
}
static int within(int n) {
    int more(int k) { return k + 40; }
    int a = cilk_spawn more(n);
    cilk_sync;
    return a;
}
static int deep(int n) {
    if (n == 0) return 0;
    int a = cilk_spawn plus(n, 0);
    int b = deep(n - 1);
    cilk_sync;
    return a + b;
}

int main(void) {
    int numbers[] = {5, 6, 7, 8}, pair[2];
    for (int n = 0; n < 4; ++n) statements(n);
    arguments();
    loops();
    printf("%d %d %g %g %d\n", *returns_pointer(numbers), returns_struct(6).x, converts(3), converts(4), old_style(2, 3));
    returns_nothing(pair, 3);
    printf("%d %d\n", pair[0], pair[1]);
    returns_nothing_of(pair);
    printf("%d\n", pair[0]);
    printf("%d", before_sync(pair));
    printf(" %d\n", pair[1]);
    printf("%d %d %d\n", many(6000), deep(1500), without_arguments());
    struct large all = {{1, 2, 3, 4, 5}};
    int t = cilk_spawn total(all);
    cilk_sync;
    printf("%d %d %d %d %d %d\n", t, variable_rows(2, (int[2][2]){{1, 2}, {3, 4}}), local_rows(5), hidden(8), hides(minus, 9), within(2));
    return 0;
}
