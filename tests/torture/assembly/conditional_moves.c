/* movz, movn, movf, movt on integers and floats, and their unchanged targets. */
#include <stdio.h>

int main(void) {
    for (int i = 0; i < 4; i++) {
        int a = 1, b = 2;
        float f = 3, one = 1;
        double d = 4;
        __asm__("movz %0, %1, %2" : "+r"(a) : "r"(10), "r"(i & 1));
        __asm__("movn %0, %1, %2" : "+r"(b) : "r"(20), "r"(i & 2));
        __asm__("c.lt.s $fcc2, %2, %3\n\tmovt.s %0, %2, $fcc2\n\tmovf.d %1, %4, $fcc2" : "+f"(f), "+f"(d) : "f"((float)i), "f"(one + 0.5f), "f"(9.0) : "$fcc2");
        printf("%d %d %g %g\n", a, b, f, d);
    }
    return 0;
}
