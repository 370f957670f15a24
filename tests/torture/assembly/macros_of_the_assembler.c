/* What GNU as makes of li, la, not, neg, abs, seq, sgt, rol, mulo-free mul, div by constant, bge, ble, dli-free. */
#include <stdio.h>

int main(void) {
    int v[12];
    volatile int x = -37, y = 5;
    __asm__("li %0, 0x12345678" : "=r"(v[0]));
    __asm__("li %0, -40000" : "=r"(v[1]));
    __asm__("not %0, %1" : "=r"(v[2]) : "r"(x));
    __asm__("abs %0, %1" : "=r"(v[3]) : "r"(x));
    __asm__("seq %0, %1, %2" : "=r"(v[4]) : "r"(x), "r"(y));
    __asm__("sgt %0, %1, %2" : "=r"(v[5]) : "r"(y), "r"(x));
    __asm__("rol %0, %1, 7" : "=r"(v[6]) : "r"(x));
    __asm__("mul %0, %1, 1000" : "=r"(v[7]) : "r"(x));
    __asm__("div %0, %1, %2" : "=r"(v[8]) : "r"(x), "r"(y) : "hi", "lo");
    __asm__("rem %0, %1, %2" : "=r"(v[9]) : "r"(x), "r"(y) : "hi", "lo");
    __asm__("li %0, 1\n\tble %1, %2, 1f\n\tli %0, 2\n1:" : "=&r"(v[10]) : "r"(x), "r"(y));
    __asm__("li %0, 1\n\tbgeu %1, %2, 1f\n\tli %0, 2\n1:" : "=&r"(v[11]) : "r"(x), "r"(y));
    for (int i = 0; i < 12; i++) printf("%d ", v[i]);
    puts("");
    return 0;
}
