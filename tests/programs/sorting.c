/* qsort(): what is equal keeps its order, the comparisons are glibc's, in its order, and where there is no memory all is sorted in place. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The program's own memory, so that there may be none. */
static char memory[1 << 20] __attribute__((aligned(16)));
static size_t taken;
static int is_none;

void *malloc(size_t size) {
    size = (size + 15) / 16 * 16 + 16;
    if (is_none || size > sizeof memory - taken) return NULL;
    char *const block = memory + taken + 16;
    memcpy(block - 16, &size, sizeof size);
    taken += size;
    return block;
}
void free(void *block) { (void)block; }
void *calloc(size_t count, size_t size) {
    void *const block = malloc(count * size);
    return block ? memset(block, 0, count * size) : NULL;
}
void *realloc(void *old, size_t size) {
    void *const block = malloc(size);
    size_t before = 16;
    if (old) memcpy(&before, (char *)old - 16, sizeof before);
    if (block && old) memcpy(block, old, before - 16 < size ? before - 16 : size);
    return block;
}

static uint32_t seen;
static unsigned comparisons;

static int by_key(const void *a, const void *b) {
    const unsigned char x = *(const unsigned char *)a, y = *(const unsigned char *)b;
    seen = seen * 31 + x * 7 + y;
    ++comparisons;
    return (x > y) - (x < y);
}

static unsigned char elements[500 * 100 + 1];

/* Elements of `size` bytes: a key in their first one, and the number of their place in the last two. */
static void sort(size_t count, size_t size, size_t shift, unsigned keys) {
    unsigned char *const all = elements + shift;
    uint32_t random = (uint32_t)(count * size);
    for (size_t i = 0; i < count; ++i) {
        unsigned char *const one = all + i * size;
        random = random * 1103515245 + 12345;
        memset(one, (int)(random >> 20), size);
        one[0] = (unsigned char)((random >> 16) % keys);
        if (size > 2) one[size - 2] = (unsigned char)(i >> 8), one[size - 1] = (unsigned char)i;
    }
    seen = 0;
    comparisons = 0;
    qsort(all, count, size, by_key);
    unsigned wrong = 0, moved = 0;
    for (size_t i = 1; i < count; ++i) {
        const unsigned char *const a = all + (i - 1) * size, *const b = all + i * size;
        if (a[0] > b[0]) ++wrong;
        if (size > 2 && a[0] == b[0] && a[size - 2] * 256 + a[size - 1] > b[size - 2] * 256 + b[size - 1]) ++moved;
    }
    if (is_none) printf("%zu of %zu without memory: %u wrong\n", count, size, wrong);
    else printf("%zu of %zu: %u wrong, %u moved, %u comparisons, %08x\n", count, size, wrong, moved, comparisons, (unsigned)seen);
}

static int downwards(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

int main(void) {
    static const size_t counts[] = {0, 1, 2, 3, 7, 100, 255, 500}, sizes[] = {1, 2, 3, 4, 8, 12, 32, 33, 36, 100};
    for (is_none = 0; is_none < 2; ++is_none)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) sort(counts[c], sizes[s], (c + s) % 2, c % 2 ? 200 : 5);
    int numbers[300];
    is_none = 0;
    for (int i = 0; i < 300; ++i) numbers[i] = i * 7919 % 1009;
    qsort(numbers, 300, sizeof *numbers, downwards);
    for (int i = 0; i < 300; i += 50) printf("%d ", numbers[i]);
    puts("");
    return 0;
}
