/* Factorials and Fibonacci numbers with a hundred digits, in base 10^9. */
#include <stdint.h>
#include <stdio.h>

struct big { uint32_t d[40]; int n; };
static void multiply(struct big *b, uint32_t by) {
    uint64_t carry = 0;
    for (int i = 0; i < b->n; i++) {
        carry += (uint64_t)b->d[i] * by;
        b->d[i] = carry % 1000000000;
        carry /= 1000000000;
    }
    if (carry) b->d[b->n++] = carry;
}
static void add(struct big *a, const struct big *b) {
    uint32_t carry = 0;
    for (int i = 0; i < b->n || carry; i++) {
        if (i == a->n) a->d[a->n++] = 0;
        uint32_t s = a->d[i] + (i < b->n ? b->d[i] : 0) + carry;
        carry = s >= 1000000000;
        a->d[i] = carry ? s - 1000000000 : s;
    }
}
static void show(const struct big *b) {
    printf("%u", b->d[b->n - 1]);
    for (int i = b->n - 2; i >= 0; i--) printf("%09u", b->d[i]);
    puts("");
}

int main(void) {
    struct big f = {{1}, 1}, a = {{0}, 1}, b = {{1}, 1};
    for (int i = 2; i <= 70; i++) multiply(&f, i);
    show(&f);
    for (int i = 0; i < 300; i++) {
        struct big t = b;
        add(&b, &a);
        a = t;
    }
    show(&a);
    return 0;
}
