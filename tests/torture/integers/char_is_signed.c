/* Plain char is signed on MIPS; characters above 127 are negative. */
#include <limits.h>
#include <stdio.h>

int main(void) {
    volatile char c = (char)200;
    const char text[] = "\xff\x80\x7f";
    printf("%d %d %d %d\n", c, text[0], text[1], text[2]);
    printf("%d %d %u\n", CHAR_MIN, CHAR_MAX, (unsigned char)text[0]);
    printf("%d\n", '\xff' == -1);
    return (char)0x80 < 0;
}
