/* Where promotion to int shows: ~ and shifts of unsigned char, unsigned short products, conditional operands. */
#include <stdio.h>

int main(void) {
    volatile unsigned char c = 0x80;
    volatile unsigned short s = 0xffff;
    printf("%d %d %d\n", ~c >> 4, (unsigned char)~c >> 4, c << 24);
    printf("%d %d\n", (c << 1) == 0, (unsigned char)(c << 1) == 0);
    printf("%d %u\n", s + 1, (unsigned short)(s + 1));
    printf("%d\n", (1 ? -1 : 0u) > 0);
    printf("%zu %zu %zu\n", sizeof(c + c), sizeof(+c), sizeof('a'));
    printf("%d %d\n", -c, !c);
    return (s & c) == 0x80;
}
