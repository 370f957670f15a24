/* mtc1, mfc1, mthc1-free halves of doubles, ldc1 and sdc1, neg and abs of both widths. */
#include <stdio.h>

int main(void) {
    static double memory[2] = {-1.5, 0};
    double d, n, a;
    float f;
    int low, high, bits;
    __asm__("ldc1 %0, %1" : "=f"(d) : "m"(memory[0]));
    __asm__("neg.d %0, %1" : "=f"(n) : "f"(d));
    __asm__("abs.d %0, %1" : "=f"(a) : "f"(d));
    __asm__ volatile("sdc1 %1, %0" : "=m"(memory[1]) : "f"(n));
    __asm__("mtc1 %1, %0\n\tneg.s %0, %0" : "=f"(f) : "r"(0x40490fdb));
    __asm__("mfc1 %0, %1" : "=r"(bits) : "f"(f));
    __asm__("mfc1 %0, $f4" : "=r"(low));
    __asm__("cvt.w.d $f6, %1\n\tmfc1 %0, $f6" : "=r"(high) : "f"(n) : "$f6");
    printf("%g %g %g %g %08x %d\n", d, n, a, memory[1], bits, high);
    (void)low;
    return 0;
}
