/* break and continue in nested loops of all three kinds, with side effects in the conditions. */
#include <stdio.h>

int main(void) {
    int a = 0, b = 0, trace = 0;
    do {
        for (b = 0; b < 10; b++) {
            if (b == a) continue;
            if (b > a + 3) break;
            int c = 3;
            while (c --> 0) {
                if (c == 1) continue;
                trace = trace * 3 + a + b + c & 0xffffff;
                if ((trace & 7) == 5) break;
            }
        }
    } while (++a < 6 && (trace ^= a, 1));
    printf("%d %d %d\n", a, b, trace);
    return 0;
}
