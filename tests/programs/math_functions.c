/* math.h, to as many figures as two good libraries agree on; the exact functions to the last bit. */
#include <math.h>
#include <stdio.h>

#include "testing.h"

typedef double (*Function)(double);
static const struct { const char *name; Function f; } functions[] = {
    {"sin", sin}, {"cos", cos}, {"tan", tan}, {"asin", asin}, {"acos", acos}, {"atan", atan}, {"sinh", sinh}, {"cosh", cosh}, {"tanh", tanh},
    {"exp", exp}, {"log", log}, {"log10", log10}, {"log2", log2}, {"exp2", exp2}, {"expm1", expm1}, {"log1p", log1p}, {"cbrt", cbrt}, {"erf", erf}, {"tgamma", tgamma},
    {"asinh", asinh}, {"atanh", atanh},
};
static const struct { const char *name; Function f; } exact[] = {
    {"sqrt", sqrt}, {"floor", floor}, {"ceil", ceil}, {"trunc", trunc}, {"round", round}, {"rint", rint}, {"fabs", fabs}, {"nearbyint", nearbyint}, {"logb", logb},
};

int main(void) {
    static const double values[] = {0.015625, 0.5, 0.75, 0.9990234375};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        printf("%-6s", functions[i].name);
        for (int j = 0; j < 4; j++) printf(" %.13g", functions[i].f(values[j]));
        printf("\n");
    }
    static const double large[] = {1.5, 10.0, 100.25, 700.0};
    for (size_t i = 0; i < 13; i++) {
        if (functions[i].f == asin || functions[i].f == acos) continue;
        printf("%-6s", functions[i].name);
        for (int j = 0; j < 4; j++) printf(" %.11g", functions[i].f(large[j]));
        printf("\n");
    }
    static const double halves[] = {0.5, -0.5, 1.5, -1.5, 2.5, 2.4999999999999996, -7.75, 1e15 + 0.5, 4503599627370497.5, 1e300, 0.0, 123.25};
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        printf("%-9s", exact[i].name);
        for (int j = 0; j < 12; j++) printf(" %.17g", exact[i].f == sqrt || exact[i].f == logb ? exact[i].f(fabs(halves[j])) : exact[i].f(halves[j]));
        printf("\n");
    }
    printf("atan2 %.13g %.13g %.13g %.13g\n", atan2(1, 2), atan2(1, -2), atan2(-1, -2), atan2(-1, 2));
    printf("pow %.13g %.13g %.13g %.13g %.13g\n", pow(2, 0.5), pow(1.0001, 10000), pow(-3, 3), pow(10, -300), pow(2, 1023));
    printf("fmod %.17g %.17g %.17g hypot %.13g\n", fmod(10.5, 3), fmod(-1e17, 7), fmod(5e-324, 1e-323), hypot(3e200, 4e200));
    int exponent;
    double part, fraction = frexp(-1234.5678, &exponent);
    printf("frexp %.17g %d ldexp %.17g %.17g\n", fraction, exponent, ldexp(0.7, 60), ldexp(1.0, -1070));
    fraction = modf(-1234.5678, &part);
    printf("modf %.17g %.17g copysign %g %g fmax %g fmin %g fdim %g\n", fraction, part, copysign(3, -0.0), copysign(-3, 1), fmax(1, 2), fmin(1, 2), fdim(5, 3));
    printf("nextafter %.17g %.17g remainder %.17g lround %ld %ld lrint %ld llround %lld ilogb %d scalbn %g\n", nextafter(1, 2), nextafter(0, -1),
           remainder(10, 3.7), lround(2.5), lround(-2.5), lrint(2.5), llround(1e12 + 0.5), ilogb(1e10), scalbn(1.5, 10));
    printf("fma %.17g\n", fma(1.0 + 0x1p-30, 1.0 - 0x1p-30, -1.0));
    printf("limits %d %d %g %g %g\n", isnan(sqrt(-1)), isnan(log(-1)), log(0), exp(1000), exp(-1000));
    printf("floats %.7g %.7g %.7g %.7g %.7g %.7g\n", sinf(0.5f), cosf(0.5f), expf(1.5f), logf(10.0f), powf(2.0f, 0.3f), sqrtf(3.0f));
    printf("floats %.9g %.9g %.9g %.9g %.9g\n", floorf(-2.5f), ceilf(-2.5f), roundf(2.5f), fmodf(10.5f, 3.0f), fabsf(-1.25f));
    double sum = 0;
    for (int i = 0; i < 200; i++) sum += sin(i * 0.7) * cos(i * 1.3) + sqrt(i) * log(i + 1);
    printf("sum %.12g\n", sum);
    return 0;
}
