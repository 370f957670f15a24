/* Integers of any size in base 10^9: factorials, Fibonacci numbers, powers, and pi by Machin's formula. */
#include <stdio.h>

#include "testing.h"

enum { LIMBS = 60 };
typedef struct { uint32_t limb[LIMBS]; int used; } Big;

static void set(Big *b, uint32_t value) { memset(b, 0, sizeof *b); b->limb[0] = value; b->used = 1; }

static void multiply_small(Big *b, uint32_t by) {
    uint64_t carry = 0;
    for (int i = 0; i < b->used || carry; i++) {
        carry += (uint64_t)b->limb[i] * by;
        b->limb[i] = (uint32_t)(carry % 1000000000u);
        carry /= 1000000000u;
        if (i >= b->used) b->used = i + 1;
    }
}

static void add(Big *a, const Big *b) {
    uint32_t carry = 0;
    for (int i = 0; i < b->used || carry; i++) {
        carry += a->limb[i] + b->limb[i];
        a->limb[i] = carry % 1000000000u;
        carry /= 1000000000u;
        if (i >= a->used) a->used = i + 1;
    }
}

static void multiply(const Big *a, const Big *b, Big *result) {
    set(result, 0);
    for (int i = 0; i < a->used; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->used || carry; j++) {
            carry += result->limb[i + j] + (uint64_t)a->limb[i] * b->limb[j];
            result->limb[i + j] = (uint32_t)(carry % 1000000000u);
            carry /= 1000000000u;
            if (i + j >= result->used) result->used = i + j + 1;
        }
    }
}

static void print(const char *name, const Big *b) {
    printf("%s%u", name, b->limb[b->used - 1]);
    for (int i = b->used - 2; i >= 0; i--) printf("%09u", b->limb[i]);
    printf("\n");
}

/* Fixed point, most significant limb first, for pi. */
enum { PLACES = 10 };
static void divide_fixed(uint32_t *x, uint32_t by) {
    uint64_t rest = 0;
    for (int i = 0; i < PLACES; i++) { rest = rest * 1000000000u + x[i]; x[i] = (uint32_t)(rest / by); rest %= by; }
}
static void add_fixed(uint32_t *x, const uint32_t *y, int sign) {
    int64_t carry = 0;
    for (int i = PLACES - 1; i >= 0; i--) {
        carry += (int64_t)x[i] + sign * (int64_t)y[i];
        x[i] = (uint32_t)((carry % 1000000000 + 1000000000) % 1000000000);
        carry = carry < 0 ? -1 : carry / 1000000000;
    }
}
static void arctan_inverse(uint32_t *sum, uint32_t x, uint32_t times, int sign) {
    uint32_t power[PLACES] = {times}, term[PLACES];
    divide_fixed(power, x);
    for (uint32_t n = 1; n < 130; n += 2) {
        memcpy(term, power, sizeof term);
        divide_fixed(term, n);
        add_fixed(sum, term, n % 4 == 1 ? sign : -sign);
        divide_fixed(power, x * x);
    }
}

int main(void) {
    Big f, a, b, c;
    set(&f, 1);
    for (uint32_t i = 2; i <= 100; i++) { multiply_small(&f, i); if (i % 25 == 0) print("", &f); }
    set(&a, 0);
    set(&b, 1);
    for (int i = 0; i < 150; i++) { add(&a, &b); add(&b, &a); }
    print("fibonacci(300) ", &a);
    set(&a, 3);
    for (int i = 0; i < 8; i++) { multiply(&a, &a, &c); a = c; }
    print("3^256 ", &a);
    uint32_t pi[PLACES] = {0};
    arctan_inverse(pi, 5, 16, 1);
    arctan_inverse(pi, 239, 4, -1);
    printf("pi %u.", pi[0]);
    for (int i = 1; i < PLACES - 1; i++) printf("%09u", pi[i]);
    printf("\n");
    return 0;
}
