/* Members of packed structures of every width at odd addresses: lwl, lwr, swl, swr. */
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) odd { char pad; short s; int i; long long l; float f; double d; unsigned short us; unsigned u; };

static __attribute__((noinline)) void change(struct odd *p) {
    p->s = -p->s, p->i *= 3, p->l += p->i, p->f /= 2, p->d *= p->f, p->us = ~p->us, p->u -= p->us;
}

int main(void) {
    char buffer[64];
    for (int shift = 0; shift < 4; shift++) {
        struct odd *p = (struct odd *)(buffer + shift);
        memset(buffer, 0x5a, sizeof buffer);
        *p = (struct odd){1, -2, 300000, -40000000000ll, 5.5f, -6.25, 700, 80000};
        change(p);
        struct odd copy = *p;
        printf("%d %d %lld %g %g %u %u %x\n", copy.s, copy.i, copy.l, copy.f, copy.d, copy.us, copy.u, buffer[shift + sizeof *p]);
    }
    return sizeof(struct odd);
}
