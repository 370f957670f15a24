/* float: rounding, denormals, infinities, NaN, signed zero, comparisons, conversions, all shown as bits. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "testing.h"

static void show(const char *name, float value) { printf("%s %08x %.9g\n", name, same_nan_float(value), value != value ? 0.0 : value); }

int main(void) {
    volatile float zero = 0.0f, one = 1.0f, three = 3.0f, tenth = 0.1f, big = FLT_MAX, tiny = FLT_MIN, eps = FLT_EPSILON;
    show("third", one / three);
    show("tenth*3", tenth * three);
    show("overflow", big * 2.0f);
    show("-overflow", -big * three);
    show("denormal", tiny / three);
    show("least", tiny * eps);
    show("below least", tiny * eps / 2.0f);
    show("above half of least", tiny * eps * 0.75f);
    show("denormal sum", tiny / 4.0f + tiny / 8.0f);
    show("denormal product", (tiny / 1024.0f) * 1024.0f);
    show("denormal difference", tiny * 1.5f - tiny);
    show("round even down", 16777216.0f + one);
    show("round even up", 16777218.0f + one);
    show("round up", 16777216.0f + three);
    show("cancel", (one + eps) - one);
    show("lost", (one + eps / 2.0f) - one);
    show("nan 0/0", zero / zero);
    show("inf", one / zero);
    show("-inf", -one / zero);
    show("inf-inf", one / zero - one / zero);
    show("-0", -zero);
    show("-0 + 0", -zero + zero);
    show("-0 * 5", -zero * 5.0f);
    show("1/-inf", one / (-one / zero));
    show("sqrt 2", sqrtf(2.0f));
    show("sqrt of 1e-40", sqrtf(1e-40f));
    show("fabs", fabsf(-tenth));

    const volatile float nan = zero / zero, inf = one / zero;
    const volatile float values[] = {nan, inf, -inf, zero, -zero, one, -one, tiny, big};
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
            float a = values[i], b = values[j];
            printf("%d%d%d%d%d%d ", a < b, a <= b, a > b, a >= b, a == b, a != b);
        }
        printf("%d%d%d %d\n", isnan(values[i]) != 0, isinf(values[i]) != 0, isfinite(values[i]) != 0, !(values[i] < 1.0f));
    }

    static const float to_int[] = {0.5f, 0.99f, -0.99f, 1.5f, -1.5f, 2.5f, 123456.75f, -123456.75f, 2147483520.0f, -2147483648.0f, 1e-20f};
    for (int i = 0; i < 11; i++) {
        volatile float f = to_int[i];
        printf("%d %lld ", (int)f, (long long)f);
        if (f > -1.0f) printf("%u %u ", (unsigned)f, (unsigned)(f < 60000.0f ? (unsigned short)f : 0));
    }
    volatile float four_billion = 4294967040.0f, two_to_63 = 9223371487098961920.0f;
    printf("\n%u %lld %llu\n", (unsigned)four_billion, (long long)-two_to_63, (unsigned long long)two_to_63);
    static const int from_int[] = {0, 1, -1, 16777217, -16777219, 2147483647, -2147483647 - 1, 123456789};
    for (int i = 0; i < 8; i++) {
        volatile int n = from_int[i];
        printf("%08x %08x ", bits_of_float((float)n), bits_of_float((float)(unsigned)n));
    }
    printf("\n");

    float sum = 0, series = 0;
    for (int i = 1; i <= 2000; i++) {
        sum += 0.1f;
        series += 1.0f / (float)(i * i);
    }
    show("sum of tenths", sum);
    show("series", series);
    printf("%d %d %d %.9g %.9g\n", FLT_MANT_DIG, FLT_MAX_EXP, FLT_DIG, (double)FLT_MAX, (double)FLT_MIN);
    return 0;
}
