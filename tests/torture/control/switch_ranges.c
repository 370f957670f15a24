/* GNU's case ranges, of characters and of large numbers. */
#include <stdio.h>

static __attribute__((noinline)) int kind(unsigned c) {
    switch (c) {
    case '0' ... '9': return 'd';
    case 'a' ... 'f': case 'A' ... 'F': return 'x';
    case 'g' ... 'z': return 'l';
    case 0x80 ... 0xffff: return 'h';
    case 0x80000000 ... 0xfffffffe: return 'n';
    case 0xffffffff: return 'm';
    default: return '.';
    }
}

int main(void) {
    for (unsigned c = ' '; c < 128; c++) putchar(kind(c));
    putchar(kind(0x80)), putchar(kind(0xffff)), putchar(kind(0x10000)), putchar(kind(0x7fffffff)), putchar(kind(0x80000000)), putchar(kind(0xffffffff));
    puts("");
    return 0;
}
