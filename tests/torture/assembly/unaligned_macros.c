/* ulw, usw, ulh, ush, and lwl and lwr alone. */
#include <stdio.h>

int main(void) {
    static unsigned char bytes[16] = {0x81, 0x12, 0x93, 0x24, 0xa5, 0x36, 0xb7, 0x48, 0xc9};
    for (int i = 0; i < 4; i++) {
        int a, b, c, d = 0x11223344, e = 0x55667788;
        __asm__("ulw %0, 0(%1)" : "=&r"(a) : "r"(bytes + i) : "memory");
        __asm__("ulh %0, 1(%1)" : "=&r"(b) : "r"(bytes + i) : "memory");
        __asm__("ulhu %0, 1(%1)" : "=&r"(c) : "r"(bytes + i) : "memory");
        __asm__("lwl %0, 0(%1)" : "+r"(d) : "r"(bytes + i) : "memory");
        __asm__("lwr %0, 0(%1)" : "+r"(e) : "r"(bytes + i) : "memory");
        printf("%08x %d %d %08x %08x\n", a, b, c, d, e);
        __asm__("usw %0, 2(%1)\n\tush %0, 7(%1)" : : "r"(a ^ b), "r"(bytes + i) : "memory");
        __asm__("swl %0, 8(%1)\n\tswr %0, 12(%1)" : : "r"(d), "r"(bytes + i) : "memory");
    }
    for (int i = 0; i < 16; i++) printf("%02x", bytes[i]);
    puts("");
    return 0;
}
