/* Clobbered registers, memory and hi and lo: what the compiler had in them must live elsewhere. */
#include <stdio.h>

int main(void) {
    volatile int seed = 7;
    int a = seed, b = seed * 2, c = seed * 3, d = seed * 4;
    long long product;
    __asm__ volatile("li $8, 1\n\tli $9, 2\n\tli $16, 3\n\tli $17, 4\n\tmthi $8\n\tmtlo $9\n\tmtc1 $8, $f20" ::: "$8", "$9", "$16", "$17", "hi", "lo", "$f20", "memory");
    __asm__("mult %1, %2\n\tmflo %L0\n\tmfhi %M0" : "=&r"(product) : "r"(a * 1000000), "r"(-b * 1000) : "hi", "lo");
    printf("%d %d %d %d %lld\n", a, b, c, d, product);
    return 0;
}
