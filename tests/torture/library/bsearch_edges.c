/* bsearch in arrays of 0 to 20 elements: every element, and what lies between. */
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) { return *(const short *)a - *(const short *)b; }

int main(void) {
    short v[20];
    int found = 0, wrong = 0;
    for (int i = 0; i < 20; i++) v[i] = i * 3 - 20;
    for (int n = 0; n <= 20; n++)
        for (short k = -25; k < 45; k++) {
            short *p = bsearch(&k, v, n, sizeof *v, compare);
            found += p != NULL;
            wrong += p ? *p != k : (k + 20) % 3 == 0 && k >= -20 && (k + 20) / 3 < n;
        }
    printf("%d %d\n", found, wrong);
    return 0;
}
