/* malloc, calloc, realloc, free in patterns that split and join blocks; contents survive. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    unsigned char *p[40] = {0};
    size_t size[40] = {0};
    unsigned x = 7, bad = 0;
    for (int turn = 0; turn < 2000; turn++) {
        x = x * 1103515245 + 12345;
        int i = (x >> 16) % 40;
        for (size_t k = 0; k < size[i]; k++) bad += p[i][k] != (unsigned char)(i + k);
        size_t n = (x >> 8) % 700;
        if (x & 1) p[i] = realloc(p[i], n ? n : 1), size[i] = n;
        else free(p[i]), p[i] = n & 1 ? malloc(n) : calloc(1, n), size[i] = p[i] ? n : 0;
        for (size_t k = 0; k < size[i]; k++) p[i][k] = i + k;
    }
    printf("%u\n", bad);
    return 0;
}
