/* Arrays of variable length and alloca: in loops, in recursion, two-dimensional, as parameters, and what sizeof says of them. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

#include "testing.h"

static uint32_t fill(int n) {
    unsigned char area[n];
    for (int i = 0; i < n; i++) area[i] = (unsigned char)(i * n);
    return hash_bytes((uint32_t)sizeof area, area, sizeof area);
}

static int sum(int rows, int columns, int m[rows][columns]) {
    int total = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) total += m[i][j] * (i - j);
    return total;
}

static uint32_t nest(int depth, const int *above, int length) {
    int mine[depth + 1];
    for (int i = 0; i <= depth; i++) mine[i] = i * depth + (length ? above[length - 1] : 0);
    if (depth == 0) return hash_bytes(HASH_START, mine, sizeof mine);
    uint32_t below = nest(depth - 1, mine, depth + 1);
    return hash_bytes(below, mine, sizeof mine);
}

static char *joined(const char *a, const char *b, char *into) {
    char *copy = alloca(strlen(a) + strlen(b) + 1);
    strcpy(copy, a);
    strcat(copy, b);
    return strcpy(into, copy);
}

int main(void) {
    for (int n = 1; n < 500; n = n * 3 + 1) printf("%d: %08x\n", n, fill(n));
    for (int n = 1; n < 6; n++) {
        int m[n][n + 2];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n + 2; j++) m[i][j] = i * 10 + j;
        printf("%zu %zu %d\n", sizeof m, sizeof m[0], sum(n, n + 2, m));
    }
    printf("%08x\n", nest(20, NULL, 0));
    char text[40];
    printf("%s\n", joined("left", "right", text));
    char *parts[10];
    for (int i = 0; i < 10; i++) {
        parts[i] = alloca((size_t)i + 2); /* lives until main returns */
        memset(parts[i], 'a' + i, (size_t)i + 1);
        parts[i][i + 1] = 0;
    }
    for (int i = 9; i >= 0; i--) printf("%s ", parts[i]);
    printf("\n");
    uint32_t total = 0;
    for (int i = 0; i < 300; i++) { /* the stack must be given back each time round */
        double big[100 + i % 50];
        big[0] = i;
        big[99] = big[0] / 2;
        total += (uint32_t)big[99] + (uint32_t)sizeof big;
    }
    printf("%u\n", total);
    return 0;
}
