/* 128-bit arithmetic from 64-bit halves: there is no __int128 on o32. */
#include <stdint.h>
#include <stdio.h>

struct u128 { uint64_t high, low; };
static struct u128 add(struct u128 a, struct u128 b) { uint64_t l = a.low + b.low; return (struct u128){a.high + b.high + (l < a.low), l}; }
static struct u128 shift(struct u128 a, int n) {
    return n == 0 ? a : n < 64 ? (struct u128){a.high << n | a.low >> (64 - n), a.low << n} : (struct u128){a.low << (n - 64), 0};
}
static struct u128 multiply(struct u128 a, struct u128 b) {
    struct u128 r = {0, 0};
    for (int i = 0; i < 128; i++) if ((i < 64 ? b.low >> i : b.high >> (i - 64)) & 1) r = add(r, shift(a, i));
    return r;
}

int main(void) {
    struct u128 f = {0, 1};
    for (uint64_t i = 1; i < 34; i++) f = multiply(f, (struct u128){0, i});
    printf("%016llx%016llx\n", (unsigned long long)f.high, (unsigned long long)f.low);
    return 0;
}
