# Every level gives the same answer.
cat >x.c <<'EOF'
#include <stdio.h>
static unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) {
    double sum = 0;
    for (int i = 1; i < 50; ++i) sum += 1.0 / (i * i);
    printf("%u %.12f %lld\n", fib(15), sum, 123456789LL * fib(12) % 1000003);
}
EOF
cat >native.c <x.c
cc native.c -o native
for level in -O0 -O -O1 -O2 -O3 -Os -Og -Ofast; do
    mogcc $level x.c -o prog
    same "$level $(./prog)" "$level $(./native)"
done
