/* MIPS's own constraints: I, J, K, L, O and P for constants, d, f, R, ZC. */
#include <stdio.h>

int main(void) {
    volatile int source = 1000;
    int a, b, c, d, e, x = source;
    float f = 2.5f, g;
    double p = 1.25, q;
    __asm__("addiu %0, %1, %2" : "=r"(a) : "r"(x), "I"(-32768));
    __asm__("addu %0, %1, %z2" : "=r"(b) : "r"(x), "J"(0));
    __asm__("ori %0, %1, %2" : "=d"(c) : "d"(x), "K"(0xff07));
    __asm__("lui %0, %1 >> 16" : "=r"(d) : "L"(0x12340000));
    __asm__("lw %0, %1" : "=r"(e) : "R"(source));
    __asm__("add.s %0, %1, %1" : "=f"(g) : "f"(f));
    __asm__("mul.d %0, %1, %1" : "=f"(q) : "f"(p));
    printf("%d %d %d %x %d %g %g\n", a, b, c, d, e, g, q);
    return 0;
}
