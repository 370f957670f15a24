/* _Thread_local and __thread variables: initialised, zero, aligned, static in functions. */
#include <stdint.h>
#include <stdio.h>

static _Thread_local int counter = 5;
__thread long long wide = -3;
static __thread char zero[100];
static _Thread_local double aligned __attribute__((aligned(16))) = 0.5;

static int next(void) {
    static __thread int n = 40;
    return n++;
}

int main(void) {
    counter += next();
    wide *= next();
    zero[99] = counter;
    aligned += zero[0];
    int *p = &counter;
    ++*p;
    printf("%d %lld %d %d %g %u\n", counter, wide, zero[99], zero[50], aligned, (unsigned)((uintptr_t)&aligned % 16));
    return next();
}
