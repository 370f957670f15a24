/* Static data of all kinds: initialised pointers (to data, into arrays, to functions, to strings), locals, volatile, big zeros, const tables. */
#include <stdio.h>
#include <string.h>

#include "testing.h"

typedef struct Item { const char *name; const struct Item *link; int (*f)(int); const char *middle; short values[3]; double real; } Item;

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static const char text[] = "shared text";
extern const Item items[3];
const Item items[3] = {
    {"first", &items[2], twice, text + 7, {1, 2, 3}, 0.5},
    {"second", items, square, &text[3], {-1}, -1e10},
    {.name = "third", .f = twice, .values = {[2] = 9}},
};
static char *names[] = {"alpha", "beta", "gamma", NULL};
static int zeros[5000];
static char written[] = "can be written";
static int *const end_of_zeros = zeros + 4999;
static long long wide = 0x123456789abcdefLL;
static float single = 1.25f;
static unsigned char bytes[] = {1, 2, 3, 250, 251, 252};
static _Bool flag = 1;
static int (*table[4])(int) = {twice, square, [3] = twice};

static int counter(void) {
    static int calls = 100;
    static int history[3];
    history[calls % 3] = calls;
    return ++calls + history[0];
}

static const char *ring(void) {
    static char buffers[3][16];
    static unsigned next;
    char *buffer = buffers[next++ % 3];
    snprintf(buffer, 16, "buffer %u", next);
    return buffer;
}

int main(void) {
    for (int i = 0; i < 3; i++)
        printf("%s %s %d %s %d %g\n", items[i].name, items[i].link ? items[i].link->name : "-", items[i].f(7), items[i].middle ? items[i].middle : "-",
               items[i].values[0] + items[i].values[2], items[i].real);
    for (char **n = names; *n; n++) printf("%s ", *n);
    written[0] = 'C';
    *end_of_zeros = 5;
    printf("%s %d %d\n", written, zeros[4999], zeros[4998]);
    for (int i = 0; i < 5; i++) printf("%d ", counter());
    const char *a = ring(), *b = ring();
    printf("%s, %s\n", a, b);
    wide += bytes[3] * 2;
    single *= 3;
    printf("%llx %g %d %d\n", (unsigned long long)wide, single, flag, table[3](21) + (table[2] == NULL));
    volatile int v = 1;
    for (int i = 0; i < 10; i++) v = v * 2 + i;
    volatile unsigned char narrow = 250;
    narrow += 10;
    printf("%d %d\n", v, narrow);
    const char *literal = "one\0two";
    printf("%s %s %zu\n", literal, literal + 4, sizeof "one\0two");
    uint32_t sum = HASH_START;
    for (int i = 0; i < 5000; i += 7) zeros[i] ^= i * 3;
    for (int i = 0; i < 5000; i++) sum = hash_u32(sum, (uint32_t)zeros[i]);
    printf("%08x\n", sum);
    return 0;
}
