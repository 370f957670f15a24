/* qsort on elements of many sizes, sorted, reversed, equal, and bsearch for each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bytes(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
static int longs(const void *a, const void *b) { long long x = *(const long long *)a, y = *(const long long *)b; return (x > y) - (x < y); }
struct record { char name[13]; short key; };
static int keys(const void *a, const void *b) { return ((const struct record *)a)->key - ((const struct record *)b)->key; }

int main(void) {
    unsigned char c[300];
    long long l[150];
    struct record r[77];
    for (int i = 0; i < 300; i++) c[i] = i * 167;
    for (int i = 0; i < 150; i++) l[i] = (i * 7919ll % 151) << 30;
    for (int i = 0; i < 77; i++) sprintf(r[i].name, "name %d", i), r[i].key = i * 31 % 77;
    qsort(c, 300, 1, bytes), qsort(l, 150, 8, longs), qsort(r, 77, sizeof *r, keys);
    int bad = 0;
    for (int i = 1; i < 150; i++) bad += c[i] < c[i - 1], bad += l[i] < l[i - 1];
    struct record wanted = {.key = 33}, *found = bsearch(&wanted, r, 77, sizeof *r, keys);
    wanted.key = 78;
    printf("%d %s %d\n", bad, found->name, bsearch(&wanted, r, 77, sizeof *r, keys) == NULL);
    qsort(l, 150, 8, longs), qsort(c, 1, 1, bytes), qsort(c, 0, 1, bytes);
    return l[0] != 0;
}
