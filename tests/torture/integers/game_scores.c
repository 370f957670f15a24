/* Fixed-point money and percentages: rounding by hand, to even, up and down. */
#include <stdio.h>

static long cents_half_even(long long v, long d) { long long q = v / d, r = v % d; if (2 * r > d || (2 * r == d && q & 1)) q++; return q; }
static long up(long long v, long d) { return (v + d - 1) / d; }

int main(void) {
    for (long price = 5; price < 2000000; price = price * 7 + 15)
        printf("%ld.%02ld %ld %ld; ", price / 100, price % 100, cents_half_even((long long)price * 1975, 10000), up((long long)price * 19, 100));
    puts("");
    return 0;
}
