/* Quotients go to zero and remainders have the dividend's sign. */
#include <stdio.h>

int main(void) {
    for (volatile int a = -9; a <= 9; a += 3)
        for (volatile int b = -4; b <= 4; b++)
            if (b != 0) {
                int q = a / b, r = a % b;
                printf("%d,%d%s ", q, r, q * b + r == a ? "" : "!");
            }
    puts("");
    return 0;
}
