/* Doubles and floats to integers of every width and signedness, in range. */
#include <stdio.h>

int main(void) {
    static volatile double v[] = {0, 0.999, 1.5, -1.5, 127.9, 255.99, -128.5, 65535.5, 2147483647.5, -2147483648.9, 4294967295.7};
    for (int i = 0; i < 11; i++) {
        double d = v[i];
        printf("%lld ", (long long)d);
        if (d > -1) printf("%llu %u ", (unsigned long long)d, (unsigned)d);
        if (d < 2147483648.0 && d > -2147483649.0) printf("%d ", (int)d);
        if (d < 128 && d > -129) printf("%d ", (signed char)d);
        if (d > -1 && d < 65536) printf("%d ", (unsigned short)d);
        puts("");
    }
    volatile double big = 9.2e18, ubig = 1.8e19;
    volatile float f = 16777216.0f * 255;
    printf("%lld %llu %lld %u\n", (long long)big, (unsigned long long)ubig, (long long)-big, (unsigned)f);
    return 0;
}
