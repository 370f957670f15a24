/* Ackermann, Fibonacci, Hofstadter: recursion as arguments of recursion. */
#include <stdio.h>

static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int male(int n);
static int female(int n) { return n ? n - male(female(n - 1)) : 1; }
static int male(int n) { return n ? n - female(male(n - 1)) : 0; }

int main(void) {
    printf("%d %d %d %d\n", ackermann(2, 5), fibonacci(16), female(20), male(20));
    return 0;
}
