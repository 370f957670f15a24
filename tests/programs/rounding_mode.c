/* fenv.h: rounding modes, exception flags, the environment: all operations in all modes over awkward operands. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>

#include "testing.h"

static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
static const double doubles[] = {0.0, -0.0, 1.0, -1.0, 0.1, 1.0 / 3.0, -2.5, 3.5, 1e308, -1.7976931348623157e308, 2.2250738585072014e-308,
                                 5e-324, -1e-310, 4503599627370497.5, 2147483647.5, -2147483648.5, 1e-30, INFINITY, -INFINITY, NAN};
static const float floats[] = {0.0f, -0.0f, 1.0f, 0.1f, -1.0f / 3.0f, 2.5f, -3.5f, 3e38f, 1.2e-38f, 1e-45f, -1e-40f, 16777217.0f, INFINITY, NAN};
#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static unsigned hash = 2166136261u;
/* Calls, past which nothing that is computed in a mode is moved. */
#define CALLED __attribute__((noinline)) static
CALLED void add(unsigned long long value) { hash = (hash ^ (unsigned)value) * 16777619u; hash = (hash ^ (unsigned)(value >> 32)) * 16777619u; }
CALLED int flags(void) { int raised = fetestexcept(FE_ALL_EXCEPT); feclearexcept(FE_ALL_EXCEPT); return raised; }
CALLED void see_double(double value) { int raised = flags(); add(bits_of_double(same_nan_double(value))); add(raised); }
CALLED void see_float(float value) { int raised = flags(); add(bits_of_float(same_nan_float(value))); add(raised); }

/* The instruction; libraries' functions raise what they like. */
static double root(double x) { double r; __asm__ volatile("sqrt.d %0,%1" : "=f"(r) : "f"(x)); return r; }
static float rootf(float x) { float r; __asm__ volatile("sqrt.s %0,%1" : "=f"(r) : "f"(x)); return r; }

static void all_operations(int mode)
{
    hash = 2166136261u;
    fesetround(mode);
    flags();
    for (int i = 0; i < COUNT(doubles); i++) {
        volatile double x = doubles[i];
        see_double(root(x));
        see_float((float)x);
        /* Which flags these raise differs between libraries. */
        add(bits_of_double(same_nan_double(rint(x))));
        add(bits_of_double(same_nan_double(nearbyint(x))));
        if (x > -2e9 && x < 2e9) add(lrint(x)), add(llrint(x));
        flags();
        if (x > -2e9 && x < 2e9) add((int)x), add(flags());
        for (int j = 0; j < COUNT(doubles); j++) {
            volatile double y = doubles[j];
            see_double(x + y);
            see_double(x - y);
            see_double(x * y);
            see_double(x / y);
            add(x < y), add(flags());
            add(x == y), add(flags());
            add(__builtin_isless(x, y)), add(flags());
        }
    }
    for (int i = 0; i < COUNT(floats); i++) {
        volatile float x = floats[i];
        see_float(rootf(x));
        see_double((double)x);
        for (int j = 0; j < COUNT(floats); j++) {
            volatile float y = floats[j];
            see_float(x + y);
            see_float(x - y);
            see_float(x * y);
            see_float(x / y);
            add(x >= y), add(flags());
        }
    }
    for (int i = -5; i < 5; i++) {
        volatile int n = 16777217 * i;
        volatile unsigned u = 4294967293u + i;
        volatile long long l = 9007199254740993ll * i;
        see_float((float)n);
        see_double((double)u);
        see_float((float)u);
        see_double((double)l);
        see_float((float)l);
    }
}

static volatile double one = 1.0, zero = 0.0, three = 3.0, big = 1e308;

int main(void)
{
    fenv_t environment, other;
    fexcept_t saved;
    printf("%d %d\n", fegetround() == FE_TONEAREST, fesetround(12345) != 0);
    for (int i = 0; i < 4; i++) {
        all_operations(modes[i]);
        printf("mode %d: %08x\n", fegetround(), hash);
        volatile double third = one / three;
        unsigned long long bits = bits_of_double(third);
        int up = (int)rint(2.5), down = (int)rint(-2.5);
        /* glibc's printf rounds decimals as fesetround says, newlib's to nearest. */
        printf("%016llx %d %d\n", bits, up, down);
        printf("%ld %ld %lld %d\n", lrint(1.5), lrint(-1.5), llrint(2.5), (int)nearbyint(-0.75));
    }
    fesetround(FE_TONEAREST);
    feclearexcept(FE_ALL_EXCEPT);
    volatile double r = one / zero;
    printf("%d %d\n", fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO, isinf(r) != 0);
    fegetexceptflag(&saved, FE_DIVBYZERO);
    r = big * big;
    printf("%x\n", fetestexcept(FE_ALL_EXCEPT) == (FE_DIVBYZERO | FE_OVERFLOW | FE_INEXACT));
    feclearexcept(FE_DIVBYZERO | FE_INEXACT);
    printf("%x\n", fetestexcept(FE_ALL_EXCEPT) == FE_OVERFLOW);
    fesetexceptflag(&saved, FE_DIVBYZERO);
    printf("%x\n", fetestexcept(FE_ALL_EXCEPT) == (FE_OVERFLOW | FE_DIVBYZERO));
    fesetround(FE_UPWARD);
    fegetenv(&environment);
    feholdexcept(&other);
    printf("%d %d\n", fetestexcept(FE_ALL_EXCEPT), fegetround() == FE_UPWARD);
    r = zero / zero;
    feraiseexcept(FE_UNDERFLOW);
    printf("%d\n", fetestexcept(FE_ALL_EXCEPT) == (FE_INVALID | FE_UNDERFLOW));
    fesetround(FE_DOWNWARD);
    feupdateenv(&other);
    printf("%d %d\n", fegetround() == FE_UPWARD, fetestexcept(FE_ALL_EXCEPT) == (FE_INVALID | FE_UNDERFLOW | FE_OVERFLOW | FE_DIVBYZERO));
    fesetenv(FE_DFL_ENV);
    printf("%d %d\n", fegetround() == FE_TONEAREST, fetestexcept(FE_ALL_EXCEPT));
    fesetenv(&environment);
    printf("%d %d\n", fegetround() == FE_UPWARD, fetestexcept(FE_ALL_EXCEPT) == (FE_OVERFLOW | FE_DIVBYZERO));
    fesetround(FE_TONEAREST);
    return 0;
}
