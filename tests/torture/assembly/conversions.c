/* round, trunc, ceil, floor and cvt, of both widths, over halves, big numbers and negative ones. */
#include <stdio.h>

int main(void) {
    static volatile double v[] = {0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999999999999994, 1e9, -1e9, 2147483646.5, -2147483647.5, 3e9};
    for (int i = 0; i < 12; i++) {
        int r[8];
        double d = v[i];
        float f = d;
        __asm__("round.w.d $f2, %1\n\tmfc1 %0, $f2" : "=r"(r[0]) : "f"(d) : "$f2");
        __asm__("trunc.w.d $f2, %1\n\tmfc1 %0, $f2" : "=r"(r[1]) : "f"(d) : "$f2");
        __asm__("ceil.w.d $f2, %1\n\tmfc1 %0, $f2" : "=r"(r[2]) : "f"(d) : "$f2");
        __asm__("floor.w.d $f2, %1\n\tmfc1 %0, $f2" : "=r"(r[3]) : "f"(d) : "$f2");
        __asm__("round.w.s $f2, %1\n\tmfc1 %0, $f2" : "=r"(r[4]) : "f"(f) : "$f2");
        __asm__("trunc.w.s $f2, %1\n\tmfc1 %0, $f2" : "=r"(r[5]) : "f"(f) : "$f2");
        __asm__("ceil.w.s $f2, %1\n\tmfc1 %0, $f2" : "=r"(r[6]) : "f"(f) : "$f2");
        __asm__("floor.w.s $f2, %1\n\tmfc1 %0, $f2" : "=r"(r[7]) : "f"(f) : "$f2");
        for (int k = 0; k < 8; k++) printf("%d ", r[k]);
        puts("");
    }
    return 0;
}
