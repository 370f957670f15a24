/* math.h to the last bit: only the very same library (the ELF that mogcc links, under qemu) can be the oracle for this. */
#include <math.h>
#include <stdio.h>

#include "testing.h"

typedef double (*Function)(double);
typedef float (*FunctionF)(float);
static const struct { const char *name; Function f; double from, to; } functions[] = {
    {"sin", sin, -50, 50}, {"cos", cos, -50, 50}, {"tan", tan, -10, 10}, {"asin", asin, -1, 1}, {"acos", acos, -1, 1}, {"atan", atan, -20, 20},
    {"sinh", sinh, -10, 10}, {"cosh", cosh, -10, 10}, {"tanh", tanh, -3, 3}, {"exp", exp, -300, 300}, {"log", log, 1e-5, 1e5},
    {"log10", log10, 1e-5, 1e5}, {"log2", log2, 1e-5, 1e5}, {"exp2", exp2, -20, 20}, {"expm1", expm1, -1, 1}, {"log1p", log1p, -0.9, 2},
    {"cbrt", cbrt, -100, 100}, {"erf", erf, -3, 3}, {"erfc", erfc, -3, 3}, {"lgamma", lgamma, 0.1, 20}, {"tgamma", tgamma, 0.1, 20}, {"sqrt", sqrt, 0, 1e9},
};
static const struct { const char *name; FunctionF f; float from, to; } floats[] = {
    {"sinf", sinf, -50, 50}, {"cosf", cosf, -50, 50}, {"tanf", tanf, -10, 10}, {"atanf", atanf, -20, 20}, {"expf", expf, -30, 30},
    {"logf", logf, 0.01f, 1e5f}, {"sqrtf", sqrtf, 0, 1e9f}, {"cbrtf", cbrtf, -9, 9}, {"tanhf", tanhf, -3, 3},
};

int main(void) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        uint32_t sum = HASH_START;
        double step = (functions[i].to - functions[i].from) / 41, x = functions[i].from, last = 0;
        for (int j = 0; j < 41; j++, x += step) sum = hash_u64(sum, same_nan_double(last = functions[i].f(x)));
        printf("%-7s %08x %.17g\n", functions[i].name, sum, last);
    }
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        uint32_t sum = HASH_START;
        float step = (floats[i].to - floats[i].from) / 41, x = floats[i].from, last = 0;
        for (int j = 0; j < 41; j++, x += step) sum = hash_u32(sum, same_nan_float(last = floats[i].f(x)));
        printf("%-7s %08x %.9g\n", floats[i].name, sum, (double)last);
    }
    uint32_t sum = HASH_START;
    for (int i = 1; i < 40; i++) {
        sum = hash_u64(sum, same_nan_double(pow(i * 0.37, 20 - i)));
        sum = hash_u64(sum, same_nan_double(atan2(i - 20, 13 - i)));
        sum = hash_u64(sum, same_nan_double(fmod(1e10 / i, 17.3)));
        sum = hash_u64(sum, same_nan_double(hypot(i, 41.5 - i)));
    }
    printf("two arguments %08x\n", sum);
    return 0;
}
