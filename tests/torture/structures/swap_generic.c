/* Swaps of objects of any size through bytes, words and temporaries. */
#include <stdio.h>
#include <string.h>

static void swap(void *a, void *b, size_t n) {
    unsigned char *p = a, *q = b;
    while (n--) { unsigned char t = *p; *p++ = *q, *q++ = t; }
}
#define SWAP(a, b) do { char t_[sizeof(a)]; memcpy(t_, &(a), sizeof t_); memcpy(&(a), &(b), sizeof t_); memcpy(&(b), t_, sizeof t_); } while (0)

int main(void) {
    struct { char c[7]; double d; } x = {"abcdef", 1.5}, y = {"uvwxyz", -2};
    int i = 1, j = 2;
    long long k = 1ll << 40, l = -7;
    swap(&x, &y, sizeof x);
    SWAP(i, j);
    SWAP(k, l);
    SWAP(x.c[0], y.c[5]);
    printf("%s %g %s %g %d %d %lld %lld\n", x.c, x.d, y.c, y.d, i, j, k, l);
    return 0;
}
