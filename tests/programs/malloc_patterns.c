/* malloc, calloc, realloc, free: mixed sizes in random order, contents checked, memory used again, alignment, large blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testing.h"

enum { SLOTS = 32 };
static struct { unsigned char *bytes; size_t size; unsigned char mark; } slots[SLOTS];

static int intact(int i) {
    for (size_t k = 0; k < slots[i].size; k++)
        if (slots[i].bytes[k] != (unsigned char)(slots[i].mark + k)) return 0;
    return 1;
}

static void fill(int i, unsigned char mark) {
    slots[i].mark = mark;
    for (size_t k = 0; k < slots[i].size; k++) slots[i].bytes[k] = (unsigned char)(mark + k);
}

int main(void) {
    uint32_t random = 31;
    int allocations = 0, frees = 0, grown = 0, damaged = 0, misaligned = 0;
    for (int step = 0; step < 600; step++) {
        uint32_t r = next_random(&random);
        int i = (int)(r % SLOTS);
        size_t size = r >> 8 & 0x7f;
        if ((r >> 20 & 15) == 0) size *= 16;
        if (!slots[i].bytes) {
            slots[i].bytes = malloc(size ? size : 1);
            slots[i].size = size;
            allocations++;
        } else if (r & 0x80000000u) {
            size_t keep = size < slots[i].size ? size : slots[i].size;
            slots[i].bytes = realloc(slots[i].bytes, size ? size : 1);
            slots[i].size = keep;
            damaged += !intact(i);
            slots[i].size = size;
            grown++;
        } else {
            damaged += !intact(i);
            free(slots[i].bytes);
            slots[i].bytes = NULL;
            frees++;
            continue;
        }
        misaligned += ((uintptr_t)slots[i].bytes & 7) != 0;
        fill(i, (unsigned char)r);
    }
    for (int i = 0; i < SLOTS; i++) {
        if (slots[i].bytes) damaged += !intact(i);
        free(slots[i].bytes);
    }
    printf("%d malloc, %d realloc, %d free, %d damaged, %d misaligned\n", allocations, grown, frees, damaged, misaligned);

    /* Freed memory comes back: this would need 20 MB otherwise. */
    uint32_t sum = HASH_START;
    for (int i = 0; i < 2000; i++) {
        char *p = malloc(10000);
        if (!p) { printf("out of memory at %d\n", i); return 1; }
        p[0] = (char)i; p[9999] = (char)~i;
        sum = hash_u32(sum, (uint32_t)(unsigned char)p[0] << 8 | (unsigned char)p[9999]);
        free(p);
    }
    printf("reuse %08x\n", sum);
    unsigned *zeros = calloc(500, sizeof *zeros);
    unsigned any = 0;
    for (int i = 0; i < 500; i++) any |= zeros[i];
    free(zeros);
    printf("calloc %s\n", any ? "dirty" : "zero");
    char *text = NULL;
    size_t length = 0;
    for (int i = 0; i < 50; i++) { /* a growing string */
        char piece[16];
        size_t n = (size_t)snprintf(piece, sizeof piece, "%d,", i * i);
        text = realloc(text, length + n + 1);
        memcpy(text + length, piece, n + 1);
        length += n;
    }
    printf("%zu %s\n", length, text + length - 20);
    free(text);
    free(NULL);
    int **rows = malloc(10 * sizeof *rows);
    for (int i = 0; i < 10; i++) { rows[i] = malloc((size_t)(i + 1) * sizeof(int)); for (int j = 0; j <= i; j++) rows[i][j] = j == 0 || j == i ? 1 : rows[i - 1][j - 1] + rows[i - 1][j]; }
    for (int j = 0; j < 10; j++) printf("%d ", rows[9][j]);
    for (int i = 9; i >= 0; i--) free(rows[i]);
    free(rows);
    printf("\n");
    return 0;
}
