/* Loops that end by wrapping, count down to zero, or compare against unsigned limits. */
#include <stdio.h>

int main(void) {
    unsigned sum = 0;
    for (unsigned char c = 1; c != 0; c++) sum += c;
    for (unsigned i = 10; i-- > 0;) sum = sum * 3 + i;
    for (unsigned short s = 65530; s > 100; s += 3) sum ^= s;
    for (int i = 5; i >= -5; i -= 2) sum += (unsigned)i;
    unsigned long long w = 0xfffffffffull;
    while (w > 0xffffffff0ull) w--, sum++;
    printf("%u\n", sum);
    return 0;
}
