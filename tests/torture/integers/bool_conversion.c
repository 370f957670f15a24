/* _Bool is 0 or 1 whatever is stored in it: pointers, doubles, multiples of 256. */
#include <stdbool.h>
#include <stdio.h>

int main(void) {
    volatile int big = 256;
    volatile double small = 1e-300, zero = -0.0;
    bool a = big, b = small, c = zero, d = &big, e = (unsigned char)big;
    bool flips = true;
    flips = ~flips;
    bool adds = true;
    adds += 5;
    bool decrements = false;
    decrements--;
    printf("%d %d %d %d %d %d %d %d %zu\n", a, b, c, d, e, flips, adds, decrements, sizeof(bool));
    return a + b + d;
}
