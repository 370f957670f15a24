/* loops_wide.c: what gcc calls for loops whose counter is an `unsigned long long`. */
#include <stdarg.h>

#include "across.h"
#include "openmp.h"
#include "share.h"

#define NUMBER wide
#define COUNT wide
#define LOOP(name) wide_##name
#define PUBLIC(name) GOMP_loop_ull_##name
#define UP_PARAMETER bool up,
#define UP_ARGUMENT up,
#define IS_UP up
#include "loops.h"

GOMP(void, doacross_ull_post, (wide * place)) { omp_post(place); }
GOMP(void, doacross_ull_wait, (wide first, ...)) {
    const unsigned dimensions = omp_dimensions();
    wide numbers[dimensions + 1];
    va_list others;
    numbers[0] = first;
    va_start(others, first);
    for (unsigned i = 1; i < dimensions; ++i) numbers[i] = va_arg(others, wide);
    va_end(others);
    omp_wait_for_post(numbers);
}
