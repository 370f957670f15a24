/* rand is repeatable, within its range, and fair enough; rand_r keeps its state with the caller. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    srand(42);
    int a[5], same = 1, outside = 0, low = 0;
    for (int i = 0; i < 5; i++) a[i] = rand();
    srand(42);
    for (int i = 0; i < 5; i++) same &= a[i] == rand();
    for (int i = 0; i < 1000; i++) {
        int r = rand();
        outside += r < 0 || r > RAND_MAX;
        low += r < RAND_MAX / 2;
    }
    unsigned s = 1, t = 1;
    int first = rand_r(&s);
    printf("%d %d %d %d\n", same, outside, low > 400 && low < 600, first == rand_r(&t) && s == t);
    return 0;
}
