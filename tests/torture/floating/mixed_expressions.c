/* Integers, floats and doubles in one expression: who is converted when. */
#include <stdio.h>

int main(void) {
    volatile int i = 7, j = 2;
    volatile float f = 0.1f;
    volatile double d = 0.1;
    volatile unsigned u = 4294967295u;
    volatile long long l = 1ll << 53;
    printf("%a %a %a %a\n", i / j + f, i / (float)j + d, f == d ? 1.0 : f - d, f + u);
    printf("%a %a %a\n", l + 1 + d, (l + 1) * 1.0f + d, (float)l + i / j * 0.5);
    i *= 1.5;
    i += 0.9;
    j -= 0.1f;
    printf("%d %d %a\n", i, j, (char)(u / 1e7f) + d * i);
    return 0;
}
