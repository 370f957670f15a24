/* Fibonacci's numbers: nothing but spawns. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static int fib(int n) {
    if (n < 2) return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 24;
    printf("%d\n", fib(n));
    return 0;
}
