/* Each level of a recursion has its own arrays: permutations and n queens. */
#include <stdio.h>
#include <string.h>

static int found, queens;
static void permute(char *text, int n, unsigned *sum) {
    char copy[8];
    if (n == 0) found++, *sum = *sum * 31 + text[3];
    memcpy(copy, text, 8);
    for (int i = 0; i < n; i++) {
        char t = copy[i];
        copy[i] = copy[n - 1], copy[n - 1] = t;
        permute(copy, n - 1, sum);
        copy[n - 1] = copy[i], copy[i] = t;
    }
}
static void place(int row, unsigned columns, unsigned left, unsigned right) {
    if (row == 6) queens++;
    for (unsigned free = ~(columns | left | right) & 63; free; free &= free - 1) {
        unsigned bit = free & -free;
        place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
}

int main(void) {
    unsigned sum = 0;
    permute((char[8]){"abcdef"}, 6, &sum);
    place(0, 0, 0, 0);
    printf("%d %u %d\n", found, sum, queens);
    return 0;
}
