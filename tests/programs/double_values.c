/* double: rounding, denormals, infinities, NaN, signed zero, comparisons, conversions, all shown as bits. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "testing.h"

static void show(const char *name, double value) { printf("%s %016llx %.17g\n", name, (unsigned long long)same_nan_double(value), value != value ? 0.0 : value); }

int main(void) {
    volatile double zero = 0.0, one = 1.0, three = 3.0, tenth = 0.1, big = DBL_MAX, tiny = DBL_MIN, eps = DBL_EPSILON;
    show("third", one / three);
    show("tenth*3", tenth * three);
    show("overflow", big * 2.0);
    show("-overflow", -big * three);
    show("denormal", tiny / three);
    show("least", tiny * eps);
    show("below least", tiny * eps / 2.0);
    show("above half of least", tiny * eps * 0.75);
    show("denormal sum", tiny / 4.0 + tiny / 8.0);
    show("denormal product", (tiny / 1024.0) * 1024.0);
    show("denormal difference", tiny * 1.5 - tiny);
    show("round even down", 9007199254740992.0 + one);
    show("round even up", 9007199254740994.0 + one);
    show("round up", 9007199254740992.0 + three);
    show("cancel", (one + eps) - one);
    show("lost", (one + eps / 2.0) - one);
    show("nan 0/0", zero / zero);
    show("inf", one / zero);
    show("-inf", -one / zero);
    show("inf-inf", one / zero - one / zero);
    show("-0", -zero);
    show("-0 + 0", -zero + zero);
    show("-0 * 5", -zero * 5.0);
    show("1/-inf", one / (-one / zero));
    show("sqrt 2", sqrt(2.0));
    show("sqrt of 1e-310", sqrt(1e-310));
    show("fabs", fabs(-tenth));

    const volatile double nan = zero / zero, inf = one / zero;
    const volatile double values[] = {nan, inf, -inf, zero, -zero, one, -one, tiny, big};
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
            double a = values[i], b = values[j];
            printf("%d%d%d%d%d%d ", a < b, a <= b, a > b, a >= b, a == b, a != b);
        }
        printf("%d%d%d %d\n", isnan(values[i]) != 0, isinf(values[i]) != 0, isfinite(values[i]) != 0, !(values[i] < 1.0));
    }

    /* Narrowing rounds; widening is exact. */
    static const double narrow[] = {0.1, 1e38, 1e39, -1e40, 1e-40, 1e-46, 16777217.0, 3.4028235677973366e38, 1.0000000596046448};
    for (int i = 0; i < 9; i++) {
        volatile double d = narrow[i];
        float f = (float)d;
        printf("%08x %016llx ", bits_of_float(f), (unsigned long long)bits_of_double((double)f));
    }
    printf("\n");
    static const double to_int[] = {0.5, -0.99, 1.5, -1.5, 2147483647.9, -2147483648.9, 4294967295.9, 1e15, -1e15, 9.2e18, 1.8e19, 1e-300};
    for (int i = 0; i < 12; i++) {
        volatile double d = to_int[i];
        if (d > -2147483649.0 && d < 2147483648.0) printf("%d ", (int)d);
        if (d > -1.0 && d < 4294967296.0) printf("%u ", (unsigned)d);
        if (d < 9.2233e18) printf("%lld ", (long long)d);
        if (d > -1.0) printf("%llu", (unsigned long long)d);
        printf("\n");
    }
    static const long long from_int[] = {0, 1, -1, 9007199254740993LL, -9007199254740995LL, INT64_MAX, INT64_MIN, 4294967295LL, -4294967297LL};
    for (int i = 0; i < 9; i++) {
        volatile long long n = from_int[i];
        printf("%016llx %016llx %016llx %016llx %08x %08x\n", (unsigned long long)bits_of_double((double)(int)(n & 0x7fffffff)),
               (unsigned long long)bits_of_double((double)(unsigned)n), (unsigned long long)bits_of_double((double)n),
               (unsigned long long)bits_of_double((double)(unsigned long long)n), bits_of_float((float)n), bits_of_float((float)(unsigned long long)n));
    }

    double sum = 0, series = 0, product = 1;
    for (int i = 1; i <= 1000; i++) {
        sum += 0.1;
        series += 1.0 / ((double)i * i);
        product *= 1 + 1.0 / i;
    }
    show("sum of tenths", sum);
    show("series", series);
    show("product", product);
    printf("%d %d %d %.17g %.17g\n", DBL_MANT_DIG, DBL_MAX_EXP, DBL_DIG, DBL_MAX, DBL_MIN);
    return 0;
}
