/* Variables in registers of one's choice, local ones as operands of assembly. */
#include <stdio.h>

static __attribute__((noinline)) int call(int a, int b) {
    register int x __asm__("$4") = a;
    register int y __asm__("$9") = b;
    register int r __asm__("$2");
    __asm__ volatile("addu $2, $4, $9\n\taddiu $4, $4, 1" : "=r"(r), "+r"(x) : "r"(y));
    return r * 100 + x;
}

int main(void) {
    printf("%d\n", call(3, 4));
    return 0;
}
