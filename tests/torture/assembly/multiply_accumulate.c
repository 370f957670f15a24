/* madd, maddu, msub, msubu, mul and the moves to and from hi and lo. */
#include <stdio.h>

#define RUN(op)                                                                                         \
    for (int i = 0; i < 5; i++) {                                                                       \
        int high, low;                                                                                  \
        __asm__("mthi %2\n\tmtlo %3\n\t" op " %4, %5\n\tmfhi %0\n\tmflo %1" : "=&r"(high), "=&r"(low)   \
                : "r"(v[i]), "r"(v[4 - i]), "r"(v[(i + 1) % 5]), "r"(v[(i + 3) % 5]) : "hi", "lo");     \
        printf(op " %08x %08x\n", high, low);                                                           \
    }

int main(void) {
    static volatile int v[] = {-1, 2147483647, -2147483647 - 1, 65537, -77};
    RUN("madd") RUN("maddu") RUN("msub") RUN("msubu")
    return 0;
}
