/* 64-bit arguments begin at even registers; results come in two. */
#include <stdio.h>

static __attribute__((noinline)) long long f(int a, long long b, int c, long long d) { return b * a - d * c; }
static __attribute__((noinline)) unsigned long long g(unsigned long long a, int b) { return b ? g(a << 1 | a >> 63, b - 1) ^ b : a; }
static __attribute__((noinline)) int h(long long a, int b, int c, long long d) { return (a < d) * 100 + (a > b) * 10 + (d == c); }

int main(void) {
    printf("%lld %llx %d %d\n", f(3, 1ll << 40, -2, 1ll << 41), g(0x8000000000000001ull, 17), h(-1, -2, 5, 5), h(1ll << 40, 0, 0, 1ll << 32));
    return 0;
}
