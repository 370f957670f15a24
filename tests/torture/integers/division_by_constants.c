/* Division by constants becomes multiplication: every method that compilers know, over edges. */
#include <stdio.h>

#define ALL(n) printf("%d/" #n ": %d %d, %u %u\n", x, x / n, x % n, (unsigned)x / n##u, (unsigned)x % n##u)

int main(void) {
    static volatile int values[] = {0, 1, -1, 6, 7, -7, 100, -100, 2147483647, -2147483647 - 1, 2147483640, 1000000007};
    for (int i = 0; i < 12; i++) {
        int x = values[i];
        ALL(1); ALL(2); ALL(3); ALL(5); ALL(7); ALL(9); ALL(10); ALL(13); ALL(60); ALL(64); ALL(100); ALL(625);
        ALL(641); ALL(1000); ALL(65535); ALL(65537); ALL(1000000); ALL(16777216); ALL(2147483647);
    }
    return 0;
}
