/* Addresses put together by %hi and %lo with offsets, near the border where %lo is negative. */
#include <stdio.h>

char block[70000] = {[0] = 'a', [32767] = 'b', [32768] = 'c', [65535] = 'd', [65536] = 'e', [69999] = 'f'};

int main(void) {
    int r[6];
#define LOAD(i, offset) __asm__("lui $8, %%hi(block + " #offset ")\n\tlb %0, %%lo(block + " #offset ")($8)" : "=r"(r[i]) : : "$8", "memory")
    LOAD(0, 0);
    LOAD(1, 32767);
    LOAD(2, 32768);
    LOAD(3, 65535);
    LOAD(4, 65536);
    LOAD(5, 69999);
    for (int i = 0; i < 6; i++) putchar(r[i]);
    puts("");
    return 0;
}
