/* Differences and comparisons of pointers to elements of many sizes, among them 3, 12 and 100. */
#include <stdio.h>

#define TRY(n)                                             \
    {                                                      \
        static struct { char c[n]; } a[20];                \
        volatile int i = 17, j = 4;                        \
        printf("%td %td %d\n", &a[i] - &a[j], &a[j] - &a[i], &a[i] > &a[j]); \
    }

int main(void) {
    TRY(1) TRY(2) TRY(3) TRY(4) TRY(5) TRY(7) TRY(12) TRY(24) TRY(100) TRY(129)
    return 0;
}
