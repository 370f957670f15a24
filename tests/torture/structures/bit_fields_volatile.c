/* Read-modify-write of volatile bit fields, and their addresses' neighbours. */
#include <stdio.h>

static volatile struct { unsigned char before; unsigned ready : 1, count : 6, mode : 2; unsigned char after; } s = {0xaa, 0, 0, 0, 0x55};

int main(void) {
    for (int i = 0; i < 70; i++) {
        s.count++;
        s.ready = s.count & 1;
        s.mode += s.ready;
    }
    printf("%u %u %u %x %x\n", s.ready, s.count, s.mode, s.before, s.after);
    return s.count;
}
