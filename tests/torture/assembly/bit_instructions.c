/* ext, ins, seb, seh, wsbh, rotr, rotrv, clz, clo. */
#include <stdio.h>

int main(void) {
    static volatile unsigned v[] = {0, 1, 0x80, 0x8000, 0x12345678, 0x80000000, 0xffff0000, 0xffffffff};
    for (int i = 0; i < 8; i++) {
        unsigned a, b, c, d, e, f, g, h, k = 0x55555555;
        __asm__("ext %0, %1, 4, 9" : "=r"(a) : "r"(v[i]));
        __asm__("ins %0, %1, 5, 12" : "+r"(k) : "r"(v[i]));
        __asm__("seb %0, %1" : "=r"(b) : "r"(v[i]));
        __asm__("seh %0, %1" : "=r"(c) : "r"(v[i]));
        __asm__("wsbh %0, %1" : "=r"(d) : "r"(v[i]));
        __asm__("rotr %0, %1, 13" : "=r"(e) : "r"(v[i]));
        __asm__("rotrv %0, %1, %2" : "=r"(f) : "r"(v[i]), "r"(i * 9));
        __asm__("clz %0, %1" : "=r"(g) : "r"(v[i]));
        __asm__("clo %0, %1" : "=r"(h) : "r"(v[i]));
        printf("%x %x %x %x %x %x %x %u %u\n", a, k, b, c, d, e, f, g, h);
    }
    return 0;
}
