/* All sixteen conditions of c.cond.d and c.cond.s, over ordered operands and a NaN (quiet forms only raise no trap). */
#include <stdio.h>

#define ONE(cond) { int r; __asm__("li %0, 1\n\tc." #cond ".d %1, %2\n\tmovf %0, $0, $fcc0" : "=&r"(r) : "f"(x), "f"(y) : "$fcc0"); putchar('0' + r); \
                    __asm__("li %0, 1\n\tc." #cond ".s $fcc5, %1, %2\n\tmovf %0, $0, $fcc5" : "=&r"(r) : "f"((float)x), "f"((float)y) : "$fcc5"); putchar('0' + r); }

int main(void) {
    volatile double zero = 0;
    double v[] = {1, 2, -1.0 / zero, zero / zero};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double x = v[i], y = v[j];
            ONE(f) ONE(un) ONE(eq) ONE(ueq) ONE(olt) ONE(ult) ONE(ole) ONE(ule) ONE(sf) ONE(ngle) ONE(seq) ONE(ngl) ONE(lt) ONE(nge) ONE(le) ONE(ngt)
            puts("");
        }
    return 0;
}
