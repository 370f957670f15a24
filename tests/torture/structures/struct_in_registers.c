/* Structures of 8 bytes that are in registers, changed member by member. */
#include <stdio.h>

struct pair { short a, b; int c; };

static __attribute__((noinline)) struct pair swap(struct pair p) { return (struct pair){p.b, p.a, p.c ^ (p.a << 16 | (unsigned short)p.b)}; }
static __attribute__((noinline)) long long as_number(struct pair p) { return (long long)p.c << 32 | (unsigned)(p.a * p.b); }

int main(void) {
    struct pair p = {-1, 2, 3};
    for (int i = 0; i < 5; i++) {
        p = swap(p);
        p.a += i;
        p.c -= p.b;
        printf("%d %d %d %lld\n", p.a, p.b, p.c, as_number(p));
    }
    return 0;
}
