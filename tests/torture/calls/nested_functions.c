/* GNU's nested functions, called directly: they see their parents' variables, at any depth. */
#include <stdio.h>

static int outer(int n) {
    int calls = 0, factor = 3;
    int inner(int x) {
        calls++;
        int innermost(int y) { return y * factor + n + calls; }
        return x > 5 ? innermost(x) : inner(x + 1) + innermost(1);
    }
    int result = inner(n);
    factor = 10;
    return result * 100 + inner(6) + calls;
}

int main(void) {
    printf("%d %d\n", outer(2), outer(5));
    return 0;
}
