/* loop.c: two places with undefined behaviour, one of them twice. */
#include <limits.h>
#include <stdio.h>

static volatile int big = INT_MAX - 1;

int main(void)
{
    for (int i = 0; i < 3; i++) {
        big++;
        printf("%d\n", 1 << (30 + i));
        fflush(stdout);
    }
    return 5;
}
