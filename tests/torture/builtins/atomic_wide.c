/* 64-bit atomics, which MIPS32 has in a library: one thread needs no lock, but the functions must be there. */
#include <stdatomic.h>
#include <stdio.h>

static _Atomic long long wide = 1;
static _Atomic double real = 0.5;
struct pair { int a, b; };

int main(void) {
    wide += 1ll << 40;
    wide <<= 3;
    long long expected = wide;
    printf("%d %lld\n", atomic_compare_exchange_strong(&wide, &expected, -1), (long long)wide);
    printf("%lld %lld\n", atomic_fetch_and(&wide, 0xff00000000ll), atomic_exchange(&wide, 12));
    real = real * 3 + 1;
    _Atomic struct pair p = {1, 2};
    struct pair q = p;
    q.a += 10;
    p = q;
    struct pair r = atomic_load(&p);
    printf("%g %d %d %lld\n", real, r.a, r.b, (long long)wide);
    unsigned long long u = 5;
    printf("%llu %llu\n", __atomic_fetch_xor(&u, ~0ull, __ATOMIC_SEQ_CST), __atomic_nand_fetch(&u, 7, __ATOMIC_RELAXED));
    return 0;
}
