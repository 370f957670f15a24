/* static inline, extern inline with a definition, and gnu_inline. */
#include <stdio.h>

static inline int one(int x) { return x + 1; }
inline int two(int x) { return x + 2; }
extern inline int two(int x);
extern inline __attribute__((gnu_inline)) int three(int x) { return x + 3; }
int three(int x) { return x + 3; }

int main(void) {
    int (*p)(int) = two, (*q)(int) = three;
    printf("%d %d %d %d\n", one(1), two(1), p(10), q(100));
    return 0;
}
